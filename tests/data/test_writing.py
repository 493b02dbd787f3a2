"""Results are written whole, for the right readers, and replace another file only if that is allowed."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from linkrisk.data import check_writable, read_file, write_columns, write_text
from linkrisk.data.arrow_arrays import array_of
from linkrisk.data.raw_file import Dialect
from linkrisk.data.writing import (
    NewFile,
    check_folder,
    check_results,
    column_file,
    folder_for,
    text_file,
    write_together,
)
from linkrisk.errors import FileError


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    """Return the permission bits of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_text(tmp_path: Path) -> None:
    """Text is written in UTF-8; a confidential file is for its owner only."""
    write_text(tmp_path / "open.txt", "äöü\n", confidential=False)
    write_text(tmp_path / "closed.txt", "x", confidential=True)
    assert (tmp_path / "open.txt").read_bytes() == "äöü\n".encode()
    assert (mode(tmp_path / "open.txt"), mode(tmp_path / "closed.txt")) == (0o644, 0o600)


def test_existing_files_are_kept(tmp_path: Path) -> None:
    """Without overwrite an existing file stays; with it, it is replaced, and takes the new mode."""
    path = tmp_path / "result.txt"
    write_text(path, "first", confidential=False)
    with pytest.raises(FileError, match=r"result\.txt exists already.*--overwrite"):
        write_text(path, "second", confidential=True)
    assert path.read_text() == "first"
    write_text(path, "second", confidential=True, overwrite=True)
    assert (path.read_text(), mode(path)) == ("second", 0o600)


def test_check_before_work(tmp_path: Path) -> None:
    """What would fail after an hour fails at once."""
    check_writable(tmp_path / "new.csv")
    for folder in (tmp_path, Path(), Path("/")):
        with pytest.raises(FileError, match="is a folder"):
            check_writable(folder)
    with pytest.raises(FileError, match="null is a folder or a device"):
        check_writable("/dev/null", overwrite=True)
    with pytest.raises(FileError, match=r"the folder for x\.csv does not exist") as raised:
        check_writable(tmp_path / "gone" / "x.csv")
    assert str(tmp_path) not in str(raised.value)
    with pytest.raises(FileError, match=r"File name too long.*shorter"):
        check_writable(tmp_path / ("x" * 300))
    with pytest.raises(FileError, match=r"cannot be written .*no file name can hold"):
        check_writable(tmp_path / "a\0b")
    with pytest.raises(FileError, match="cannot be written to its folder"):
        check_writable("/proc/x.csv")


