"""Drawing instances: a family and a kind by their number, everything else by a generator of seed and number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.fuzz.instance import FAMILIES, FREE, ORDER, Column, Instance, Value

Numbers = NDArray[np.float64]

TOLERANCE = 2.0**-40

MARGINS = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass
class Sketch:
    """Two files of numbers in the making, and settings that a kind fixes."""

    x: Numbers
    y: Numbers
    own: NDArray[np.int64]
    scale: str
    ties: str
    margin: float = 0.0
    weights: Numbers | None = None
    labels: dict[int, str] | None = None


def draw(seed: int, number: int) -> Instance:
    """Return the instance of a seed and a number: families take turns, then kinds."""
    family = FAMILIES[number % len(FAMILIES)]
    kind = KINDS[number // len(FAMILIES) % len(KINDS)]
    random = np.random.default_rng([seed, number])
    sketch = _DRAWN[kind](random, *_sizes(random, family))
    if kind not in {"strangers", "near_ties", "near_twins"} and random.random() < 0.1:
        _lose_some(random, sketch)
    if kind != "weights" and random.random() < 0.1:
        sketch.weights = _weights(random, len(sketch.x))
    if kind != "missing" and random.random() < 0.05:
        _make_holes(random, sketch)
    if sketch.margin == 0.0 and random.random() < 0.05:
        sketch.margin = float(random.choice(MARGINS))
    return _finished(random, sketch, family, kind)


def _sizes(random: np.random.Generator, family: str) -> tuple[int, int]:
    """Draw numbers of records, most of them 3 to 8, and attributes."""
    n_records = int(random.integers(3, 9)) if random.random() < 0.9 else int(random.choice([2, *range(9, 21)]))
    shares = (0.15, 0.35, 0.3, 0.15, 0.05) if family.startswith("choquet") else (0.15, 0.4, 0.3, 0.15, 0.0)
    return n_records, int(random.choice(5, p=shares)) + 1


def _finished(random: np.random.Generator, sketch: Sketch, family: str, kind: str) -> Instance:
    labels = sketch.labels or {}
    columns = tuple(
        Column(labels.get(k, "numeric"), _values(sketch.x[:, k], labels.get(k)), _values(sketch.y[:, k], labels.get(k)))
        for k in range(sketch.x.shape[1])
    )
    n_attributes = len(columns)
    return Instance(
        family=family,
        kind=kind,
        columns=columns,
        own=tuple(sketch.own.tolist()),
        scale=sketch.scale,
        ties=sketch.ties,
        margin=0.0 if family in FREE else sketch.margin,
        weights=_usable(sketch),
        floor=float(random.choice([1e-4, 0.01, 0.5 / n_attributes])),
        additivity=int(random.choice([1, 2, 3], p=[0.15, 0.6, 0.25])),
    )


def _usable(sketch: Sketch) -> tuple[float, ...] | None:
    """Return the weights, None where no record that has a counterpart has one above 0."""
    weights = sketch.weights
    return None if weights is None or not weights[sketch.own >= 0].any() else tuple(weights.tolist())


def _values(column: Numbers, kind: str | None) -> tuple[Value, ...]:
    """Return the values of a column: None where missing, labels by their number."""
    if kind is None:
        return tuple(None if np.isnan(value) else float(value) for value in column)
    return tuple(None if np.isnan(value) else ORDER[int(abs(value)) % len(ORDER)] for value in column)


def _sketch(random: np.random.Generator, x: Numbers, y: Numbers) -> Sketch:
    scale = str(random.choice(["separate", "original", "ranks"], p=[0.4, 0.4, 0.2]))
    ties = str(random.choice(["unique", "class", "expected"], p=[0.5, 0.25, 0.25]))
    return Sketch(np.array(x, dtype=np.float64), np.array(y, dtype=np.float64), np.arange(len(x)), scale, ties)


def _plain(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Draw normal numbers with normal noise."""
    x = random.normal(size=(n, k))
    noise = random.choice([0.1, 0.3, 0.6, 1.0, 1.5]) * random.uniform(0.2, 2.0, k)
    return _sketch(random, x, x + noise * random.normal(size=x.shape))


