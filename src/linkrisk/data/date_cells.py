"""Dates written as text: how they are written, and the days they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.data.arrow_arrays import is_valid
from linkrisk.data.number_cells import matches

ISO = "ISO8601"
DAY_DOT = "%d.%m.%Y"
DAY_SLASH = "%d/%m/%Y"
MONTH_SLASH = "%m/%d/%Y"
AMBIGUOUS = "ambiguous"
"""Dates with slashes in which no day is above 12: 03/04/2020 is March or April."""

_PATTERNS = {
    ISO: r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$",
    DAY_DOT: r"^\d{1,2}\.\d{1,2}\.\d{4}$",
    DAY_SLASH: r"^\d{1,2}/\d{1,2}/\d{4}$",
}
_MOST = 0.9  # a column with at least this share of dates is meant as dates; the rest are mistakes
_MICROSECONDS_PER_DAY = 86_400_000_000


@dataclass(frozen=True)
class ParsedDates:
    """The dates in a text column.

    ``days`` are days since 1970-01-01 with fractions, NaN where a cell is missing or is not a date;
    ``is_other`` marks the cells that hold something other than a date.
    """

    days: FloatArray
    is_other: NDArray[np.bool_]


def find_date_format(text: Any) -> str | None:
    """Return how the dates of a text column are written, `AMBIGUOUS`, or None when they are no dates.

    Read are ISO 8601 (2020-03-31, also with a time), 31.03.2020, and 31/03/2020 or 03/31/2020 where a day
    above 12 tells which. At least nine tenths of the cells must be dates.

    Examples
    --------
    >>> import pyarrow
    >>> find_date_format(pyarrow.array(["03/31/2020", "01/02/2020"]))
    '%m/%d/%Y'
    >>> find_date_format(pyarrow.array(["03/04/2020", "01/02/2020"]))
    'ambiguous'
    """
    n_present = len(text) - text.null_count
    for date_format, pattern in _PATTERNS.items():
        if n_present and matches(text, pattern).sum() >= _MOST * n_present:
            return _day_or_month_first(text) if date_format == DAY_SLASH else date_format
    return None


def _day_or_month_first(text: Any) -> str:
    n_present = len(text) - text.null_count
    readable = {
        date_format: n_present - parse_dates(text, date_format).is_other.sum()
        for date_format in (DAY_SLASH, MONTH_SLASH)
    }
    if readable[DAY_SLASH] == readable[MONTH_SLASH]:
        return AMBIGUOUS
    return max(readable, key=lambda date_format: readable[date_format])


def parse_dates(text: Any, date_format: str) -> ParsedDates:
    """Read the cells of an Arrow string array as dates written in one way.

    Examples
    --------
    >>> import pyarrow
    >>> parse_dates(pyarrow.array(["1970-01-02T12:00", "1970-02-30"]), ISO).days
    array([1.5, nan])
    """
    import pandas as pd  # noqa: PLC0415 (slow to import, and only columns of dates need it)

    present = is_valid(text)
    cells = np.array(text.to_pylist(), dtype=object)
    if date_format in _PATTERNS:
        cells[~matches(text, _PATTERNS[date_format])] = None  # pandas is more generous
    moments = pd.to_datetime(pd.Series(cells, dtype="str"), format=date_format, errors="coerce", utc=True)
    days = days_of(moments.dt.tz_localize(None).to_numpy())
    return ParsedDates(days, present & np.isnan(days))


def days_of(moments: NDArray[np.datetime64]) -> FloatArray:
    """Return days since 1970-01-01, with fractions, NaN where missing.

    Examples
    --------
    >>> days_of(np.array(["1970-01-03", "NaT"], dtype="datetime64[us]"))
    array([ 2., nan])
    """
    microseconds = moments.astype("datetime64[us]").astype(np.int64)
    return np.where(np.isnat(moments), np.nan, microseconds / _MICROSECONDS_PER_DAY)
