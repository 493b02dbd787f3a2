"""EM that looks ahead: its last steps tell where it is going, and it goes there if that fits no worse."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.probabilistic.em import MET, Problem, State, shares
from linkrisk.engine import interrupt

CHANGE = 2e-5
"""EM may have settled when an iteration changes nothing by more: probabilities, and the share relatively."""

AHEAD = 3e-4
"""EM has settled when the place it is going to, as its last steps tell, is twice in a row no farther away than this."""

TWICE = 2

ROUNDING = 1e-12
"""Change that rounding alone may make, for ever."""

DEPTH = 8
"""Steps that are looked back on."""

RIDGE = 1e-8
"""Squares of singular values below this share of the largest count for little: steps that say nearly the same."""

LONGEST = 3.0
"""Largest change of the logarithm of a probability beyond where EM itself goes."""


@dataclass
class Extrapolation:
    """Where a sequence x, g(x), ... is going, told by its last steps (Anderson 1965; Walker and Ni 2011, type II).

    With f = g(x) - x, and dF, dG the differences between neighbouring f and g(x): g(x) - dG . gamma, where gamma
    minimises |f - dF . gamma|. If g were linear and the steps looked back on spanned the space, that would be its fixed
    point.
    """

    before: deque[FloatArray] = field(default_factory=lambda: deque(maxlen=DEPTH + 1))
    after: deque[FloatArray] = field(default_factory=lambda: deque(maxlen=DEPTH + 1))

    def add(self, before: FloatArray, after: FloatArray) -> None:
        """Take note of a step."""
        self.before.append(before)
        self.after.append(after)

    def forget(self) -> None:
        """Begin anew."""
        self.before.clear()
        self.after.clear()

    def ahead(self, weights: FloatArray) -> FloatArray | None:
        """Return where it is going, lengths measured with these weights; None where too few steps are known."""
        ends = np.array(self.after)
        moves = ends - np.array(self.before)
        turns, strides = np.diff(moves, axis=0).T * weights[:, None], np.diff(ends, axis=0).T
        lengths = np.linalg.norm(turns, axis=0)
        if len(moves) < 2 or not lengths.all() or not np.isfinite(lengths).all():
            return None
        left, sizes, right = np.linalg.svd(turns / lengths, full_matrices=False)
        damped = sizes / (sizes**2 + RIDGE * sizes[0] ** 2)
        gamma = (right.T @ (damped * (left.T @ (moves[-1] * weights)))) / lengths
        way = -(strides @ gamma)
        longest = float(np.abs(way).max())
        return np.asarray(ends[-1] + way * min(1.0, LONGEST / max(longest, LONGEST)))


@dataclass(frozen=True)
class Visit:
    """A state with its fit, what EM makes of it, and the problem with what attributes borrow there."""

    problem: Problem
    here: State
    after: State


def accelerate(
    problem: Problem, state: State, iterations: int, *, until: State | None = None, is_borrowing: bool = False
) -> tuple[Problem, State]:
    """Iterate until EM has settled, or has come to ``until``, going through the files at most ``iterations`` times.

    After each iteration the last ones tell where EM is going (`Extrapolation`, in logarithms of probabilities; levels
    out of order are pooled there). If the objective there is no lower than here it goes on from there, otherwise from
    where EM itself went. With ``is_borrowing`` attributes borrow anew in every state. The end is what an iteration of
    EM made. EM has settled when an iteration changes nothing by more than 2e-5, and where it is going is no farther
    than 3e-4, twice in a row.

    *Guarantee* (docs/mathematics.md#em): the objective never falls from one state to the next, what is borrowed held
    fast. Returns the problem with what is borrowed at the end, and the end.
    """
    if iterations <= 0:
        return problem, problem.valued(state)
    walk = Walk(problem, is_borrowing)
    visit, last, n_near = walk.visit(state), state.iterations + iterations, 0
    while True:
        interrupt.check()
        ahead = walk.ahead(visit)
        change, reach = visit.here.change(visit.after), math.inf if ahead is None else visit.here.change(ahead)
        n_near = n_near + 1 if change <= CHANGE and reach <= AHEAD else 0
        is_settled = n_near >= TWICE or change <= ROUNDING
        has_met = until is not None and visit.after.apart(until) <= MET
        if is_settled or has_met or visit.after.iterations >= last:
            end = walk.visit(visit.after)
            return end.problem, replace(end.here, is_settled=is_settled)
        if ahead is not None and visit.after.iterations + 1 < last:  # there may be one to be made in vain
            visit = walk.to(visit, ahead)
        else:
            visit = walk.visit(visit.after)


@dataclass
class Walk:
    """From state to state."""

    problem: Problem
    is_borrowing: bool
    steps: Extrapolation = field(default_factory=Extrapolation)

    def visit(self, state: State) -> Visit:
        """Go through the files once."""
        problem = self.problem.borrowing(state) if self.is_borrowing else self.problem
        return Visit(problem, *problem.iterate(state))

    def to(self, visit: Visit, ahead: State) -> Visit:
        """Go to a state that is ahead if it fits no worse (up to rounding), otherwise to where EM went."""
        tried = self.visit(ahead)
        least = visit.here.objective - 8.0 * math.ulp(visit.here.objective)
        if visit.problem.rated(tried.here).objective >= least:
            return tried
        self.steps.forget()
        return self.visit(replace(visit.after, iterations=tried.after.iterations))

    def ahead(self, visit: Visit) -> State | None:
        """Return where EM is going, None where that is not known."""
        self.steps.add(self._logarithms(visit.here), self._logarithms(visit.after))
        weights = np.concatenate(
            [*(np.sqrt(values[self.problem.is_used]) for values in (visit.here.m, visit.here.u)), [1.0]]
        )
        found = self.steps.ahead(weights)
        return None if found is None else replace(self._state(found), iterations=visit.after.iterations)

    def _logarithms(self, state: State) -> FloatArray:
        is_used = self.problem.is_used
        return np.asarray(np.log(np.concatenate([state.m[is_used], state.u[is_used], [state.share]])))

    def _state(self, logarithms: FloatArray) -> State:
        """Return the state with given logarithms, or nearly: shares add up to 1, weights are in order."""
        problem, is_used = self.problem, self.problem.is_used
        m, u = np.zeros_like(problem.prior), np.zeros_like(problem.prior)
        m[is_used], u[is_used] = np.exp(logarithms[:-1].reshape(2, -1))
        share = problem.largest_share
        if not problem.is_share_known:
            share = min(max(math.exp(logarithms[-1]), 1e-300), share)
        m, u = shares(m), shares(u)
        m, u = problem.in_order(share * m, (1.0 - share) * u)
        return State(shares(m), shares(u), share)
