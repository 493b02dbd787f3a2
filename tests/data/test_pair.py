"""Two files become one pair: which columns take part, who belongs to whom, and what is told."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.data import FilePair, Role, pair_files
from linkrisk.errors import ColumnError, FileError, InputError, PairingError, SettingsError

ORIGINAL = pd.DataFrame({"id": [1, 2, 3], "AGE": [31, 45, 18], "PAY": [10.5, 20.0, 30.0]})
PROTECTED = pd.DataFrame({"id": ["3", "1", "2"], "PAY": [31.0, 11.0, 19.0], "AGE": [20, 30, 45]})


def names(pair: FilePair) -> list[str]:
    """Return the names of the attributes used for linking."""
    return [attribute.name for attribute in pair.attributes]


def test_common_columns_in_the_order_of_the_original() -> None:
    """Without a list all common columns are used, as the original orders them."""
    pair = pair_files(ORIGINAL.drop(columns="id"), PROTECTED.drop(columns="id"))
    assert names(pair) == ["AGE", "PAY"]
    assert pair.own.tolist() == [0, 1, 2]
    assert (pair.n_original, pair.n_protected, pair.n_pairs) == (3, 3, 3)
    assert (pair.original_name, pair.protected_name) == ("original", "protected")
    assert pair.record_ids is None
    assert pair.id_column is None
    assert pair.columns[0].protected.tolist() == [20.0, 30.0, 45.0]


def test_listed_attributes_in_their_order() -> None:
    """A list sets attributes and order."""
    assert names(pair_files(ORIGINAL, PROTECTED, attributes=["PAY", "AGE"], id="id")) == ["PAY", "AGE"]
    assert names(pair_files(ORIGINAL, PROTECTED, attributes="PAY")) == ["PAY"]


def test_pairing_by_id() -> None:
    """Ids are compared as labels, the id column is not used for linking, and its presence is visible."""
    pair = pair_files(ORIGINAL, PROTECTED, id="id")
    assert pair.own.tolist() == [1, 2, 0]
    assert names(pair) == ["AGE", "PAY"]
    assert pair.record_ids is not None
    assert pair.record_ids.tolist() == ["1", "2", "3"]
    assert pair.id_column == "id"


def test_ids_need_not_all_be_shared() -> None:
    """Records without counterpart on either side are counted, not refused."""
    pair = pair_files(ORIGINAL, PROTECTED.assign(id=["3", "1", "7"]), id="id")
    assert pair.own.tolist() == [1, -1, 0]
    assert pair.n_pairs == 2
    assert "1 of 3 records of original have no counterpart in protected." in pair.notes
    assert "1 of 3 records of protected have no counterpart in original." in pair.notes


def test_matched_columns() -> None:
    """Columns and the id column may have other names, given by ``renamed`` or by the schema."""
    renamed = PROTECTED.rename(columns={"id": "number", "AGE": "YEARS"})
    pair = pair_files(ORIGINAL, renamed, id="id", renamed={"id": "number", "AGE": "YEARS"})
    assert names(pair) == ["AGE", "PAY"]
    assert pair.attributes[0].protected_name == "YEARS"
    assert pair.attributes[1].protected_name is None
    assert pair.id_column == "number"
    schema = {"attributes": {"AGE": {"protected": "YEARS"}}}
    by_schema = pair_files(ORIGINAL, renamed, id="id", renamed={"id": "number"}, schema=schema)
    assert by_schema.attributes == pair.attributes


def test_a_matched_column_is_taken() -> None:
    """When a is renamed to b, the original's own b has no counterpart."""
    original = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
    pair = pair_files(original, pd.DataFrame({"b": [5, 6]}), renamed={"a": "b"})
    assert names(pair) == ["a"]
    assert pair.notes == ("Only original has 'b', left out.",)


def test_pairs_by_record_number() -> None:
    """A list of true pairs names records from 1, in any kind of table."""
    expected = [2, -1, 0]
    lists: list[Any] = [
        [(1, 3), (3, 1)],
        [[3, 1], [1, 3]],
        np.array([[1, 3], [3, 1]]),
        pd.DataFrame({"original": [1, 3], "protected": [3, 1]}),
        pl.DataFrame({"original": ["1", "3"], "protected": ["3", "1"]}),
    ]
    for pairs in lists:
        pair = pair_files(ORIGINAL, PROTECTED, attributes=["AGE"], pairs=pairs)
        assert pair.own.tolist() == expected


