"""Dates to be protected: days as numbers, written back as the column writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.errors import ParameterError

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawColumn
    from linkrisk.data.schema import AttributeSchema

PERIODS = ("month", "quarter", "year")

FIRST_DAY, LAST_DAY = -719_162, 2_932_896
"""0001-01-01 and 9999-12-31, between which dates can be written."""

_MICROSECONDS = {"day": 86_400_000_000, "minute": 60_000_000, "second": 1_000_000, "microsecond": 1}
_TIME = re.compile(r"^\d{4}-\d{2}-\d{2}(?P<gap>[T ])\d{2}:\d{2}(?P<seconds>:\d{2})?(?P<parts>\.\d+)?(?P<zone>Z?)")
_SINGLE = re.compile(r"(^|[./])\d([./]|$)")


@dataclass(frozen=True)
class DateSpelling:
    """How a column writes its dates.

    Parameters
    ----------
    date_format
        As for Python's ``strftime``; None where the cells are moments and no text.
    unit
        ``day``, ``minute``, ``second`` or ``microsecond``: the finest that is written, to which dates are rounded.
    is_padded
        Whether 1 March is 01.03. or 1.3.
    """

    date_format: str | None
    unit: str = "day"
    is_padded: bool = True

    def moments(self, days: FloatArray) -> NDArray[np.datetime64]:
        """Return days since 1970-01-01 as moments, rounded to the unit; NaN becomes NaT.

        >>> str(DateSpelling(None).moments(np.array([1.4]))[0])[:10]
        '1970-01-02'
        """
        unit = _MICROSECONDS[self.unit]
        is_missing = np.isnan(days)
        wholes = np.rint(np.where(is_missing, 0.0, days) * (_MICROSECONDS["day"] / unit)).astype(np.int64) * unit
        moments = wholes.astype("datetime64[us]")
        moments[is_missing] = np.datetime64("NaT")
        return moments

    def rounded(self, days: FloatArray, name: str | int) -> FloatArray:
        """Return days as those of the moments that are written; NaN stays.

        Raises
        ------
        ParameterError
            If they are beyond the years 1 to 9999.

        Examples
        --------
        >>> DateSpelling("%Y-%m-%d").rounded(np.array([1.4, np.nan]), "born").tolist()
        [1.0, nan]
        """
        unit = _MICROSECONDS[self.unit]
        with np.errstate(over="ignore"):  # what comes of it is refused
            new = np.rint(days * (_MICROSECONDS["day"] / unit)) * unit / _MICROSECONDS["day"]
        if ((new < FIRST_DAY) | (new >= LAST_DAY + 1)).any():
            raise ParameterError(
                f"protected dates of column {name!r} would be beyond the years 1 to 9999; choose less, leave out "
                "continuous (--continuous), or, if a date such as 9999-12-31 stands for missing, name it in missing "
                "(--missing)"
            )
        return np.asarray(new)

    def texts(self, days: FloatArray) -> NDArray[Any]:
        """Return days as the column writes them; None where missing.

        >>> DateSpelling("%d.%m.%Y", is_padded=False).texts(np.array([59.0, np.nan])).tolist()
        ['1.3.1970', None]
        """
        moments = self.moments(days)
        distinct, places = np.unique(moments, return_inverse=True)
        texts = np.array([None if moment is None else self._text(moment) for moment in distinct.tolist()], dtype=object)
        return np.asarray(texts[places.reshape(-1)], dtype=object)

    def parse(self, text: Any, what: str) -> float:
        """Return a date that a user gives, written as the column writes it or as 2020-03-31, in days."""
        for date_format in ("%Y-%m-%d", self.date_format):
            try:
                found = datetime.strptime(str(text), date_format or "%Y-%m-%d")
            except ValueError:
                continue
            return float(np.datetime64(found, "us").astype(np.int64) / _MICROSECONDS["day"])
        raise ParameterError(f"{what} must be a date, such as 2020-03-31")

    def _text(self, moment: datetime) -> str:
        text = moment.strftime(self.date_format or "%Y-%m-%d")
        return text if self.is_padded else re.sub(r"(^|[./])0(\d)", r"\1\2", text)


def spelling_of(raw: RawColumn, schema: AttributeSchema, codes: tuple[str, ...]) -> DateSpelling:
    """Return how a column that is known to hold dates writes them."""
    from linkrisk.data.arrow_arrays import text_array  # noqa: PLC0415
    from linkrisk.data.date_cells import ISO, find_date_format  # noqa: PLC0415  (imports pyarrow)
    from linkrisk.data.missing import without_codes  # noqa: PLC0415

    column = without_codes(raw, (*codes, *schema.missing))
    if column.holds_dates:
        known = column.cells[~column.is_missing].astype("datetime64[us]").astype(np.int64)
        unit = next(unit for unit, size in _MICROSECONDS.items() if (known % size == 0).all())
        return DateSpelling(None, unit)
    known_texts = [cell for cell in column.cells if isinstance(cell, str)]
    date_format = schema.date_format or find_date_format(text_array(column.cells)) or ISO
    if date_format == ISO:
        return _iso_spelling(known_texts)
    unit = "day" if not re.search(r"%[HIMSfTX]", date_format) else "second" if "%S" in date_format else "minute"
    is_single = any(_SINGLE.search(text) for text in known_texts)
    return DateSpelling(date_format, unit, is_padded=not is_single)


def _iso_spelling(texts: list[str]) -> DateSpelling:
    """Return the longest of the ISO spellings in a column."""
    times = [found for text in texts if (found := _TIME.match(text))]
    if not times:
        return DateSpelling("%Y-%m-%d")
    has_parts = any(found["parts"] for found in times)
    has_seconds = has_parts or any(found["seconds"] for found in times)
    clock = "%H:%M" + (":%S" if has_seconds else "") + (".%f" if has_parts else "")
    zone = "Z" if all(found["zone"] for found in times) else ""
    unit = "microsecond" if has_parts else "second" if has_seconds else "minute"
    return DateSpelling(f"%Y-%m-%d{times[0]['gap']}{clock}{zone}", unit)


def middle_of_period(days: FloatArray, period: str) -> FloatArray:
    """Return the middle of the month, quarter or year that each day lies in; NaN stays.

    The middle of a month is its 15th, that of a quarter the 15th of its second month, that of a year the 1st of July.

    >>> spelling = DateSpelling("%Y-%m-%d")
    >>> day = np.array([spelling.parse("2020-12-31", "a date")])
    >>> [spelling.texts(middle_of_period(day, period))[0] for period in PERIODS]
    ['2020-12-15', '2020-11-15', '2020-07-01']
    """
    is_missing = np.isnan(days)
    months = np.floor(np.where(is_missing, 0.0, days)).astype("datetime64[D]").astype("datetime64[M]")
    since = months.astype(np.int64)  # since January 1970
    if period == "month":
        middles = months.astype("datetime64[D]") + 14
    elif period == "quarter":
        middles = (since // 3 * 3 + 1).astype("datetime64[M]").astype("datetime64[D]") + 14
    else:
        middles = (since // 12 * 12 + 6).astype("datetime64[M]").astype("datetime64[D]")
    return np.where(is_missing, np.nan, middles.astype(np.int64).astype(np.float64))
