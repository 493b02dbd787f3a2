"""One-to-one linkage: the best of all permutations, and an honest gap where not everything is compared."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import linkrisk
from linkrisk.attack.result import OneToOne, Way
from linkrisk.attackers import Mean
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.linkage import Ties
from linkrisk.linkage.assignment import Assignment, assign
from linkrisk.linkage.search import distances
from tests.assessment.samples import numeric_frames
from tests.linkage.files import microaggregated, numeric_file_pairs, numeric_files


def least_total(matrix: list[list[float]]) -> float:
    """Try every assignment of the shorter file to the longer one."""
    if len(matrix) > len(matrix[0]):
        matrix = [list(row) for row in zip(*matrix, strict=True)]
    rows = range(len(matrix))
    return min(sum(matrix[i][chosen[i]] for i in rows) for chosen in permutations(range(len(matrix[0])), len(rows)))


def check_assignment(found: Assignment, matrix: list[list[float]]) -> None:
    """Everybody has a partner of his own as far as there are any, and the total is theirs."""
    partners = [j for j in found.partner.tolist() if j >= 0]
    assert len(set(partners)) == len(partners) == min(len(matrix), len(matrix[0]))
    assert found.total == pytest.approx(sum(matrix[i][j] for i, j in enumerate(found.partner.tolist()) if j >= 0))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)  # the first call loads compiled kernels
@given(numeric_file_pairs(max_records=6))
def test_no_permutation_is_better(files: FilePair) -> None:
    """The dense path finds the least total; the sparse one finds it too or states a gap that covers the difference."""
    distance = Mean().distance(make_comparison(files))
    matrix = distances(distance).tolist()
    best = least_total(matrix)
    dense = assign(distance)
    check_assignment(dense, matrix)
    assert dense.total == pytest.approx(best)
    assert dense.gap == 0
    slack = 1e-9 * max(best, 1.0)
    for max_compared in (0, 10**6):
        sparse = assign(distance, max_dense=0, max_compared=max_compared)
        check_assignment(sparse, matrix)
        assert sparse.bound <= best + slack
        assert sparse.total - best <= sparse.gap * abs(sparse.total) + slack


@pytest.mark.parametrize(("n_original", "n_protected"), [(150, 150), (150, 90), (90, 150)])
@pytest.mark.parametrize("copies", [1, 3])
def test_sparse_lists_cover_the_dense_optimum(n_original: int, n_protected: int, copies: int) -> None:
    """Files too long for lists of 16 candidates: the optimum lies between bound and total."""
    rng = np.random.default_rng(copies)
    original = rng.normal(size=(n_original, 3))
    pool = np.vstack([original, rng.normal(size=(60, 3))]) + 0.7 * rng.normal(size=(n_original + 60, 3))
    protected = microaggregated(pool[:n_protected], copies)
    own = [i if i < n_protected else -1 for i in range(n_original)]
    distance = Mean().distance(make_comparison(numeric_files(original, protected, own)))
    dense = assign(distance)
    gaps = []
    for max_compared in (0, 10**6):
        sparse = assign(distance, max_dense=0, max_compared=max_compared)
        assert sparse.bound <= dense.total * (1 + 1e-9)
        assert dense.total <= sparse.total * (1 + 1e-9)
        assert sparse.total - dense.total <= sparse.gap * sparse.total + 1e-9
        gaps.append(sparse.gap)
    assert gaps[1] < 0.02


def test_links_of_an_assignment_under_each_rule() -> None:
    """An own record counts; with copies it counts once in class, by its share in expected, never in unique."""
    original = np.array([[0.0, 0.0], [1.0, 1.0], [5.0, 4.0], [9.0, 8.0]])
    protected = np.array([[0.0, 0.1], [0.0, 0.1], [5.0, 4.2], [9.0, 7.0]])
    found = assign(Mean().distance(make_comparison(numeric_files(original, protected))))
    assert [found.links(rule) for rule in Ties] == [2, 4, 3]


@pytest.mark.slow
def test_assessment_reports_one_to_one_links() -> None:
    """Every attack has them unless told otherwise, in text, JSON and frame; without noise everybody is found."""
    original, protected = numeric_frames()
    assessment = linkrisk.assess(original, original)
    for attack in assessment.attacks:
        assert attack.one_to_one is not None
        assert set(attack.one_to_one.links.values()) == {60}
        assert attack.one_to_one.gap == 0
    without = linkrisk.assess(original, protected, attackers=["mean", "weighted_mean"], one_to_one=False)
    assert all(a.one_to_one is None for a in without.attacks)
    shown = linkrisk.assess(original, protected, attackers=["mean"], scales=["ranks"])
    attack = shown.attacks[0]
    assert attack.one_to_one is not None
    told = shown.to_dict()["attackers"][0]["one_to_one"]
    assert told["way"] == str(attack.one_to_one.way)
    assert told["status"] == "converged"
    assert told["links"] == max(told["links_by_way"].values())
    assert set(told["links_by_way"]) == {"assignment", "posterior"}
    assert shown.to_frame()["one_to_one_way"][0] == told["way"]
    assert told["way"] in shown.to_text()


@pytest.mark.slow
def test_what_counts_is_the_best_of_all_ways() -> None:
    """Headline, compare and interval go by the better of nearest records, assignment and posterior."""
    original, protected = numeric_frames()
    shown = linkrisk.assess(original, protected, attackers=["mean"], scales=["ranks"])
    attack = shown.attacks[0]
    assert attack.one_to_one is not None
    ways = [links[attack.ties] for links in attack.one_to_one.by_way.values()]
    assert attack.found() == max(attack.links[attack.ties], *ways) > 0
    assert attack.interval is not None
    assert attack.interval[0] <= attack.rate() <= attack.interval[1]
    compared = linkrisk.compare(original, {"noise": protected}, attackers=["mean"], scales=["ranks"])
    assert compared.releases[0].risk.attacks[0].rate() == attack.rate()
    without = linkrisk.compare(original, {"noise": protected}, attackers=["mean"], scales=["ranks"], one_to_one=False)
    assert without.releases[0].risk.attacks[0].rate() == attack.links[attack.ties] / attack.n_pairs


def test_the_best_way_is_by_the_rule_that_counts() -> None:
    """Two ways, each better by one rule."""
    by_way = {
        Way.ASSIGNMENT: {Ties.UNIQUE: 3.0, Ties.CLASS: 9.0, Ties.EXPECTED: 4.0},
        Way.POSTERIOR: {Ties.UNIQUE: 5.0, Ties.CLASS: 6.0, Ties.EXPECTED: 4.0},
    }
    best = {ties: OneToOne.of(by_way, ties, 0.0, "converged") for ties in Ties}
    assert [best[ties].way for ties in Ties] == [Way.POSTERIOR, Way.ASSIGNMENT, Way.ASSIGNMENT]
    assert best[Ties.UNIQUE].links[Ties.UNIQUE] == 5.0


def test_long_files_are_linked_one_to_one_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above a number of records it is left out, with a note that says how to have it."""
    monkeypatch.setattr("linkrisk.attack.plan.MAX_ONE_TO_ONE", 59)
    original, protected = numeric_frames()
    quick: Any = {"attackers": ["mean"], "scales": ["ranks"]}
    left = linkrisk.assess(original, protected, **quick)
    assert left.attacks[0].one_to_one is None
    assert any("--one-to-one" in note for note in left.notes)
    assert any("--one-to-one" in note for note in linkrisk.compare(original, {"noise": protected}, **quick).notes)
    asked = linkrisk.assess(original, protected, one_to_one=True, **quick)
    assert asked.attacks[0].one_to_one is not None
    refused = linkrisk.assess(original, protected, one_to_one=False, **quick)
    assert refused.attacks[0].one_to_one is None
    assert not any("--one-to-one" in note for note in (*asked.notes, *refused.notes))
