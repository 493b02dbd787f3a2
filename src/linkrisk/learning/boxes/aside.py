"""Parameters that never do harm, put aside before boxes are searched.

Where an attribute was left as it was, no row has a negative entry for it: the more weight it has, the better. With
weight enough, all rows hold in which its entry is positive, and the others do not depend on it. So these rows and the
parameter are left out, and after that perhaps further ones. Boxes would come to no end there: at every scale of the
other parameters they find the same problem again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.learning.boxes.rows import owners
from linkrisk.learning.lines.search import count_clearly
from linkrisk.learning.problem.rows import Rows

BEYOND = 2.0
"""A parameter that was put aside gets so many times the weight that its rows need to hold."""


@dataclass(frozen=True, eq=False, repr=False)
class BoxRows:
    """Rows as boxes are searched on them: without the parameters put ``aside``, in this order, and their rows.

    ``kept`` are the places of the other parameters; row s is row ``number[s]`` of ``all``.
    """

    all: Rows
    rows: Rows
    errors: FloatArray
    number: IntArray
    kept: IntArray
    aside: tuple[int, ...]

    def without(self, theta: FloatArray) -> FloatArray:
        """Return the parameters that are kept; equal ones where all of them are 0."""
        shares = theta[self.kept]
        return shares if shares.max() > 0.0 else np.ones(len(shares))

    def with_aside(self, shares: FloatArray) -> FloatArray:
        """Return all parameters: those kept, and for those put aside weights that let their rows hold.

        *Guarantee* (docs/mathematics.md#aside): what the parameters kept link by the rows kept, all of them link by
        all rows, unless floating point cannot hold weights that are so far apart.
        """
        theta = np.zeros(self.all.n_parameters)
        theta[self.kept] = shares
        is_needed = count_clearly(self.rows, shares)[owners(self.all)]
        for place, k in reversed(list(enumerate(self.aside))):
            earlier = list(self.aside[:place])
            chosen = is_needed & (self.all.values[:, k] > 0.0) & (self.all.values[:, earlier] == 0.0).all(axis=1)
            rows = self.all.values[chosen]
            theta[k] = max(float(theta.max()), BEYOND * float((-(rows @ theta) / rows[:, k]).max(initial=0.0)))
        return np.asarray(theta / theta.max())


def put_aside(rows: Rows, errors: FloatArray) -> BoxRows:
    """Leave out parameters that never do harm, and the rows that hold as soon as their weight is large enough.

    *Guarantee* (docs/mathematics.md#aside): no theta links more by the true rows than the best one of the parameters
    kept does by the rows kept.
    """
    is_zero = (rows.values == 0.0) & (errors == 0.0)
    does_no_harm = is_zero | (rows.values > errors)
    is_kept = np.ones(len(rows.values), dtype=bool)
    aside: list[int] = []
    while (k := _harmless(does_no_harm[is_kept], aside)) is not None:
        aside.append(k)
        is_kept &= is_zero[:, k]
    kept = np.setdiff1d(np.arange(rows.n_parameters), aside)
    number = np.flatnonzero(is_kept)
    if not aside:
        return BoxRows(rows, rows, errors, number, kept, ())
    start = np.concatenate([[0], np.cumsum(is_kept)])[rows.start]
    left = Rows(np.ascontiguousarray(rows.values[np.ix_(number, kept)]), start, rows.point[number], rows.weight)
    return BoxRows(rows, left, np.ascontiguousarray(errors[np.ix_(number, kept)]), number, kept, tuple(aside))


def _harmless(does_no_harm: BoolArray, aside: list[int]) -> int | None:
    """Return a parameter that does no harm and is not put aside yet; None if there is none, or only one is left."""
    n_parameters = does_no_harm.shape[1]
    others = [k for k in range(n_parameters) if k not in aside]
    return next((k for k in others if len(others) > 1 and does_no_harm[:, k].all()), None)
