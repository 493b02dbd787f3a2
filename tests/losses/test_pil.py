"""PIL against its twin, cases worked by hand, and what is left out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data.columns import FilePair
from linkrisk.losses import probabilistic_loss
from linkrisk.losses.cross_moments import BLOCK, cross_moments
from linkrisk.losses.density import density_at, silverman_bandwidth
from linkrisk.losses.pil import LEVELS, correlation_variance
from tests.linkage.files import numeric_files
from tests.losses.files import sides, whole_number_files
from tests.oracle import pil as twin

PARTS = ("means", "variances", "covariances", "correlations", "quantiles", "pil")


@pytest.mark.slow
@given(whole_number_files())
@settings(max_examples=80, deadline=None)
def test_twin(files: FilePair) -> None:
    """Every average, with holes, constants and files of different lengths."""
    found, expected = probabilistic_loss(files), twin.pil(*sides(files))
    for part in PARTS:
        value = expected[part]
        assert getattr(found, part) == pytest.approx(math.nan if value is None else value, abs=1e-6, nan_ok=True), part


@pytest.mark.slow
def test_twin_on_several_blocks() -> None:
    """More records than a block holds, far from 0, with holes."""
    random = np.random.default_rng(1)
    original = 1e6 + random.gamma(2.0, size=(BLOCK + 100, 2)) @ random.normal(size=(2, 2))
    original[random.random(original.shape) < 0.02] = np.nan
    own = [*range(BLOCK), *[-1] * 100]
    files = numeric_files(original, original[:BLOCK] + 0.3 * random.normal(size=(BLOCK, 2)), own)
    found, expected = probabilistic_loss(files), twin.pil(*sides(files))
    for part in PARTS:
        assert getattr(found, part) == pytest.approx(expected[part], rel=1e-6), part


def test_a_perfect_correlation_cannot_vary() -> None:
    """Two pairs that are known on both sides; the terms of the variance leave no more than rounding."""
    original = [[0, np.nan], [0, np.nan], [0, np.nan], [13, 0], [16, 1]]
    found = probabilistic_loss(numeric_files(original, [[0, 0], [1, 1]], [-1] * 5))
    assert math.isnan(found.correlations)


def test_half_a_deviation() -> None:
    """Four records 0, 0, 2, 2 become 1, 1, 3, 3: z = 1 / sqrt(1 / 4) = 2, so 95.45; the variance cannot vary."""
    found = probabilistic_loss(numeric_files([[0], [0], [2], [2]], [[1], [1], [3], [3]]))
    assert found.means == pytest.approx(100 * math.erf(2 / math.sqrt(2)))
    assert math.isnan(found.variances)
    assert found.n_left_out == 1
    assert found.pil == pytest.approx((found.means + found.quantiles) / 2)


def test_one_attribute_is_said() -> None:
    """No covariances and no correlations: the mean of three, with a note."""
    found = probabilistic_loss(numeric_files([[1], [2], [4]], [[1], [2], [5]]))
    assert math.isnan(found.covariances)
    assert math.isnan(found.correlations)
    assert found.pil == pytest.approx((found.means + found.variances + found.quantiles) / 3)
    assert "a single numeric attribute" in found.notes[0]


def test_constant_attribute() -> None:
    """Unchanged it is left out; changed, its mean, variance, covariance and quantiles are lost for certain."""
    varying = np.array([1.0, 2.0, 4.0, 8.0])
    constant = np.full(4, 0.1)
    alone = probabilistic_loss(numeric_files(varying[:, None], varying[::-1, None]))
    kept = probabilistic_loss(numeric_files(np.c_[varying, constant], np.c_[varying[::-1], constant]))
    assert kept.pil == alone.pil == 0
    assert kept.n_left_out == 1 + 1 + 1 + 1 + 19
    changed = probabilistic_loss(numeric_files(np.c_[varying, constant], np.c_[varying, [0.1, 0.1, 0.1, 1.1]]))
    assert changed.means == changed.variances == 50
    # Quantiles from 70 % on are above the constant: 6 lost, 19 of the other attribute kept, 13 left out.
    assert changed.quantiles == 600 / 25
    assert changed.covariances == 100
    assert math.isnan(changed.correlations)


def test_attribute_made_constant_loses_its_correlation() -> None:
    """A statistic that the protected file no longer has is lost: 100."""
    found = probabilistic_loss(numeric_files([[1, 1], [2, 3], [3, 2], [4, 5]], [[1, 2], [2, 2], [3, 2], [4, 2]]))
    assert found.correlations == 100


def test_attribute_that_is_all_missing_afterwards() -> None:
    """All its statistics are lost."""
    found = probabilistic_loss(numeric_files([[1.0], [2.0], [4.0]], [[np.nan], [np.nan], [np.nan]]))
    assert found.means == found.variances == found.quantiles == found.pil == 100


def test_nothing_varies() -> None:
    """There is no statistic to lose, and no PIL."""
    found = probabilistic_loss(numeric_files([[1, 2], [1, 2]], [[1, 2], [1, 2]]))
    assert math.isnan(found.pil)
    assert found.n_statistics == 0


@given(st.integers(0, 2**32 - 1), st.integers(3, 300), st.sampled_from([0.0, 1.0, 3.0]))
@settings(max_examples=40, deadline=None)
def test_density_guarantee(seed: int, n_records: int, tail: float) -> None:
    """*Guarantee* of `density_at`: too small by at most phi(8) / h, whatever the tail (lognormal here)."""
    random = np.random.default_rng(seed)
    ordered = np.sort(np.exp(tail * random.normal(size=n_records)) + random.normal(size=n_records))
    points = np.quantile(ordered, LEVELS)
    found = density_at(points, ordered, silverman_bandwidth(ordered))
    expected = np.array([twin.density(ordered.tolist(), point) for point in points])
    error = 5.1e-15 / silverman_bandwidth(ordered) + 1e-12 * expected
    assert (np.abs(found - expected) <= error).all()


def test_variance_of_a_normal_correlation() -> None:
    """For normal attributes the variance of r is (1 - r^2)^2 / n."""
    random = np.random.default_rng(2)
    x = random.normal(size=400_000)
    y = 0.6 * x + 0.8 * random.normal(size=x.size)
    moments = cross_moments([x, y], np.zeros(2), np.ones(2))
    assert correlation_variance(moments)[0, 1] == pytest.approx((1 - 0.36) ** 2, rel=0.02)
