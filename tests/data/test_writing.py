"""Results are written whole, for the right readers, and replace another file only if that is allowed."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from linkrisk.data import check_writable, read_file, write_columns, write_text
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
    with pytest.raises(FileError, match="is a folder"):
        check_writable(tmp_path)
    with pytest.raises(FileError, match="null is a folder or a device"):
        check_writable("/dev/null", overwrite=True)
    with pytest.raises(FileError, match=r"The folder for x\.csv does not exist") as raised:
        check_writable(tmp_path / "gone" / "x.csv")
    assert str(tmp_path) not in str(raised.value)
    with pytest.raises(FileError, match="cannot be used"):
        check_writable(tmp_path / ("x" * 300))
    with pytest.raises(FileError, match="cannot be written to its folder"):
        check_writable("/proc/x.csv")


def test_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    """When writing fails half way, the old file is whole and no other is left."""
    path = tmp_path / "old.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\ud800", confidential=True, overwrite=True)
    with pytest.raises(FileError, match="No space left"):
        _fail_half_way(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["old.txt"]
    assert path.read_text() == "old"


def _fail_half_way(path: Path) -> None:
    from linkrisk.data import writing  # noqa: PLC0415 (looks inside on purpose)

    def fail(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    writing._write(path, fail, confidential=True, overwrite=True)


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path) -> None:
    """Between the check and the end somebody else may write the file; theirs is kept."""
    from linkrisk.data import writing  # noqa: PLC0415 (looks inside on purpose)

    path = tmp_path / "x.txt"
    with pytest.raises(FileError, match="appeared meanwhile"):
        writing._write(path, lambda _: path.write_text("theirs"), confidential=False, overwrite=False)
    assert path.read_text() == "theirs"
    assert len(list(tmp_path.iterdir())) == 1


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
