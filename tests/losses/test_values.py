"""IL1s and SSE / SST against their twins, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from linkrisk.data.columns import FilePair
from linkrisk.losses import il1s, sse_over_sst
from linkrisk.protection import microaggregate
from tests.linkage.files import numeric_files
from tests.losses.files import sides, whole_number_files
from tests.oracle import loss_values as twin


@given(whole_number_files())
@settings(max_examples=80, deadline=None)
def test_twins(files: FilePair) -> None:
    """With holes, constants, and records without counterpart."""
    own = files.own.tolist()
    variation = sse_over_sst(files)
    expected = (
        (il1s(files).il1s, twin.il1s(*sides(files), own)),
        (variation.share, twin.sse_over_sst(*sides(files), own, is_raw=False)),
        (variation.raw, twin.sse_over_sst(*sides(files), own, is_raw=True)),
    )
    for found, value in expected:
        assert found == pytest.approx(math.nan if value is None else value, rel=1e-9, nan_ok=True)


def test_by_hand() -> None:
    """Standard deviation 1; one record of three moves by 3, and one value is missing afterwards in a second file."""
    assert il1s(numeric_files([[1], [2], [3]], [[1], [2], [6]])).il1s == pytest.approx(1 / math.sqrt(2))
    assert il1s(numeric_files([[1], [2], [3]], [[1], [np.nan], [6]])).il1s == pytest.approx(1.5 / math.sqrt(2))


def test_constant_attribute_is_left_out_and_said() -> None:
    """There is no deviation to measure by."""
    found = il1s(numeric_files([[1, 7], [2, 7], [3, 7]], [[1, 7], [2, 8], [6, 7]]))
    assert found.il1s == pytest.approx(1 / math.sqrt(2))
    assert "V2" in found.notes[0]


def test_strangers_are_eight_tenths_away() -> None:
    """Independent normal values: E|x - y| = 2 / sqrt(pi) deviations."""
    random = np.random.default_rng(1)
    found = il1s(numeric_files(random.normal(size=(40_000, 1)), random.normal(size=(40_000, 1))))
    assert found.il1s == pytest.approx(2 / math.sqrt(math.pi) / math.sqrt(2), abs=0.01)


def test_the_share_that_microaggregation_reports() -> None:
    """MDAV reports SSE / SST of each of its groups on the values it clustered: raw ones here."""
    original = np.random.default_rng(2).gamma(2.0, size=(60, 2)) * [1.0, 50.0]
    protection = microaggregate(original, [[0, 1]], 5, raw=True)
    (group,) = protection.details
    found = sse_over_sst(numeric_files(original, protection.data))
    assert found.raw == pytest.approx(getattr(group, "sse_over_sst"))  # noqa: B009  (details are plain objects)
