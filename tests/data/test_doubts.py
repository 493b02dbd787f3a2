"""What may be meant otherwise is said: points, codes, categories, dates, and files that look like one column."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from linkrisk import protect
from linkrisk.data import pair_files, read_file
from linkrisk.errors import ColumnError, FileError


def test_thousands_points_are_pointed_out(tmp_path: Path) -> None:
    """1.234 in a file with semicolons is read as 1.234, and said to be; with other digits there is no doubt."""
    (tmp_path / "p.csv").write_text("income;weight;rent\n1.234;1.5;1,234\n950;2.25;7\n")
    found = read_file(tmp_path / "p.csv")
    assert found.column("income").cells.tolist() == [1.234, 950.0]
    assert [note for note in found.notes if "'income'" in note and "thousands" in note] == list(found.notes)


def test_codes_among_the_values_are_pointed_out() -> None:
    """9 is missing in both columns, and in one of them most likely a value."""
    people = pd.DataFrame({"age": [8, 9, 10, 30], "grade": [1, 2, 3, 9]})
    notes = pair_files(people, people, missing=[9]).notes
    assert ["'age' and makes 1 of them missing" in note for note in notes if "code for missing" in note] == [True, True]
    by_column = {"attributes": {"age": {"missing": [9]}}}
    assert not pair_files(people, people, schema=by_column).notes


def test_categories_that_the_files_do_not_share() -> None:
    """Nothing can be linked by them; one in common is enough to say nothing."""
    original = pd.DataFrame({"region": ["north", "south", "west"], "x": [1, 2, 3]})
    coded = original.assign(region=["a", "b", "c"])
    assert any("region has no category in common" in note for note in pair_files(original, coded).notes)
    merged = original.assign(region=["north", "other", "other"])
    assert not pair_files(original, merged).notes


def test_each_file_may_write_its_dates_in_its_own_way() -> None:
    """German dates in one, ISO in the other: the same days; a format for one file only is taken for that one."""
    original = pd.DataFrame({"born": ["31.12.1990", "01.02.1980"], "x": [1, 2]})
    protected = original.assign(born=["1990-12-31", "1980-02-01"])
    for schema in (None, {"attributes": {"born": {"date_format": "%d.%m.%Y"}}}):
        found = pair_files(original, protected, schema=schema).columns[0]
        assert found.original.tolist() == found.protected.tolist() == [7669.0, 3683.0]
    american = original.assign(born=["12/31/1990", "02/01/1980"])
    schema = {"attributes": {"born": {"date_format": "%d.%m.%Y", "protected_date_format": "%m/%d/%Y"}}}
    assert pair_files(original, american, schema=schema).columns[0].protected.tolist() == [7669.0, 3683.0]


def test_a_format_given_for_a_file_is_kept() -> None:
    """Cells that do not fit it are the mistake; only where it is the other file's does it give way."""
    people = pd.DataFrame({"born": ["31/12/1990", "30/11/1980", "01/02/1980"], "x": [1, 2, 3]})
    schema = {"attributes": {"born": {"date_format": "%m/%d/%Y"}}}
    with pytest.raises(ColumnError, match="'born' has something else than a date of its format in row 1"):
        pair_files(people, people, schema=schema)
    with pytest.raises(ColumnError, match="'born' has something else than a date of its format in row 1"):
        protect(people[["born"]], "generalise", into="year", schema=schema)
    fitting = people.assign(born=["12/31/1990", "11/30/1980", "02/01/1980"])
    found = pair_files(fitting, people, schema=schema).columns[0]
    assert found.original.tolist() == found.protected.tolist()
    given = {"attributes": {"born": {"date_format": "%m/%d/%Y", "protected_date_format": "%m/%d/%Y"}}}
    with pytest.raises(ColumnError, match="something else than a date"):
        pair_files(fitting, people, schema=given)


@pytest.mark.parametrize(
    ("text", "delimiter", "words"),
    [
        ("a,b\n1,2\n3,4\n", ";", "one column if ';' stands.*2 if it is ','"),
        ("a:b\n1:2\n3:4\n", None, "2 if it is ':'"),
        ("a  b\n1  2\n33 4\n", None, "between blanks"),
        ("# by X\na,b\n1,2\n3,4\n", None, "no header; delete that line"),
        ("Survey\n\na;b;c\n1;2;x\n3;4;y\n", None, "no header; delete that line"),
        (f"a,b\n1,{'x' * 1_100_000}\n2,y\n", None, "row 2 has a cell of more than 1,048,576 characters"),
        (f"a,b\n1,y\n2,{'x' * 20_000_000}\n", None, "row 3 has a cell of more than"),
    ],
)
def test_what_would_be_read_wrongly_is_refused(tmp_path: Path, text: str, delimiter: str | None, words: str) -> None:
    """One column of text without a word would be worse."""
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(FileError, match=words):
        read_file(tmp_path / "p.csv", delimiter=delimiter)


@pytest.mark.parametrize(
    "text", ["x\n1,5\n2,5\n", 'name\n"Miller, A"\n"Smith, B"\n', "x\n1\n2\n", "born\n1990-01-01\n2000-02-02\n",
             '"full name"\nAnna B\nCarl D\n', "time\n12:30\n13:45\n"],
)  # fmt: skip
def test_one_column_is_read_where_there_is_one(tmp_path: Path, text: str) -> None:
    """Decimal commas, quoted commas, dates and times are no columns."""
    (tmp_path / "p.csv").write_text(text)
    assert len(read_file(tmp_path / "p.csv").columns) == 1


def test_long_texts_are_not_compared() -> None:
    """The time to compare two grows with both lengths; categories may be as long as they like."""
    people = pd.DataFrame({"letter": [f"{i} " + "x" * 2000 for i in range(30)], "x": range(30)})
    with pytest.raises(ColumnError, match="'letter' has a text of more than 1,000 characters in row 1"):
        pair_files(people, people)
    nominal = {"attributes": {"letter": {"kind": "nominal"}}}
    assert len(pair_files(people, people, schema=nominal).columns) == 2
