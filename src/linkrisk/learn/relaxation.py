"""The relaxation of a cover search: least weight to be given up such that every core loses a record, as shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from linkrisk.data.columns import FloatArray, IntArray

VIOLATED = 1e-4
"""A core enters the relaxation when its shares sum to less than 1 by more."""


@dataclass(frozen=True)
class Leaf:
    """Why a part of the tree holds nothing better.

    ``multipliers`` of ``cores`` bound what must be given up from below; or, with no multipliers, the one core named
    is kept whole, which is impossible.
    """

    cores: tuple[int, ...]
    multipliers: tuple[float, ...]


class Relaxation:
    """The relaxation: least weight given up such that every core gives up one record.

    All cores are kept in a list; the linear programme holds those that have been violated and still bind.
    """

    def __init__(self, weight: FloatArray) -> None:
        self.n = len(weight)
        self.weight = weight
        self.columns = np.arange(self.n, dtype=np.int32)
        self.low = np.zeros(self.n)
        self.high = np.ones(self.n)
        self.cores: list[IntArray] = []
        self._flat: IntArray = np.zeros(0, dtype=np.int64)
        self._start: IntArray = np.zeros(0, dtype=np.int64)
        self._n_flat = 0
        self.in_use: list[int] = []
        self.is_used: list[bool] = []
        self.is_dropped: set[int] = set()
        self.highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy has no types
        for option, value in (
            ("output_flag", False),
            ("presolve", "off"),
            ("threads", 1),
            ("dual_feasibility_tolerance", 1e-10),
        ):
            self.highs.setOptionValue(option, value)
        self.highs.addVars(self.n, np.zeros(self.n), np.ones(self.n))
        self.highs.changeColsCost(self.n, self.columns, weight.astype(np.float64))

    def add(self, members: frozenset[int]) -> None:
        """Ask for one record of a core."""
        self.cores.append(np.array(sorted(members), dtype=np.int32))
        self.is_used.append(False)

    def drop(self, core: int) -> None:
        """Take a core out for good."""
        if core in self.is_dropped:
            return
        if self.is_used[core]:
            row = self.in_use.index(core)
            self.highs.deleteRows(1, np.array([row], dtype=np.int32))
            del self.in_use[row]
        self.is_used[core] = True  # never violated again
        self.is_dropped.add(core)

    def leaf(self) -> Leaf:
        """Return the multipliers that prove the value of the relaxation as it was solved last."""
        duals = np.array(self.highs.getSolution().row_dual)
        places = np.flatnonzero(duals > 1e-12)
        return Leaf(tuple(self.in_use[row] for row in places.tolist()), tuple(duals[places].tolist()))

    def proven_value(self, leaf: Leaf) -> tuple[float, FloatArray]:
        """Return what the multipliers of a leaf prove must be given up, and by how much moving a share raises it.

        *Guarantee*: for all shares within their bounds that meet every core, the weight given up is at least the sum of
        the multipliers, plus, for each share, its cost less theirs where that is as small as its bounds allow. It holds
        whatever the multipliers are, so the tolerances of the linear programme do not matter.
        """
        low, high = self.bounds
        cost = self.weight.copy()
        for core, multiplier in zip(leaf.cores, leaf.multipliers, strict=True):
            cost[self.cores[core]] -= multiplier
        rest = np.where(cost > 0.0, low * cost, high * cost)
        return math.fsum([*leaf.multipliers, *rest.tolist()]), cost

    def contradiction(self, kept: tuple[int, ...]) -> Leaf:
        """Return the core that is kept whole."""
        inside = set(kept)
        core = next(q for q in self.in_use if inside.issuperset(self.cores[q].tolist()))
        return Leaf((core,), ())

    def fix(self, kept: tuple[int, ...], given: tuple[int, ...]) -> None:
        """Keep some records and give up others; forget cores that did not bind last time, if they are many."""
        low, high = self.low.copy(), self.high.copy()
        high[list(kept)] = 0.0
        low[list(given)] = 1.0
        self.bounds = (low, np.maximum(low, high))
        self.highs.changeColsBounds(self.n, self.columns, *self.bounds)
        if len(self.in_use) > 2 * self.n:
            self._forget()

    def solve(self) -> FloatArray | None:
        """Return the point of the relaxation; None when no choice is left."""
        while True:
            if not self._is_solved():
                return None
            x = np.array(self.highs.getSolution().col_value)
            if not self._use_violated(x):
                return x

    def _is_solved(self) -> bool:
        """Solve the linear programme; False if no choice is left."""
        for _ in range(2):
            self.highs.run()
            status = self.highs.getModelStatus()
            if status == highspy.HighsModelStatus.kOptimal:
                return True
            if status == highspy.HighsModelStatus.kInfeasible:
                return False
            self.highs.clearSolver()  # it may have lost its way from where it was: once more from the beginning
        raise ArithmeticError(f"HiGHS ended a linear programme with {status}; please report this")

    def _use_violated(self, x: FloatArray, limit: int = 100) -> bool:
        """Bring cores that x violates into the linear programme, the most violated first."""
        self._extend()
        if not len(self._start):
            return False
        sums = np.add.reduceat(x[self._flat[: self._n_flat]], self._start)
        places = np.flatnonzero((sums < 1.0 - VIOLATED) & ~np.array(self.is_used))
        for place in places[np.argsort(sums[places], kind="stable")[:limit]].tolist():
            members = self.cores[place]
            self.highs.addRow(1.0, highspy.kHighsInf, len(members), members, np.ones(len(members)))
            self.in_use.append(place)
            self.is_used[place] = True
        return len(places) > 0

    def _extend(self) -> None:
        """Take up cores added since the last time."""
        new = self.cores[len(self._start) :]
        if not new:
            return
        sizes = np.array([len(core) for core in new])
        starts = self._n_flat + np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._start = np.concatenate([self._start, starts]).astype(np.int64)
        needed = self._n_flat + int(sizes.sum())
        if needed > len(self._flat):
            grown = np.zeros(2 * needed, dtype=np.int64)
            grown[: self._n_flat] = self._flat[: self._n_flat]
            self._flat = grown
        self._flat[self._n_flat : needed] = np.concatenate(new)
        self._n_flat = needed

    def _forget(self) -> None:
        """Take cores that do not bind out of the linear programme."""
        slack = np.array(self.highs.getSolution().row_value) - 1.0
        if len(slack) != len(self.in_use):
            return
        idle = np.flatnonzero(slack > 1e-6)
        if not len(idle):
            return
        self.highs.deleteRows(len(idle), idle.astype(np.int32))
        gone = set(idle.tolist())
        for row in gone:  # none of them is dropped: those are not in use
            self.is_used[self.in_use[row]] = False
        self.in_use = [place for row, place in enumerate(self.in_use) if row not in gone]
