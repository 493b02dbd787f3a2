"""Numbers written as text: which cells are numbers, what they are worth, and which are only codes.

Text arrives as an Arrow array of strings, because Arrow parses a million cells in a few hundredths of a
second and rounds correctly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.data.arrow_arrays import bool_array, booleans, floats, is_valid, text_scalar

_POINT = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_COMMA = r"^[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?$"
_INFINITE = r"(?i)^[+-]?inf(inity)?$"
_FIRST_CELLS = 100
# A leading zero says that the digits are a code; sixteen digits are more than float64 can tell apart.
_CODE = r"^[+-]?(0\d+|\d{16,})$"


@dataclass(frozen=True)
class ParsedNumbers:
    """The numbers in a text column.

    ``values`` is NaN where a cell is missing or is not a number; ``is_other`` marks the cells that hold
    something other than a number.
    """

    values: FloatArray
    is_other: NDArray[np.bool_]


def parse_numbers(text: Any, *, decimal_comma: bool = False) -> ParsedNumbers:
    """Read the cells of an Arrow string array as numbers.

    Parameters
    ----------
    text
        Arrow array of strings without surrounding blanks, null where missing.
    decimal_comma
        Whether "1,5" may be a number. The comma is taken as the decimal sign only when at least one cell has
        one, and when no more cells could be read with a point. Thousands separators are never guessed.

    Examples
    --------
    >>> import pyarrow
    >>> parse_numbers(pyarrow.array(["1,5", "2", "x"]), decimal_comma=True)
    ParsedNumbers(values=array([1.5, 2. , nan]), is_other=array([False, False,  True]))
    """
    plain = parse_plain(text)
    if plain is None and decimal_comma:
        plain = _parse_plain_commas(text)
    return plain or _parse_carefully(text, decimal_comma=decimal_comma)


def parse_plain(text: Any) -> ParsedNumbers | None:
    """Read a column whose cells are all numbers in one step, or return None when one is not."""
    try:
        text.slice(0, _FIRST_CELLS).cast(pa.float64())  # a cast that fails is slow, so fail on few cells first
        parsed = text.cast(pa.float64())
    except pa.ArrowInvalid:
        return None
    values = floats(parsed)
    if np.count_nonzero(np.isnan(values)) > text.null_count:  # Arrow reads "nan" as a number, we do not
        return None
    return ParsedNumbers(values, np.zeros(len(values), dtype=np.bool_))


def _parse_plain_commas(text: Any) -> ParsedNumbers | None:
    """Read a column whose cells are all numbers with decimal commas or whole, or return None."""
    if pc.any(pc.match_substring(text, ".")).as_py():
        return None
    return parse_plain(pc.replace_substring(text, ",", "."))


def _parse_carefully(text: Any, *, decimal_comma: bool) -> ParsedNumbers:
    is_number = matches(text, _POINT)
    if decimal_comma:
        with_comma = matches(text, _COMMA)
        has_comma = with_comma & ~is_number
        if has_comma.any() and with_comma.sum() >= is_number.sum():
            is_number = with_comma
            text = pc.replace_substring(text, ",", ".")
    is_number |= matches(text, _INFINITE)
    numbers_only = pc.if_else(bool_array(is_number), text, text_scalar(None).cast(text.type))
    values = floats(numbers_only.cast(pa.float64()))
    return ParsedNumbers(values, is_valid(text) & ~is_number)


def is_code(text: Any) -> NDArray[np.bool_]:
    """Return which cells look like numbers and are codes: leading zeros, or sixteen digits and more.

    Examples
    --------
    >>> import pyarrow
    >>> is_code(pyarrow.array(["0123", "0", "0.5", "1234567890123456"]))
    array([ True, False, False,  True])
    """
    return matches(text, _CODE)


def matches(text: Any, pattern: str) -> NDArray[np.bool_]:
    """Return which cells match a regular expression; missing cells do not."""
    return booleans(pc.match_substring_regex(text, pattern))
