"""How far each parameter can move while the same records stay linked.

The best parameters are not unique: a whole cell of them makes the same links. It is convex, cut out by the rows of the
linked records and by the inequalities of the parameter set, so the ends of each range are two small linear programmes.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import highspy
import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.engine.highs import quiet_highs
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Clock

VIOLATED = 1e-8
"""A row of length 1 enters the programme when it is violated by more; parameters are scaled to 1 where learned."""

FEASIBLE = 1e-10
"""Tolerance of the linear programmes."""

NOTHING = 1e-12
"""Parameters learned below this share of the largest are as good as 0 ..."""

UNKNOWN = 1e-3
"""... and are taken to be of this size, for want of a better one."""

SMALLEST_ENTRY = 1e-12
"""Entries of rows below this are dropped (the least that HiGHS allows)."""

FIRST_ROWS = 4
"""Rows of linked records a programme starts with, for each parameter; the nearest to being violated."""

BATCH = 32
"""Rows added at a time."""

ROUNDS = 400
"""Rounds of rows after which an end is taken as it is: too far out, if anything."""


DUAL, PRIMAL = 1, 4
"""Strategies of the simplex method, as HiGHS numbers them."""


class Ranges(NamedTuple):
    """Least and largest value of each normalised parameter, in the order of theta; NaN where time ran out."""

    low: FloatArray
    high: FloatArray


def parameter_ranges(learned: Learned, *, time_limit: float = math.inf) -> Ranges:
    """Return the range of each parameter over all parameters that make the same links.

    The cell holds every admissible theta that links the records that ``learned`` links (under its rule for ties, its
    tolerance and margin); where ``learned`` is proven optimal, it is the set of all parameters with exactly these
    links. It is open, and the ranges are those of its closure. Parameters are normalised as the family does: weights
    sum to 1, mu(all) = 1; entries of a matrix have 1 or -1 as their largest. (A family that normalises in another way
    than by the ``normal`` of its parameter set gets the largest entry, too.) A range says how far one parameter can
    go if all others may follow, not that they can move at will.

    *Guarantee* (docs/mathematics.md#ranges): up to the tolerance of the linear programmes (1e-8 of the learned
    parameters), no parameters with the same links lie outside. An end that was not finished within ``time_limit``
    seconds, or before Ctrl-C, is NaN.

    Missing values are those of the comparison. Cost: two linear programmes for each parameter, with rows of linked
    records on demand (each round compares every linked record once); for a matrix, as many again for each entry that
    can be the largest, for entries that cannot be 0.

    >>> import numpy as np
    >>> from linkrisk.distances.weighted_mean import WeightedMeanFamily
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.learning.learn import learn
    >>> original = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 5.0]])
    >>> ranges = parameter_ranges(learn(WeightedMeanFamily(), make_comparison(pair_files(original, original))))
    >>> ranges.low.round(6).tolist(), ranges.high.round(6).tolist()
    ([0.0, 0.0], [1.0, 1.0])
    """
    cell = _Cell(learned, Clock(time_limit))
    reach = cell.reach()
    if cell.is_boxed:
        cell.reach_on_faces(reach)
    theta = cell.theta
    # The learned parameters are in the cell: a tolerance must not put them outside their range.
    return Ranges(low=np.minimum(0.0 - reach[0], theta), high=np.maximum(reach[1], theta))


SIGNS = (-1.0, 1.0)


class _Cell:
    """The parameters that link the same records, as a linear programme that is kept warm.

    Its variables are the parameters over their learned values, so that small weights are as exact as large ones. With
    ``is_boxed`` the parameters are held in [-1, 1]; otherwise normal . theta = 1.
    """

    def __init__(self, learned: Learned, clock: Clock) -> None:
        self.problem = learned.problem
        # Not the problem's own set, which may pass over parameters that no row looks at.
        self.parameters = learned.family.parameter_set(len(self.problem.names))
        self.clock = clock
        self.theta = np.asarray(learned.family.normalised(learned.theta))
        size = np.abs(self.theta)
        self.scale = np.where(size > NOTHING * size.max(), size, UNKNOWN * size.max())
        self.linked = learned.is_linked[self.problem.records]
        normal = self.parameters.normal
        self.is_boxed = normal is None or abs(float(normal @ self.theta) - 1.0) > 1e-6
        self.limits = self._limits()
        self.highs = self._programme()
        if not self.is_boxed and normal is not None:
            self._add_row(normal * self.scale, 1.0, 1.0)
        self._add(self.parameters.inequalities)
        self._add_first_rows()

    def _limits(self) -> FloatArray:
        bounds = np.ones(len(self.theta)) if self.is_boxed else self.parameters.bounds
        return np.full(len(self.theta), math.inf) if bounds is None else bounds / self.scale

    def _programme(self) -> Any:
        highs = quiet_highs(
            parallel="off",
            presolve="off",
            primal_feasibility_tolerance=FEASIBLE,
            dual_feasibility_tolerance=FEASIBLE,
            small_matrix_value=SMALLEST_ENTRY,
        )
        highs.addVars(len(self.limits), -self.limits, self.limits)
        return highs

    def reach(self) -> FloatArray:
        """Return the largest -theta_k (row 0) and theta_k (row 1) of each parameter."""
        result = np.full((2, len(self.theta)), math.nan)
        for k in range(len(self.theta)):
            for row, sign in enumerate(SIGNS):
                result[row, k] = self.furthest(k, sign)
        return result

    def reach_on_faces(self, reach: FloatArray) -> None:
        """Set right, in place, the ends that the box alone puts at 0: there the largest entry must be held at 1.

        In the box, a cone's largest theta_k is reached with some entry at 1 or -1, unless it is at most 0: then
        theta = 0 is as good. Those ends are looked for on every face of the box that the cone meets.
        """
        faces = [(k, row) for row in (0, 1) for k in np.flatnonzero(reach[row] >= 1.0 - VIOLATED)]
        is_open = bool(np.isnan(reach).any())
        for row, k in np.argwhere(reach <= VIOLATED):
            ends = [self._furthest_on_face(int(k), SIGNS[row], int(m), SIGNS[side]) for m, side in faces]
            reach[row, k] = math.nan if is_open or np.isnan(ends).any() else max(ends, default=math.nan)

    def _furthest_on_face(self, k: int, sign: float, entry: int, side: float) -> float:
        """Largest sign theta_k among the parameters whose given entry is 1 or -1."""
        held, limit = side * self.limits[entry], self.limits[entry]
        self.highs.changeColBounds(entry, held, held)
        result = self.furthest(k, sign)
        self.highs.changeColBounds(entry, -limit, limit)
        return result

    def furthest(self, k: int, sign: float) -> float:
        """Largest sign theta_k: NaN when time is up, infinite where there is no end, -infinite where nothing is."""
        self.highs.changeColCost(k, -sign)
        result = self._solve(k, sign)
        self.highs.changeColCost(k, 0.0)
        return result

    def _solve(self, k: int, sign: float) -> float:
        x = np.zeros(len(self.theta))
        self.highs.setOptionValue("simplex_strategy", PRIMAL)  # the last point is feasible, only the goal is new
        for _ in range(ROUNDS):
            if self.clock.must_stop() is not None:
                return math.nan
            if math.isfinite(self.clock.limit):
                self.highs.setOptionValue("time_limit", self.highs.getRunTime() + max(self.clock.left, 0.0))
            self.highs.run()
            status = self.highs.getModelStatus()
            if status != highspy.HighsModelStatus.kOptimal:
                return _without_optimum(status)
            x = np.array(self.highs.getSolution().col_value)
            if not self._tighten(x):
                break
            self.highs.setOptionValue("simplex_strategy", DUAL)  # new rows leave the point optimal, not feasible
        return float(sign * self.scale[k] * x[k])

    def _tighten(self, x: FloatArray) -> int:
        """Add rows that x violates; return how many."""
        theta, problem = self.scale * x, self.problem
        rows = [self.parameters.cuts(theta)]
        if problem.family.is_nonnegative:
            rows.append(problem.source.negative(theta, BATCH)[0])
        worst, points = problem.source.scan(theta, self.linked)
        worst[~self.linked] = math.inf
        order = np.argsort(worst, kind="stable")[:BATCH]
        order = order[worst[order] < 0.0]
        rows.append(problem.source.rows_of(order, points[order]))
        return self._add(np.concatenate(rows), x)

    def _add_first_rows(self) -> None:
        """Add, of the records nearest to being lost at the learned parameters, the row that would lose them."""
        worst, points = self.problem.source.scan(self.theta, self.linked)
        worst[~self.linked] = math.inf
        order = np.argsort(worst, kind="stable")[: FIRST_ROWS * len(self.theta)]
        order = order[np.isfinite(worst[order])]
        self._add(self.problem.source.rows_of(order, points[order]))

    def _add(self, rows: FloatArray, violated_by: FloatArray | None = None) -> int:
        """Add rows . theta >= 0, only those that a point violates if one is given; return how many."""
        scaled = rows * self.scale
        length = np.linalg.norm(scaled, axis=1)
        scaled = scaled[length > 0.0] / length[length > 0.0, None]
        if violated_by is not None:
            scaled = scaled[scaled @ violated_by < -VIOLATED]
        for row in scaled:
            self._add_row(row, 0.0, highspy.kHighsInf)
        return len(scaled)

    def _add_row(self, row: FloatArray, low: float, high: float) -> None:
        places = np.flatnonzero(row).astype(np.int32)
        self.highs.addRow(low, high, len(places), places, row[places])


def _without_optimum(status: Any) -> float:
    """Say what a programme without an optimum means."""
    ends = {highspy.HighsModelStatus.kInfeasible: -math.inf, highspy.HighsModelStatus.kUnbounded: math.inf}
    return ends.get(status, math.nan)