def test_pairs_from_a_file_and_by_id(tmp_path: Path) -> None:
    """With an id column the list names ids, which need not agree between the files."""
    path = tmp_path / "pairs.csv"
    path.write_text("original,protected\n1,C\n2,A\n")
    renumbered = PROTECTED.assign(id=["A", "B", "C"])
    pair = pair_files(ORIGINAL, renumbered, id="id", pairs=path)
    assert pair.own.tolist() == [2, 0, -1]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (
            [(1, 1), (4, 2)],
            "column 'V1' does not name a record of original by a whole number from 1 to 3 in row 2",
        ),
        ([(1, 0)], "'V2' does not name a record of protected"),
        ([(1.5, 1)], "whole number"),
        ([("sEcret", 1), ("2", 2)], "'V1' does not name a record of original"),
        ([(None, 1), (2, 2)], "'V1' does not name a record of original"),
        ([(1, 1), (2, 1)], "'V2' names a record that an earlier row names in row 2"),
        ([(1, 1), (1, 2)], "'V1' names a record that an earlier row names in row 2"),
        ([(1, 2, 3)], "sequence of pairs"),
        ([1, 2], "sequence of pairs"),
        (np.ones((2, 3)), "pairs has 3 columns; give two"),
        ([], "pairs has no records"),
    ],
)
def test_wrong_pairs(pairs: Any, message: str) -> None:
    """Each mistake in the list of pairs is named with its row."""
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        pair_files(ORIGINAL, PROTECTED, attributes=["AGE"], pairs=pairs)
    assert "sEcret" not in str(raised.value)


def test_unknown_id_in_pairs() -> None:
    """A pair that names an unknown id is a mistake, unlike a record that no pair names."""
    with pytest.raises(PairingError, match="names an id that protected does not have in row 2"):
        pair_files(ORIGINAL, PROTECTED, id="id", pairs=[("1", "2"), ("2", "sEcret")])


@pytest.mark.parametrize(
    ("original_ids", "protected_ids", "message"),
    [
        ([1, 2, 2], [1, 2, 3], "original: id column 'id' repeats in row 3 the id of an earlier row (1 repeats"),
        ([1, 2, 3], ["1", "1.0", "1"], "protected: id column 'id' repeats in row 2"),
        ([1, None, 3], [1, 2, 3], "original: id column 'id' has no value in row 2 (1 of 3 rows)"),
        ([1, 2, 3], [4, 5, 6], "have no id in common"),
    ],
)
def test_wrong_ids(original_ids: list[Any], protected_ids: list[Any], message: str) -> None:
    """Repeated, missing and strange ids are named by file and row, not by value."""
    with pytest.raises(PairingError, match=re.escape(message)):
        pair_files(ORIGINAL.assign(id=original_ids), PROTECTED.assign(id=protected_ids), id="id")


def test_long_ids_are_told_apart(tmp_path: Path) -> None:
    """Ids of eighteen digits that float64 would confuse stay apart, in CSV files and in frames."""
    ids = [123456789012345678, 123456789012345679, 5]
    (tmp_path / "o.csv").write_text("id,x\n" + "".join(f"{label},1\n" for label in ids))
    pair = pair_files(tmp_path / "o.csv", pd.DataFrame({"id": ids[::-1], "x": [1, 2, 3]}), id="id")
    assert pair.own.tolist() == [2, 1, 0]


def test_different_lengths() -> None:
    """Two lengths without a pairing are refused, with both lengths and the remedy."""
    with pytest.raises(PairingError, match=r"original has 3 records and protected has 2.*--id.*--pairs"):
        pair_files(ORIGINAL, PROTECTED[:2], attributes=["AGE"])
    assert pair_files(ORIGINAL, PROTECTED[:2], id="id").own.tolist() == [1, -1, 0]


