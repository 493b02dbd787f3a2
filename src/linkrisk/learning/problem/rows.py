"""The inequalities a record must satisfy to be linked: one row for each protected record that could be nearer."""

from __future__ import annotations

from dataclasses import dataclass

from linkrisk.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """Record r is linked by theta when theta . values[s] > 0 for all s in start[r]:start[r + 1].

    ``values[s]`` is (1 - t) phi(i, j) - phi(i, i), in floating point, for the protected point ``point[s]``; rows that
    no admissible theta violates, and rows implied by others of the same record, are left out. ``weight[r]`` is what a
    link of the record counts in the objective.
    """

    values: FloatArray
    start: IntArray
    point: IntArray
    weight: FloatArray

    @property
    def n_records(self) -> int:
        """Number of records that may be linked."""
        return len(self.start) - 1

    @property
    def n_parameters(self) -> int:
        """Number of parameters of the distance."""
        return int(self.values.shape[1])