def _whole(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Small whole numbers: ties, opposite records, walls that coincide."""
    size, noise = int(random.integers(1, 7)), int(random.integers(1, 4))
    x = random.integers(-size, size + 1, (n, k)).astype(np.float64)
    return _sketch(random, x, x + random.integers(-noise, noise + 1, (n, k)))


def _base(random: np.random.Generator, n: int, k: int) -> Sketch:
    return _whole(random, n, k) if random.random() < 0.5 else _plain(random, n, k)


def _duplicates(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Draw copies of protected records, of original ones, or of both."""
    sketch = _base(random, n, k)
    for side in (sketch.x, sketch.y):
        if random.random() < 0.8:
            for _ in range(int(random.integers(1, n))):
                side[random.integers(n)] = side[random.integers(n)]
    if random.random() < 0.3:
        sketch.x[random.integers(n)] = sketch.y[random.integers(n)]
    return sketch


def _missing(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Holes in both files."""
    sketch = _base(random, n, k)
    _make_holes(random, sketch)
    return sketch


def _make_holes(random: np.random.Generator, sketch: Sketch) -> None:
    share = random.uniform(0.05, 0.5)
    for side in (sketch.x, sketch.y):
        holes = random.random(side.shape) < share
        for column in range(side.shape[1]):
            if holes[:, column].all():
                holes[random.integers(len(holes)), column] = False
        side[holes] = np.nan


def _tails(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Cubes of Cauchy numbers: a few values are out of all proportion."""
    x = random.standard_cauchy((n, k)) ** 3
    return _sketch(random, x, x + random.choice([0.01, 1.0]) * random.standard_cauchy((n, k)) ** 3)


def _offsets(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Small differences of large numbers."""
    sketch = _base(random, n, k)
    offset = random.choice([1e8, -1e8, 1e12, 2.0**52, 1e15], size=k)
    sketch.x, sketch.y = sketch.x + offset, sketch.y + offset
    return sketch


def _last_bits(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Draw records that differ from their own version, and from others, by the last bits of the values only."""
    x = random.normal(size=(n, k))
    direction = random.integers(-7, 8, k) + 0.0
    steps = random.integers(1, 100, (n, 1)) * 2.0**-52
    y = x + steps * direction
    far = random.random(n) < 0.4
    y[far] = x[far] + random.uniform(0.01, 0.05) * direction
    for i in np.flatnonzero(~far)[1::2]:  # a neighbour of another record, almost as near to it as its own version
        other = int(random.integers(n))
        y[i] = x[other] + (steps[other] + random.choice([-2, -1, 1, 2]) * 2.0**-52) * direction
    return _sketch(random, x, y)


def _unit_columns(random: np.random.Generator, n: int, k: int) -> Numbers:
    """Draw columns of mean 0 and deviation 1 exactly, so that scale ``original`` leaves all values as they are."""
    half = max(1, (n - 1) // 2)
    return np.column_stack([random.permutation([1.0] * half + [-1.0] * half + [0.0]) for _ in range(k)])


def _nudged(random: np.random.Generator, length: float) -> float:
    """Return a length times 1 + 2^-41, or a like number, up to a few last bits."""
    factor = random.choice([1.0, 1.0 + TOLERANCE / 2, 1.0 - TOLERANCE / 2, 1.0 + TOLERANCE], p=[0.2, 0.4, 0.3, 0.1])
    nudged = length * factor
    for _ in range(int(random.integers(0, 4))):
        nudged = np.nextafter(nudged, np.inf if random.random() < 0.5 else 0.0)
    return float(nudged)


def _near_ties(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Rivals whose distance meets the tolerance up to the last bits, on all attributes or on some."""
    x = _unit_columns(random, n, k)
    y = x + random.choice([1.0, 0.5, 1.0308108576], size=x.shape) * random.uniform(0.5, 1.5, x.shape)
    sketch = _sketch(random, x, y)
    sketch.scale = "original"
    for _ in range(int(random.integers(1, len(x)))):
        i, j = random.choice(len(x), 2, replace=False)
        for attribute in range(k):
            if random.random() < 0.85:
                length = abs(float(x[i, attribute] - sketch.y[i, attribute]))
                sketch.y[j, attribute] = x[i, attribute] + random.choice([-1.0, 1.0]) * _nudged(random, length)
    if random.random() < 0.5:
        sketch.y[-1] = 30.0
    return sketch


def _near_twins(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Draw the same under rules for which twins do not count."""
    sketch = _near_ties(random, n, k)
    sketch.ties = str(random.choice(["class", "expected"]))
    return sketch


def _opposites(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Rivals on the other side of a record, just as far, exactly or up to the last bits."""
    sketch = _base(random, n, k)
    for _ in range(int(random.integers(1, n))):
        i, j = random.choice(n, 2, replace=False)
        sketch.y[j] = 2.0 * sketch.x[i] - sketch.y[i]
        if random.random() < 0.4:
            sketch.y[j] = np.nextafter(sketch.y[j], random.choice([-np.inf, np.inf]))
    return sketch


def _extremes(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Values from next to nothing to next to infinity: beside each other, or all of one size."""
    sketch = _base(random, n, k)
    sketch.scale = str(random.choice(["original", "separate"], p=[0.7, 0.3]))
    reach = float(random.choice([60, 80, 120, 160, 200, 300]))
    style = random.integers(3)
    if style == 0:  # single cells
        for side in (sketch.x, sketch.y):
            chosen = random.random(side.shape) < 0.3
            side[chosen] *= 10.0 ** random.uniform(-reach, reach, side.shape)[chosen]
    elif style == 1:  # protected values out of all proportion to the original ones
        sketch.y = sketch.y * 10.0 ** random.choice([-reach, reach])
    else:  # most values tiny, one pair of values that sets the scale
        sketch.x, sketch.y = sketch.x * 10.0**-reach, sketch.y * 10.0**-reach
        sketch.x[0], sketch.x[-1] = 1.0, -1.0
    return sketch


def _margins(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Links that must be nearer by a share, which whole numbers meet exactly."""
    sketch = _base(random, n, k)
    sketch.margin = float(random.choice(MARGINS))
    return sketch


def _strangers(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Original records without protected version, protected records of nobody, or two of one person."""
    sketch = _base(random, n, k)
    _lose_some(random, sketch)
    return sketch


def _lose_some(random: np.random.Generator, sketch: Sketch) -> None:
    extra = int(random.integers(0, 4))
    added = sketch.y[random.integers(0, len(sketch.y), extra)] + random.integers(-1, 2, (extra, sketch.y.shape[1]))
    sketch.y = np.concatenate([sketch.y, added])
    order = random.permutation(len(sketch.y))
    sketch.y = sketch.y[order]
    sketch.own = np.argsort(order)[: len(sketch.x)]
    lost = random.random(len(sketch.own)) < 0.2
    lost[random.integers(len(lost))] = False
    sketch.own[lost] = -1


def _weighted(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Draw records of different worth."""
    sketch = _base(random, n, k)
    sketch.weights = _weights(random, n)
    return sketch


def _weights(random: np.random.Generator, n: int) -> Numbers:
    style = random.integers(5)
    weights: Numbers
    if style == 0:
        weights = random.integers(0, 5, n).astype(np.float64)
    elif style == 1:
        weights = random.integers(1, 30, n) / 10.0
    elif style == 2:
        weights = np.power(10.0, random.integers(0, int(random.choice([11, 16, 21])), n))
    elif style == 3:
        weights = random.uniform(0.0, 1.0, n)
    else:
        weights = 10.0 ** random.uniform(-10.0, 10.0, n)
    weights[random.random(n) < 0.1] = 0.0
    return weights


def _mixed(random: np.random.Generator, n: int, k: int) -> Sketch:
    """Nominal and ordinal attributes beside a number."""
    sketch = _whole(random, n, k)
    kinds = random.choice(["numeric", "nominal", "ordinal"], size=k)
    kinds[random.integers(k)] = "numeric"
    sketch.labels = {place: str(kind) for place, kind in enumerate(kinds) if kind != "numeric"}
    return sketch


_DRAWN: dict[str, Callable[[np.random.Generator, int, int], Sketch]] = {
    "plain": _plain,
    "whole": _whole,
    "duplicates": _duplicates,
    "missing": _missing,
    "tails": _tails,
    "offsets": _offsets,
    "last_bits": _last_bits,
    "near_ties": _near_ties,
    "near_twins": _near_twins,
    "opposites": _opposites,
    "extremes": _extremes,
    "margins": _margins,
    "strangers": _strangers,
    "weights": _weighted,
    "mixed": _mixed,
}

KINDS = tuple(_DRAWN)
