"""Original records against distinct protected ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.twin_kernels import mark_twins
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.learning.problem.row_kernels import fill_pairwise
from linkrisk.linkage.search import with_metric
from linkrisk.linkage.ties import Ties


class Pairs:
    """Original records against distinct protected ones ("points")."""

    def __init__(self, comparison: Comparison) -> None:
        coordinates = comparison.coordinates
        distance = mean_distance(comparison)
        values = np.where(np.isnan(coordinates.protected), np.inf, coordinates.protected + 0.0)
        _, first, inverse, copies = np.unique(
            values, axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        place = np.argsort(order)
        self.row_of: IntArray = first[order]
        self.copies: IntArray = copies[order]
        self.point_of: IntArray = place[inverse.reshape(-1)]
        self.own_row = coordinates.own
        self.own: IntArray = np.where(coordinates.own >= 0, self.point_of[coordinates.own], -1)
        self._queries, metric = with_metric(distance, np.arange(len(coordinates.original)))
        self._rules = metric.attributes
        self._columns = np.ascontiguousarray(coordinates.protected[self.row_of].T)
        self._last: tuple[int, FloatArray] | None = None

    @property
    def n_attributes(self) -> int:
        """Number of attributes compared."""
        return len(self._columns)

    def differences(self, i: int) -> FloatArray:
        """Return d of record i and every point, one row per point."""
        d = np.empty_like(self._columns)
        fill_pairwise(self._queries, i, self._columns, self._rules, d)
        return d.T.copy()

    def is_twin(self, d: FloatArray, i: int) -> NDArray[np.bool_]:
        """Tell which points differ from record i by the same d_k as its own; ``d`` are those of `differences`.

        *Guarantee* (docs/mathematics.md#ties): exact.
        """
        result = np.empty(len(d), dtype=np.bool_)
        mark_twins(self._queries, i, self._columns, int(self.own[i]), self._rules, d, result)
        return result

    def twins(self, d: FloatArray, i: int) -> int:
        """Count the protected records that differ from record i as its own does, itself included."""
        return int(self.copies[self.is_twin(d, i)].sum())

    def dropped(self, i: int, d: FloatArray, ties: Ties) -> NDArray[np.bool_]:
        """Tell which points do not count against record i."""
        if ties is not Ties.UNIQUE:
            return self.is_twin(d, i)
        result = np.zeros(len(d), dtype=bool)
        result[self.own[i]] = True
        return result

    def other_row(self, i: int) -> int:
        """Return another protected record equal to the own one of record i."""
        rows = np.flatnonzero(self.point_of == self.own[i])
        return int(rows[rows != self.own_row[i]][0])

    def difference(self, i: int, j: int, k: int) -> float:
        """Return d_k of original record i and protected record j, in floating point; quickly for the same i again."""
        if self._last is None or self._last[0] != i:
            self._last = i, self.differences(i)
        return float(self._last[1][self.point_of[j], k])
