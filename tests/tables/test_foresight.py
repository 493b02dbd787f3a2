"""What is foreseen instead of waited for: states of the dynamic programme, and chains that will not converge."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.tables.posterior import block_posterior
from linkrisk.tables.posterior.atoms import Statement, make_atoms
from linkrisk.tables.posterior.block_posterior import block_posteriors, is_too_large
from linkrisk.tables.posterior.chain import sample_posteriors
from linkrisk.tables.posterior.chain_diagnostics import ChainSettings, expected_effective
from linkrisk.tables.posterior.child_order import Item, find_holders, items_of, least_states, ordered
from linkrisk.tables.posterior.dynamic_programme import DynamicProgramme, Limits, TooLarge, run_forward
from linkrisk.tables.posterior.posterior import NoExactPosteriorError
from tests.oracle.child_order import slowly_ordered
from tests.tables.exact_problems import MECHANISMS, Plan, make_problem, unique_matches

SIZES = {"a": 2, "b": 3, "c": 2, "d": 3}
SAMPLES = ((("a", "b", "c"), 8), (("a", "b", "d"), 8))
NOTHING = np.zeros(0, dtype=np.int64)


def never() -> None:
    """Look at no clock."""


def plenty() -> Limits:
    """Return limits that no small problem meets."""
    return Limits(1_000_000, time.perf_counter() + 60.0)


@given(st.data())
def test_order_of_children_is_that_of_the_slow_twin(data: st.DataObject) -> None:
    """The queue holds what a look at all children at every step finds, ties included."""
    children = range(data.draw(st.integers(1, 9)))
    sets = data.draw(st.lists(st.sets(st.sampled_from(children), min_size=1), max_size=7))
    items = []
    for members in sets:
        drawn = data.draw(st.integers(-1, 2))
        statement = None if drawn < 0 else Statement("s", NOTHING, 0, 9, drawn=drawn - 1)
        items.append(Item(statement, frozenset(members)))
    of_child = items_of(children, items)
    expected = slowly_ordered(of_child, items) if items else list(children)
    assert ordered(of_child, items, never) == expected


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from(MECHANISMS), st.sampled_from(["", "c", "ac", "bd", "abc", "abcd"]))
def test_so_many_states_are_reached(seed: int, mechanism: str, names: str) -> None:
    """Each block that the programme runs reaches at least the states that were foreseen."""
    tables = ((tuple(names), mechanism),) if names else ()
    evidence, _ = make_problem(Plan(SAMPLES, tables), SIZES, 60, seed)
    atoms = make_atoms(evidence, unique_matches(evidence))
    assert atoms is not None
    n_foreseen = 0

    def watched(children: Any, masses: Any, items: Any, low: int, high: int, limits: Limits) -> DynamicProgramme:
        nonlocal n_foreseen
        programme = run_forward(children, masses, items, low, high, limits)
        of_child = items_of(children, items)
        order = [step.child for step in programme.steps]
        most = {child: high if masses[child].is_drawn else masses[child].high for child in children}
        holders = find_holders(order, of_child, items, most, high)  # type: ignore[arg-type]
        if holders is not None:
            states, work = least_states(order, of_child, items, holders)
            assert math.exp(states) <= max(len(step.reached) for step in programme.steps) * (1 + 1e-9)
            pairs = sum(len(step.states) * len(step.additions.weights) for step in programme.steps)
            assert math.exp(work) <= pairs * (1 + 1e-9)
            n_foreseen += 1
        return programme

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_posterior, "run_forward", watched)
        with suppress(TooLarge):  # the blocks until then were reached
            block_posteriors(atoms, unique_matches(evidence), Limits(100_000, time.perf_counter() + 60.0))
    assume(n_foreseen > 0)


def test_too_many_states_are_foreseen() -> None:
    """Two samples that cross in all cells are too large at once, and a smaller number of states is not."""
    evidence, _ = make_problem(Plan(((("a", "b"), 300), (("a", "c"), 300))), {"a": 1, "b": 30, "c": 30}, 9000, 1)
    atoms = make_atoms(evidence, np.array([0]))
    assert atoms is not None
    assert is_too_large(atoms, plenty())
    with pytest.raises(TooLarge):
        block_posteriors(atoms, np.array([0]), plenty())
    small, _ = make_problem(Plan(SAMPLES), SIZES, 60, 1)
    few = make_atoms(small, unique_matches(small))
    assert few is not None
    assert not is_too_large(few, plenty())


def test_expected_effective_draws() -> None:
    """Independent draws are expected at the rate so far; chains that stand apart yield next to none."""
    rng = np.random.default_rng(1)
    alike = rng.integers(0, 50, (4, 200, 2))
    assert 0.7 * 4000 < expected_effective(alike, 0.1) <= 4000
    apart = alike.copy()
    apart[:, :, 1] += 1000 * np.arange(4)[:, None]
    assert expected_effective(apart, 0.1) < 0.02 * 4000


def test_chains_far_from_convergence_are_given_up() -> None:
    """Where chains must converge, they end long before time is up; and if they can, nothing is changed by it."""
    evidence, _ = make_problem(Plan(((("a", "b"), 300), (("a", "c"), 300))), {"a": 2, "b": 40, "c": 40}, 9000, 1)
    cells = np.array([0, 1])
    atoms = make_atoms(evidence, cells)
    assert atoms is not None
    began = time.perf_counter()
    demanding = ChainSettings(4, 0, began + 8.0, effective=1e9, must_converge=True)
    with pytest.raises(NoExactPosteriorError, match="many times their time"):
        sample_posteriors(atoms, cells, 2, demanding)
    assert time.perf_counter() - began < 6.0


def test_chains_that_converge_are_not_touched() -> None:
    """The same draws whether chains must converge or not, where they do."""
    evidence, _ = make_problem(Plan(((("a", "b"), 4), (("a", "c"), 4))), {"a": 3, "b": 2, "c": 2}, 24, 3)
    atoms = make_atoms(evidence, np.array([0]))
    assert atoms is not None
    found = [
        sample_posteriors(
            atoms, np.array([0]), 2, ChainSettings(4, 0, time.perf_counter() + 60.0, must_converge=must_converge)
        ).posteriors[0]
        for must_converge in (False, True)
    ]
    assert np.array_equal(found[0].probabilities, found[1].probabilities)
