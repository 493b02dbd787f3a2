"""A dynamic programme over the children of a block: a state holds the partial sums of all statements still open."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.tables.posterior import dynamic_kernels as kernels
from linkrisk.tables.posterior.child_order import Item, items_of, ordered
from linkrisk.tables.posterior.masses import Additions, Mass, counted_additions, drawn_additions, parted

WORK_AT_ONCE = 5_000_000
"""Pairs of a state and an addition between two looks at the clock."""

MOST_KEYS = 2**62
"""Number of states up to which they can be numbered."""


class TooLarge(Exception):  # noqa: N818  (no mistake of anybody: the next method takes over)
    """More states or more time would be needed than allowed."""


@dataclass(frozen=True)
class Limits:
    """How many states may be held at once, and when to stop, by `time.perf_counter`."""

    states: int
    deadline: float

    def check(self) -> None:
        """Raise if time is up or the user has interrupted."""
        interrupt.check()
        if time.perf_counter() > self.deadline:
            raise TooLarge


@dataclass(frozen=True, eq=False)
class Closed:
    """States after the ``closing`` items, which are complete, were taken out of them.

    For each state before: the weight of these items (``factor``), and the number of the state it becomes (``group``).
    """

    closing: tuple[int, ...]
    factor: FloatArray
    group: IntArray
    states: IntArray
    weights: FloatArray
    active: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Step:
    """The step that adds one child: states before, what it can add, states reached, and states after items closed."""

    child: int
    active: tuple[int, ...]
    states: IntArray
    weights: FloatArray
    additions: Additions
    frame: kernels.Frame
    found: kernels.Found
    reached: IntArray
    reached_weights: FloatArray
    closed: Closed


@dataclass(frozen=True, eq=False)
class DynamicProgramme:
    """The dynamic programme of a block, run forward: all steps, and its mass without statements about the block."""

    items: tuple[Item, ...]
    steps: tuple[Step, ...]
    values: IntArray
    weights: FloatArray
    mass: Mass


def run_forward(
    children: Sequence[int], masses: dict[int, Mass], items: Sequence[Item], low: int, high: int, limits: Limits
) -> DynamicProgramme:
    """Add the children one by one; the weight of a state is the total weight of all ways to reach it.

    A state holds the sum of the children so far, and one number for each statement that concerns children before and
    after: for a statement of a sample the people drawn so far, by C(a + b, f) = sum over u of C(a, u) C(b, f - u); for
    others the partial sum, whose likelihood is multiplied in after the last child. States that cannot end within the
    bounds are left out.

    *Guarantee* (docs/mathematics.md#dynamic-programme): the weights are exact up to rounding in float64; all terms are
    positive. Cost: states times additions of each child.

    Raises
    ------
    TooLarge
        If more states are needed than allowed, or time is up.
    """
    is_drawn = all(masses[child].is_drawn for child in children)
    plan = _Plan.make(children, items, masses, limits)
    active: tuple[int, ...] = ()
    states, weights = np.zeros((1, 1), dtype=np.int64), np.zeros(1)
    steps = []
    for place, child in enumerate(plan.order):
        limits.check()
        mine = plan.of_child[child]
        states, active = _opened(states, active, mine)
        additions = _additions(masses[child], items, mine, active, is_drawn=is_drawn)
        whole = (0, MOST_KEYS) if is_drawn else plan.whole(place, low, high)
        frame = _frame(states, additions, [whole, *(plan.bounds(place, number) for number in active)])
        found = _extended(states, weights, additions, frame, limits)
        reached = _decoded(found, frame)
        closing = tuple(number for number in active if plan.is_complete(place, number))
        closed = _closed(*reached, active, closing, items)
        steps.append(Step(child, active, states, weights, additions, frame, kernels.kept(found), *reached, closed))
        states, weights, active = closed.states, closed.weights, closed.active
    size = sum(masses[child].size or 0.0 for child in children) if is_drawn else None
    return DynamicProgramme(tuple(items), tuple(steps), states[:, 0], weights, _mass(states[:, 0], weights, size))


def run_backward(programme: DynamicProgramme, outside: FloatArray) -> tuple[dict[int, Mass], dict[int, Mass]]:
    """Return for every child, by its count, the weight of everything; and that of the wanted overlap cells by theirs.

    ``outside`` is the logarithm of the weight of everything outside the block, for each count of the block.
    """
    after = outside
    rest: dict[int, Mass] = {}
    watched: dict[int, Mass] = {}
    for step in reversed(programme.steps):
        interrupt.check()
        after = step.closed.factor + after[step.closed.group]
        for number in step.closed.closing:
            item = programme.items[number]
            if item.statement is None:
                column = step.reached[:, 1 + step.active.index(number)]
                watched[item.overlap] = _mass(column, step.reached_weights + after, None)
        before = np.empty(len(step.states))
        joint = np.full(len(step.additions.weights), -np.inf)
        total = np.zeros(len(joint))
        kernels.retreat(
            step.states, step.weights, step.additions.added, step.additions.weights, step.frame, step.found, after,
            before, joint, total,
        )  # fmt: skip
        with np.errstate(divide="ignore"):
            rest[step.child] = _mass(step.additions.added[:, 0], joint + np.log(total), None)
        after = before
    return rest, watched


@dataclass(frozen=True, eq=False)
class _Plan:
    """The order of the children, the items of each, and the least and largest sum of the children after a place."""

    items: Sequence[Item]
    masses: dict[int, Mass]
    order: list[int]
    of_child: dict[int, list[int]]
    position: dict[int, int]
    least_after: list[int]
    most_after: list[int]

    @classmethod
    def make(cls, children: Sequence[int], items: Sequence[Item], masses: dict[int, Mass], limits: Limits) -> _Plan:
        of_child = items_of(children, items)
        order = ordered(of_child, items, limits.check)
        least, most = [0], [0]
        for child in reversed(order[1:]):
            least.append(least[-1] + masses[child].low)
            most.append(most[-1] + masses[child].high)
        position = {child: place for place, child in enumerate(order)}
        return cls(items, masses, order, of_child, position, least[::-1], most[::-1])

    def whole(self, place: int, low: int, high: int) -> tuple[int, int]:
        """Return the bounds on the sum so far such that the remaining children can bring it to ``low`` to ``high``."""
        return low - self.most_after[place], high - self.least_after[place]

    def bounds(self, place: int, number: int) -> tuple[int, int]:
        """Return the bounds on the partial sum of an item such that the remaining children can complete it."""
        statement = self.items[number].statement
        if statement is None:
            return 0, MOST_KEYS
        missing = [self.masses[child] for child in self.items[number].children if self.position[child] > place]
        if statement.is_drawn:
            return (0 if missing else statement.drawn), statement.drawn
        return statement.low - sum(mass.high for mass in missing), statement.high - sum(mass.low for mass in missing)

    def is_complete(self, place: int, number: int) -> bool:
        """Tell whether the last child of an item has been added."""
        return all(self.position[child] <= place for child in self.items[number].children)


def _opened(states: IntArray, active: tuple[int, ...], mine: Sequence[int]) -> tuple[IntArray, tuple[int, ...]]:
    new = tuple(number for number in mine if number not in active)
    return np.hstack([states, np.zeros((len(states), len(new)), dtype=np.int64)]), (*active, *new)


def _additions(
    mass: Mass, items: Sequence[Item], mine: Sequence[int], active: tuple[int, ...], *, is_drawn: bool
) -> Additions:
    """Return what a child can add to each column of the state."""
    drawn = [number for number in mine if items[number].is_drawn]
    sums = [number for number in mine if not items[number].is_drawn]
    most = [statement.drawn for number in drawn if (statement := items[number].statement)]
    found = drawn_additions(mass, most) if is_drawn else counted_additions(mass, most, len(sums))
    added = np.zeros((len(found.weights), 1 + len(active)), dtype=np.int64)
    added[:, 0] = found.added[:, 0]
    for column, number in enumerate((*drawn, *sums), start=1):
        added[:, 1 + active.index(number)] = found.added[:, column]
    return Additions(added, found.weights)


def _frame(states: IntArray, additions: Additions, bounds: Sequence[tuple[int, int]]) -> kernels.Frame:
    """Return which new states are possible, and how they are numbered."""
    if not len(states) or not len(additions.weights):
        return kernels.Frame(*(np.zeros(states.shape[1], dtype=np.int64) for _ in range(3)))
    least = states.min(axis=0) + additions.added.min(axis=0)
    most = states.max(axis=0) + additions.added.max(axis=0)
    for column, (lower, upper) in enumerate(bounds):
        least[column] = max(least[column], lower)
        most[column] = min(most[column], upper)
    return _numbered(least, most)


def _numbered(least: IntArray, most: IntArray) -> kernels.Frame:
    stride, product = np.ones(len(least), dtype=np.int64), 1
    for column in range(len(least)):
        stride[column] = product
        product *= max(1, int(most[column]) - int(least[column]) + 1)
        if product > MOST_KEYS:
            raise TooLarge
    return kernels.Frame(least, most, stride)


def _extended(
    states: IntArray, weights: FloatArray, additions: Additions, frame: kernels.Frame, limits: Limits
) -> kernels.Found:
    n_additions = max(1, len(additions.weights))
    widths = [max(0, int(b) - int(a) + 1) for a, b in zip(frame.least, frame.most, strict=True)]
    possible = int(np.prod([float(width) for width in widths]).clip(max=float(MOST_KEYS)))
    room = max(1, min(limits.states, len(states) * n_additions, possible))
    found = kernels.make_found(room)
    block = max(1, WORK_AT_ONCE // n_additions)
    for start in range(0, len(states), block):
        limits.check()
        part = slice(start, start + block)
        if not kernels.extend(states[part], weights[part], additions.added, additions.weights, frame, found):
            raise TooLarge
    return found


def _decoded(found: kernels.Found, frame: kernels.Frame) -> tuple[IntArray, FloatArray]:
    n = int(found.n[0])
    rest = found.keys[:n]
    states = np.empty((n, len(frame.least)), dtype=np.int64)
    for column in reversed(range(len(frame.least))):
        value, rest = np.divmod(rest, frame.stride[column])
        states[:, column] = value + frame.least[column]
    return states, found.peak[:n] + np.log(found.total[:n])


def _closed(
    reached: IntArray, weights: FloatArray, active: tuple[int, ...], closing: tuple[int, ...], items: Sequence[Item]
) -> Closed:
    """Multiply in the likelihoods of statements that are complete, and drop their sums from the states."""
    factor = np.zeros(len(reached))
    for number in closing:
        statement = items[number].statement
        if statement is not None and not statement.is_drawn:
            factor += statement.log_likelihood(reached[:, 1 + active.index(number)])
    if not closing:
        return Closed((), factor, np.arange(len(reached)), reached, weights, active)
    still = tuple(number for number in active if number not in closing)
    columns = reached[:, [0, *(1 + active.index(number) for number in still)]]
    after, place = np.unique(columns, axis=0, return_inverse=True)
    group = place.ravel().astype(np.int64)
    return Closed(closing, factor, group, after, _log_sums(group, weights + factor, len(after)), still)


def _log_sums(group: IntArray, weights: FloatArray, n: int) -> FloatArray:
    """Return the logarithm of the sum of the weights of each group."""
    peak = np.full(n, -np.inf)
    np.maximum.at(peak, group, weights)
    base = np.where(np.isfinite(peak), peak, 0.0)
    total = np.bincount(group, weights=np.exp(weights - base[group]), minlength=n)
    with np.errstate(divide="ignore"):
        return np.asarray(base + np.log(total))


def _mass(values: IntArray, weights: FloatArray, size: float | None) -> Mass:
    """Return the mass for weights of values, which may be in any order and occur more than once."""
    values, weights = values[np.isfinite(weights)], weights[np.isfinite(weights)]
    if not len(values):
        return Mass(0, np.zeros(0), size)
    low = 0 if size is not None else int(values.min())
    found = _log_sums(values - low, weights, int(values.max()) - low + 1)
    return Mass(low, found if size is None else parted(found, size), size)
