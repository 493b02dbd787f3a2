"""Links that rounding would decide: counted exactly, so that the certificate holds."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning.learn import learn
from linkrisk.learning.search import Status
from linkrisk.verifier import check_certificate
from tests.learning.families import FAMILIES
from tests.verifier.test_learned import certificate_of

NAN = np.nan


def test_a_free_form_with_equal_distances() -> None:
    """Distances that are equal up to the last bit: which is larger, and so the optimum, is told exactly."""
    original = [[1, 2, NAN, NAN, -2, -5, -4, 0], [0, 5, 0, 2, 2, 3, 0, -2]]
    protected = [[NAN, 1, 4, -3, -4, -5, -6, 1], [NAN, 5, NAN, 3, 2, 4, NAN, -3]]
    comparison = make_comparison(pair_files(np.array(original).T, np.array(protected).T), "ranks")
    comparison = replace(comparison, protected_means=np.array([7.93016446160826e-18, 0.0]))  # holes next to 0, not 0
    learned = learn(FAMILIES["bilinear_free"], comparison, ties="unique")
    assert (learned.links, learned.status) == (5.0, Status.OPTIMAL)
    verdict = check_certificate(certificate_of(learned), comparison)
    assert verdict, verdict


@pytest.mark.parametrize(
    ("protected", "ties", "links"),
    [
        ([-1.0308108576271573, 1.0308108576266886, 30], "unique", 1.0),
        ([-1.1020276102962698, 1.1020276102957687, 30], "unique", 2.0),
        ([-1.9340435159553702, 1.9340435159562497, 30], "class", 1.0),
    ],
)
@pytest.mark.parametrize("name", ["weighted_mean", "owa", "choquet", "bilinear_psd"])
def test_links_at_the_tolerance_to_the_last_bit(name: str, protected: list[float], ties: str, links: float) -> None:
    """Rounding would decide whether a record is linked, or who is a twin: both are told exactly."""
    comparison = make_comparison(pair_files(np.array([[-1.0, 0.0, 1.0]]).T, np.array([protected]).T), "original")
    learned = learn(FAMILIES[name], comparison, ties=ties)
    assert (learned.links, learned.status, int(learned.is_linked.sum())) == (links, Status.OPTIMAL, int(links))
    verdict = check_certificate(certificate_of(learned), comparison)
    assert verdict, verdict


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_copies_that_nobody_looked_at_are_no_links(name: str) -> None:
    """Where time is up while pairs are compared, a record whose own version has a copy is still not linked."""
    values = np.array([[0.0, 1.0], [0.0, 1.0], [3.0, 2.0], [5.0, 5.0], [7.0, 1.0], [9.0, 4.0]])
    comparison = make_comparison(pair_files(values, values))
    stopped, done = (learn(FAMILIES[name], comparison, ties="unique", time_limit=limit) for limit in (0.0, 60.0))
    assert (stopped.links, stopped.status) == (4.0, Status.TIME_LIMIT)
    assert (done.links, done.status) == (4.0, Status.OPTIMAL)


def test_a_floor_that_floats_round() -> None:
    """1 - 0.01 is rounded down: an inequality made of it would cut off weights that are admissible, and link one."""
    near, floor, others = 1 - Fraction(1, 2**40), Fraction(0.01), [0.75, 0.625, 0.875]
    least = floor * sum(Fraction(q) ** 2 for q in others) / (1 - 3 * floor)
    p = math.sqrt(least)
    while near * Fraction(p) ** 2 <= least:
        p = math.nextafter(p, math.inf)
    original = np.array([[1, 1, -1, -1, 0], [1, -1, 1, -1, 0], [-1, 1, 1, -1, 0], [-1, -1, 1, 1, 0.0]]).T
    protected = np.vstack([original[:4], [[0.0, *others]], [[p, 0.0, 0.0, 0.0]]])
    files = pair_files(original, protected, pairs=[(i, i) for i in range(1, 6)])
    learned = learn(WeightedMeanFamily(0.01), make_comparison(files, "original"))
    assert learned.status is Status.OPTIMAL
    assert learned.is_linked[4]


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["unique", "class", "expected"])
@pytest.mark.parametrize("name", ["weighted_mean", "choquet", "bilinear_psd", "bilinear_free"])
def test_whole_numbers_that_meet_margins_exactly(name: str, ties: str) -> None:
    """Twice as far is four times the distance: with a margin of 3/4 that is met, and beaten only by rounding."""
    margin = 0.0 if name == "bilinear_free" else 0.75
    for seed in range(8):
        random = np.random.default_rng(seed)
        original = random.integers(-4, 5, (12, 2)).astype(float)
        protected = original + random.integers(-1, 2, original.shape)
        comparison = make_comparison(pair_files(original, protected), ["separate", "original", "ranks"][seed % 3])
        learned = learn(FAMILIES[name], comparison, ties=ties, margin=margin, time_limit=1.0)
        verdict = check_certificate(certificate_of(learned), comparison)
        assert verdict, f"{seed}: {verdict}"


def test_records_worth_nothing_are_given_up_for_nothing() -> None:
    """All links that are worth something are made: the bound is their worth, whatever multipliers a leaf has."""
    original = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 5.0], [6.0, 1.0]])
    protected = np.array([[1.0, 0.1], [0.0, 0.1], [2.0, 5.0], [6.0, 1.0]])
    comparison = make_comparison(pair_files(original, protected))
    weights = np.array([0.0, 0.0, 1e8, 1e-4])
    learned = learn(FAMILIES["bilinear_psd"], comparison, weights=weights)
    assert (learned.links, learned.bound, learned.status) == (1e8 + 1e-4, 1e8 + 1e-4, Status.OPTIMAL)
    verdict = check_certificate(certificate_of(learned), comparison)
    assert verdict, verdict
