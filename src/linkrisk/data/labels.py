"""Labels: the one way a category is spelled, whichever file it came from.

SPSS stores the category 1 as 1.0, CSV as "1", pandas with gaps as "1.0"; they are the same category. So a
label that is a plain number is spelled as that number, without trailing zeros, and truth values are "true"
and "false". Codes with leading zeros keep them.
"""

from __future__ import annotations

import re

import numpy as np

from linkrisk.arrays import LabelArray
from linkrisk.data.raw_file import RawColumn

_PLAIN_NUMBER = re.compile(r"[+-]?(0|[1-9]\d{0,14})(\.\d+)?", re.ASCII)


def label_of_number(value: float) -> str:
    """Spell a number as a label.

    Examples
    --------
    >>> label_of_number(1.0), label_of_number(2.5), label_of_number(-0.0)
    ('1', '2.5', '0')
    """
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))


def label_of_text(text: str) -> str:
    """Spell a text as a label.

    Examples
    --------
    >>> [label_of_text(text) for text in (" 1.0 ", "2.50", "0123", "True", "Wien")]
    ['1', '2.5', '0123', 'true', 'Wien']
    """
    text = text.strip()
    if _PLAIN_NUMBER.fullmatch(text):
        return label_of_number(float(text))
    if text.lower() in ("true", "false"):
        return text.lower()
    return text


def labels_of(column: RawColumn) -> LabelArray:
    """Return the labels of a column, None where missing."""
    if column.holds_numbers:
        distinct, place = np.unique(column.cells, return_inverse=True)
        spelled = [None if np.isnan(value) else label_of_number(float(value)) for value in distinct]
    elif column.holds_dates:
        distinct, place = np.unique(column.cells, return_inverse=True)
        spelled = [None if np.isnat(value) else _label_of_date(value) for value in distinct]
    else:
        return _labels_of_text(column.cells)
    return np.array(spelled, dtype=object)[place]


def _labels_of_text(cells: LabelArray) -> LabelArray:
    held = cells.tolist()
    spelled = {cell: None if cell is None else label_of_text(cell) for cell in dict.fromkeys(held)}
    labels = np.empty(len(cells), dtype=object)
    labels[:] = list(map(spelled.__getitem__, held))
    return labels


def _label_of_date(value: np.datetime64) -> str:
    day = value.astype("datetime64[D]")
    return str(day if day == value else value)
