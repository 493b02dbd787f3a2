"""The relaxation of a cover search: least weight to be given up such that every core loses a record, as shares."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import highspy
import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.engine.highs import quiet_highs
from linkrisk.learning.cover.relaxation_kernels import sum_shares
from linkrisk.learning.problem.worths import Worths

Scalar = TypeVar("Scalar", bound=np.generic)

VIOLATED = 1e-4
"""A core enters the relaxation when its shares sum to less than 1 minus this."""

MANY = 0.5
"""If the linear programme holds more cores per record than this, those that do not bind leave it."""

HIDDEN = 1e-3
"""Units of the worths that the error of a sum must reach before the sum is computed without rounding."""

SPREAD = 1 << 16
"""Worths that differ by more than this factor are weighed anew at each node, among the records not decided."""


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

    All cores are kept in a list; the linear programme holds only those that were violated once and still bind.
    """

    def __init__(self, worths: Worths) -> None:
        self.n = len(worths.wholes)
        self.worths = worths
        # The linear programme has absolute tolerances: worths are brought to about 1, by a power of two.
        largest = max(worths.wholes, default=1)
        self.exponent = 0 if largest == 1 else largest.bit_length()
        self.weight = np.array([whole / (1 << self.exponent) for whole in worths.wholes])
        self.total = math.fsum(self.weight.tolist())
        least = min((whole for whole in worths.wholes if whole), default=1)
        self.is_spread = largest > SPREAD * least
        self.factor = 1.0
        self.value = 0.0
        self._last_costs: tuple[Leaf, FloatArray, float] | None = None
        self._fixed: tuple[Iterable[int], Iterable[int], FloatArray, FloatArray] | None = None
        self.columns = np.arange(self.n, dtype=np.int32)
        self.cores: list[NDArray[np.int32]] = []
        self._members = np.zeros(1024, dtype=np.int32)  # of all cores, one behind the other
        self._start = np.zeros(256, dtype=np.int64)
        self._is_idle = np.zeros(256, dtype=bool)  # in the list only
        self.in_use: list[int] = []
        self.is_dropped: set[int] = set()
        self.highs = quiet_highs(
            parallel="off",
            presolve="off",
            dual_feasibility_tolerance=1e-10,
            simplex_dual_edge_weight_strategy=1,  # Devex: steepest edges are computed anew for each new row
            simplex_scale_strategy=0,
        )
        self.highs.addVars(self.n, np.zeros(self.n), np.ones(self.n))
        self.highs.changeColsCost(self.n, self.columns, self.weight)

    def add(self, members: frozenset[int]) -> None:
        """Ask for one record of a core."""
        core, first = len(self.cores), int(self._start[len(self.cores)])
        end = first + len(members)
        self.cores.append(np.array(sorted(members), dtype=np.int32))
        self._members = _with_room(self._members, end)
        self._start, self._is_idle = _with_room(self._start, core + 2), _with_room(self._is_idle, core + 2)
        self._members[first:end] = self.cores[core]
        self._start[core + 1] = end
        self._is_idle[core] = True

    def drop(self, core: int) -> None:
        """Take a core out for good."""
        if core in self.is_dropped:
            return
        if not self._is_idle[core]:
            row = self.in_use.index(core)
            self.highs.deleteRows(1, np.array([row], dtype=np.int32))
            del self.in_use[row]
        self._is_idle[core] = False  # never looked at again
        self.is_dropped.add(core)

    def leaf(self) -> Leaf:
        """Return the multipliers that prove the value of the relaxation as it was solved last."""
        duals = np.array(self.highs.getSolution().row_dual) / self.factor
        places = np.flatnonzero(duals > 1e-12 / self.factor)
        return Leaf(tuple(self.in_use[row] for row in places.tolist()), tuple(duals[places].tolist()))

    def proven_given(self, leaf: Leaf, kept: Iterable[int], given: Iterable[int], short_of: int | None = None) -> int:
        """Return what the multipliers of a leaf prove must be given up, in units of the worths; sets ``value``.

        It is computed in floating point, less its error, and rounded up to whole units; without rounding where that
        falls short of what is asked for by so little that the error decides.

        *Guarantee* (docs/mathematics.md#multipliers): take shares from 0 to 1, 0 for records that are kept and 1 for
        those given up, such that those of every core sum to 1 at least. The worth given up is then at least the sum of
        the multipliers, plus, for each share, the least value that its bounds allow of the share times its reduced
        cost: its worth less the multipliers of the cores that hold it. It holds whatever the multipliers are, so the
        tolerances of the linear programme do not matter.
        """
        low, high = self._bounds_at(kept, given)
        self.value, _, error = self._value(leaf, low, high)
        lower = self.value - error
        units = max(math.ceil(Fraction(lower) * (1 << self.exponent) if self.exponent else lower), 0)
        if short_of is not None and units < short_of and math.ldexp(error, self.exponent) > HIDDEN:
            missing = self.scaled_up(short_of - 1) - lower
            if missing <= 4.0 * error:
                units = max(units, self._exact_given(leaf, low, high))
        return units

    def decided(
        self, leaf: Leaf, kept: Iterable[int], given: Iterable[int], too_much: int
    ) -> tuple[list[int], list[int]]:
        """Return the records that must be kept, and those that must be given up, if less than ``too_much`` is given up.

        *Guarantee* (docs/mathematics.md#reduced-cost): the other choice gives up ``too_much`` at least, by the
        multipliers of the leaf.
        """
        low, high = self._bounds_at(kept, given)
        value, cost, error = self._value(leaf, low, high)
        limit = float(Fraction(too_much - 1, 1 << self.exponent))
        margin = limit + 2.0**-50 * abs(limit) + error - value
        is_free = (low == 0.0) & (high == 1.0)
        to_keep = np.flatnonzero(is_free & (cost > margin)).tolist()
        return to_keep, np.flatnonzero(is_free & (-cost > margin)).tolist()

    def undecided(self, leaf: Leaf) -> tuple[float, FloatArray, float]:
        """Return what a leaf proves where nothing is decided, the reduced costs, and the error of both, scaled."""
        return self._value(leaf, np.zeros(self.n), np.ones(self.n))

    def scaled_up(self, units: int) -> float:
        """Return a worth in units as the relaxation scales it, not rounded down."""
        value = units / (1 << self.exponent)
        return value if Fraction(value) * (1 << self.exponent) >= units else math.nextafter(value, math.inf)

    def _value(self, leaf: Leaf, low: FloatArray, high: FloatArray) -> tuple[float, FloatArray, float]:
        """Return what a leaf proves, the reduced costs, and what both may be off by together, scaled."""
        cost, error = self._costs(leaf)
        rest = np.where(cost > 0.0, low * cost, high * cost)
        return math.fsum([*leaf.multipliers, *rest.tolist()]), cost, error

    def _costs(self, leaf: Leaf) -> tuple[FloatArray, float]:
        """Return the reduced costs of a leaf, and the error of what it proves; a leaf is asked for many times."""
        if self._last_costs is None or self._last_costs[0] is not leaf:
            cost, most, mixed = self.weight, 1, 0.0
            if leaf.cores:
                cores = [self.cores[core] for core in leaf.cores]
                members = np.concatenate(cores)
                multiplier = np.repeat(leaf.multipliers, [len(core) for core in cores])
                cost = cost - np.bincount(members, weights=multiplier, minlength=self.n)
                most, mixed = int(np.bincount(members).max()), float(multiplier.sum())
            self._last_costs = leaf, cost, (most + 8) * 2.0**-52 * (self.total + 2.0 * mixed)
        return self._last_costs[1:]

    def in_worths(self, leaf: Leaf) -> Leaf:
        """Return a leaf with multipliers in terms of the worths, not scaled; each is rounded once more."""
        factor = (1 << self.exponent) * self.worths.unit
        return Leaf(leaf.cores, tuple(float(Fraction(multiplier) * factor) for multiplier in leaf.multipliers))

    def _exact_given(self, leaf: Leaf, low: FloatArray, high: FloatArray) -> int:
        """Return what a leaf, as a certificate has it, proves without rounding, in units rounded up."""
        multipliers = [Fraction(value) / self.worths.unit for value in self.in_worths(leaf).multipliers]
        cost = [Fraction(whole) for whole in self.worths.wholes]
        for core, multiplier in zip(leaf.cores, multipliers, strict=True):
            for i in self.cores[core].tolist():
                cost[i] -= multiplier
        rest = (value * int(low[i] if value > 0 else high[i]) for i, value in enumerate(cost))
        return math.ceil(sum(multipliers, Fraction(0)) + sum(rest, Fraction(0)))

    def contradiction(self, kept: tuple[int, ...]) -> Leaf:
        """Return the core that is kept whole."""
        inside = set(kept)
        core = next(q for q in self.in_use if inside.issuperset(self.cores[q].tolist()))
        return Leaf((core,), ())

    def fix(self, kept: Iterable[int], given: Iterable[int]) -> None:
        """Keep some records and give up others; forget cores that did not bind last time, if they are many."""
        self._fixed = (kept, given, *self.bounds_of(kept, given))
        low, high = self._fixed[2:]
        self.highs.changeColsBounds(self.n, self.columns, low, high)
        if self.is_spread:
            self._weigh_free((low == 0.0) & (high == 1.0))
        if len(self.in_use) > MANY * self.n:
            self._forget()

    def _bounds_at(self, kept: Iterable[int], given: Iterable[int]) -> tuple[FloatArray, FloatArray]:
        """Return the bounds of the shares at a node, which are known where it was fixed last."""
        if self._fixed is not None and self._fixed[0] is kept and self._fixed[1] is given:
            return self._fixed[2:]
        return self.bounds_of(kept, given)

    def _weigh_free(self, is_free: BoolArray) -> None:
        """Bring the worths of records that are not decided to about 1: beside others they would vanish."""
        largest = float(self.weight[is_free].max(initial=0.0))
        self.factor = 2.0 ** -math.frexp(largest)[1] if largest > 0.0 else 1.0
        self.highs.changeColsCost(self.n, self.columns, np.where(is_free, self.weight * self.factor, 0.0))

    def bounds_of(self, kept: Iterable[int], given: Iterable[int]) -> tuple[FloatArray, FloatArray]:
        """Return the least and greatest share of each record where some are kept and others given up."""
        low, high = np.zeros(self.n), np.ones(self.n)
        high[list(kept)] = 0.0
        low[list(given)] = 1.0
        return low, np.maximum(low, high)

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
            self.highs.clearSolver()  # its last basis may have led it astray: once more from the beginning
        raise ArithmeticError(f"HiGHS ended a linear programme with {status}; please report this")

    def _use_violated(self, x: FloatArray, limit: int = 100) -> bool:
        """Bring cores that x violates into the linear programme, the most violated first."""
        n_cores = len(self.cores)
        sums = sum_shares(self._members, self._start[: n_cores + 1], self._is_idle[:n_cores], x)
        violated = np.flatnonzero(sums < 1.0 - VIOLATED)
        for place in violated[np.argsort(sums[violated], kind="stable")[:limit]].tolist():
            members = self.cores[place]
            self.highs.addRow(1.0, highspy.kHighsInf, len(members), members, np.ones(len(members)))
            self.in_use.append(place)
            self._is_idle[place] = False
        return len(violated) > 0

    def _forget(self) -> None:
        """Take cores that do not bind out of the linear programme."""
        slack = np.array(self.highs.getSolution().row_value) - 1.0
        if len(slack) != len(self.in_use):
            return
        idle = np.flatnonzero(slack > 1e-6)
        if not len(idle):
            return
        self.highs.deleteRows(len(idle), idle.astype(np.int32))
        in_use = np.array(self.in_use)
        self._is_idle[in_use[idle]] = True  # none of them is dropped: those are not in use
        self.in_use = np.delete(in_use, idle).tolist()


def _with_room(values: NDArray[Scalar], size: int) -> NDArray[Scalar]:
    """Return an array with room for so many values, the same ones in front."""
    return values if size <= len(values) else np.concatenate([values, np.zeros(max(size, len(values)), values.dtype)])
