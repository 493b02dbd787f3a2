"""The kernel distance against Fractions, near pairs of outliers included."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.attackers import Kernel
from linkrisk.differences import Comparison, make_comparison
from linkrisk.linkage.search import distances
from tests.linkage.files import numeric_files
from tests.oracle.distances import kernel


def worst_error(comparison: Comparison, degree: int) -> float:
    """Largest relative error of the distance to the own record."""
    _, x, y = comparison.vectors()
    fast = np.diag(distances(Kernel(degree).distance(comparison)))
    worst = Fraction(0)
    for i, value in enumerate(fast.tolist()):
        a, b = ([Fraction(v) for v in row] for row in (x[i].tolist(), y[i].tolist()))
        slow = kernel(a, b, degree)
        worst = max(worst, abs(Fraction(value) - slow) / slow)
    return float(worst)


@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5, 8])
@pytest.mark.parametrize("size", [1e-1, 1e-4, 1e-8])
def test_near_pairs_are_exact_however_far_out(degree: int, size: float) -> None:
    """Relative error below 2^-40 although K(a,a) is up to 10^30 times the distance."""
    rng = np.random.default_rng(degree)
    original = rng.standard_t(1.5, size=(40, 3)) * 3
    protected = original + size * rng.normal(size=(40, 3))
    assert worst_error(make_comparison(numeric_files(original, protected), "original"), degree) < 2.0**-40


@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_pairs_at_any_distance_are_close_to_exact(seed: int, degree: int) -> None:
    """Opposite outliers cancel more: still nine digits up to degree 5."""
    rng = np.random.default_rng(seed)
    files = numeric_files(rng.standard_t(2, size=(6, 2)), rng.standard_t(2, size=(6, 2)))
    assert worst_error(make_comparison(files), degree) < 1e-9


def test_the_distance_of_a_record_to_itself_is_exactly_zero() -> None:
    """No rounding is left over from the three terms."""
    values = np.random.default_rng(0).standard_cauchy(size=(30, 4))
    for degree in (1, 2, 5, 8):
        d = distances(Kernel(degree).distance(make_comparison(numeric_files(values, values))))
        assert (np.diag(d) == 0).all()
        assert (d >= 0).all()
