"""Generalisation: categories are merged, numbers brought to the middle of their interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.data.attributes import Kind
from linkrisk.errors import ParameterError
from linkrisk.protection.ladders import detail
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.parameters import check_number, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import code_notes
from linkrisk.protection.values.columns import ALL, CATEGORICAL, Column, Name
from linkrisk.protection.values.dates import PERIODS, middle_of_period
from linkrisk.protection.values.frame import Frame, is_list
from linkrisk.protection.values.outcome import shares_changed

Into = float | str | Sequence[float] | Mapping[str, str]


@dataclass(frozen=True)
class GeneralisedAttribute:
    """An attribute, and how many different values it had and has."""

    attribute: Name
    n_before: int
    n_after: int

    def __str__(self) -> str:
        return f"{self.attribute}: {self.n_before:,} different values became {self.n_after:,}"


def generalise(
    data: Any,
    into: float | str | Mapping[Any, Into],
    *,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Release less detail: runs of categories as one, numbers and dates as the middle of their interval.

    A number x becomes x' = w (floor(x / w) + 1/2), with w the width of the intervals; a date becomes the middle of its
    month, quarter or year; a category becomes the middle one of its run.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    into
        One for all columns that are not left, or for each column by name:

        - numeric, a number above 0: the width w of the intervals;
        - numeric, a rising list of edges: x becomes the middle of the two edges around it. A value that is an edge
          belongs to the interval above, except the last edge. All values must lie between the first and the last edge;
        - dates, ``month``, ``quarter`` or ``year``: the 15th of the month, the 15th of the quarter's second month, the
          1st of July, written as the column writes its dates; or a whole number of days, counted from 1970-01-01;
        - ordinal, a whole number m of 2 or more: the categories that occur in the file are taken in runs of m, starting
          with the lowest (the last run may be shorter). Each is written as the middle category of its run, the lower
          one of two, so that the result can still be compared with the original;
        - ordinal or nominal, a mapping of categories to new names; those not named stay. New categories of an ordinal
          attribute must be runs of old ones.
    leave
        Columns to release as they are. A column that is neither protected nor named here is an error.
    schema
        Kinds, orders and missing codes, as for `linkrisk.assess`; kinds are inferred where it says nothing.

    Returns
    -------
    Protection
        ``details`` holds a `GeneralisedAttribute` for each column. Protected numbers are float64; dates and ordinal
        columns in runs keep their type, categories with new names are text. There is no secret: the method draws
        nothing.

    Raises
    ------
    ParameterError
        If a column is not given what its kind needs, or columns are left out (they are named).
    ColumnError
        If a column is unknown or has infinite values.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#order-kept): the order of values is kept (equal ones stay equal, a smaller one
    never becomes the larger), and no number moves by more than half its interval; no date by more than 16 days in a
    month, 46 in a quarter, 183 in a year. Missing values stay missing. Cost:
    linear.

    References
    ----------
    Samarati (2001), Protecting respondents' identities in microdata release, IEEE Trans. Knowledge and Data
    Engineering 13(6).

    Examples
    --------
    >>> import numpy as np
    >>> generalise(np.array([[1.0], [9.0], [10.0], [25.0]]), into=10).data[:, 0].tolist()
    [5.0, 5.0, 15.0, 25.0]
    >>> import pandas as pd
    >>> people = pd.DataFrame({"school": ["none", "primary", "secondary", "primary"]})
    >>> schema = {"attributes": {"school": {"order": ["none", "primary", "secondary"]}}}
    >>> generalise(people, {"school": 2}, schema=schema).data["school"].tolist()
    ['none', 'none', 'secondary', 'none']
    """
    table = Frame.of(data, schema)
    chosen = each_attribute(into, table, leave)
    columns = table.columns(chosen, ALL, "generalisation")
    new = [_generalise_column(column, chosen[column.name]) for column in columns]
    return Protection(
        data=table.with_columns(new),
        method="generalise",
        title="generalisation",
        parameters={"into": chosen, "leave": tuple(leave)},
        details=tuple(
            GeneralisedAttribute(column.name, _n_different(before), _n_different(column))
            for before, column in zip(columns, new, strict=True)
        ),
        n_records=table.n_records,
        notes=tuple(code_notes(columns)),
        changed=shares_changed(columns, new),
    )


