"""Where values are missing in both files, and whether that stayed as it was."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.data.same_values import is_missing
from linkrisk.informed.known import Known
from linkrisk.informed.terms import joined_codes


def patterns_of_holes(names: Sequence[str], known: Known) -> tuple[IntArray, IntArray, bool]:
    """Return a number for the pattern of missing values of each record, and whether everybody has kept his."""
    columns = [known.column(name) for name in names]
    sides = [[is_missing(column.original) for column in columns], [is_missing(column.protected) for column in columns]]
    patterns = [np.concatenate(both).astype(np.int64) for both in zip(*sides, strict=True)]
    codes = joined_codes(patterns, known.n_original + known.n_protected)
    before, after = codes[: known.n_original], codes[known.n_original :]
    own = known.files.own
    return before, after, np.array_equal(before[own >= 0], after[own[own >= 0]])
