"""Kinds: found out from the original, the same for both files, mistakes named and never swallowed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from linkrisk.data import FilePair, Kind, RawColumn, pair_files
from linkrisk.data.infer import infer_kind
from linkrisk.errors import ColumnError, SettingsError


def frame(cells: list[Any]) -> pd.DataFrame:
    """Return a frame with one column C."""
    return pd.DataFrame({"C": pd.Series(cells, dtype=object if isinstance(cells[0], str) else None)})


def pair(original: list[Any], protected: list[Any] | None = None, **attribute: Any) -> FilePair:
    """Pair two files of one column C."""
    schema = {"attributes": {"C": attribute}} if attribute else None
    return pair_files(frame(original), frame(original if protected is None else protected), schema=schema)


def kind_of(cells: list[Any]) -> Kind:
    """Return the kind inferred for a column."""
    return pair(cells).attributes[0].kind


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1, 2, 3], Kind.NUMERIC),
        (["1", "2.5", "1e3"], Kind.NUMERIC),
        (["0123", "1234"], Kind.NOMINAL),
        (["-01", "2"], Kind.NOMINAL),
        (["0", "0.5"], Kind.NUMERIC),
        (["12345678901234567", "1"], Kind.NOMINAL),
        (["0110", "1120", "X000"], Kind.NOMINAL),
        (["2020-01-31", "1999-12-01"], Kind.DATE),
        (["2020-01-31T10:00", "1999-12-01 23:59:59.5"], Kind.DATE),
        (["31.01.2020", "1.12.1999"], Kind.DATE),
        (["31/01/2020", "01/12/1999"], Kind.DATE),
        (["01/31/2020", "12/01/1999"], Kind.DATE),
        (["01/02/2020", "03/04/2020"], Kind.NOMINAL),
        (["a", "b", "a"], Kind.NOMINAL),
        ([f"name {i}" for i in range(20)], Kind.NOMINAL),
        ([f"name {i}" for i in range(21)], Kind.TEXT),
        ([f"name {i % 50}" for i in range(1000)], Kind.NOMINAL),
        ([f"name {i % 51}" for i in range(1000)], Kind.TEXT),
        ([True, False, True], Kind.NOMINAL),
    ],
)
def test_inferred_kinds(cells: list[Any], kind: Kind) -> None:
    """Numbers, codes, dates, categories and text are told apart."""
    assert kind_of(cells) is kind


def test_days_of_all_spellings() -> None:
    """A date is the same number of days however it is written."""
    for cells in (["1970-01-31", "1970-01-01"], ["31.01.1970", "01.01.1970"]):
        assert pair(cells).columns[0].original.tolist() == [30.0, 0.0]
    for cells in (["31/01/1970", "01/01/1970"], ["01/31/1970", "01/01/1970"]):
        assert pair(cells).columns[0].original.tolist() == [30.0, 0.0]
    assert pair(["1970-01-01T12:00Z", "1970-01-01T12:00+12:00"]).columns[0].original.tolist() == [0.5, 0.0]


def test_protected_file_may_tell_day_from_month() -> None:
    """When the original is ambiguous, the protected file decides."""
    result = pair(["01/02/1970", "03/04/1970"], ["01/13/1970", "02/01/1970"])
    assert result.attributes[0].kind is Kind.DATE
    assert result.columns[0].original.tolist() == [1.0, 62.0]


def test_ambiguous_dates_are_noted_and_can_be_settled() -> None:
    """An ambiguous column says so, and a date_format settles it."""
    cells = ["01/02/1970", "03/04/1970"]
    assert "date_format" in pair(cells).notes[0]
    result = pair(cells, date_format="%d/%m/%Y")
    assert result.columns[0].original.tolist() == [31.0, 92.0]
    with pytest.raises(ColumnError, match="date_format"):
        pair(cells, kind="date")
    assert pair([20200131, 20200201], date_format="%Y%m%d").attributes[0].kind is Kind.DATE
    with pytest.raises(ColumnError, match="date_format"):
        pair([20200131, 20200201], kind="date")


def test_codes_are_noted() -> None:
    """The user is told when digits are taken for codes, unless the kind was given."""
    assert "leading zeros" in pair(["0123", "1234"]).notes[0]
    assert pair(["0123", "1234"], kind="nominal").notes == ()
    assert pair(["0123", "1234"], kind="numeric").columns[0].original.tolist() == [123.0, 1234.0]


NUMBERS = [str(i) for i in range(1, 20)]


@pytest.mark.parametrize(
    ("original", "protected", "attribute", "message"),
    [
        (
            [*NUMBERS, "sEcret"],
            [*NUMBERS, "1"],
            {},
            "original: column 'C' has text in a numeric column in row 20;",
        ),
        (
            [1, 2, 3],
            ["1", "sEcret", "sEcret"],
            {},
            "protected: column 'C' has text in a numeric column in row 2 (and in 1 more);",
        ),
        (["a", "b"], None, {"kind": "numeric"}, "original: column 'C' has text in a numeric column in row 1"),
        ([1.0, np.inf], None, {}, "original: column 'C' has an infinite value in row 2"),
        ([1.0, 2.0], ["1", "-Infinity"], {}, "protected: column 'C' has an infinite value in row 2"),
        (["inf", "1"], None, {}, "original: column 'C' has an infinite value in row 1"),
        ([None, None], [1, 2], {}, "original: column 'C' has no value in any row"),
        ([1, 2], [None, None], {}, "protected: column 'C' has no value in any row"),
        ([1, 2], [9, 9], {"missing": [9]}, "protected: column 'C' has no value in any row"),
        (
            ["2020-01-01", "2020-01-02"],
            ["2020-01-01", "2020-02-30"],
            {},
            "else than a date of its format in row 2",
        ),
        (["low", "high"], ["low", "sEcret"], {"order": ["low", "high"]}, "the order does not name in row 2"),
    ],
)
def test_cells_that_do_not_fit(
    original: list[Any], protected: list[Any] | None, attribute: dict[str, Any], message: str
) -> None:
    """A cell that does not fit is named by file, column and row, with a remedy, and is not quoted."""
    with pytest.raises(ColumnError, match=re.escape(message)) as raised:
        pair(original, protected, **attribute)
    assert "sEcret" not in str(raised.value)
    assert str(raised.value).count("\n") == 0
    assert ";" in str(raised.value)


def test_remedies_work() -> None:
    """Each remedy of "text in a numeric column" does away with the error."""
    cells = [*NUMBERS, "refused"]
    assert pair(cells, kind="nominal").attributes[0].kind is Kind.NOMINAL
    result = pair(cells, missing=["refused"])
    assert result.attributes[0].kind is Kind.NUMERIC
    assert np.isnan(result.columns[0].original[-1])


def test_one_infinite_category_is_a_word() -> None:
    """In a nominal attribute "inf" is a label like any other."""
    assert pair(["inf", "1"], kind="nominal").columns[0].original.tolist() == ["inf", "1"]


def test_csv_rows_count_the_header(tmp_path: Path) -> None:
    """Rows in messages are those of a spreadsheet."""
    path = tmp_path / "o.csv"
    path.write_text("C;D\n" + "\n".join(f"{i},5;1" for i in range(20)) + "\nsEcret;1\n")
    with pytest.raises(ColumnError, match=r"^o\.csv \(original\): column 'C' has text .* in row 22;") as raised:
        pair_files(path, path)
    assert "sEcret" not in str(raised.value)


def test_ordinal_orders() -> None:
    """An order is given, declared by the file, or that of numbers; otherwise it is asked for."""
    given = pair(["low", "high", None], order=["low", "middle", "high"])
    assert given.attributes[0].order == ("low", "middle", "high")
    assert given.columns[0].original.tolist() == ["low", "high", None]
    numbers = pair(["10", "9"], ["2", "9"], kind="ordinal")
    assert numbers.attributes[0].order == ("2", "9", "10")
    with pytest.raises(SettingsError, match=r"'C' is ordinal .* give their order"):
        pair(["low", "high"], kind="ordinal")
    declared = pd.DataFrame({"C": pd.Categorical(["b", "a"], categories=["b", "a"], ordered=True)})
    assert pair_files(declared, frame(["a", "b"])).attributes[0].order == ("b", "a")


def test_protected_takes_the_kind_of_the_original() -> None:
    """Both files get one kind, that of the original, whatever the protected file declares or looks like."""
    result = pair(["a", "b"], [1, 2])
    assert result.attributes[0].kind is Kind.NOMINAL
    assert result.columns[0].protected.tolist() == ["1", "2"]
    categories = pd.DataFrame({"C": pd.Categorical([1, 2])})
    assert pair_files(frame([1, 2]), categories).attributes[0].kind is Kind.NUMERIC
    assert pair_files(categories, frame([1.0, 2.0])).columns[0].protected.tolist() == ["1", "2"]


def test_truth_values_have_one_spelling() -> None:
    """Truth values of frames and of CSV files are the same categories."""
    result = pair([True, False], ["TRUE", "False"])
    assert result.columns[0].original.tolist() == result.columns[0].protected.tolist()


def test_user_codes_reach_both_files() -> None:
    """Codes of the call, of the schema and of the attribute are missing in both files."""
    schema = {"missing": ["-9"], "attributes": {"C": {"missing": [98]}}}
    cells = [1.0, 99.0, -9.0, 98.0]
    result = pair_files(frame(cells), frame(cells), schema=schema, missing=["99.0"])
    np.testing.assert_array_equal(result.columns[0].original, [1.0, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(result.columns[0].protected, [1.0, np.nan, np.nan, np.nan])


def test_unusable_columns_are_refused_only_when_used() -> None:
    """A column of lists is an error when it is needed, and not otherwise."""
    nested = pd.DataFrame({"C": [[1], [2]], "D": [1, 2]})
    with pytest.raises(ColumnError, match="column 'C' holds nested"):
        pair_files(nested, nested)
    assert pair_files(nested, nested, attributes=["D"]).n_pairs == 2


def test_attribute_settings_are_handed_on() -> None:
    """What the schema says of missing values and inclusive counting reaches the attribute."""
    attribute = pair([1, 2], kind="ordinal", inclusive=True, missing_one=0.5, missing_both=0.25).attributes[0]
    assert (attribute.inclusive, attribute.missing_one, attribute.missing_both) == (True, 0.5, 0.25)


def test_dates_as_numbers_and_labels() -> None:
    """A column of dates can be declared numeric or nominal."""
    days = pd.DataFrame({"C": pd.to_datetime(["1970-01-02", "1970-01-03"])})
    schema: dict[str, Any] = {"attributes": {"C": {"kind": "numeric"}}}
    assert pair_files(days, days, schema=schema).columns[0].original.tolist() == [1.0, 2.0]
    schema = {"attributes": {"C": {"kind": "nominal"}}}
    assert pair_files(days, days, schema=schema).columns[0].original.tolist() == ["1970-01-02", "1970-01-03"]


def test_a_mixture_of_numbers_and_text_is_pointed_out() -> None:
    """Below nine tenths it is compared as categories, which the user may not have meant; he can say so."""
    cells = ["1", "2", "3", "4+", "2"]
    (note,) = pair(cells).notes
    assert "numbers in 4 of 5 cells" in note
    assert "compared as nominal" in note
    assert pair(cells, kind="nominal").notes == ()
    assert pair(["one", "two", "three", "4", "five"]).notes == ()
    assert not any("cells" in text for text in pair(["01", "2A", "2B", "02", "13"]).notes)


def test_numbers_in_a_spelling_not_read_are_pointed_out() -> None:
    """Thousands separators make text of numbers; a note says that links by them are missed."""
    cells = np.array([f"{number:,}" for number in range(1000, 40000, 999)], dtype=object)
    column = RawColumn("income", cells)
    note = infer_kind(column, column).note
    assert note is not None
    assert "looks like numbers or dates" in note
