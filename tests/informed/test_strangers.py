"""What strangers look like, held against definitions; and what it is worth to know it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.model import make_terms
from linkrisk.informed.strangers import silverman_bandwidth, smoothed_counts
from linkrisk.informed.term_kernels import cost_of
from tests.oracle import informed as twin

seeds = st.integers(0, 2**32 - 1)


def costs(description: Description, files: FilePair) -> np.ndarray[Any, Any]:
    """Return all costs of a description."""
    terms = make_terms(description, Known(files)).finished()
    return np.array([[cost_of(terms, i, j, np.inf) for j in range(files.n_protected)] for i in range(files.n_original)])


def in_part(original: pd.DataFrame, released: pd.DataFrame, n_known: int) -> FilePair:
    """Return the files of somebody who knows the first people only."""
    return pair_files(original.iloc[:n_known], released, pairs=[(row, row) for row in range(1, n_known + 1)])


@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_a_pair_counts_by_how_much_likelier_it_is_than_a_stranger(seed: int) -> None:
    """Costs of noise and PRAM: -log p(y | x) + log g(y), up to one number for all pairs."""
    random = np.random.default_rng(seed)
    original = pd.DataFrame({"a": random.normal(size=30) * 5.0, "c": random.choice(list("xyz"), 30, p=[0.6, 0.3, 0.1])})
    released = pd.DataFrame({"a": original["a"] + random.normal(size=30), "c": random.permutation(original["c"])})
    plan = Description((Treatment("noise", ("a",), {"p": 25.0}), Treatment("pram", ("c",), {"keep": 0.5})))
    found = costs(plan, in_part(original, released, 10))
    deviation = 0.25 * float(released["a"].std(ddof=1)) / math.sqrt(1.0 + 0.25**2)
    scaled = (released["a"] / deviation).tolist()
    bandwidth = max(1.0, silverman_bandwidth(np.array(scaled)))
    expected = np.empty((10, 30))
    for i in range(10):
        for j in range(30):
            chance = twin.pram_probability(original["c"][i], released["c"][j], 0.5, list(released["c"]))
            share = float((released["c"] == released["c"][j]).mean())
            distance = (original["a"][i] / deviation - scaled[j]) ** 2 / 2.0
            stranger = twin.stranger_density([scaled[j]], [scaled], [bandwidth])
            expected[i, j] = distance - math.log(chance) + stranger + math.log(share)
    np.testing.assert_allclose(found - found[0, 0], expected - expected[0, 0], atol=0.05)


@settings(max_examples=30)
@given(seed=seeds, bandwidth=st.floats(0.05, 20.0), tail=st.floats(0.0, 3.0))
def test_smoothed_counts_are_sums_over_all(seed: int, bandwidth: float, tail: float) -> None:
    """Up to two percent; of heavy tails, too."""
    values = np.random.default_rng(seed).normal(size=40)
    values = values * np.exp(tail * np.abs(values))
    direct = np.exp(-(((values[:, None] - values[None, :]) / bandwidth) ** 2) / 2.0).sum(axis=1)
    assert smoothed_counts(values, bandwidth) == pytest.approx(direct, rel=0.02)


def test_nothing_is_said_of_strangers_where_there_are_none() -> None:
    """As many people known as there are records: costs are those of the pairs alone."""
    original = pd.DataFrame({"a": [1.0, 2.0, 4.0, 8.0]})
    files = pair_files(original, original + 1 / 3)
    found = costs(Description((Treatment("noise", ("a",), {"p": 50.0}),)), files)
    deviation = 0.5 * float(original["a"].std(ddof=1))
    assert found[1, 3] == pytest.approx(twin.noise_cost([2.0], [8 + 1 / 3], [deviation]))


def test_holes_tell_who_it_may_be_where_a_part_is_known() -> None:
    """A released record without a hole is nobody who has one, unless values were suppressed besides."""
    random = np.random.default_rng(1)
    original = pd.DataFrame({"a": random.normal(size=40), "b": random.normal(size=40)})
    original.loc[::5, "b"] = np.nan
    plan = Description((Treatment("noise", ("a", "b"), {"p": 30.0}),))
    found = np.isfinite(costs(plan, in_part(original, original + 0.1, 20)))
    has_hole = original["b"].isna().to_numpy()
    assert (found == (has_hole[:20, None] == has_hole[None, :])).all()
    suppressed = (original + 0.1).mask(random.random((40, 2)) < 0.3)
    assert np.isfinite(costs(plan, in_part(original, suppressed, 20))).all()
