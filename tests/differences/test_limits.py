"""Numbers that nothing can be computed with are refused, with file, column, row and remedy."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data import pair_files
from linkrisk.differences import Scale, make_comparison
from linkrisk.differences.limits import LARGEST_SCALED, LEAST_SCALED
from linkrisk.errors import ColumnError
from tests.linkage.files import numeric_files


def refusal(original: list[float], protected: list[float], scale: str) -> str:
    """Return what is said about two files of one column."""
    files = numeric_files(np.array([original]).T, np.array([protected]).T)
    with pytest.raises(ColumnError) as raised:
        make_comparison(files, scale)
    return str(raised.value)


def test_a_value_too_far_from_the_others() -> None:
    """More than 1e75 deviations off: squares of squares would overflow."""
    assert refusal([1.0, 2.0, 3.0], [1.0, 2.0, 1e80], "original") == (
        "protected: column 'V1' has a value too far from the mean to be compared on scale original in row 3; "
        "check its unit, or leave out that scale"
    )


def test_a_value_too_near_the_mean() -> None:
    """Less than 1e-60 deviations off and not 0: squares of squares would vanish."""
    assert refusal([-1.0, 1e-70, 1.0, 0.0], [1.0, 2.0, 3.0, 4.0], "separate") == (
        "original: column 'V1' has a value too near to the mean, and not equal to it, to be compared on scale separate "
        "in row 2 (and in 1 more); round the column, or leave out that scale"
    )


def test_values_without_a_mean_or_a_deviation() -> None:
    """Sums that overflow, and deviations that underflow to 0; ranks need neither."""
    huge, tiny, plain = [1.7e308, -1.7e308], [5e-324, *[0.0] * 50], [1.0, 2.0]
    assert refusal(huge, plain, "separate") == (
        "original: column 'V1' has a value too large for a standard deviation in row 1 (and in 1 more); "
        "choose a larger unit"
    )
    assert "in row 1 (and in 50 more)" in refusal(tiny, [1.0] * 51, "separate")
    for column in (huge, tiny):
        values = np.array([column]).T
        assert np.isfinite(make_comparison(numeric_files(values, values), "ranks").coordinates.original).all()


def test_rows_and_columns_are_those_of_the_file(tmp_path: Path) -> None:
    """The header of a CSV file is row 1, and a column is called as in its file."""
    (tmp_path / "before.csv").write_text("age\n1\n2\n3\n")
    (tmp_path / "after.csv").write_text("alter\n1\n1e90\n3\n")
    files = pair_files(tmp_path / "before.csv", tmp_path / "after.csv", renamed={"age": "alter"})
    with pytest.raises(ColumnError, match=r"^after\.csv: column 'alter' has .* in row 3;"):
        make_comparison(files, "original")


numbers = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, math.nan, 5e-324, 1e-310, 1e-70, 1e75, 1e80, 1e160, 1e300, 1.7e308]),
    st.floats(allow_infinity=False),
)


@given(st.lists(numbers, min_size=3, max_size=5), st.lists(numbers, min_size=3, max_size=5), st.sampled_from(Scale))
@settings(max_examples=300, deadline=None)
def test_what_passes_is_within_the_limits(original: list[float], protected: list[float], scale: Scale) -> None:
    """Whatever is in the files: an error, or numbers whose squares of squares keep their digits."""
    own = [-1] * len(original)
    files = numeric_files(np.array([original]).T, np.array([protected]).T, own)
    try:
        comparison = make_comparison(files, scale)
    except ColumnError:
        return
    _, *vectors = comparison.vectors()
    for values, raw, filled in zip(
        (comparison.coordinates.original, comparison.coordinates.protected), (original, protected), vectors, strict=True
    ):
        np.testing.assert_array_equal(np.isnan(values[:, 0]), np.isnan(raw))
        size = np.abs(filled)
        assert ((size == 0.0) | ((size >= LEAST_SCALED) & (size <= LARGEST_SCALED))).all()
