"""Laws: what must not change when an instance is written in another way, and engines that must agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import numpy as np
from tests.oracle.judge import Case

from benchmarks.fuzz.case import make_case
from benchmarks.fuzz.check import Outcome, is_below
from benchmarks.fuzz.instance import Column, Instance, Value
from linkrisk.attackers import Mean
from linkrisk.errors import LinkriskError
from linkrisk.learning import learn as learner
from linkrisk.learning.learned import Learned
from linkrisk.linkage.search import nearest

LAW_SECONDS = 5.0


def check_laws(instance: Instance, random: np.random.Generator) -> Outcome:
    """Learn an instance and another way to write it: neither makes more links than the bound of the other."""
    outcome = Outcome()
    name = str(random.choice(list(LAWS)))
    other = LAWS[name](instance, random)
    if other is None:
        return outcome
    try:
        with np.errstate(all="ignore"):
            first, second = _learn(instance), _learn(other)
    except LinkriskError:
        outcome.is_refused = True
        return outcome
    except Exception as crash:
        outcome.add("crashed", f"{name}: {type(crash).__name__}: {crash}")
        return outcome
    if is_below(min(first.bound, second.bound), max(first.links, second.links)):
        outcome.add("law", f"{name}: {first!r} and {second!r}")
    return outcome


def check_linkage(instance: Instance) -> Outcome:
    """Link by the mean of one, two or four attributes, whose weights are exact, and count exactly."""
    outcome = Outcome()
    n = {1: 1, 2: 2, 3: 2}.get(len(instance.columns), 4)
    part = replace(instance.keep_columns(list(range(n))), family="weighted_mean", margin=0.0, weights=None)
    try:
        with np.errstate(all="ignore"):
            comparison = part.comparison()
            linkage = nearest(Mean().distance(comparison), threads=1)
            found = np.flatnonzero(linkage.is_linked(part.ties)).tolist()
            links = float(linkage.links(part.ties))
    except LinkriskError:
        outcome.is_refused = True
        return outcome
    except Exception as crash:
        outcome.add("crashed", f"linkage: {type(crash).__name__}: {crash}")
        return outcome
    case = make_case(part, comparison)
    exact, worth = case.linked([1] * n), float(case.count([1] * n))
    if any(not _is_at_the_tolerance(case, i) for i in set(found) ^ set(exact)) or (found == exact and links != worth):
        outcome.add("linkage", f"the mean links {found} ({links!r}), exactly {exact} ({worth!r})")
    return outcome


def _is_at_the_tolerance(case: Case, i: int) -> bool:
    """Whether a record meets the tolerance to the last bits: linkage compares distances as they are computed."""
    sums = [sum(case.features[i][j]) for j in range(len(case.protected))]
    own, near = sums[case.own[i]], 1 - case.tolerance
    return any(abs(near * sums[j] - own) <= Fraction(own + sums[j], 2**49) for j in case.counting(i))


def check_engines(seed: int, number: int) -> tuple[Instance, Outcome]:
    """Draw a larger file, and learn it by covers alone, and by boxes that begin and take turns with covers."""
    random = np.random.default_rng([seed, number, 1])
    instance = _larger(random)
    outcome = Outcome()
    try:
        with _settings(MAX_BOX_PARAMETERS=0):
            covers = _learn(instance)
        with _settings(LEAST_CORES=0, CORES_FIRST=0.0):
            boxes = _learn(instance)
    except Exception as crash:
        outcome.add("crashed", f"engines: {type(crash).__name__}: {crash}")
        return instance, outcome
    if is_below(min(covers.bound, boxes.bound), max(covers.links, boxes.links)):
        outcome.add("engines", f"covers {covers!r}, boxes {boxes!r}")
    return instance, outcome


def _larger(random: np.random.Generator) -> Instance:
    n, k = int(random.integers(20, 90)), int(random.integers(2, 5))
    x = random.normal(size=(n, k))
    y = x + random.choice([0.3, 0.6, 1.0]) * random.normal(size=x.shape)
    digits = int(random.choice([0, 1, 3]))
    if random.random() < 0.6:
        x, y = x.round(digits), y.round(digits)
    if random.random() < 0.4:  # left as they were: boxes put these aside
        left = int(random.integers(1, k))
        x[:, :left] = y[:, :left] = x[:, :left].round(0)
    columns = tuple(Column("numeric", tuple(x[:, q].tolist()), tuple(y[:, q].tolist())) for q in range(k))
    return Instance(
        family=str(random.choice(["weighted_mean", "weighted_mean_metric", "owa"])),
        kind="larger",
        columns=columns,
        own=tuple(range(n)),
        scale=str(random.choice(["separate", "original", "ranks"])),
        ties=str(random.choice(["unique", "class", "expected"])),
    )


@contextmanager
def _settings(**values: float) -> Iterator[None]:
    """Set thresholds of the learner, and put them back."""
    before = {name: getattr(learner, name) for name in values}
    for name, value in values.items():
        setattr(learner, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(learner, name, value)


def _learn(instance: Instance) -> Learned:
    return learner.learn(
        instance.learned_family(),
        instance.comparison(),
        ties=instance.ties,
        weights=None if instance.weights is None else np.array(instance.weights),
        margin=instance.margin,
        time_limit=LAW_SECONDS,
        threads=1,
    )


def _permuted_records(instance: Instance, random: np.random.Generator) -> Instance:
    shuffled = instance.keep_original(random.permutation(instance.n_original).tolist())
    return shuffled.keep_protected(random.permutation(instance.n_protected).tolist())


def _permuted_attributes(instance: Instance, random: np.random.Generator) -> Instance:
    return instance.keep_columns(random.permutation(len(instance.columns)).tolist())


def _other_units(instance: Instance, random: np.random.Generator) -> Instance | None:
    """Multiply numbers by powers of two, which scaling takes out again exactly; not numbers that would underflow."""
    columns = []
    for column in instance.columns:
        factor = 2.0 ** int(random.integers(-20, 21))
        if column.kind != "numeric":
            factor = 1.0
        other = replace(column, original=_times(column.original, factor), protected=_times(column.protected, factor))
        back = _times(other.original, 1.0 / factor), _times(other.protected, 1.0 / factor)
        if instance.kind == "extremes" or back != (column.original, column.protected):
            return None
        columns.append(other)
    return replace(instance, columns=tuple(columns))


def _times(values: tuple[Value, ...], factor: float) -> tuple[Value, ...]:
    return tuple(value * factor if isinstance(value, float) else value for value in values)


def _one_attribute_twice(instance: Instance, random: np.random.Generator) -> Instance | None:
    """Repeat an attribute: distances stay the same, except where they are ordered, floored or few Möbius values."""
    if instance.family in {"owa", "weighted_mean_metric", "choquet_additive"} or len(instance.columns) > 3:
        return None
    chosen = int(random.integers(len(instance.columns)))
    return instance.keep_columns([*range(len(instance.columns)), chosen])


LAWS: dict[str, Callable[[Instance, np.random.Generator], Instance | None]] = {
    "permuted records": _permuted_records,
    "permuted attributes": _permuted_attributes,
    "other units": _other_units,
    "one attribute twice": _one_attribute_twice,
}