def test_one_record(tmp_path: Path) -> None:
    """One record cannot be linked to anything."""
    (tmp_path / "one.csv").write_text("AGE,PAY\n1,2\n")
    with pytest.raises(FileError, match=r"one\.csv has only one record"):
        pair_files(tmp_path / "one.csv", PROTECTED)
    with pytest.raises(FileError, match="protected has only one record"):
        pair_files(ORIGINAL, PROTECTED[:1])


def test_no_common_attribute() -> None:
    """Files without a common column are refused, some columns of each are named."""
    with pytest.raises(PairingError, match=r"the first has 'id', 'AGE', 'PAY', the second 'Z'; say in renamed"):
        pair_files(ORIGINAL, pd.DataFrame({"Z": [1, 2, 3]}))
    many = pd.DataFrame(np.ones((3, 12)), columns=[f"Z{i}" for i in range(12)])
    with pytest.raises(PairingError, match="'Z7' and 4 more"):
        pair_files(ORIGINAL, many)
    ids = pd.DataFrame({"id": [1, 2, 3]})
    with pytest.raises(PairingError, match="no attribute in common"):
        pair_files(ids, ids, id="id")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"attributes": ["AGEE"]}, ColumnError, "original has no column 'AGEE' to be used as attribute (did you"),
        ({"attributes": ["age"]}, ColumnError, "did you mean 'AGE'?"),
        ({"attributes": ["AGE", "AGE"]}, SettingsError, "names 'AGE' twice"),
        ({"attributes": []}, SettingsError, "attributes must be a list of names"),
        ({"attributes": ["id"], "id": "id"}, SettingsError, "'id' is the id column"),
        ({"attributes": ["HOME"]}, ColumnError, "protected has no column 'HOME' to be used as attribute"),
        ({"id": "key"}, ColumnError, "original has no column 'key' to be used as id column"),
        ({"renamed": {"AGE": "YEARS"}}, ColumnError, "protected has no column 'YEARS' that is said to be renamed"),
        ({"renamed": {"YEARS": "AGE"}}, ColumnError, "original has no column 'YEARS' that is said to be renamed"),
        ({"renamed": {"AGE": "PAY", "PAY": "PAY"}}, SettingsError, "renamed to the same protected column"),
        ({"schema": {"attributes": {"AGGE": {}}}}, ColumnError, "schema names 'AGGE'"),
        ({"missing": [[1]]}, SettingsError, "missing: missing.0"),
        (
            {"schema": {"attributes": {"AGE": {"protected": "PAY"}}}, "renamed": {"AGE": "AGE"}},
            SettingsError,
            "the schema names another",
        ),
        (
            {"schema": {"attributes": {"AGE": {"role": "confidential"}}}, "attributes": ["AGE"]},
            SettingsError,
            "its role in the schema is confidential",
        ),
        (
            {"schema": {"attributes": {name: {"role": "ignored"} for name in ("id", "AGE", "PAY")}}},
            PairingError,
            "another role than quasi-identifier",
        ),
    ],
)
def test_wrong_settings(options: dict[str, Any], error: type[InputError], message: str) -> None:
    """Names that do not exist or contradict each other are refused, with close names suggested."""
    with pytest.raises(error, match=re.escape(message)):
        pair_files(ORIGINAL.assign(HOME=1), PROTECTED, **options)


def test_roles() -> None:
    """Identifiers released, confidential attributes and ignored columns are kept out of linking."""
    original = ORIGINAL.assign(NAME=["x", "y", "z"], HOME=[1, 1, 2])
    protected = PROTECTED.assign(NAME="q", HOME=1, RAISE=[1, 2, 3], PHONE=[7, 8, 9])
    schema = {
        "attributes": {
            "PAY": {"role": "confidential"},
            "RAISE": {"role": "confidential"},
            "NAME": {"role": "identifier"},
            "PHONE": {"role": "identifier"},
            "HOME": {"role": "ignored"},
            "id": {"role": "identifier"},
        }
    }
    pair = pair_files(original, protected, id="id", schema=schema)
    assert names(pair) == ["AGE"]
    assert pair.identifiers_released == ("NAME", "PHONE")
    confidential = {column.attribute.name: column for column in pair.confidential}
    assert list(confidential) == ["PAY", "RAISE"]
    assert confidential["PAY"].attribute.role is Role.CONFIDENTIAL
    assert confidential["PAY"].original.tolist() == [10.5, 20.0, 30.0]
    assert np.isnan(np.asarray(confidential["RAISE"].original, dtype=float)).all()
    assert pair.notes == ()


