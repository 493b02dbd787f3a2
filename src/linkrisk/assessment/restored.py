"""Attributes whose values rounding gives back: codes and whole numbers to which too little was added."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.comparison import VECTOR_KINDS
from linkrisk.protection.values.restoring import Restoration, restored_by_rounding


@dataclass(frozen=True)
class Restored:
    """An attribute with values that come back, and how."""

    attribute: str
    by: Restoration


def restored_attributes(files: FilePair) -> tuple[Restored, ...]:
    """Name the numeric and date attributes whose original values come back when the protected ones are rounded.

    True pairs are looked at; `linkrisk.protection.values.restoring` has the rule, which the notes of `linkrisk.protect`
    follow as well.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.data import pair_files
    >>> random = np.random.default_rng(1)
    >>> original = pd.DataFrame({"sex": np.repeat([1.0, 2.0], 50)})
    >>> (found,) = restored_attributes(pair_files(original, original + random.normal(0, 0.1, (100, 1))))
    >>> found.by
    Restoration(restored=100, changed=100, to='the 2 values the original has')
    """
    looked_at = [column for column in (*files.columns, *files.confidential) if column.attribute.kind in VECTOR_KINDS]
    found = {column.attribute.name: _restoration(column, files) for column in looked_at}
    return tuple(Restored(name, by) for name, by in found.items() if by is not None)


def _restoration(column: ColumnPair, files: FilePair) -> Restoration | None:
    paired = files.own >= 0
    known = column.original[~np.isnan(column.original)]
    return restored_by_rounding(known, column.original[paired], column.protected[files.own[paired]])
