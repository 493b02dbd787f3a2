"""Moments and regressions against plain numpy, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data.columns import FilePair
from linkrisk.errors import ParameterError
from linkrisk.losses import moment_differences, regression_loss
from tests.linkage.files import numeric_files
from tests.losses.files import whole_number_files
from tests.oracle import loss_moments as twin


@given(whole_number_files())
@settings(max_examples=60, deadline=None)
def test_twin_of_moments(files: FilePair) -> None:
    """Means, covariances and correlations, pair by pair where values are missing."""
    columns = [c for c in files.columns if np.nanmax(c.original, initial=-1) > np.nanmin(c.original, initial=1e9)]
    found = moment_differences(files)
    units = [float(np.nanstd(c.original, ddof=1)) for c in columns]
    if not columns:
        assert found.means.n_statistics == 0
        return
    before = twin.statistics_of(np.column_stack([c.original for c in columns]), units)
    after = twin.statistics_of(np.column_stack([c.protected for c in columns]), units)
    for name, values in before.items():
        change = getattr(found, name)
        expected = twin.variation(values, after[name])
        assert (change.absolute, change.largest, change.relative) == pytest.approx(expected, rel=1e-8, nan_ok=True)


def test_eigenvalues() -> None:
    """Correlation 1 becomes 0: eigenvalues 2, 0 become 1, 1; only the first has a relative variation."""
    found = moment_differences(numeric_files([[1, 1], [2, 2], [3, 3], [4, 4]], [[1, 1], [1, 4], [4, 1], [4, 4]]))
    assert found.eigenvalues.absolute == pytest.approx(1.0)
    assert found.eigenvalues.relative == pytest.approx(0.5)
    assert found.eigenvalues.n_relative == 1


def test_attribute_made_constant_is_said() -> None:
    """It has no correlations any more; the others go on."""
    rows = np.random.default_rng(1).normal(size=(20, 3))
    changed = rows.copy()
    changed[:, 1] = 5.0
    found = moment_differences(numeric_files(rows, changed))
    assert found.correlations.n_statistics == 1
    assert found.eigenvalues.n_statistics == 2
    assert "V2" in found.notes[0]


@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.booleans())
@settings(max_examples=50, deadline=None)
def test_twin_of_regressions(seed: int, n_attributes: int, has_holes: bool) -> None:
    """Every attribute on all others, by least squares on the complete records."""
    random = np.random.default_rng(seed)
    original = random.normal(size=(30, n_attributes)) @ random.normal(size=(n_attributes, n_attributes)) + 100
    protected = original[:25] + 0.3 * random.normal(size=(25, n_attributes))
    if has_holes:
        original[random.random(original.shape) < 0.05] = np.nan
    found = regression_loss(numeric_files(original, protected, [*range(25), *[-1] * 5]))
    pairs = [
        list(zip(twin.regression(original, k), twin.regression(protected, k), strict=True)) for k in range(n_attributes)
    ]
    differences = [[abs(after[0] - before[0]) / before[1] for before, after in rows] for rows in pairs]
    overlaps = [[twin.interval_overlap(before, after) for before, after in rows] for rows in pairs]
    assert found.standardised == pytest.approx(np.mean(differences), rel=1e-5)
    assert found.largest == pytest.approx(np.max(differences), rel=1e-5)
    assert found.overlap == pytest.approx(np.mean(overlaps), abs=1e-5)
    for k, (difference, overlap) in enumerate(found.by_target.values()):
        assert difference == pytest.approx(np.mean(differences[k]), rel=1e-5)
        assert overlap == pytest.approx(np.mean(overlaps[k]), abs=1e-5)


def test_target() -> None:
    """One attribute is explained; the others explain."""
    random = np.random.default_rng(3)
    original = random.normal(size=(50, 3))
    files = numeric_files(original, original + 0.5 * random.normal(size=original.shape))
    found = regression_loss(files, "V2")
    assert list(found.by_target) == ["V2"]
    assert found.n_coefficients == 2
    assert found.by_target["V2"] == pytest.approx(regression_loss(files).by_target["V2"])
    with pytest.raises(ParameterError, match="V9"):
        regression_loss(files, "V9")


def test_dependent_and_constant_attributes_are_left_out_and_said() -> None:
    """V3 is the sum of V1 and V2, V4 constant; regressions of V1 and V2 on each other are left."""
    random = np.random.default_rng(4)
    original = random.normal(size=(40, 2))
    wide = np.c_[original, original.sum(axis=1), np.ones(40)]
    found = regression_loss(numeric_files(wide, wide))
    assert list(found.by_target) == ["V1", "V2"]
    assert found.standardised == 0
    assert found.overlap == 1
    assert ["V4" in found.notes[0], "V3" in found.notes[1]] == [True, True]


def test_too_few_records_for_a_regression() -> None:
    """Nothing is estimated, and it is said."""
    found = regression_loss(numeric_files([[1, 2], [2, 1]], [[1, 2], [2, 2]]))
    assert math.isnan(found.standardised)
    assert "nothing" in found.notes[-1]
