"""Frequencies of keys: against all pairs, and against the figures that sdcMicro prints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.assessment.survey.columns import SurveyColumns
from linkrisk.assessment.survey.keys import compare_keys
from linkrisk.data import pair_files
from linkrisk.frequencies import count_keys
from linkrisk.frequencies.counts import MAX_PATTERNS, n_patterns
from tests.frequencies.francdat import KEYS, WEIGHTS, WITH_MISSING, columns_of
from tests.oracle.frequencies import key_counts

CELLS = st.sampled_from([None, "a", "b", "c"])


@given(
    st.lists(st.tuples(CELLS, CELLS, CELLS, st.integers(1, 50)), min_size=1, max_size=14),
    st.sampled_from(["wildcard", "category"]),
)
def test_counts_are_those_of_all_pairs(records: list[tuple[Any, ...]], missing: str) -> None:
    """Whatever is missing: f and F as a comparison of every two records finds them."""
    keys, weights = [record[:3] for record in records], np.array([float(record[3]) for record in records])
    found = count_keys(columns_of(keys), weights, missing=missing)
    sample, population = key_counts(keys, weights.tolist(), wildcard=missing == "wildcard")
    assert found.sample.tolist() == sample
    assert found.population.tolist() == pytest.approx(population)


def test_numbers_are_keys_too() -> None:
    """Numbers are compared exactly, NaN is missing; without weights F is f."""
    found = count_keys([np.array([1.0, 1.0, 2.0, np.nan])], missing="wildcard")
    assert found.sample.tolist() == [3, 3, 2, 4]
    assert found.population.tolist() == [3.0, 3.0, 2.0, 4.0]


def test_the_published_frequencies() -> None:
    """The f and F that sdcMicro's documentation of freqCalc prints for its example of 8 records."""
    found = count_keys(columns_of(KEYS), WEIGHTS)
    assert found.sample.tolist() == [2, 2, 2, 1, 1, 1, 1, 2]
    assert found.population.tolist() == [110.0, 84.5, 84.5, 17.0, 541.0, 8.0, 5.0, 110.0]


def test_the_published_frequencies_with_missing_values() -> None:
    """The same page, with five values taken out: a missing value matches everything."""
    found = count_keys(columns_of(WITH_MISSING), WEIGHTS, missing="wildcard")
    assert found.sample.tolist() == [3, 2, 4, 3, 3, 2, 2, 3]
    assert found.population.tolist() == [149.0, 84.5, 194.5, 563.0, 566.0, 549.0, 22.0, 149.0]


def test_too_many_patterns_of_holes_are_left_out() -> None:
    """More than are compared two by two: keys are told with holes as a category only, and a note says so."""
    random = np.random.default_rng(0)
    values = random.integers(0, 3, (300, 9)).astype(str).astype(object)
    values[random.random((300, 9)) < 0.5] = None
    frame = pd.DataFrame(values, columns=list("abcdefghi"))
    kinds = {"attributes": {name: {"kind": "nominal"} for name in frame.columns}}
    files = pair_files(frame, frame, schema=kinds)
    assert n_patterns([column.original for column in files.columns]) > MAX_PATTERNS
    found, _ = compare_keys(files, tuple(frame.columns), SurveyColumns())
    assert found.original_wildcard is None
    assert found.has_too_many_patterns
    few, _ = compare_keys(files, ("a", "b"), SurveyColumns())
    assert few.original_wildcard is not None