def test_an_empty_confidential_column_is_no_error() -> None:
    """A confidential attribute that was blanked out discloses nothing, and that is fine."""
    schema = {"attributes": {"PAY": {"role": "confidential"}}}
    pair = pair_files(ORIGINAL, PROTECTED.assign(PAY=np.nan), id="id", schema=schema)
    assert np.isnan(np.asarray(pair.confidential[0].protected, dtype=float)).all()


def test_notes_on_columns_left_out_and_constants() -> None:
    """What is left out or carries no information is said."""
    original = ORIGINAL.assign(ONLY=1, FLAT=7)
    protected = PROTECTED.assign(EXTRA=2, FLAT=7, AGE=40)
    notes = pair_files(original, protected, id="id").notes
    assert "Only original has 'ONLY', left out." in notes
    assert "Only protected has 'EXTRA', left out." in notes
    assert any(note.startswith("FLAT has the same value in every record of original and of") for note in notes)
    assert any(note.startswith("AGE has the same value in every record of protected;") for note in notes)


def test_two_files_of_one_name(tmp_path: Path) -> None:
    """Files of one name in two folders are told apart in messages."""
    for folder, text in (("a", "x,y\n1,2\n3,4\n"), ("b", "x,y\n1,2\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "data.csv").write_text(text + "5,6\n")
    with pytest.raises(PairingError, match=re.escape("data.csv (original) has 3 records and data.csv (protected)")):
        pair_files(tmp_path / "a" / "data.csv", tmp_path / "b" / "data.csv")


def test_every_kind_of_frame_gives_one_answer() -> None:
    """Pandas, polars, pyarrow and numpy lead to the same pair, digests included."""
    original, protected = ORIGINAL.drop(columns="id"), PROTECTED.drop(columns="id")[["AGE", "PAY"]]
    expected = pair_files(original, protected)
    records = original.to_records(index=False), protected.to_records(index=False)
    others: list[tuple[Any, Any]] = [
        (pl.from_pandas(original), pl.from_pandas(protected)),
        (pa.Table.from_pandas(original), pa.Table.from_pandas(protected)),
        (np.asarray(records[0]), np.asarray(records[1])),
    ]
    for one, other in others:
        pair = pair_files(one, other)
        assert pair.attributes == expected.attributes
        assert pair.original_digest == expected.original_digest
        assert pair.columns[1].original.tolist() == expected.columns[1].original.tolist()


@pytest.mark.slow
@given(st.permutations(range(8)), st.permutations(range(8)))
def test_an_id_column_undoes_any_order(first: list[int], second: list[int]) -> None:
    """However both files are shuffled, an id column finds the same counterparts."""
    people = pd.DataFrame({"id": [f"p{i}" for i in range(8)], "x": np.arange(8.0)})
    pair = pair_files(people.iloc[first], people.iloc[second], id="id")
    assert pair.columns[0].original.tolist() == pair.columns[0].protected[pair.own].tolist()


def test_importing_the_package_is_cheap() -> None:
    """Importing linkrisk.data loads no reader."""
    heavy = ["pandas", "pyarrow", "pyreadstat", "rdata", "narwhals"]
    code = f"import sys, linkrisk.data; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 (fixed)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_reading_csv_loads_no_other_reader(tmp_path: Path) -> None:
    """A CSV file is read without the slow imports of the other formats."""
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    code = (
        "import sys, linkrisk.data as d; d.pair_files(sys.argv[1], sys.argv[1]);"
        "print([name for name in ('pyreadstat', 'rdata') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (fixed)
    assert done.stdout.strip() == "[]"


def test_unknown_names_of_the_package() -> None:
    """A name that is not there is an AttributeError, as for any module."""
    import linkrisk.data as package  # noqa: PLC0415 (the import is what is tested)

    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = package.nonsense  # type: ignore[attr-defined]  # the mistake
    for name in package.__all__:
        assert getattr(package, name) is not None
