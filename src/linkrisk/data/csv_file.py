"""Delimited text files: CSV with commas, semicolons or tabs, in UTF-8 or cp1252.

Cells are read as text first, so that "0123" survives, and become numbers only where a whole column is.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from linkrisk.data.arrow_arrays import text_scalar
from linkrisk.data.arrow_column import column_from_cells
from linkrisk.data.csv_dialect import MOST_CELL, check_first_lines, choose_delimiter, read_header
from linkrisk.data.doubts import doubt_about_points
from linkrisk.data.opening import read_bytes
from linkrisk.data.raw_file import Dialect, RawColumn, RawFile, check_column_names, digest_of_file
from linkrisk.errors import FileError
from linkrisk.printable import file_name

DEFAULT_MISSING = ("NA", "NaN", "nan", "NULL", "null", "N/A", ".")
"""Cells that mean "no value" in a CSV file, spelled exactly so; an empty cell does too."""

CONFIDENTIAL_MARK = b"# CONFIDENTIAL"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLOCK_BYTES = 1 << 24  # a record must fit into a block


def read(path: Path, *, delimiter: str | None = None) -> RawFile:
    """Read a delimited text file.

    Parameters
    ----------
    path
        The file; compressed when it ends in .gz.
    delimiter
        The sign between cells; by default the one of ``,`` ``;`` tab and ``|`` that cuts the header and the first
        rows into the same number of cells.
    """
    name = file_name(path)
    contents = _contents(path)
    encoding, text = _to_utf8(name, contents)
    text, first_row = _skip_mark(text)
    if not text or text.isspace():
        raise FileError(f"{name} is empty; give a file with a header line and at least two records")
    delimiter = delimiter or choose_delimiter(text)
    check_first_lines(name, text, delimiter)
    header = read_header(name, text, delimiter)
    check_column_names(name, [column for column in header if column])
    n_empty = 0
    if len(header) > 1:
        text, n_empty = _without_blank_lines(text, delimiter)
    text = _end_with_one_line_end(text, is_single_column=len(header) == 1)
    cells = _read_cells(name, text, delimiter, len(header), first_row)
    n_records = len(cells[0])
    if n_records == 0:
        raise FileError(f"{name} has a header but no records; give a file with at least two records")
    del text  # the cells hold the same again
    columns, doubts, has_comma = _make_columns(name, header, cells, decimal_comma=delimiter != ",")
    notes = doubts + tuple(
        f"Column {position} of {name} has no name and is left out."
        for position, column in enumerate(header, start=1)
        if not column
    )
    if n_empty:
        remedy = "delete them if a spreadsheet has left them behind"
        notes += (f"The last {n_empty} rows of {name} hold no value and count as records; {remedy}.",)
    dialect = Dialect(delimiter, has_comma, encoding)
    return RawFile(name, columns, n_records, digest_of_file(path), first_row, notes, dialect=dialect)


def _contents(path: Path) -> bytes:
    if path.suffix.lower() != ".gz":
        return read_bytes(path)
    try:
        with gzip.open(path) as stream:
            return stream.read()
    except (OSError, EOFError, zlib.error):
        raise FileError(f"{file_name(path)} is not a complete gzip file; compress it again") from None


def _to_utf8(name: str, contents: bytes) -> tuple[str, bytes]:
    """Return the encoding of a file, as Python calls it, and its text in UTF-8 without a mark."""
    if contents.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in contents[:4096]:
        raise FileError(f"{name} is not UTF-8 or cp1252 text; save it as CSV in UTF-8")
    encoding = "utf-8-sig" if contents.startswith(_BYTE_ORDER_MARK) else "utf-8"
    contents = contents.removeprefix(_BYTE_ORDER_MARK)
    if contents.isascii():
        return encoding, contents
    try:
        contents.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return encoding, contents
    try:
        return "cp1252", contents.decode("cp1252").encode("utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{name} is neither UTF-8 nor cp1252 text; save it as CSV in UTF-8") from None


def _skip_mark(text: bytes) -> tuple[bytes, int]:
    """Drop a leading CONFIDENTIAL line; return the rest and the row of the first record."""
    if not text.startswith(CONFIDENTIAL_MARK):
        return text, 2
    _, _, rest = text.partition(b"\n")
    return rest, 3


def _without_blank_lines(text: bytes, delimiter: str) -> tuple[bytes, int]:
    r"""Drop blank lines at the end; also return how many rows there hold delimiters only: those are records.

    >>> _without_blank_lines(b"a,b\n1,2\n,\n\n", ",")
    (b'a,b\n1,2\n,\n', 1)
    """
    sign, end, stop, n_empty = delimiter.encode(), len(text), len(text), 0
    while True:
        start = _line_start(text, stop)
        line = text[start:stop]
        if start == 0 or line.strip(b" \t\r\n" + sign):
            return text[:end], n_empty
        n_empty += sign in line
        end = start if n_empty == 0 else end
        stop = start


def _line_start(text: bytes, stop: int) -> int:
    """Return where the line begins that ends, with its line end, before ``stop``."""
    stop -= 2 if text[stop - 2 : stop] == b"\r\n" else 1
    newline = text.rfind(b"\n", 0, stop)
    return max(newline, text.rfind(b"\r", newline + 1, stop)) + 1


def _end_with_one_line_end(text: bytes, *, is_single_column: bool) -> bytes:
    """Close the last line and drop blank lines after it; in a single column a blank line is a record."""
    if not is_single_column and text.endswith((b"\n\n", b"\n\r\n", b"\r\r")):
        return text.rstrip(b"\r\n") + b"\n"
    return text if text.endswith((b"\n", b"\r")) else text + b"\n"


def _read_cells(name: str, text: bytes, delimiter: str, n_columns: int, first_row: int) -> list[Any]:
    """Return the cells of each column as an Arrow array of strings, in chunks."""
    positions = [str(position) for position in range(n_columns)]
    try:
        cells = arrow_csv.read_csv(
            _arrow_buffer(text),
            read_options=arrow_csv.ReadOptions(
                column_names=positions, skip_rows_after_names=1, block_size=_BLOCK_BYTES
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=False
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(positions, pa.large_string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:  # its message quotes the row, ours must not
        check_rows(name, text, delimiter, first_row)
        raise FileError(f"{name} cannot be read as CSV; check its quotes and delimiters") from None
    columns: list[Any] = cells.columns
    for column in columns:
        lengths = pc.utf8_length(column)
        if (pc.max(lengths).as_py() or 0) > MOST_CELL:
            _refuse_cell(name, first_row + pc.index(pc.greater(lengths, MOST_CELL), True).as_py())
    is_empty = pc.equal(columns[0], text_scalar("").cast(columns[0].type))
    has_blank_line = n_columns > 1 and pc.any(is_empty).as_py() and _has_blank_line(text)
    if has_blank_line or text.count(b'"') % 2:
        check_rows(name, text, delimiter, first_row)
    return columns


def _arrow_buffer(text: bytes) -> pa.Buffer:
    """Copy a text into memory of Arrow's own.

    A reader thread of Arrow may be the last to release the memory. If the memory belongs to a Python object and Python
    is just ending, the thread cannot take the lock it needs for that, and aborts the process.
    """
    stream = pa.BufferOutputStream()
    stream.write(text)
    return stream.getvalue()


def _has_blank_line(text: bytes) -> bool:
    return any(blank in text for blank in (b"\n\n", b"\n\r\n", b"\r\r"))


def check_rows(name: str, text: bytes, delimiter: str, first_row: int) -> None:
    """Raise a `FileError` naming the first row that is not like the header, if there is one."""
    rows = _rows(text, delimiter)
    header = next(rows)
    row = first_row - 1
    try:
        for row, cells in enumerate(rows, start=first_row):
            if max(map(len, cells), default=0) > MOST_CELL:
                _refuse_cell(name, row)
            if len(cells) != len(header):
                count = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
                raise FileError(
                    f"{name}: row {row} has {count} where the header has {len(header)}; correct the row, or "
                    "name the delimiter if another sign stands between the columns"
                )
    except csv.Error:
        raise FileError(f"{name}: a quotation mark is left open in or after row {row + 1}; close it") from None


def _refuse_cell(name: str, row: int) -> NoReturn:
    raise FileError(
        f"{name}: row {row} has a cell of more than {MOST_CELL:,} characters; close a quotation mark that was left "
        "open, or shorten the cell"
    )


def _rows(text: bytes, delimiter: str) -> Iterator[list[str]]:
    stream = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", newline="")
    return csv.reader(stream, delimiter=delimiter, strict=True)


def _make_columns(
    file: str, header: list[str], cells: list[Any], *, decimal_comma: bool
) -> tuple[tuple[RawColumn, ...], tuple[str, ...], bool]:
    """Return the columns that have a name, sentences on what may be meant otherwise, and if numbers have commas."""
    columns, doubts, has_comma = [], [], False
    for name in header:
        chunks = cells.pop(0)  # let go of the text of a column once it is read
        if name:
            text = pa.concat_arrays(chunks.chunks)
            del chunks
            columns.append(column_from_cells(name, text, missing=DEFAULT_MISSING, decimal_comma=decimal_comma))
            if decimal_comma:
                doubts.append(doubt_about_points(file, name, text))
                has_comma |= columns[-1].holds_numbers and bool(pc.any(pc.match_substring(text, ",")).as_py())
    return tuple(columns), tuple(doubt for doubt in doubts if doubt is not None), has_comma
