"""The quick test for candidates out of reach: no distance is below its floor times the sum of the differences."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.distances.choquet_integral import choquet_floor
from linkrisk.distances.owa import ordered_floor, sorting_network
from tests.oracle.distances import choquet, owa

SIZES = st.integers(min_value=1, max_value=5)
SEEDS = st.integers(min_value=0, max_value=10**6)


@given(SIZES, SEEDS)
def test_ordered_floor_keeps_its_guarantee(n: int, seed: int) -> None:
    """OWA is at least the floor times the sum, and reaches it at a corner."""
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(n, 0.5))
    floor = ordered_floor(weights)
    values = rng.exponential(size=n) * (rng.random(n) < 0.7)
    assert float(owa(values.tolist(), weights.tolist())) >= floor * values.sum() * (1 - 1e-12)
    corners = [[1.0] * r + [0.0] * (n - r) for r in range(1, n + 1)]
    reached = min(float(owa(corner, weights.tolist())) / sum(corner) for corner in corners)
    assert np.isclose(reached, floor)


@given(SIZES, SEEDS)
def test_choquet_floor_keeps_its_guarantee(n: int, seed: int) -> None:
    """Choquet is at least the floor times the sum."""
    rng = np.random.default_rng(seed)
    additive = rng.dirichlet(np.ones(n))
    mask_members = [[k for k in range(n) if mask >> k & 1] for mask in range(1 << n)]
    power = rng.choice([0.3, 1.0, 2.5])
    measure = np.array([additive[members].sum() ** power for members in mask_members])
    measure[-1] = 1.0
    by_set = {frozenset(map(str, members)): float(measure[mask]) for mask, members in enumerate(mask_members)}
    values = rng.exponential(size=n) * (rng.random(n) < 0.7)
    integral = float(choquet({str(k): value for k, value in enumerate(values.tolist())}, by_set))
    assert integral >= choquet_floor(measure) * values.sum() * (1 - 1e-12)


@given(st.integers(min_value=1, max_value=20), SEEDS)
def test_sorting_network_sorts(n: int, seed: int) -> None:
    """The steps sort any values from large to small; all patterns of 0 and 1 for few (the zero-one principle)."""
    rng = np.random.default_rng(seed)
    if n <= 10:
        rows = np.array([[mask >> k & 1 for k in range(n)] for mask in range(1 << n)], dtype=float)
    else:
        rows = rng.integers(0, 5, size=(200, n)).astype(float)
    result = rows.copy()
    for first, second in sorting_network(n):
        pair = result[:, [first, second]]
        result[:, first], result[:, second] = pair.max(axis=1), pair.min(axis=1)
    assert np.array_equal(result, -np.sort(-rows, axis=1))
