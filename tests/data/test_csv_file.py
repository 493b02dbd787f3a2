"""Delimited text files: delimiters, encodings, quotes, decimal signs, and every way they can be broken."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkrisk.data import read_file
from linkrisk.data.csv_dialect import choose_delimiter
from linkrisk.errors import FileError


def write(folder: Path, text: str | bytes, name: str = "file.csv") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_are_found(tmp_path: Path, delimiter: str) -> None:
    """Commas, semicolons and tabs give the same table."""
    rows = [["AGE", "TOWN"], ["31", '"a,b;c\td"'], ["45", "Wien"]]
    table = read_file(write(tmp_path, "\n".join(delimiter.join(row) for row in rows)))
    assert table.column_names == ("AGE", "TOWN")
    assert table.column("AGE").cells.tolist() == [31.0, 45.0]
    assert table.column("TOWN").cells.tolist() == ["a,b;c\td", "Wien"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a;b\n1,5;2,5\n", ";"),
        (b"a,b,c\n1;2,3,4\n5;6,7,8\n", ","),
        (b'"a;b",c\n1,2\n', ","),
        (b"a\tb\n1,5\t2\n", "\t"),
        (b"x\n1,5\n2,5\n", ";"),
        (b"x\n1\n2\n", ";"),
        (b"a,b,c\n1,2,3\n1,2\n", ","),
        (b'a,b\n"line\nbreak",2\n', ","),
    ],
)
def test_choice_of_delimiter(text: bytes, expected: str) -> None:
    """The delimiter is the one that cuts header and rows alike; a single column leaves the comma to decimals."""
    assert choose_delimiter(text) == expected


def test_delimiter_can_be_given(tmp_path: Path) -> None:
    """A delimiter that is never guessed can be named."""
    table = read_file(write(tmp_path, "a|b\n1|2\n3|4\n"), delimiter="|")
    assert table.column_names == ("a", "b")


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n"])
def test_impossible_delimiter(tmp_path: Path, delimiter: str) -> None:
    """A delimiter must be one sign that can stand between cells."""
    with pytest.raises(FileError, match="one sign"):
        read_file(write(tmp_path, "a,b\n1,2\n"), delimiter=delimiter)


def test_long_file_is_sampled_without_its_cut_row(tmp_path: Path) -> None:
    """A row cut off at the end of the sample does not mislead the choice of delimiter."""
    wide = "x" * 100_000
    table = read_file(write(tmp_path, "a;b\n" + f"{wide};1\n" * 5))
    assert table.n_records == 5
    assert table.column("b").cells.tolist() == [1.0] * 5


@pytest.mark.parametrize(
    "encoded",
    [
        "A,TÖWN\n1,Graz\n2,Zürich\n".encode(),
        "\ufeffA,TÖWN\n1,Graz\n2,Zürich\n".encode(),
        "A,TÖWN\n1,Graz\n2,Zürich\n".encode("cp1252"),
    ],
)
def test_encodings(tmp_path: Path, encoded: bytes) -> None:
    """UTF-8, with or without its mark, and cp1252 are told apart."""
    table = read_file(write(tmp_path, encoded))
    assert table.column_names == ("A", "TÖWN")
    assert table.column("TÖWN").cells.tolist() == ["Graz", "Zürich"]


@pytest.mark.parametrize("encoded", ["a,b\n1,2\n3,4\n".encode("utf-16"), b"a,b\n1,\x81\n2,\x81\n"])
def test_other_encodings_are_refused(tmp_path: Path, encoded: bytes) -> None:
    """Text in another encoding gets the remedy, not garbled cells."""
    with pytest.raises(FileError, match="save it as CSV in UTF-8"):
        read_file(write(tmp_path, encoded))


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_and_missing_last_one(tmp_path: Path, line_end: str) -> None:
    """All line ends are read, and the last line need not have one."""
    table = read_file(write(tmp_path, line_end.join(["a,b", "1,2", "3,4"])))
    assert table.column("b").cells.tolist() == [2.0, 4.0]


def test_blank_lines_at_the_end_are_dropped(tmp_path: Path) -> None:
    """Blank lines after the last record are no records."""
    assert read_file(write(tmp_path, "a,b\r\n1,2\r\n3,4\r\n\r\n\r\n")).n_records == 2


def test_blank_line_in_a_single_column_is_a_record(tmp_path: Path) -> None:
    """In a file of one column a blank line is an empty cell, so that records keep their places."""
    values = read_file(write(tmp_path, "a\n1\n\n3\n")).column("a").cells
    np.testing.assert_array_equal(values, [1.0, np.nan, 3.0])


def test_confidential_line_is_skipped_and_counted(tmp_path: Path) -> None:
    """A leading CONFIDENTIAL line is no header, but counts in the row numbers."""
    table = read_file(write(tmp_path, "# CONFIDENTIAL: keep it, please\na;b\n1;2\n3;4\n"))
    assert table.column_names == ("a", "b")
    assert table.row(0) == 3


def test_first_record_is_in_row_two(tmp_path: Path) -> None:
    """The header is row 1, as a spreadsheet shows it."""
    assert read_file(write(tmp_path, "a,b\n1,2\n3,4\n")).row(0) == 2


def test_codes_keep_their_zeros(tmp_path: Path) -> None:
    """A column with a leading zero, or with more digits than a float can hold, stays text."""
    table = read_file(write(tmp_path, "code,long,value\n0123,1234567890123456,0\n1234,2,0.5\n"))
    assert table.column("code").cells.tolist() == ["0123", "1234"]
    assert table.column("long").cells.tolist() == ["1234567890123456", "2"]
    assert table.column("value").cells.tolist() == [0.0, 0.5]


@pytest.mark.parametrize("cell", ["", "  ", "NA", "NaN", "nan", "NULL", "null", "N/A", ".", " NA "])
def test_default_missing_cells(tmp_path: Path, cell: str) -> None:
    """The documented spellings of "no value" are missing, in columns of numbers and of text."""
    table = read_file(write(tmp_path, f"x,s\n1,a\n{cell},{cell}\n2,b\n"))
    np.testing.assert_array_equal(table.column("x").cells, [1.0, np.nan, 2.0])
    assert table.column("s").cells.tolist() == ["a", None, "b"]


def test_case_of_missing_cells_matters(tmp_path: Path) -> None:
    """Only the listed spellings are missing: "na" may be a word."""
    assert read_file(write(tmp_path, "s,t\na,1\nna,2\n")).column("s").cells.tolist() == ["a", "na"]


def test_decimal_comma(tmp_path: Path) -> None:
    """A comma is a decimal sign column by column, and only where it is not the delimiter."""
    table = read_file(write(tmp_path, "x;y;z\n1,5;1.5;1.234,5\n-2;2;7\n,5e1;NA;8\n"))
    np.testing.assert_array_equal(table.column("x").cells, [1.5, -2.0, 5.0])
    np.testing.assert_array_equal(table.column("y").cells, [1.5, 2.0, np.nan])
    assert table.column("z").cells.dtype == object


def test_quoted_decimal_comma_between_commas_is_text(tmp_path: Path) -> None:
    """Between commas "1,5" is not a number: it could be thousands."""
    assert read_file(write(tmp_path, 'x,y\n"1,5",1\n"2,5",2\n')).column("x").cells.dtype == object


def test_plus_signs_and_exponents(tmp_path: Path) -> None:
    """All usual spellings of a number are read; Python's underscores and hexadecimals are not."""
    table = read_file(write(tmp_path, "x,y\n+1,1_0\n1e-3,0x1\n.5,2\n7.,3\n"))
    assert table.column("x").cells.tolist() == [1.0, 0.001, 0.5, 7.0]
    assert table.column("y").cells.tolist() == ["1_0", "0x1", "2", "3"]


