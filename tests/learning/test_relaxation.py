"""The relaxation of a cover search against the whole linear programme, solved at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.learning.cover.relaxation import VIOLATED, Leaf, Relaxation
from tests.oracle.covers import least_shares

N = 6

cores_lists = st.lists(st.frozensets(st.integers(0, N - 1), min_size=1, max_size=4), min_size=1, max_size=12)
weight_lists = st.lists(st.integers(1, 5), min_size=N, max_size=N).map(np.asarray)


@pytest.mark.slow
@given(cores_lists, weight_lists, st.data())
def test_relaxation_equals_the_whole_programme(
    cores: list[frozenset[int]], weight: np.ndarray, data: st.DataObject
) -> None:
    """Cores come, are dropped and forgotten, records are kept and given up: the value is that of all cores left."""
    relaxation = Relaxation(weight.astype(float))
    for step in range(3):
        new = cores[step * len(cores) // 3 : (step + 1) * len(cores) // 3]
        for core in new:
            relaxation.add(core)
        n_cores = len(relaxation.cores)
        if n_cores and data.draw(st.booleans()):
            relaxation.drop(data.draw(st.integers(0, n_cores - 1)))
        kept = data.draw(st.sets(st.integers(0, N - 1), max_size=2))
        given_up = data.draw(st.sets(st.integers(0, N - 1), max_size=2)) - kept
        relaxation.fix(kept, given_up)
        left = [core for place, core in enumerate(cores[:n_cores]) if place not in relaxation.is_dropped]
        expected = least_shares(left, weight, kept, given_up)
        x = relaxation.solve()
        assert (x is None) == (expected is None)
        if x is not None and expected is not None:
            assert weight @ x == pytest.approx(expected, abs=N * 5 * VIOLATED)
            value, _ = relaxation.proven_value(relaxation.leaf(), *relaxation.bounds)
            assert value == pytest.approx(expected, abs=N * 5 * VIOLATED)


@pytest.mark.slow
@given(cores_lists, weight_lists, st.lists(st.floats(0.0, 3.0), min_size=12, max_size=12))
def test_any_multipliers_prove_less_than_is_given_up(
    cores: list[frozenset[int]], weight: np.ndarray, multipliers: list[float]
) -> None:
    """Whatever the multipliers of a leaf are, what they prove is no more than the least weight that meets all cores."""
    relaxation = Relaxation(weight.astype(float))
    for core in cores:
        relaxation.add(core)
    leaf = Leaf(tuple(range(len(cores))), tuple(multipliers[: len(cores)]))
    value, cost = relaxation.proven_value(leaf, *relaxation.bounds_of((), ()))
    expected = least_shares(cores, weight, set(), set())
    assert expected is not None
    assert value <= expected + 1e-9
    for record in range(N):
        on_it = sum(m for core, m in zip(cores, multipliers, strict=False) if record in core)
        assert cost[record] == pytest.approx(weight[record] - on_it)
