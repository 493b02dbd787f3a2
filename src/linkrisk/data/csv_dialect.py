"""How a CSV file is written: which sign stands between its cells, and what its header says."""

from __future__ import annotations

import csv
import io
import itertools

import numpy as np

from linkrisk.data.arrow_arrays import text_array
from linkrisk.data.number_cells import parse_numbers
from linkrisk.errors import FileError

DELIMITERS = (",", ";", "\t", "|")
MOST_CELL = 1 << 20
"""Characters of the longest cell: a longer one is a quotation mark left open, or no data."""

csv.field_size_limit(max(csv.field_size_limit(), 1 << 30))  # Python's own limit would end in a wrong message
_SAMPLE_BYTES = 1 << 18
_SAMPLE_ROWS = 20


def choose_delimiter(text: bytes) -> str:
    r"""Return the delimiter that cuts the header and the first rows into the same number of cells.

    Quotes are respected. Of several such delimiters the one that gives most cells wins. When none gives more
    than one cell, the file has a single column, and a comma in it is a decimal comma.

    Examples
    --------
    >>> choose_delimiter(b"x;y\n1,5;2,5\n")
    ';'
    >>> choose_delimiter(b"name,x\n\"a;b\",1\n")
    ','
    """
    widths = {delimiter: _widths(text, delimiter) for delimiter in DELIMITERS}
    regular = [delimiter for delimiter in DELIMITERS if len(set(widths[delimiter])) == 1]
    columns = [delimiter for delimiter in regular if widths[delimiter][0] > 1]
    if columns:
        return max(columns, key=lambda delimiter: widths[delimiter][0])
    widest = max(DELIMITERS, key=lambda delimiter: widths[delimiter][0])
    if widths[widest][0] > 1:
        return widest  # no delimiter fits all rows; this one lets the ragged row be named
    return next((delimiter for delimiter in (";", "\t", ",") if delimiter in regular), ";")


def check_first_lines(name: str, text: bytes, delimiter: str) -> None:
    """Raise a `FileError` where a file would be read as one column and plainly has several.

    That is where the delimiter given is another than the one in the file, where cells stand between signs that are not
    looked for, and where a title or a comment stands above the header. A file that has one column passes, also if
    its numbers have decimal commas, or its texts commas within quotation marks.
    """
    first, *rows = _rows(text, delimiter)
    if len(first) != 1:
        return
    for other in (*DELIMITERS, *OTHER_SIGNS):
        widths = _widths(text, other)
        if other != delimiter and len(widths) > 1 and widths[0] > 1 and len(set(widths)) == 1:
            raise FileError(
                f"{name} has one column if {_sign(delimiter)} stands between its cells, and {widths[0]} if it is "
                f"{_sign(other)}; give the latter as delimiter (--delimiter), or put the name of a single column in "
                "quotation marks"
            )
    words = [len(row[0].split()) for row in (first, *rows) if row]
    if len(words) > 1 and words[0] > 1 and len(set(words)) == 1 and not text.startswith(b'"'):
        raise FileError(f"{name} has its columns between blanks; save it as CSV, with commas between the cells")
    if _is_title(first[0], text):
        raise FileError(f"{name} has a line above its header that is no header; delete that line")


OTHER_SIGNS = (":", "^", "~", "!", "&", "$", "#", "/", "\x1f", "\x01", " ")
"""Signs that stand between cells in some files, and are used only where they are named."""


def _sign(delimiter: str) -> str:
    return {"\t": "a tab", " ": "a blank"}.get(delimiter, repr(delimiter))


def _is_title(first: str, text: bytes) -> bool:
    """Whether the first line is a title or a comment: the lines below it have a header of their own.

    What begins as a comment and stands above rows of several cells is one; another line only above at least three
    names, with numbers in a row below them, for a column of texts with commas looks much the same.
    """
    for delimiter in DELIMITERS:
        header, *rows = [row for row in _rows(text, delimiter)[1:] if row] or [[]]
        is_regular = len(header) > 1 and rows and all(len(row) == len(header) for row in rows)
        if not is_regular or _has_number(header):
            continue
        is_comment = first.startswith(("#", "%", "//", "--", "*"))
        if is_comment or (len(header) > 2 and any(map(_has_number, rows))):
            return True
    return False


def _has_number(cells: list[str]) -> bool:
    named = np.array([cell.strip() for cell in cells if cell.strip()], dtype=object)
    return len(named) > 0 and bool((~parse_numbers(text_array(named)).is_other).any())


def _widths(text: bytes, delimiter: str) -> list[int]:
    """Return the number of cells in the first rows that are not blank."""
    return [len(row) for row in _rows(text, delimiter) if row] or [1]


def _rows(text: bytes, delimiter: str) -> list[list[str]]:
    """Return the cells of the first rows."""
    sample = text[:_SAMPLE_BYTES].decode("utf-8", errors="ignore")
    lines = io.StringIO(sample, newline="")
    try:
        rows = list(itertools.islice(csv.reader(lines, delimiter=delimiter), _SAMPLE_ROWS + 1))
    except csv.Error:
        return [[""], ["", ""]]  # like no other
    if len(text) > _SAMPLE_BYTES and len(rows) <= _SAMPLE_ROWS and len(rows) > 1:
        rows.pop()  # cut off in the middle
    return rows


def read_header(name: str, text: bytes, delimiter: str) -> list[str]:
    """Return the column names; a column without a name has "".

    Raises
    ------
    FileError
        When the first line holds numbers only: the file has no header, and its cells must not become names
        that messages quote.
    """
    lines = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", newline="")
    try:
        header = [cell.strip() for cell in next(csv.reader(lines, delimiter=delimiter))]
    except (csv.Error, StopIteration):
        raise FileError(f"{name}: the header line cannot be read; check its quotation marks") from None
    named = np.array([cell for cell in header if cell], dtype=object)
    if len(named) == 0:
        raise FileError(f"{name}: the first line holds no column names; add a header line")
    is_number = ~parse_numbers(text_array(named)).is_other
    is_year = np.array([len(cell) == 4 and cell.isdigit() and cell[0] in "12" for cell in named], dtype=bool)
    if is_number.all() or (is_number & ~is_year).any():
        raise FileError(f"{name}: the first line holds numbers instead of column names; add a header line")
    return header
