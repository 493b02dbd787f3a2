"""One-to-one linkage: the best of all permutations, and an honest gap where not everything is compared."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings

import linkrisk
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
@settings(deadline=None)  # the first call loads compiled kernels
@given(numeric_file_pairs(max_records=6))
def test_no_permutation_is_better(files: FilePair) -> None:
    """The dense path finds the least total; the sparse one finds it too or states a gap that covers the difference."""
    distance = Mean().distance(make_comparison(files))
    matrix = distances(distance).tolist()
    best = least_total(matrix)
    dense, sparse = assign(distance), assign(distance, max_dense=0)
    check_assignment(dense, matrix)
    check_assignment(sparse, matrix)
    assert dense.total == pytest.approx(best)
    assert dense.gap == 0
    slack = 1e-9 * max(best, 1.0)
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
    dense, sparse = assign(distance), assign(distance, max_dense=0)
    assert sparse.bound <= dense.total * (1 + 1e-9)
    assert dense.total <= sparse.total * (1 + 1e-9)
    assert sparse.total - dense.total <= sparse.gap * sparse.total + 1e-9


def test_links_of_an_assignment_under_each_rule() -> None:
    """An own record counts; with copies it counts once in class, by its share in expected, never in unique."""
    original = np.array([[0.0, 0.0], [1.0, 1.0], [5.0, 4.0], [9.0, 8.0]])
    protected = np.array([[0.0, 0.1], [0.0, 0.1], [5.0, 4.2], [9.0, 7.0]])
    found = assign(Mean().distance(make_comparison(numeric_files(original, protected))))
    assert [found.links(rule) for rule in Ties] == [2, 4, 3]


@pytest.mark.slow
def test_assessment_reports_one_to_one_links() -> None:
    """Asked for, every attack has them; without noise everybody is found; otherwise there are none."""
    original, protected = numeric_frames()
    assessment = linkrisk.assess(original, original, one_to_one=True)
    for attack in assessment.attacks:
        assert attack.one_to_one is not None
        assert set(attack.one_to_one.links.values()) == {60}
        assert attack.one_to_one.gap == 0
    assert all(attack.one_to_one is None for attack in linkrisk.assess(original, protected).attacks)
