"""Whoever knows the method finds as many as anybody without true pairs, and nobody exceeds the ceiling."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk import Assessment
from linkrisk.attack.result import AttackResult
from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.informed.attack import InformedLinkage, attack_informed
from linkrisk.informed.describing import as_descriptions
from linkrisk.protection import Protection
from tests.oracle import informed as twin

RECORDS = 40
"""Records of each file."""

FILES = 6
"""Files of each method; always the same."""

SLACK = 4.0
"""Standard errors by which a mean over the files may be on the wrong side: of equals (Student, 5 degrees of freedom)
one in 200 is farther by chance."""

UNFITTED = ("mean", "median", "mahalanobis0", "kernel", "probabilistic")

Made = tuple[pd.DataFrame, list[Protection]]


def numbers(seed: int, n: int = RECORDS) -> pd.DataFrame:
    """Return three attributes that depend on each other, one of them skewed."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(n, 3)) @ random.normal(size=(3, 3))
    values[:, 0] = np.exp(values[:, 0] / 2.0)
    return pd.DataFrame(values.round(6), columns=list("abc"))


def labels(seed: int, n: int = RECORDS) -> pd.DataFrame:
    """Return four nominal attributes with categories of uneven frequency."""
    random = np.random.default_rng(seed)
    places = {name: np.floor(6 * random.random(n) ** 2).astype(int) for name in "defg"}
    return pd.DataFrame({name: [f"{name}{place}" for place in column] for name, column in places.items()})


def of_numbers(method: str, **parameters: Any) -> Callable[[int], Made]:
    """Return how a file of numbers and its release come from a seed."""

    def make(seed: int) -> Made:
        people = numbers(seed)
        is_random = method in {"noise", "correlated_noise", "rank_swap"} or parameters.get("random")
        return people, [linkrisk.protect(people, method, **parameters, secret_seed=seed if is_random else None)]

    return make


def of_labels(seed: int) -> Made:
    """PRAM on nominal attributes."""
    people = labels(seed)
    return people, [linkrisk.protect(people, "pram", keep=0.5, secret_seed=seed)]


def of_both(seed: int) -> Made:
    """Return a plan: noise on two numbers, one rounded at random, PRAM on the categories."""
    people = pd.concat([numbers(seed), labels(seed)], axis=1)
    first = linkrisk.protect(people, "noise", p={"a": 90, "b": 90}, leave=list("cdefg"), secret_seed=seed)
    second = linkrisk.protect(
        first.data, "rounding", base={"c": 3.0}, random=True, leave=list("abdefg"), secret_seed=seed
    )
    keep = dict.fromkeys("defg", 0.4)
    return people, [
        first,
        second,
        linkrisk.protect(second.data, "pram", keep=keep, leave=list("abc"), secret_seed=seed),
    ]


RELEASES: dict[str, Callable[[int], Made]] = {
    "noise": of_numbers("noise", p=60),
    "correlated_noise": of_numbers("correlated_noise", p=40),
    "pram": of_labels,
    "random rounding": of_numbers("rounding", base=1.5, random=True),
    "rank_swap, permutation": of_numbers("rank_swap", p=25),
    "rank_swap, pairs": of_numbers("rank_swap", p=25, variant="pairs"),
    "mdav": of_numbers("mdav", k=4),
    "individual_ranking": of_numbers("individual_ranking", k=6),
    "coding": of_numbers("coding", top_percent=35, bottom_percent=35),
    "generalise": of_numbers("generalise", into=2.0),
    "plan": of_both,
}


def pairs_of(order: Any) -> np.ndarray[Any, Any]:
    """Return the true pairs, rows from 1, of a release in this order."""
    return np.column_stack([order + 1, np.arange(1, len(order) + 1)])


def shuffled(made: Made, seed: int) -> FilePair:
    """Return the two files of a release, its rows in another order."""
    people, steps = made
    order = np.random.default_rng(seed).permutation(len(people))
    return pair_files(people, steps[-1].data.iloc[order].reset_index(drop=True), pairs=pairs_of(order))


@cache
def assessed(name: str, seed: int) -> Assessment:
    """Let everybody attack who needs no true pair."""
    people, steps = RELEASES[name](seed)
    order = np.random.default_rng(seed).permutation(len(people))
    return linkrisk.assess(
        people,
        steps[-1].data.iloc[order].reset_index(drop=True),
        pairs=pairs_of(order),
        published=steps,
        attackers=[*UNFITTED, "informed"],
        scales=["separate", "ranks"],
        one_to_one=True,
    )