def test_quotes(tmp_path: Path) -> None:
    """Quoted cells may hold delimiters, line ends and doubled quotes."""
    table = read_file(write(tmp_path, 'a,b\n"x,y","say ""hi"""\n"two\nlines",z\n'))
    assert table.column("a").cells.tolist() == ["x,y", "two\nlines"]
    assert table.column("b").cells.tolist() == ['say "hi"', "z"]


def test_gzip(tmp_path: Path) -> None:
    """A gzipped CSV file is read, under the digest of the compressed file."""
    plain = read_file(write(tmp_path, "a,b\n1,2\n3,4\n"))
    packed = read_file(write(tmp_path, gzip.compress(b"a,b\n1,2\n3,4\n"), "file.csv.gz"))
    assert packed.column("b").cells.tolist() == plain.column("b").cells.tolist()
    assert packed.digest != plain.digest


def test_broken_gzip(tmp_path: Path) -> None:
    """A truncated gzip file is named as such."""
    with pytest.raises(FileError, match=re.escape("file.csv.gz is not a complete gzip file")):
        read_file(write(tmp_path, gzip.compress(b"a,b\n1,2\n" * 100)[:-12], "file.csv.gz"))


def test_column_without_name_is_left_out_with_a_note(tmp_path: Path) -> None:
    """The row numbers that R and pandas write are no attribute: used, they would link everybody."""
    table = read_file(write(tmp_path, '"",a\n1,5\n2,6\n'))
    assert table.column_names == ("a",)
    assert table.notes == ("Column 1 of file.csv has no name and is left out.",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "file.csv is empty"),
        ("\n\n", "file.csv is empty"),
        ("# CONFIDENTIAL: x\n", "file.csv is empty"),
        ("a,b\n", "has a header but no records"),
        ("a,b", "has a header but no records"),
        ("a,b,a\n1,2,3\n", "columns 1 and 3 are both named 'a'"),
        ("a,b\n1,2\n1,sEcret,3\n", "row 3 has 3 cells where the header has 2"),
        ("a,b\n1,2\nsEcret\n", "row 3 has 1 cell where the header has 2"),
        ("# CONFIDENTIAL\na,b\n1,2\nsEcret\n", "row 4 has 1 cell where"),
        ("a,b\n1,2\n\n3,sEcret\n", "row 3 has 0 cells"),
        ('a,b\n1,2\n3,"sEcret\n5,6\n', "quotation mark is left open in or after row 3"),
        ("12,34\n56,78\n", "first line holds numbers instead of column names"),
        (",,\n1,2,3\n", "holds no column names"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, message: str) -> None:
    """Each way a file can be broken is named with its row, and no cell is quoted."""
    with pytest.raises(FileError, match=re.escape(message)) as raised:
        read_file(write(tmp_path, text))
    assert "sEcret" not in str(raised.value)
    assert str(tmp_path) not in str(raised.value)