GENERALISE = Method(
    "generalise",
    generalise,
    "less detail, by intervals, joined categories, months, quarters or years",
    needed=("into",),
    strength=Strength("into", detail),
)


def _generalise_column(column: Column, into: Any) -> Column:
    what = f"into of column {column.name!r}"
    if isinstance(into, Mapping) and column.kind in CATEGORICAL:
        return _rename(column, into, what)
    if column.kind is Kind.DATE:
        return column.with_values(_middles_of_dates(column, into, what))
    if column.kind is Kind.NUMERIC and is_list(into) and not isinstance(into, Mapping):
        return column.with_values(_middles_of_edges(column, list(into), what))
    if column.kind is Kind.NUMERIC:
        return column.with_values(_middles_of_width(column, into, what))
    if column.kind is Kind.ORDINAL:
        return column.with_values(_runs(column, into, what))
    raise ParameterError(f"{what}, which is nominal, must be a mapping of categories to new names")


def _middles_of_dates(column: Column, into: Any, what: str) -> FloatArray:
    if into in PERIODS:
        return middle_of_period(column.values, into)
    is_days = isinstance(into, (int, np.integer)) and not isinstance(into, bool) and into >= 2
    if not is_days:
        raise ParameterError(f"{what}, which holds dates, must be month, quarter, year, or 2 or more days")
    return np.floor(_middles_of_width(column, into, what))


def _middles_of_width(column: Column, into: Any, what: str) -> FloatArray:
    width = check_number(into, what, "a finite width above 0, or a list of edges")
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        places = np.floor(column.values / width)
    if width == 0 or np.nanmax(np.abs(places)) >= 2.0**52:
        raise ParameterError(f"{what} must be above 0, and not too small for values of its size")
    return np.asarray((places + 0.5) * width)


def _middles_of_edges(column: Column, edges: list[Any], what: str) -> FloatArray:
    numbers = np.array([check_number(edge, what, "a list of finite edges", least=-np.inf) for edge in edges])
    if numbers.size < 2 or not (np.diff(numbers) > 0).all():
        raise ParameterError(f"{what} must be a rising list of at least two edges")
    if np.nanmin(column.values) < numbers[0] or np.nanmax(column.values) > numbers[-1]:
        raise ParameterError(f"{what} leaves values outside its first and last edge; widen it")
    places = np.clip(np.searchsorted(numbers, column.values, side="right") - 1, 0, numbers.size - 2)
    middles = numbers[places] + (numbers[places + 1] - numbers[places]) / 2
    return np.where(column.is_missing, np.nan, middles)


def _runs(column: Column, into: Any, what: str) -> FloatArray:
    """Return for each category the middle one of its run, among the categories that occur."""
    if isinstance(into, bool) or not isinstance(into, (int, np.integer)) or into < 2:
        raise ParameterError(f"{what}, which is ordinal, must be a whole number of 2 or more, or a mapping")
    present = np.unique(column.values[~column.is_missing])
    starts = np.arange(present.size) // into * into
    middles = present[starts + (np.minimum(into, present.size - starts) - 1) // 2]
    where = np.where(column.is_missing, present[0], column.values)
    return np.where(column.is_missing, np.nan, middles[np.searchsorted(present, where)])


def _rename(column: Column, into: Mapping[Any, Any], what: str) -> Column:
    unknown = [label for label in into if str(label) not in column.categories]
    if unknown:
        raise ParameterError(f"{what} names a category that is not in the file; check its spelling")
    given = {str(old): str(new) for old, new in into.items()}
    renamed = [given.get(label, label) for label in column.categories]
    labels = list(dict.fromkeys(renamed))
    places = np.array([labels.index(label) for label in renamed], dtype=np.float64)
    if column.kind is Kind.ORDINAL and (np.diff(places) < 0).any():
        raise ParameterError(f"{what}, which is ordinal, must merge categories that follow each other")
    known = np.where(column.is_missing, 0, column.values).astype(np.int64)
    return column.with_labels(np.where(column.is_missing, np.nan, places[known]), tuple(labels))


def _n_different(column: Column) -> int:
    return int(np.unique(column.values[~column.is_missing]).size)
