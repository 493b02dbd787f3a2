"""Columns that can be read in one way and may be meant in another: a sentence for each, so that nobody is misled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow.compute as pc

from linkrisk.arrays import LabelArray
from linkrisk.data.labels import label_of_number
from linkrisk.data.missing import numbers_among
from linkrisk.data.number_cells import matches
from linkrisk.data.raw_file import RawColumn

_THOUSANDS = r"^[+-]?[1-9]\d{0,2}\.\d{3}$"


def doubt_about_points(name: str, column: str, text: Any) -> str | None:
    """Return a sentence where the points of a column may separate thousands; for files with decimal commas.

    That is where every cell with a point has one to three digits before and three behind it, and none has a comma.

    >>> import pyarrow
    >>> doubt_about_points("p.csv", "income", pyarrow.array(["1.234", "950"])) is None
    False
    >>> doubt_about_points("p.csv", "weight", pyarrow.array(["1.2345", "0.950"])) is None
    True
    """
    has_point = matches(text, r"\.")
    if not has_point.any() or not matches(text, _THOUSANDS)[has_point].all():
        return None
    if pc.any(pc.match_substring(text, ",")).as_py():
        return None
    return (
        f"{name}: the points of column {column!r} are read as decimal points; if they separate thousands there, leave "
        "them out of the file."
    )


def doubt_about_codes(name: str, column: RawColumn, codes: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each missing code of the whole file that lies among the values of a column of numbers.

    >>> age = RawColumn("age", np.array([8.0, 9.0, 10.0]))
    >>> [sentence.split(";")[0] for sentence in doubt_about_codes("p.csv", age, ["9"])]
    ["p.csv: 9, a code for missing, lies among the values of column 'age' and makes 1 of them missing"]
    >>> list(doubt_about_codes("p.csv", age, ["99"]))
    []
    """
    if not column.holds_numbers:
        return
    numbers = numbers_among(codes)
    rest = column.cells[~np.isnan(column.cells) & ~np.isin(column.cells, numbers)]
    for number in np.unique(numbers):
        count = int((column.cells == number).sum())
        if count and rest.size and rest.min() < number < rest.max():
            yield (
                f"{name}: {label_of_number(float(number))}, a code for missing, lies among the values of column "
                f"{column.name!r} and makes {count} of them missing; if it is a value there, give codes by column "
                "(schema)."
            )


def doubt_about_categories(name: str, original: LabelArray, protected: LabelArray) -> Iterator[str]:
    """Yield a sentence where two files have no category of an attribute in common.

    >>> one, other = np.array(["1", "2"], dtype=object), np.array(["north", "south"], dtype=object)
    >>> next(doubt_about_categories("region", one, other))
    'region has no category in common in the two files, so that no link is made by it; use the same codes in both.'
    """
    first, second = ({label for label in labels if label is not None} for labels in (original, protected))
    if first and second and not first & second:
        yield (
            f"{name} has no category in common in the two files, so that no link is made by it; use the same codes in "
            "both."
        )