def ways(attack: AttackResult) -> dict[str, float]:
    """Return expected links, nearest and one to one."""
    assert attack.one_to_one is not None
    return {"nearest": attack.links[attack.ties], "one to one": attack.one_to_one.links[attack.ties]}


def assert_not_above_zero(differences: list[float], what: str) -> None:
    """Fail if the mean is above 0 by more than `SLACK` standard errors."""
    error = float(np.std(differences, ddof=1)) / math.sqrt(len(differences))
    assert np.mean(differences) <= SLACK * error + 1e-6, f"{what}: {differences}"


@pytest.mark.slow
@pytest.mark.parametrize("name", RELEASES)
def test_nobody_unfitted_finds_more_than_who_knows_the_method(name: str) -> None:
    """Each attacker on each scale, both ways, against the informed one's nearest, over several files."""
    differences: dict[str, list[float]] = {}
    for seed in range(FILES):
        result = assessed(name, seed)
        (informed,) = (attack for attack in result.attacks if attack.name == "informed")
        for attack in result.attacks:
            if attack.name != "informed":
                for way, links in ways(attack).items():
                    found = differences.setdefault(f"{attack.name}, {attack.scale}, {way}", [])
                    found.append(links - ways(informed)["nearest"])
    assert len(differences) >= 2 * 2 * 3
    for who, values in differences.items():
        assert_not_above_zero(values, who)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in RELEASES if name != "rank_swap, pairs"])
def test_nobody_unfitted_exceeds_the_ceiling(name: str) -> None:
    """Nor does the informed one, whom it is made for; he comes near it."""
    differences: dict[str, list[float]] = {}
    short: list[float] = []
    for seed in range(FILES):
        result = assessed(name, seed)
        (informed,) = (attack for attack in result.attacks if attack.name == "informed")
        assert informed.ceiling is not None
        short.append(informed.ceiling.lower - ways(informed)["nearest"])
        for attack in result.attacks:
            for way, links in ways(attack).items():
                found = differences.setdefault(f"{attack.name}, {attack.scale}, {way}", [])
                found.append(links - informed.ceiling.links)
    for who, values in differences.items():
        assert_not_above_zero(values, who)
    assert_not_above_zero(short, "what the informed one expects, less what he finds")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["noise", "correlated_noise", "pram", "random rounding", "plan"])
