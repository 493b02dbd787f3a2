"""Auctions: totals within the steps promised of the least one, on full matrices and on lists with a way out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from linkrisk.arrays import FloatArray
from linkrisk.linkage.matching import auction
from linkrisk.linkage.matching.assignment import PairLists
from linkrisk.linkage.matching.auction import FINEST, assign_full, assign_or_leave
from tests.oracle import assigning as oracle

STEP = 1e-3


def drawn(shape: tuple[int, int], levels: int, seed: int) -> FloatArray:
    """Draw costs of few values (many ties) or many, some rows dearer than others."""
    dice = np.random.default_rng(seed)
    return (dice.integers(0, levels, shape) + dice.integers(1, 4, (shape[0], 1))) / 7.0


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 5),
    st.integers(0, 2),
    st.sampled_from([1, 3, 10**6]),
    st.integers(0, 10**6),
)
def test_a_full_matrix_costs_nearly_the_least(n_rows: int, more: int, levels: int, seed: int) -> None:
    """*Guarantee* of `assign_full`: a step for each column above the best of all assignments."""
    cost = drawn((n_rows, n_rows + more), levels, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auction, "FEW", 0)
        patch.setattr(auction, "MANY_MORE", 9)
        chosen = assign_full(cost)
    assert len(set(chosen.tolist())) == n_rows
    step = FINEST * cost.min(axis=1).mean()
    total = cost[np.arange(n_rows), chosen].sum()
    best = oracle.least_total(cost.tolist())
    assert best - 1e-9 <= total <= best + (n_rows + more) * step + 1e-9


@pytest.mark.parametrize("levels", [1, 5, 10**6])
@pytest.mark.parametrize("shape", [(100, 100), (100, 120), (30, 80)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_large_matrices_too(levels: int, shape: tuple[int, int], sign: float) -> None:
    """What scipy finds, up to the steps; negative costs, and columns that stay free."""
    cost = sign * drawn(shape, levels, 5)
    chosen = assign_full(cost)
    assert len(set(chosen.tolist())) == shape[0]
    best = cost[linear_sum_assignment(cost)].sum()
    step = FINEST * abs(cost.min(axis=1).mean())
    assert best - 1e-9 <= cost[np.arange(shape[0]), chosen].sum() <= best + shape[1] * step + 1e-9


def test_costs_too_uneven_for_steps() -> None:
    """Nothing at least, and a key of 2^70: left to paths, on lists to the caller."""
    uneven = drawn((80, 80), 10**6, 1) + 2.0**70 * (np.arange(80)[:, np.newaxis] % 2 != np.arange(80) % 2)
    free = np.where(np.eye(80, k=1) + np.eye(80, k=-79) > 0, 0.0, drawn((80, 80), 9, 2))
    for cost in (uneven, free):
        assert cost[np.arange(80), assign_full(cost)].sum() == cost[linear_sum_assignment(cost)].sum()
    row, column = np.nonzero(np.ones((80, 80)))
    assert assign_or_leave(row, column, free.ravel(), np.full(80, 9.0), (80, 80), 1e-13) is None


def test_long_auctions_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then paths find the best assignment, and lists are left to the caller."""
    for name in ("hold_auctions", "hold_listed_auctions"):
        monkeypatch.setattr(f"linkrisk.linkage.matching.auction_kernels.{name}", lambda *_: False)
    cost = drawn((70, 70), 10**6, 3)
    assert cost[np.arange(70), assign_full(cost)].sum() == cost[linear_sum_assignment(cost)].sum()
    row, column = np.nonzero(np.ones((70, 70)))
    assert assign_or_leave(row, column, cost.ravel(), np.full(70, 1e9), (70, 70), 1.0) is None


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), st.integers(1, 4), st.sampled_from([1, 3, 10**6]), st.integers(0, 10**6))
def test_lists_cost_nearly_the_least(n_rows: int, n_columns: int, levels: int, seed: int) -> None:
    """*Guarantee* of `assign_or_leave`: a step for each row and column above the best, what is outside counted."""
    dice = np.random.default_rng(seed)
    cost = drawn((n_rows, n_columns), levels, seed)
    is_listed = dice.random(cost.shape) < 0.7
    outside = dice.random(n_rows) * cost.max() * 2 + 0.1
    row, column = np.nonzero(is_listed)
    places = assign_or_leave(row, column, cost[row, column], outside, (n_rows, n_columns), STEP)
    assert places is not None
    assert len(set(row[places])) == len(set(column[places])) == len(places)
    left = np.setdiff1d(np.arange(n_rows), row[places])
    total = cost[row[places], column[places]].sum() + outside[left].sum()
    best = oracle.least_total_or_outside(np.where(is_listed, cost, np.inf).tolist(), outside.tolist())
    assert best - 1e-9 <= total <= best + (n_rows + n_columns) * STEP + 1e-9


@pytest.mark.parametrize("levels", [3, 10**6])
@pytest.mark.parametrize("seed", range(5))
def test_worths_raised_row_by_row_are_a_start(levels: int, seed: int) -> None:
    """From what is known of lower worths the same best sum is found as from nothing, and prices prove it."""
    dice = np.random.default_rng(seed)
    row, column = np.nonzero(dice.random((40, 35)) < 0.3)
    worth, raised = dice.integers(-levels, levels, len(row)) / 7.0, dice.integers(0, levels, 40) / 7.0
    lists = PairLists.of(row, column, (40, 35))
    more = worth + raised[row]
    start, afresh = lists.assign(worth), lists.assign(more)
    continued = lists.assign(more, start)
    sums = [more[lists.places(found)].sum() for found in (afresh, continued)]
    assert sums[0] == pytest.approx(sums[1])
    gain = np.zeros(40)
    np.maximum.at(gain, row, more - continued.price[column])
    assert continued.price.sum() + gain.sum() == pytest.approx(sums[1])
    assert lists.assign(more, None, -1) is None
