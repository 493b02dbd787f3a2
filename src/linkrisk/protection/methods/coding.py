"""Top and bottom coding: extreme values are cut off at a threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.data.attributes import Kind
from linkrisk.data.labels import label_of_number
from linkrisk.errors import ParameterError
from linkrisk.protection.method import Method
from linkrisk.protection.parameters import check_number, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import code_notes
from linkrisk.protection.values.columns import ORDERED, Column, Name, list_names
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import shares_changed

Threshold = float | str


@dataclass(frozen=True)
class CodedAttribute:
    """An attribute, its thresholds (None where there is none), and how many values were cut at each end."""

    attribute: Name
    bottom: Threshold | None
    top: Threshold | None
    n_bottom: int
    n_top: int

    def __str__(self) -> str:
        ends = []
        if self.bottom is not None:
            ends.append(f"{self.n_bottom:,} values below {self.bottom}")
        if self.top is not None:
            ends.append(f"{self.n_top:,} values above {self.top}")
        return f"{self.attribute}: {' and '.join(ends)} brought to it"


def code_extremes(
    data: Any,
    *,
    top: Threshold | Mapping[Any, Threshold] | None = None,
    bottom: Threshold | Mapping[Any, Threshold] | None = None,
    top_percent: float | Mapping[Any, float] | None = None,
    bottom_percent: float | Mapping[Any, float] | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Bring values beyond a threshold to the threshold: x' = min(max(x, bottom), top).

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    top, bottom
        The largest and the smallest value released: a number, a date as the column writes it or as 2020-03-31, a
        category where the attribute is ordinal; one for all columns that are not left, or one for each column by name.
    top_percent, bottom_percent
        Instead of a threshold the percent of the n known values to cut, from 0 to below 100. The top is then the value
        of rank ceil(n (1 - top_percent / 100)), the bottom that of rank floor(n bottom_percent / 100) + 1, so that at
        most this percentage of the values changes.
    leave
        Columns to release as they are. A column that is neither protected nor named here is an error.
    schema
        Kinds, orders and missing codes, as for `linkrisk.assess`; kinds are inferred where it says nothing.

    Returns
    -------
    Protection
        ``details`` holds a `CodedAttribute` for each column: its thresholds, and how many values were cut. Protected
        numbers are float64; dates and ordinal columns keep their type. There is no secret: the method draws nothing.

    Raises
    ------
    ParameterError
        If a threshold is no number, date or category of the column, the top is below the bottom, an end is given
        both ways, or columns are left out (they are named).
    ColumnError
        If a column is unknown, nominal, or has infinite values.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#order-kept): all known values lie between the thresholds, and values that did so
    before are unchanged. Missing values stay missing. A threshold by percent is a value of the file, which the released
    file shows. Values equal to a threshold stay as they are, so there are no ties to settle. Cost: linear, a sort where
    percents are given.

    References
    ----------
    Hundepool et al. (2012), Statistical disclosure control, Wiley, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[1.0], [2.0], [3.0], [4.0], [100.0]])
    >>> code_extremes(people, top_percent=20, bottom=2).data[:, 0].tolist()
    [2.0, 2.0, 3.0, 4.0, 4.0]
    """
    table = Frame.of(data, schema)
    ends = {
        "top": _each(top, table, leave),
        "bottom": _each(bottom, table, leave),
        "top_percent": _each(top_percent, table, leave),
        "bottom_percent": _each(bottom_percent, table, leave),
    }
    for end in ("top", "bottom"):
        both = [name for name in ends[end] if name in ends[f"{end}_percent"]]
        if both:
            raise ParameterError(f"{end} and {end}_percent are both given for {list_names(both)}; keep one")
    names = {name: None for end in ends.values() for name in end}
    if all(given is None for given in (top, bottom, top_percent, bottom_percent)):
        raise ParameterError("coding lacks its limits; give some of top, bottom, top_percent and bottom_percent")
    each_attribute(names, table, leave)
    columns = table.columns(names, ORDERED, "top and bottom coding")
    coded = [_code_column(column, {end: given.get(column.name) for end, given in ends.items()}) for column in columns]
    new = [column for column, _ in coded]
    return Protection(
        data=table.with_columns(new),
        method="coding",
        title="top and bottom coding",
        parameters={**ends, "leave": tuple(leave)},
        details=tuple(detail for _, detail in coded),
        n_records=table.n_records,
        notes=tuple(code_notes(columns)),
        changed=shares_changed(columns, new),
    )


CODING = Method(
    "coding",
    code_extremes,
    "values beyond top and bottom brought to these",
    optional=("top", "bottom", "top_percent", "bottom_percent"),
    kinds=ORDERED,
)


def _each(value: Any, table: Frame, leave: Sequence[Name]) -> dict[Name, Any]:
    """Return an end by column; an empty mapping where it is not given."""
    if value is None:
        return {}
    return dict(value) if isinstance(value, Mapping) else each_attribute(value, table, leave)


def _code_column(column: Column, ends: Mapping[str, Any]) -> tuple[Column, CodedAttribute]:
    low = _threshold(column, ends, "bottom")
    high = _threshold(column, ends, "top")
    if low is not None and high is not None and high < low:
        raise ParameterError(
            f"the top of column {column.name!r} is below its bottom; raise the top, or lower the bottom"
        )
    values = np.clip(column.values, -np.inf if low is None else low, np.inf if high is None else high)
    detail = CodedAttribute(
        attribute=column.name,
        bottom=_shown(column, low),
        top=_shown(column, high),
        n_bottom=int((values > column.values).sum()),
        n_top=int((values < column.values).sum()),
    )
    return column.with_values(values), detail


def _threshold(column: Column, ends: Mapping[str, Any], end: str) -> float | None:
    """Return a threshold as a number, or as the place of a category; None where there is none."""
    percent = ends[f"{end}_percent"]
    if percent is not None:
        return _by_percent(column, percent, end)
    if ends[end] is None:
        return None
    if column.kind is Kind.NUMERIC:
        return check_number(ends[end], f"{end} of column {column.name!r}", "a finite number", least=-np.inf)
    if column.spelling is not None:
        return column.spelling.parse(ends[end], f"{end} of column {column.name!r}")
    label = ends[end] if isinstance(ends[end], str) else label_of_number(float(ends[end]))
    place = float(column.categories.index(label)) if label in column.categories else np.nan
    if not (column.values == place).any():
        raise ParameterError(f"{end} of column {column.name!r} must be one of the categories in the file")
    return place


def _by_percent(column: Column, percent: Any, end: str) -> float:
    what = f"{end}_percent of column {column.name!r}"
    share = check_number(percent, what, "from 0 to below 100", most=np.nextafter(100, 0))
    known = np.sort(column.values[~column.is_missing])
    n_cut = int(np.floor(known.size * share / 100 + 1e-9))
    return float(known[n_cut] if end == "bottom" else known[known.size - 1 - n_cut])


def _shown(column: Column, threshold: float | None) -> Threshold | None:
    if threshold is None or column.kind is Kind.NUMERIC:
        return threshold
    if column.spelling is not None:
        return str(column.spelling.moments(np.array([threshold]))[0])[:10]
    return column.categories[int(threshold)]