def test_nor_where_half_of_the_people_are_known(name: str) -> None:
    """Strangers in the release, and missing values: nobody unfitted finds more, nearest or one to one."""
    differences: dict[str, list[float]] = {}
    for seed in range(FILES):
        people, steps = RELEASES[name](seed)
        random = np.random.default_rng(seed)
        order, known = random.permutation(len(people)), np.sort(random.choice(len(people), RECORDS // 2, replace=False))
        holes = pd.DataFrame(random.random(people.shape) < 0.04, columns=people.columns)
        pairs = [(row + 1, int(np.flatnonzero(order == person)[0]) + 1) for row, person in enumerate(known)]
        result = linkrisk.assess(
            people.mask(holes).iloc[known].reset_index(drop=True),
            steps[-1].data.mask(holes).iloc[order].reset_index(drop=True),
            pairs=pairs,
            published=steps,
            attackers=["mean", "kernel", "informed"],
            scales=["original", "ranks"],
            one_to_one=True,
        )
        (informed,) = (attack for attack in result.attacks if attack.name == "informed")
        assert informed.ceiling is None
        for attack in result.attacks:
            if attack.name != "informed":
                for way, links in ways(attack).items():
                    found = differences.setdefault(f"{attack.name}, {attack.scale}, {way}", [])
                    found.append(links - ways(informed)["nearest"])
    for who, values in differences.items():
        assert_not_above_zero(values, who)


@pytest.mark.slow
@pytest.mark.usefixtures("short_chains")
def test_values_that_change_places_in_pairs_give_everybody_away_and_permuted_ones_do_not() -> None:
    """Rank swapping of 30 % on data like Census: all records, against a fraction."""
    people = linkrisk.datasets.census_like(500, seed=2).iloc[:, :7].astype(float)
    found = {}
    for variant in ("pairs", "permutation"):
        release = linkrisk.protect(people, "rank_swap", p=30, variant=variant, secret_seed=7)
        (result,) = attack_informed(shuffled((people, [release]), 3), [as_descriptions(release)])
        found[variant] = max(result.linkage.links("expected"), result.assignment.links("expected"))
    assert found["pairs"] >= 0.99 * len(people)
    assert found["permutation"] <= 0.35 * len(people)


@pytest.mark.parametrize("name", ["pram", "random rounding", "rank_swap, permutation", "individual_ranking", "plan"])
def test_the_order_of_neither_file_tells_anything(name: str) -> None:
    """Person by person: who is found, how likely his own record is, and the expected links one to one."""
    made = RELEASES[name](11)
    people, steps = made
    n = len(people)
    turned = np.random.default_rng(5).permutation(n)
    other = people.iloc[turned].reset_index(drop=True), steps[-1].data
    place = np.empty(n, dtype=np.int64)
    place[turned] = np.arange(n)
    first = attacked(shuffled(made, 1), steps)
    second = attacked(pair_files(*other, pairs=np.column_stack([place + 1, np.arange(1, n + 1)])), steps)
    assert first.n_certain == second.n_certain
    np.testing.assert_allclose(np.exp(-first.linkage.own)[turned], np.exp(-second.linkage.own), atol=1e-4)
    np.testing.assert_array_equal(first.linkage.is_linked("class")[turned], second.linkage.is_linked("class"))
    assert first.assignment.total == pytest.approx(second.assignment.total, rel=1e-3)


def attacked(files: FilePair, steps: list[Protection]) -> InformedLinkage:
    """Let somebody attack who has read all records of a plan."""
    (found,) = attack_informed(files, [as_descriptions(steps)])
    return found


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), window=st.integers(1, 5), base=st.sampled_from([0.5, 1.0, 3.0]))
def test_what_cannot_be_is_never_linked(seed: int, window: int, base: float) -> None:
    """Ranks beyond the window, values a whole base away, and another value where nothing was changed: no pair."""
    random = np.random.default_rng(seed)
    people = pd.DataFrame(
        {"a": random.normal(size=12), "b": random.normal(size=12).round(3), "c": random.choice(["x", "y"], 12)}
    )
    swapped = linkrisk.protection.rank_swap(people, {"a": 100 * window / 12 + 1e-9}, leave=["b", "c"], secret_seed=1)
    rounded = linkrisk.protection.round_values(
        swapped.data, {"b": base}, random=True, leave=["a", "c"], secret_seed=seed % 1000
    )
    files = shuffled((people, [rounded]), seed)
    found = attacked(files, [swapped, rounded])
    released = pd.DataFrame({column.attribute.name: column.protected for column in files.columns})
    ordered = sorted(people["a"])
    named = [(i, j) for i, j in enumerate(found.assignment.partner.tolist()) if j >= 0]
    named += list(zip(found.scores.original.tolist(), found.scores.protected().tolist(), strict=True))
    named += [(i, j) for i, j in enumerate(found.linkage.other.tolist()) if np.isfinite(found.linkage.nearest_other[i])]
    assert len(named) > 12
    for i, j in named:
        assert abs(ordered.index(people["a"][i]) - ordered.index(released["a"][j])) <= window
        assert twin.random_rounding_probability(people["b"][i], released["b"][j], base) > 0.0
        assert people["c"][i] == released["c"][j]


@pytest.mark.slow
@pytest.mark.usefixtures("short_chains")
@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("noise", "noise"),
        ("correlated_noise", "correlated_noise"),
        ("pram", "pram"),
        ("rank_swap", "rank_swap, pairs"),
        ("mdav", "mdav"),
        ("individual_ranking", "individual_ranking"),
    ],
)
def test_a_parameter_that_is_not_published_helps_little(method: str, name: str) -> None:
    """Told the method alone, he estimates p, keep or k, and finds nearly as many: nine in ten over several files."""
    told, alone = 0.0, 0.0
    for seed in range(FILES):
        people, steps = RELEASES[name](seed)
        order = np.random.default_rng(seed).permutation(len(people))
        protected = steps[-1].data.iloc[order].reset_index(drop=True)
        options: dict[str, Any] = {"pairs": pairs_of(order), "attackers": ["informed"], "scales": ["ranks"]}
        told += linkrisk.assess(people, protected, published=steps, **options).attacks[0].found()
        alone += linkrisk.assess(people, protected, method=method, **options).attacks[0].found()
    assert alone >= 0.9 * told
    assert told > 0.05 * FILES * RECORDS
