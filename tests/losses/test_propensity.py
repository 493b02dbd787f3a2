"""pMSE against a general optimiser, its expectation under the null, and odd designs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data.attributes import Kind
from linkrisk.losses import propensity_loss
from linkrisk.losses.propensity_design import BLOCK, MAX_CATEGORIES
from tests.linkage.files import label_column, numeric_files, paired
from tests.oracle.propensity import pmse


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.booleans())
@settings(max_examples=25, deadline=None)
def test_twin(seed: int, n_attributes: int, interactions: bool) -> None:
    """Shifted and stretched files of different lengths."""
    random = np.random.default_rng(seed)
    original = random.normal(size=(150, n_attributes))
    protected = random.normal(0.3, 1.5, size=(100, n_attributes))
    found = propensity_loss(numeric_files(original, protected, [*range(100), *[-1] * 50]), interactions=interactions)
    expected = pmse(original, protected, interactions)
    assert found.is_converged
    assert found.has_interactions == interactions
    assert (found.pmse, found.expected) == pytest.approx(expected, rel=1e-5)


def test_blocks() -> None:
    """More records than a block holds."""
    random = np.random.default_rng(1)
    original, protected = random.normal(size=(BLOCK + 500, 2)), random.normal(0.2, 1.1, size=(BLOCK + 500, 2))
    assert propensity_loss(numeric_files(original, protected)).pmse == pytest.approx(
        pmse(original, protected, interactions=True)[0], rel=1e-5
    )


def test_expectation_of_synthetic_data() -> None:
    """A small file drawn from the population of a very large one: pMSE near its expectation.

    The formula of Snoke et al. counts the variation of the protected file only; with that of the original, pMSE is
    1 / (1 - c) times larger, 1.01 where the protected file is 1 % of the records. 60 draws of 5 terms have a
    standard error of 9 %.
    """
    random = np.random.default_rng(2)
    ratios = []
    for _ in range(60):
        original, protected = random.normal(size=(9900, 2)), random.normal(size=(100, 2))
        files = numeric_files(original, protected, [*range(100), *[-1] * 9800])
        ratios.append(propensity_loss(files).ratio)
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.3)


def test_told_apart_without_fail() -> None:
    """The ridge keeps the coefficients finite; pMSE is near its largest value, c (1 - c)."""
    found = propensity_loss(numeric_files(np.arange(20.0)[:, None], 100 + np.arange(20.0)[:, None]))
    assert found.is_converged
    assert found.pmse == pytest.approx(0.25, abs=1e-3)


def test_squares_and_products_see_what_main_effects_cannot() -> None:
    """Half the deviation, the same mean."""
    random = np.random.default_rng(3)
    original = random.normal(size=(300, 2))
    original -= original.mean(axis=0)
    files = numeric_files(original, original / 2)
    assert propensity_loss(files, interactions=False).ratio == pytest.approx(0, abs=1e-6)
    assert propensity_loss(files).ratio > 10


def test_collinear_and_constant_attributes_count_once() -> None:
    """The rank of the design counts terms: intercept and one slope."""
    x = np.random.default_rng(4).normal(size=(100, 1))
    wide = np.c_[x, 2 * x + 1, np.full(100, 3.0)]
    found = propensity_loss(numeric_files(wide, wide + 0.5), interactions=False)
    alone = propensity_loss(numeric_files(x, x + 0.5), interactions=False)
    assert (found.n_terms, found.is_converged) == (3, True)  # the constants 3 and 3.5 tell the files apart
    assert found.pmse > alone.pmse


def test_holes_and_categories() -> None:
    """A hole in a number, or another mix of categories, gives a file away; many categories are put together."""
    x = np.arange(40.0)
    holes = x.copy()
    holes[:30] = np.nan
    found = propensity_loss(numeric_files(x[:, None], holes[:, None]))
    assert found.pmse > 0.1
    labels = [f"c{k % 30}" for k in range(300)]
    files = paired([label_column("c", Kind.TEXT, labels, [*labels[:150], *[None] * 150])])
    found = propensity_loss(files)
    assert found.n_terms == MAX_CATEGORIES + 1
    # 150 of 600 records are told without fail; among the others 300 of 450 are originals.
    assert found.pmse == pytest.approx((150 * 0.25 + 450 * (1 / 3 - 0.5) ** 2) / 600, rel=0.05)


def test_few_records_leave_products_away() -> None:
    """It is said."""
    rows = np.random.default_rng(5).normal(size=(12, 4))
    found = propensity_loss(numeric_files(rows, rows + 0.1))
    assert not found.has_interactions
    assert "without squares and products" in found.notes[0]