def test_ragged_row_far_down(tmp_path: Path) -> None:
    """The ragged row of a long file is named exactly."""
    rows = ["a,b", *["1,2"] * 5000, "1,2,3", *["1,2"] * 5000]
    with pytest.raises(FileError, match="row 5002 has 3 cells"):
        read_file(write(tmp_path, "\n".join(rows)))


def test_missing_folder_and_unknown_files(tmp_path: Path) -> None:
    """A file that is missing, a folder, or of an unknown kind is named by its base name."""
    with pytest.raises(FileError, match=re.escape("gone.csv does not exist")) as raised:
        read_file(tmp_path / "gone.csv")
    assert str(tmp_path) not in str(raised.value)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileError, match=re.escape("folder.csv is a folder")):
        read_file(tmp_path / "folder.csv")
    with pytest.raises(FileError, match=re.escape("ending in .csv, .tsv")):
        read_file(write(tmp_path, "x", "file.xlsx"))


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without permission is named; the test may run as root, so the refusal is simulated."""
    path = write(tmp_path, "a,b\n1,2\n3,4\n")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileError, match=re.escape("file.csv cannot be read (Permission denied); ask for the right")):
        read_file(path)


finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    values=st.lists(st.tuples(finite, finite), min_size=2, max_size=20),
    delimiter=st.sampled_from([",", ";", "\t"]),
    has_decimal_comma=st.booleans(),
)
def test_floats_survive_exactly(
    tmp_path: Path, values: list[tuple[float, float]], delimiter: str, has_decimal_comma: bool
) -> None:
    """Whatever delimiter and decimal sign a file is written with, the same floats come back, bit for bit."""
    decimal = "," if has_decimal_comma and delimiter != "," else "."
    rows = [delimiter.join(repr(value).replace(".", decimal) for value in row) for row in values]
    table = read_file(write(tmp_path, "\n".join([delimiter.join("xy"), *rows])))
    read = np.column_stack([table.column("x").cells, table.column("y").cells])
    assert read.tolist() == [list(row) for row in values]


def test_bars_between_cells(tmp_path: Path) -> None:
    """A file with | between its cells is read as such."""
    path = tmp_path / "bars.csv"
    path.write_text("a|b\n1|2\n3|4\n", encoding="utf-8")
    assert [column.name for column in read_file(path).columns] == ["a", "b"]


def test_a_first_line_with_numbers_is_no_header(tmp_path: Path) -> None:
    """A record must not become the header, or its cells would be printed as names; years may be names."""
    path = tmp_path / "headless.csv"
    path.write_text("Schulze Anna,4711\nMeier,4712\nHuber,4713\n", encoding="utf-8")
    with pytest.raises(FileError, match="add a header line") as raised:
        read_file(path)
    assert "Schulze" not in str(raised.value)
    path.write_text("region,2019,2020\na,1,2\nb,3,4\n", encoding="utf-8")
    assert [column.name for column in read_file(path).columns] == ["region", "2019", "2020"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("blank_lines", ["", "\n", " \n\n"])
def test_rows_of_delimiters_at_the_end_are_records(tmp_path: Path, delimiter: str, end: str, blank_lines: str) -> None:
    """A record whose values are all suppressed is one; that spreadsheets leave such rows behind is said in a note."""
    path = tmp_path / "sheet.csv"
    text = "a,b\n1,2\n3,\n,\n , \n" + blank_lines
    path.write_bytes(text.replace(",", delimiter).replace("\n", end).encode())
    table = read_file(path)
    assert table.n_records == 4
    np.testing.assert_array_equal(table.column("a").cells, [1.0, 3.0, np.nan, np.nan])
    assert [note for note in table.notes if "The last 2 rows of sheet.csv hold no value" in note]
