"""The relaxation of a cover search against the whole linear programme, solved at once."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.learning.cover.relaxation import VIOLATED, Leaf, Relaxation
from linkrisk.learning.cover.relaxation_kernels import are_clear
from linkrisk.learning.problem.worths import Worths
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
    worths = Worths.of([Fraction(int(w)) for w in weight])
    relaxation = Relaxation(worths)
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
            proven = relaxation.proven_given(relaxation.leaf(), kept, given_up)
            assert proven == math.ceil(expected / int(worths.unit) - N * 5 * VIOLATED)


@pytest.mark.slow
@given(cores_lists, weight_lists, st.lists(st.floats(0.0, 3.0), min_size=12, max_size=12))
def test_any_multipliers_prove_less_than_is_given_up(
    cores: list[frozenset[int]], weight: np.ndarray, multipliers: list[float]
) -> None:
    """Whatever the multipliers of a leaf are, what they prove is no more than the least weight that meets all cores."""
    worths = Worths.of([Fraction(int(w)) for w in weight])
    relaxation = Relaxation(worths)
    for core in cores:
        relaxation.add(core)
    leaf = Leaf(tuple(range(len(cores))), tuple(multipliers[: len(cores)]))
    least = min(
        sum(worths.wholes[i] for i in chosen)
        for size in range(N + 1)
        for chosen in combinations(range(N), size)
        if all(core.intersection(chosen) for core in cores)
    )
    assert relaxation.proven_given(leaf, (), ()) <= least
    assert relaxation.proven_given(leaf, (), (), short_of=least) <= least
    hitting = [set(chosen) for size in range(N + 1) for chosen in combinations(range(N), size)]
    hitting = [chosen for chosen in hitting if all(core & chosen for core in cores)]
    for too_much in range(least + 1, least + 5):
        to_keep, to_give = relaxation.decided(leaf, (), (), too_much)
        others = [(i, True) for i in to_keep] + [(i, False) for i in to_give]
        for record, is_given in others:  # the other choice gives up too much
            given_up = [chosen for chosen in hitting if (record in chosen) == is_given]
            assert all(sum(worths.wholes[i] for i in chosen) >= too_much for chosen in given_up)


@given(cores_lists, weight_lists, st.data())
def test_trees_that_are_clear_are_proven(cores: list[frozenset[int]], weight: np.ndarray, data: st.DataObject) -> None:
    """What the compiled walk calls clear each leaf proves where it hangs; and a bound that is too low is not clear."""
    worths = Worths.of([Fraction(int(w)) for w in weight])
    relaxation = Relaxation(worths)
    for core in cores:
        relaxation.add(core)
    numbers = st.lists(st.floats(0.0, 2.0), min_size=len(cores), max_size=len(cores))
    leaves = [Leaf(tuple(range(len(cores))), tuple(data.draw(numbers))) for _ in range(2)]
    first, second = data.draw(st.permutations(range(N)))[:2]
    # Nodes: a branch, below its side "keep" another; leaves hang on three sides, one of them twice.
    record, keep, give = np.array([first, second, -1, -1]), np.array([1, 2, 0, 0]), np.array([3, 3, 0, 0])
    leaf = np.array([-1, -1, 0, 1])
    values, costs, errors = (np.array(part) for part in zip(*map(relaxation.undecided, leaves), strict=True))
    hanging = [(0, (first, second), ()), (1, (first,), (second,)), (1, (), (first,))]
    proven = min(relaxation.proven_given(leaves[q], kept, given_up) for q, kept, given_up in hanging)
    for units in range(proven + 2):
        is_clear = are_clear(record, keep, give, leaf, costs, values, errors, relaxation.scaled_up(units))
        assert not is_clear or units < proven
    assert proven == 0 or are_clear(record, keep, give, leaf, costs, values, errors, -1.0)


def test_sums_of_worths_are_exact() -> None:
    """Worths of very different size, and fractions of them: sums are compared without rounding."""
    worths = Worths.of([Fraction(10**20), Fraction(0.1), Fraction(1, 3)])
    assert not worths.is_exact
    assert worths.total * worths.unit == 10**20 + Fraction(0.1) + Fraction(1, 3)
    assert worths.sum(np.array([False, True, True])) * worths.unit == Fraction(0.1) + Fraction(1, 3)
    relaxation = Relaxation(worths)
    relaxation.add(frozenset({0, 1}))
    relaxation.add(frozenset({0, 2}))
    relaxation.fix((), ())
    relaxation.solve()
    least = worths.wholes[1] + worths.wholes[2]
    assert relaxation.proven_given(relaxation.leaf(), (), (), short_of=least) <= least
    assert relaxation.proven_given(Leaf((), ()), (0,), (1, 2), short_of=least) == least
