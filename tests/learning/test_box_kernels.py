"""What the kernels of the box search guarantee, against rationals and a linear program solver."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from linkrisk.learning.boxes.conflict_kernels import find_conflict
from linkrisk.learning.boxes.exact_kernels import is_never_positive, is_row_never_positive
from linkrisk.learning.boxes.filter_kernels import filter_rows
from linkrisk.learning.boxes.margin_kernels import greatest_margin
from linkrisk.learning.boxes.state_kernels import Centred
from tests.oracle.box_tree import Box, greatest_value

seeds = st.integers(min_value=0, max_value=2**32 - 1)


def draw_box(random: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw a box, wide or narrow, that may touch zero."""
    high = 10.0 ** random.uniform(-6, 0, size=n)
    low = high * random.choice([0.0, 0.1, 0.9, 1.0 - 1e-9, 1.0], size=n)
    return low, high


def as_box(low: np.ndarray, high: np.ndarray) -> Box:
    """Return the same in rationals."""
    return [(Fraction(a), Fraction(b)) for a, b in zip(low.tolist(), high.tolist(), strict=True)]


def combined(multiplier: np.ndarray, rows: np.ndarray) -> list[Fraction]:
    """Return the combination of rows in rationals."""
    return [
        sum((Fraction(m) * Fraction(x) for m, x in zip(multiplier, column, strict=True)), Fraction(0))
        for column in rows.T
    ]


@given(seeds, st.booleans())
def test_never_positive_is_exact(seed: int, is_whole: bool) -> None:
    """Guarantee: what is said never to be positive is not, exactly; opposite whole rows are recognised."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 8))
    low, high = draw_box(random, n)
    rows = random.normal(size=(3, n))
    multiplier = random.uniform(0.1, 1.0, size=3)
    if is_whole:
        rows, multiplier = np.round(3.0 * rows), np.round(4.0 * multiplier) + 1.0
        rows[2] = -rows[0] * multiplier[0] - rows[1] * multiplier[1]
        multiplier[2] = 1.0
    said = is_never_positive(rows, np.arange(3), multiplier, 3, low, high)
    exact = combined(multiplier, rows)
    truth = greatest_value(exact, as_box(low, high)) <= 0
    assert truth if said else True
    assert said if is_whole else True
    for s in range(3):
        if is_row_never_positive(rows, s, low, high):
            assert greatest_value([Fraction(x) for x in rows[s]], as_box(low, high)) <= 0


@given(seeds)
def test_intervals_of_a_record_hold(seed: int) -> None:
    """Guarantee: with coordinate k at an end of its interval some row is positive nowhere in the rest of the box."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 7))
    low, high = draw_box(random, n)
    values = random.normal(size=(4, n)) * 10.0 ** random.uniform(-3, 3, size=(4, n))
    row = np.concatenate([np.arange(4), np.zeros(4, np.int64)])
    lower, upper, share = np.empty((1, n)), np.empty((1, n)), np.empty(n)
    last, lost, _ = filter_rows(values, row, 0, 4, 4, low, high, lower, upper, 0, share)
    exact = [[Fraction(x) for x in value] for value in values]
    if lost >= 0:
        assert greatest_value(exact[lost], as_box(low, high)) <= 0
        return
    undecided = set(row[4:last].tolist())
    for s in set(range(4)) - undecided:  # rounding may drop a row that is positive by next to nothing: no harm
        assert min_value(exact[s], as_box(low, high)) > -Fraction(float(np.abs(values[s]) @ high)) / 2**48
    for k in range(n):
        for begin, end in ((low[k], lower[0, k]), (upper[0, k], high[k])):
            if begin < end:
                box = as_box(low, high)
                box[k] = (Fraction(begin), Fraction(end))
                assert any(greatest_value(exact[s], box) <= 0 for s in undecided)


def min_value(row: list[Fraction], box: Box) -> Fraction:
    """Least value of a row over a box."""
    return -greatest_value([-x for x in row], box)


def draw_centred(random: np.random.Generator, n_rows: int, n: int, *, is_whole: bool) -> Centred:
    """Draw centred rows, with ties if they are made of whole numbers."""
    slope = random.normal(size=(n_rows, n))
    middle = random.uniform(-0.7, 0.7, size=n_rows)
    if is_whole:
        slope, middle = np.round(slope), np.round(4.0 * middle) / 4.0
    slope[np.abs(slope).sum(axis=1) == 0] = 1.0
    slope /= np.abs(slope).sum(axis=1, keepdims=True)
    return Centred(middle, slope, np.ones(n_rows), np.arange(n_rows))


@pytest.mark.slow
@given(seeds, st.booleans())
def test_greatest_margin_is_that_of_a_solver(seed: int, is_whole: bool) -> None:
    """The point reaches the margin, and so do the multipliers: both are optimal."""
    random = np.random.default_rng(seed)
    n, n_rows = int(random.integers(1, 8)), int(random.integers(1, 40))
    centred = draw_centred(random, n_rows, n, is_whole=is_whole)
    point, multiplier = np.empty(n), np.empty(n_rows)
    margin = greatest_margin(centred, n_rows, point, multiplier, np.inf)
    solved = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.column_stack([-centred.slope, np.ones(n_rows)]),
        b_ub=centred.middle,
        bounds=[(-1.0, 1.0)] * n + [(None, None)],
    )
    assert solved.fun is not None
    assert abs(margin + solved.fun) < 1e-9
    assert abs((centred.middle + centred.slope @ point).min() - margin) < 1e-9
    assert np.abs(point).max() <= 1.0 + 1e-9
    assert abs(multiplier @ centred.middle + np.abs(multiplier @ centred.slope).sum() - margin) < 1e-9
    assert abs(multiplier.sum() - 1.0) < 1e-9


@pytest.mark.slow
@given(seeds, st.booleans())
def test_conflicts_of_pairs_are_found(seed: int, is_whole: bool) -> None:
    """Guarantee: rows in conflict cannot both hold; rows that can both hold clearly are never in conflict."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 7))
    centred = draw_centred(random, 2, n, is_whole=is_whole)
    low, high = np.zeros(n + 1), np.ones(n + 1)
    low[n] = 1.0
    # theta_k = (1 + x_k) / 2 and theta_n = 1 turn a centred row into one of theta
    values = np.column_stack([2.0 * centred.slope, centred.middle - centred.slope.sum(axis=1)])
    wide = Centred(centred.middle, np.column_stack([centred.slope, np.zeros(2)]), np.full(2, 2.0), centred.row)
    pair = np.empty(2)
    said = find_conflict(values, low, high, wide, 0, 1, pair)
    margin = greatest_margin(centred, 2, np.empty(n), np.empty(2), np.inf)
    if said:
        assert greatest_value(combined(pair, values), as_box(low, high)) <= 0
        assert margin < 1e-9
    elif centred.middle.sum() <= 0:
        assert margin > -1e-9
