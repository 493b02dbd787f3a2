"""Risk without linking: intervals around protected values, and combinations of values that few share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkrisk
from linkrisk.assessment.anonymity import SIZES, anonymity
from linkrisk.assessment.interval_disclosure import WHOLE_RECORDS, WIDTHS, interval_disclosure
from linkrisk.data import pair_files
from tests.assessment.samples import MIXED_SCHEMA, mixed_frames, numeric_frames
from tests.oracle.disclosure import class_sizes, inside_by_deviation, inside_by_rank

CELLS = st.integers(0, 12) | st.just(None)


def frame(rows: list[tuple[int | None, ...]]) -> pd.DataFrame:
    """Return a numeric frame of two columns, None missing; the first rows make sure that no column is empty."""
    known = [(1, 2), (4, 9)]
    return pd.DataFrame([*known, *rows], columns=["a", "b"], dtype=float)


PAIRS = st.lists(st.tuples(st.tuples(CELLS, CELLS), st.tuples(CELLS, CELLS)), min_size=1, max_size=30)


@pytest.mark.slow
@given(PAIRS)
def test_intervals_equal_the_slow_twin(rows: Any) -> None:
    """Each attribute by both units and every width, and whole records."""
    original, protected = frame([row[0] for row in rows]), frame([row[1] for row in rows])
    found = interval_disclosure(pair_files(original, protected))
    assert [entry.name for entry in found] == ["a", "b", WHOLE_RECORDS]
    known = (original.notna() & protected.notna()).to_numpy()
    for place, width in enumerate(WIDTHS):
        for twin, kind in ((inside_by_deviation, "by_deviation"), (inside_by_rank, "by_rank")):
            inside = np.column_stack([twin(original[name].tolist(), protected[name].tolist(), width) for name in "ab"])
            for k in range(2):
                assert getattr(found[k], kind)[place] == pytest.approx(inside[known[:, k], k].mean())
            whole = (inside | ~known).all(axis=1)[known.any(axis=1)]
            assert getattr(found[2], kind)[place] == pytest.approx(whole.mean())


def test_a_constant_has_no_deviation() -> None:
    """Whatever its unit, only unchanged values are inside."""
    original = np.column_stack([np.full(10, 5.0), np.arange(10.0)])
    protected = original + np.array([[0.005, 0.0]] * 4 + [[0.0, 0.0]] * 6)
    for unit in (1.0, 1000.0):
        found = interval_disclosure(pair_files(original * unit, protected * unit))
        assert found[0].by_deviation == (0.6, 0.6, 0.6)


@pytest.mark.slow
@given(PAIRS)
def test_anonymity_equals_the_slow_twin(rows: Any) -> None:
    """Missing values equal each other."""
    original, protected = frame([row[0] for row in rows]), frame([row[1] for row in rows])
    for data, found in zip((original, protected), anonymity(pair_files(original, protected)), strict=True):
        sizes = class_sizes([tuple("-" if np.isnan(x) else x for x in row) for row in data.to_numpy().tolist()])
        assert found.smallest == min(sizes)
        assert found.below == tuple(sum(size < limit for size in sizes) for limit in SIZES)
        assert found.n_classes == len(data.drop_duplicates())


def test_an_unprotected_file_is_disclosed_altogether() -> None:
    """Every value lies in every interval around itself."""
    original, _ = numeric_frames()
    assert all(share == 1.0 for row in interval_disclosure(pair_files(original, original)) for share in row.by_rank)


def test_records_are_paired_by_their_id() -> None:
    """The order of the protected file does not matter when an id says who is who."""
    original, protected = numeric_frames()
    for data in (original, protected):
        data.insert(0, "who", np.arange(60))
    straight = pair_files(original, protected, id="who")
    shuffled = pair_files(original, protected.sample(frac=1.0, random_state=1), id="who")
    assert interval_disclosure(straight) == interval_disclosure(shuffled)


def test_a_file_without_numbers_has_no_intervals() -> None:
    """Labels have no neighbourhood, but they have combinations."""
    labels = pd.DataFrame({"sex": list("ffmm"), "region": list("nnsn")})
    result = linkrisk.assess(labels, labels, attackers=["mean"])
    assert result.intervals == ()
    assert result.anonymity[1].below == (2, 4, 4, 4)


def test_they_are_part_of_every_assessment() -> None:
    """In the result, its text and its JSON; mixed files and missing values included."""
    original, protected = mixed_frames()
    result = linkrisk.assess(original, protected, schema=MIXED_SCHEMA, attackers=["mean"], scales=["ranks"])
    assert [row.name for row in result.intervals] == ["income", "born", WHOLE_RECORDS]
    assert "80 protected records are unique" in result.to_text()
    contents = result.to_dict()
    assert contents["anonymity"]["protected"]["k"] == result.anonymity[1].smallest
    assert contents["interval_disclosure"][0]["inside_by_rank"]["0.05"] == result.intervals[0].by_rank[1]
