"""Figures of the papers and of READING.md on Census: the plain mean on separate scales, counted strictly."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.arrays import FloatArray
from linkrisk.attackers import Mean
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.linkage.search import nearest
from linkrisk.protection import add_noise, microaggregate, paper_groups, rank_swap
from tests.census import needs_census, read_census

pytestmark = needs_census

N_SAMPLES = 10

# abril2012-weights.txt, Tables 2 and 4, column DBRL, with its standard deviation over 10 samples in points; beside them
# the figures of READING.md.
RANK_SWAP = {2: (98.525, 0.52, 98.5), 4: (94.65, 0.92, 95.6), 6: (88.0, 1.67, 87.6)}
NOISE = {8: (99.45, 0.37, 99.3), 10: (98.05, 0.63, 97.6), 12: (95.6, 0.64, 95.6), 16: (90.025, 1.1, 89.2)}


@pytest.fixture(scope="module")
def census() -> FloatArray:
    """Return the records as numbers."""
    return np.asarray(read_census().to_numpy(), dtype=np.float64)


def mean_rate(census: FloatArray, protected: list[FloatArray]) -> float:
    """Percentage of 400 records linked by the first 7 attributes, over as many samples as protected files."""
    rates = []
    for seed, file in enumerate(protected):
        rows = np.random.default_rng(seed).choice(1080, 400, replace=False)
        comparison = make_comparison(pair_files(census[rows][:, :7], file[rows][:, :7]))
        rates.append(nearest(Mean().distance(comparison)).links("unique") / 4)
    return float(np.mean(rates))


@pytest.mark.parametrize("p", RANK_SWAP)
def test_rank_swapping(census: FloatArray, p: int) -> None:
    """The whole file swapped in pairs, then 400 records: within two standard deviations of the paper's samples."""
    paper, deviation, ours = RANK_SWAP[p]
    files = [rank_swap(census, p, variant="pairs", secret_seed=seed).data for seed in range(N_SAMPLES)]
    rate = mean_rate(census, files)
    assert rate == pytest.approx(paper, abs=2 * deviation)
    assert rate == pytest.approx(ours, abs=1.5)


@pytest.mark.parametrize("p", NOISE)
def test_noise(census: FloatArray, p: int) -> None:
    """The whole file with noise, then 400 records: within two standard deviations of the paper's samples."""
    paper, deviation, ours = NOISE[p]
    rate = mean_rate(
        census, [add_noise(census, p, continuous=True, secret_seed=seed).data for seed in range(N_SAMPLES)]
    )
    assert rate == pytest.approx(paper, abs=2 * deviation)
    assert rate == pytest.approx(ours, abs=1.0)


@pytest.mark.parametrize(
    ("name", "percentage", "slack"), [("Mic553-2.8.5", 42.025, 1.0), ("Mic2236-8.3.10.5", 82.725, 2.5)]
)
def test_uneven_microaggregation(census: FloatArray, name: str, percentage: float, slack: float) -> None:
    """abril2012-weights.txt, Table 7: the whole file on raw values, then 400 records (READING.md: 42 to 43 %)."""
    groups = paper_groups(name, list(map(str, range(13))))
    assert groups.k is not None
    protected = microaggregate(
        census, [[int(place) for place in group] for group in groups.names], groups.k, raw=True, continuous=True
    ).data
    assert mean_rate(census, [protected] * N_SAMPLES) == pytest.approx(percentage, abs=slack)
