"""PIL of the papers' microaggregated files beside Table 5 of abril-bilinear.txt."""

from __future__ import annotations

import numpy as np
import pytest

import linkrisk
from linkrisk.arrays import FloatArray
from linkrisk.losses import ProbabilisticLoss, probabilistic_loss
from linkrisk.protection import add_noise, microaggregate
from tests.census import needs_census, read_census
from tests.linkage.files import numeric_files
from tests.losses.files import sides
from tests.oracle import pil as twin

pytestmark = needs_census

N_SAMPLES = 10

FILES = {
    "M4-33": ([[0, 1], [2, 3]], [3, 3]),
    "M4-28": ([[0, 1], [2, 3]], [2, 8]),
    "M4-82": ([[0, 1], [2, 3]], [8, 2]),
    "M5-38": ([[0, 1, 2], [3, 4]], [3, 8]),
    "M6-385": ([[0, 1], [2, 3], [4, 5]], [3, 8, 5]),
    "M6-853": ([[0, 1], [2, 3], [4, 5]], [8, 5, 3]),
}

PAPER = {"M4-33": 23.85, "M4-28": 28.40, "M4-82": 31.80, "M5-38": 31.92, "M6-385": 36.91, "M6-853": 37.76}
"""abril-bilinear.txt, Table 5, column PIL."""


@pytest.fixture(scope="module")
def losses() -> dict[str, list[ProbabilisticLoss]]:
    """Return the loss of each file, microaggregated on raw values, for ten samples of 400 records."""
    census = np.asarray(read_census().to_numpy(), dtype=np.float64)
    return {
        name: [probabilistic_loss(numeric_files(*protected(census, *FILES[name], seed))) for seed in range(N_SAMPLES)]
        for name in FILES
    }


def protected(census: FloatArray, groups: list[list[int]], k: list[int], seed: int) -> tuple[FloatArray, FloatArray]:
    """Draw 400 records and microaggregate their first attributes."""
    rows = np.random.default_rng(seed).choice(1080, 400, replace=False)
    original = census[rows, : sum(map(len, groups))]
    return original, np.asarray(microaggregate(original, groups, k, raw=True, continuous=True).data)


def pil_of(losses: list[ProbabilisticLoss]) -> float:
    """Return the mean over samples."""
    return float(np.mean([loss.pil for loss in losses]))


def test_means_are_not_lost(losses: dict[str, list[ProbabilisticLoss]]) -> None:
    """Microaggregation keeps every mean, so this fifth of PIL is 0 in all files."""
    assert all(loss.means == pytest.approx(0, abs=1e-6) for found in losses.values() for loss in found)


def test_order_of_table_5(losses: dict[str, list[ProbabilisticLoss]]) -> None:
    """Of the five files in pairs of attributes, the paper's order holds in our means over samples."""
    names = [name for name in PAPER if name != "M5-38"]
    found = {name: pil_of(losses[name]) for name in names}
    assert sorted(names, key=found.__getitem__) == sorted(names, key=PAPER.__getitem__)


def test_size_of_table_5(losses: dict[str, list[ProbabilisticLoss]]) -> None:
    """These five files lie 6 to 8 points below the paper, more than the spread over samples (0.8 to 1.6 points).

    The mean of the four other parts, without the means that are kept, comes within 2.5 points of the paper in these
    files. That is a guess made with the figures in sight, not a reproduction. M5-38 is above the paper either way, by 4
    and 13 points.
    """
    for name, published in PAPER.items():
        found = pil_of(losses[name])
        if name == "M5-38":
            assert found == pytest.approx(published + 4.3, abs=1.0)
        else:
            assert found == pytest.approx(published - 7.0, abs=1.0)
            assert 5 / 4 * found == pytest.approx(published, abs=2.5)


def test_spread(losses: dict[str, list[ProbabilisticLoss]]) -> None:
    """Samples of 400 differ by less than 2 points of standard deviation."""
    for found in losses.values():
        assert 0.5 < np.std([loss.pil for loss in found], ddof=1) < 2


def test_twin_on_census() -> None:
    """One sample of M6-385, every part, against plain Python."""
    census = np.asarray(read_census().to_numpy(), dtype=np.float64)
    files = numeric_files(*protected(census, *FILES["M6-385"], seed=0))
    expected, found = twin.pil(*sides(files)), probabilistic_loss(files)
    for part in ("variances", "covariances", "correlations", "quantiles", "pil"):
        assert getattr(found, part) == pytest.approx(expected[part], rel=1e-7), part


def test_noise_never_lowers_the_loss() -> None:
    """With the same draws, p = 1, 4, 16, 64 on all 13 attributes (which are near-collinear)."""
    census = read_census()
    noisy = [add_noise(census, p, continuous=True, secret_seed=5).data for p in (1.0, 4.0, 16.0, 64.0)]
    losses = [linkrisk.loss(census, protected, interactions=False) for protected in noisy]
    for name in ("pil", "il1s"):
        found = [getattr(loss, name) for loss in losses]
        assert found == sorted(found), name
