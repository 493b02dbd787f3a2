"""Microaggregation with missing values: the rule against its twin, and what is left of k-anonymity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.arrays import FloatArray
from linkrisk.differences.scales import careful_moments
from linkrisk.errors import ColumnError
from linkrisk.protection import mdav_groups, microaggregate
from linkrisk.protection.microaggregation import holes
from tests.oracle.holes import clusters
from tests.protection.declared import numeric

METHODS = ["mdav", "z_scores", "principal_components"]


def file_with_holes(seed: int, n_records: int = 60, share: float = 0.1) -> pd.DataFrame:
    """Make three related numbers, some of them missing, and enough records without holes."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(n_records, 1)) + random.normal(size=(n_records, 3))
    values[12:][random.random((n_records - 12, 3)) < share] = np.nan
    return pd.DataFrame(values, columns=["a", "b", "c"])


@given(st.integers(0, 2**32), st.integers(2, 4), st.floats(0.0, 0.4))
@settings(max_examples=25, deadline=None)
def test_clusters_are_those_of_the_twin(seed: int, k: int, share: float) -> None:
    """Same patterns together where there are k, others with the nearest who have all they have; means of the known."""
    frame = file_with_holes(seed, share=share)
    records = [[None if np.isnan(value) else value for value in row] for row in frame.to_numpy().tolist()]
    twin = clusters(
        records, k, lambda points: mdav_groups(np.array(points), k).tolist(), frame.std().to_numpy().tolist()
    )
    released = microaggregate(frame, [["a", "b", "c"]], k, raw=True).data
    means = frame.groupby(pd.Series(twin, dtype="Int64"), dropna=False).transform("mean")
    expected = means.where(frame.notna())
    np.testing.assert_allclose(released, expected, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_what_a_record_shows_k_records_show(method: str, seed: int) -> None:
    """Holes stay holes; for each record at least k have its values wherever it has one."""
    frame = file_with_holes(seed)
    protection = linkrisk.protect(frame, method, k=4)
    released = protection.data
    assert (released.isna() == frame.isna()).all(axis=None)
    values = released.to_numpy()
    is_like = (values[:, None, :] == values[None, :, :]) | np.isnan(values)[:, None, :]
    shown = is_like.all(axis=2) & ~np.isnan(values).all(axis=1)[:, None]
    assert shown[~np.isnan(values).all(axis=1)].sum(axis=1).min() >= 4


def test_records_that_lack_other_values_are_counted() -> None:
    """One record lacks b, and k = 3: it takes those of the nearest cluster, and a note says what that is worth."""
    frame = file_with_holes(1, share=0.0)
    frame.loc[20, "b"] = np.nan
    protection = linkrisk.protect(frame, "mdav", k=3)
    (detail,) = protection.details
    assert detail.n_unlike == 1  # type: ignore[attr-defined]
    assert any("1 record of the group a, b, c share known values with at least k = 3" in n for n in protection.notes)
    released: Any = protection.data
    assert (released[["a", "c"]] == released.loc[20, ["a", "c"]]).all(axis=1).sum() >= 4


def test_a_pattern_of_k_records_stays_among_itself() -> None:
    """Three records that lack b are one cluster: nothing tells them apart."""
    frame = file_with_holes(2, share=0.0)
    frame.loc[[5, 20, 40], "b"] = np.nan
    released = linkrisk.protect(frame, "mdav", k=3).data
    assert len(released.loc[[5, 20, 40], ["a", "c"]].drop_duplicates()) == 1
    assert released["b"].isna().sum() == 3


def test_nobody_to_join_is_said_once() -> None:
    """Where fewer than k records have two columns together, the sentence says which, and what to do."""
    frame = pd.DataFrame({"a": [1.5, 2.5, 3.5, 4.5, np.nan, np.nan, 5.5], "b": [np.nan] * 4 + [1.5, 2.5, 3.5]})
    sentence = r"no 2 records with the same values missing have all of a, b, as row 7 has; .*--groups"
    with pytest.raises(ColumnError, match=sentence):
        microaggregate(frame, [["a", "b"]], 2)
    microaggregate(frame, [["a"], ["b"]], 2)


def test_squares_lost_are_added_up_over_patterns() -> None:
    """Two patterns: 4 records lose 4 of 104, 2 records (one cluster) all of 8: 12 of 112, and no mean of shares."""
    frame = pd.DataFrame({"a": [0.0, 2.0, 10.0, 12.0, 5.0, 9.0], "b": [7.5] * 4 + [np.nan] * 2})
    (detail,) = microaggregate(frame, [["a", "b"]], 2, raw=True, schema=numeric("a", "b")).details
    assert detail.sse_over_sst == pytest.approx(12 / 112)  # type: ignore[attr-defined]


def test_deviations_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many records join clusters of others."""
    asked = []

    def counted(values: FloatArray) -> tuple[float, float]:
        asked.append(values)
        return careful_moments(values)

    monkeypatch.setattr(holes, "careful_moments", counted)
    frame = file_with_holes(3, share=0.3)
    protection = microaggregate(frame, [["a", "b", "c"]], 8)
    assert protection.details[0].n_unlike > 1  # type: ignore[attr-defined]
    assert len(asked) == 3