def test_links_are_not_written_through(tmp_path: Path) -> None:
    """A circle and a link to nowhere are told, before any work, with the remedy."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "c").symlink_to("nowhere")
    for name, words in (("a", "symbolic links.*should lead to"), ("c", "link to a file that does not exist")):
        with pytest.raises(FileError, match=words):
            check_writable(tmp_path / name, overwrite=True)
    with pytest.raises(FileError, match="leads back to itself; give a file"):
        check_results([], [tmp_path / "a"], overwrite=False)


def _full(_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    """When writing fails half way, the old file is whole and no other is left."""
    path = tmp_path / "old.txt"
    path.write_text("old")
    with pytest.raises(FileError, match=r"No space left.*make room"):
        write_together([NewFile(path, _full, confidential=True)], overwrite=True)
    assert [entry.name for entry in tmp_path.iterdir()] == ["old.txt"]
    assert path.read_text() == "old"


def test_a_folder_made_for_what_could_not_be_written_is_removed(tmp_path: Path) -> None:
    """One that was there stays, and so does one that holds what was written."""
    (tmp_path / "old").mkdir()
    for name in ("new", "old"):
        with pytest.raises(FileError, match="full"), folder_for(tmp_path / name):
            raise FileError("the disk is full; make room")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    with folder_for(tmp_path / "kept"):
        (tmp_path / "kept" / "one").touch()
    assert (tmp_path / "kept" / "one").exists()


def test_files_that_belong_together_are_written_all_or_none(tmp_path: Path) -> None:
    """No secret of a release that does not exist, and none replaced that belongs to an older one."""
    secret, release = tmp_path / "p.csv.secret", tmp_path / "p.csv"
    for overwrite in (False, True):
        with pytest.raises(FileError, match=r"p\.csv cannot be written"):
            write_together(
                [text_file(secret, "new", confidential=True), NewFile(release, _full, confidential=False)],
                overwrite=overwrite,
            )
        assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == (
            [("p.csv.secret", "old")] if overwrite else []
        )
        secret.write_text("old")


@pytest.mark.parametrize("is_second", [False, True])
def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path, is_second: bool) -> None:
    """Between the check and the end somebody else may write the file; theirs is kept, and ours are taken back."""
    path = tmp_path / "x.txt"
    theirs = NewFile(path, lambda _: path.write_text("theirs"), confidential=False)
    other = text_file(tmp_path / "other.txt", "ours", confidential=False)
    with pytest.raises(FileError, match="appeared meanwhile"):
        write_together([other, theirs] if is_second else [theirs, other])
    assert path.read_text() == "theirs"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_is_checked_and_not_made(tmp_path: Path) -> None:
    """Only a run that has something to write makes it."""
    check_folder(tmp_path / "new" / "folder")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileError, match="file is a file and cannot be a folder; choose another"):
        check_folder(tmp_path / "file" / "folder")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("confidential", [True, False])
def test_tables_are_read_back(tmp_path: Path, suffix: str, confidential: bool) -> None:
    """What is written is read back exactly, by the same package, marked or not."""
    path = tmp_path / f"records{suffix}"
    numbers = np.array([0.1, 1 / 3, 1e300, np.nan, -5.0])
    labels = np.array(["a", None, 'say "x"', "two\nlines", "é,;"], dtype=object)
    write_columns(path, {"x": numbers, "s": labels, "n": np.arange(5)}, confidential=confidential)
    table = read_file(path)
    np.testing.assert_array_equal(table.column("x").cells, numbers)
    assert table.column("s").cells.tolist() == labels.tolist()
    assert mode(path) == (0o600 if confidential else 0o644)
    assert table.row(0) == (1 if suffix == ".parquet" else 3 if confidential else 2)


AGES = np.array([31, 0, 52])
ARRAYS = {
    **{str(kind): AGES.astype(kind) for kind in ("bool", "int8", "uint16", "int64", "float32", "float64")},
    "masked": np.ma.masked_array(AGES, mask=[False, True, False]),
    "masked numbers": np.ma.masked_array(AGES.astype(np.float64), mask=[False, True, False]),
    "other order of bytes": AGES.astype(np.dtype(np.float64).newbyteorder()),
    "every second": np.repeat(AGES, 2)[::2],
    "holes": np.array([31.0, np.nan, 52.0]),
    "days": np.array(["2020-01-01", "NaT", "2021-05-05"], dtype="datetime64[us]"),
    "texts": np.array(["a", None, 'é, "x"'], dtype=object),
    "texts and numbers": np.array(["a", 1.5, None], dtype=object)[1:],
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_as_arrow_makes_them(name: str) -> None:
    """By their buffers or by Arrow itself: the same type, values and holes, or the same refusal."""
    try:
        expected = pa.array(ARRAYS[name], from_pandas=True)
    except pa.ArrowNotImplementedError:
        with pytest.raises(pa.ArrowNotImplementedError):
            array_of(ARRAYS[name])
    else:
        assert array_of(ARRAYS[name]).equals(expected)


def test_confidential_tables_say_so(tmp_path: Path) -> None:
    """The first line of a CSV file and the metadata of a Parquet file carry the mark."""
    for name in ("r.csv", "r.parquet"):
        write_columns(tmp_path / name, {"x": np.arange(2)}, confidential=True)
    assert (tmp_path / "r.csv").read_text().startswith("# CONFIDENTIAL: ")
    metadata = pyarrow.parquet.read_schema(tmp_path / "r.parquet").metadata
    assert metadata[b"CONFIDENTIAL"].startswith(b"CONFIDENTIAL: ")


def test_unknown_ending(tmp_path: Path) -> None:
    """A table is written only in a format that is known."""
    with pytest.raises(FileError, match=r"ending in \.csv or \.parquet"):
        write_columns(tmp_path / "r.xlsx", {"x": np.arange(2)}, confidential=False)


@pytest.mark.parametrize("has_links", [True, False])
def test_old_files_are_put_back_where_one_cannot_be_named(tmp_path: Path, has_links: bool) -> None:
    """A new secret beside an old release would tell of neither; a file that was not there before is none after."""
    for name in ("a.secret", "a.csv"):
        (tmp_path / name).write_text(f"old {name}")
    (tmp_path / "a.secret").chmod(0o600)
    files = [text_file(tmp_path / name, "new", confidential=False) for name in ("a.secret", "new.csv", "a.csv")]
    replace = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if target.name == "a.csv":
            raise OSError(errno.EIO, "Input/output error")
        return replace(self, target)

    no_links = patch("os.link", side_effect=OSError(errno.EPERM, "no links"))
    with (
        patch.object(Path, "replace", refuse),
        contextlib.nullcontext() if has_links else no_links,
        pytest.raises(FileError, match=r"^a.csv cannot be written \(Input/output error\); check the disk"),
    ):
        write_together(files, overwrite=True)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "a.secret": "old a.secret",
        "a.csv": "old a.csv",
    }
    assert (tmp_path / "a.secret").stat().st_mode & 0o777 == 0o600
    write_together(files, overwrite=True)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(
        ("a.secret", "new.csv", "a.csv"), "new"
    )


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("alter;lohn;ort\n30;1234,5;Bonn\n40;0,25;Köln\n", "utf-8"),
        ("alter;lohn;ort\n30;1234,5;Bonn\n40;0,25;Köln\n", "utf-8-sig"),
        ("alter;lohn;ort\n30;1234,5;Bonn\n40;0,25;Köln\n", "cp1252"),
        ('alter\tlohn\tort\n30\t1234.5\t"Bonn ""am Rhein"""\n40\t\tKöln\n', "utf-8"),
        ('alter|lohn|ort\n30|1234.5|"a|b"\n40|0.25|\n', "utf-8"),
    ],
)
def test_a_version_of_a_file_is_written_as_the_file(tmp_path: Path, text: str, encoding: str) -> None:
    """Byte by byte, where no value has changed: sign between cells, decimals, encoding, quotes where needed."""
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_bytes(text.encode(encoding))
    file = read_file(path)
    columns = {column.name: column.cells for column in file.columns}
    write_together([column_file(out, columns, confidential=False, dialect=file.dialect)])
    assert out.read_bytes() == path.read_bytes()


def test_what_an_encoding_cannot_hold_is_written_in_another(tmp_path: Path) -> None:
    """A category with a sign that cp1252 does not have: nothing is lost."""
    out = tmp_path / "out.csv"
    dialect = Dialect(";", decimal_comma=True, encoding="cp1252")
    columns = {"ort": np.array(["Łódź", "Köln"], dtype=object)}
    write_together([column_file(out, columns, confidential=False, dialect=dialect)])
    assert read_file(out).columns[0].cells.tolist() == ["Łódź", "Köln"]
