"""Naive bounds on an overlap cell: from each sample and each table on its own."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.tables.evidence.evidence import Evidence


def naive_bounds(evidence: Evidence, cells: IntArray) -> tuple[IntArray, IntArray]:
    """Return bounds on the population counts of overlap cells, from each table on its own (smith-elliot-bayesian.txt).

    A sample of n of N people with f of them in the cell says f <= F <= N - n + f. A table with all attributes of the
    overlap bounds F by the sums of the least and of the largest counts of the cells of which F consists. A table with
    only some of these attributes bounds F from above, by the sum of the largest counts of the cells that share its
    categories.

    *Guarantee* (docs/mathematics.md#naive-bounds): the true count is within the bounds if samples and tables were made
    as stated, and every category that somebody has occurs in one of them. (A rounded table that leaves out its zeros
    can hide a category: list all its cells.) The bounds need not be the tightest; `linkrisk.tables.bounds.exact` takes
    all tables together. Cost: one sort per table.

    Parameters
    ----------
    evidence
        What the intruder holds.
    cells
        Numbers of overlap cells.

    Examples
    --------
    Two samples, of 2 and of 3 of 10 people, have one woman each: there is at least 1 woman, and at most 8.

    >>> import numpy as np
    >>> import pandas as pd
    >>> from linkrisk.tables import make_evidence
    >>> survey = pd.DataFrame({"sex": ["f", "m"], "job": ["cook", "nurse"]})
    >>> register = pd.DataFrame({"sex": ["f", "m", "m"], "car": ["yes", "no", "no"]})
    >>> samples = {"survey": survey, "register": register}
    >>> low, high = naive_bounds(make_evidence(samples, population=10), np.array([0]))
    >>> low.tolist(), high.tolist()
    ([1], [8])
    """
    low = np.zeros(len(cells), dtype=np.int64)
    high = np.full(len(cells), evidence.population, dtype=np.int64)
    codes = evidence.domain.codes(evidence.overlap, cells)
    for table in (*evidence.sample_tables(), *evidence.tables):
        shared = tuple(name for name in evidence.overlap if name in table.attributes)
        sums = table.sums(shared, evidence.domain.keys(codes, evidence.overlap, shared))
        high = np.minimum(high, sums.high)
        if len(shared) == len(evidence.overlap):
            low = np.maximum(low, sums.low)
    return low, high
