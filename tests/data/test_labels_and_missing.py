"""One spelling per category, and codes that mean "no value"."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.data import RawColumn
from linkrisk.data.labels import label_of_number, label_of_text, labels_of
from linkrisk.data.missing import without_codes


def text(*cells: str | None) -> RawColumn:
    """Return a text column."""
    return RawColumn("c", np.array(cells, dtype=object))


def test_labels_of_numbers_dates_and_text() -> None:
    """Whole numbers have no fraction, days no time, and truth values are lower case."""
    assert labels_of(RawColumn("c", np.array([1.0, 2.5, np.nan]))).tolist() == ["1", "2.5", None]
    days = np.array(["2020-01-02", "2020-01-02T10:00", "NaT"], dtype="datetime64[us]")
    assert labels_of(RawColumn("c", days)).tolist() == ["2020-01-02", "2020-01-02T10:00:00.000000", None]
    assert labels_of(text("TRUE", "1.0", "01", None)).tolist() == ["true", "1", "01", None]


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_number_and_its_text_have_one_label(number: float) -> None:
    """SPSS 1.0, CSV "1" and pandas "1.0" are one category."""
    spelled = f"{number:.12f}" if abs(number) < 1e9 else repr(number)
    if float(spelled) == number:
        assert label_of_text(spelled) == label_of_number(number)


@pytest.mark.parametrize("code", ["99", "99.0", "+99"])
def test_codes_are_compared_as_numbers(code: str) -> None:
    """A code finds its number however the file spells it, but not a code with leading zeros."""
    numbers = without_codes(RawColumn("c", np.array([1.0, 99.0])), [code])
    assert numbers.is_missing.tolist() == [False, True]
    spelled = without_codes(text("99", "99.00", "9.9e1", "099", "x"), [code])
    assert spelled.is_missing.tolist() == [True, True, True, False, False]


def test_codes_in_text_dates_and_decimal_commas() -> None:
    """Codes work as text, as dates, and in columns with decimal commas."""
    assert without_codes(text("refused", "a"), ["refused"]).cells.tolist() == [None, "a"]
    days = RawColumn("c", np.array(["9999-12-31", "2020-01-01"], dtype="datetime64[us]"))
    assert without_codes(days, ["9999-12-31"]).is_missing.tolist() == [True, False]
    comma: Any = RawColumn("c", np.array(["99,0", "1,5"], dtype=object), decimal_comma=True)
    assert without_codes(comma, ["99"]).cells.tolist() == [None, "1,5"]


def test_no_code_leaves_the_column_alone() -> None:
    """Without codes nothing is copied."""
    column = text("a")
    assert without_codes(column, []) is column
