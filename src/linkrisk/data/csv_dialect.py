"""How a CSV file is written: which sign stands between its cells, and what its header says."""

from __future__ import annotations

import csv
import io
import itertools

import numpy as np

from linkrisk.data.number_cells import parse_numbers, text_array
from linkrisk.errors import FileError

DELIMITERS = (",", ";", "\t", "|")
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


def _widths(text: bytes, delimiter: str) -> list[int]:
    """Return the number of cells in the first rows that are not blank."""
    sample = text[:_SAMPLE_BYTES].decode("utf-8", errors="ignore")
    lines = io.StringIO(sample, newline="")
    try:
        rows = [row for row in itertools.islice(csv.reader(lines, delimiter=delimiter), _SAMPLE_ROWS + 1) if row]
    except csv.Error:
        return [1, 0]
    if len(text) > _SAMPLE_BYTES and len(rows) <= _SAMPLE_ROWS and len(rows) > 1:
        rows.pop()  # cut off in the middle
    return [len(row) for row in rows] or [1]


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
