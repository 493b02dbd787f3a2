"""A dynamic programme over the children of a block: the state is the partial sum of everything still open."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.engine import interrupt
from linkrisk.tables.evidence.domain import IntArray
from linkrisk.tables.evidence.mechanisms import FloatArray
from linkrisk.tables.posterior import dynamic_kernels as kernels
from linkrisk.tables.posterior.atoms import Statement
from linkrisk.tables.posterior.masses import Mass, Options, counted_options, drawn_options, parted

WORK_AT_ONCE = 5_000_000
"""Pairs of a state and an option between two looks at the clock."""

MOST_KEYS = 2**62
"""States that can be numbered."""

SUM_STATES = 50.0
"""What a partial sum is taken to cost when children are ordered: so many states; people drawn cost their number."""


class TooLarge(Exception):  # noqa: N818  (no mistake of anybody: the next method takes over)
    """More states or time would be needed than allowed."""


@dataclass(frozen=True)
class Limits:
    """How many states may be held at once, and until when (`time.perf_counter`) it may take."""

    states: int
    deadline: float

    def check(self) -> None:
        """Raise if time is up or the user has had enough."""
        interrupt.check()
        if time.perf_counter() > self.deadline:
            raise TooLarge


@dataclass(frozen=True, eq=False)
class Item:
    """A statement about the sum of some children, or, with ``statement`` None, an overlap cell to be watched."""

    statement: Statement | None
    children: frozenset[int]
    overlap: int = -1

    @property
    def is_drawn(self) -> bool:
        """Whether people drawn are counted, at most as many as the sample has, instead of everybody."""
        return self.statement is not None and self.statement.is_drawn


@dataclass(frozen=True, eq=False)
class Closed:
    """States without the sums of the ``closing`` items, which are complete.

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
    """One child added: states before, options, states reached, and what is left of them when items are closed."""

    child: int
    active: tuple[int, ...]
    states: IntArray
    weights: FloatArray
    options: Options
    frame: kernels.Frame
    found: kernels.Found
    reached: IntArray
    reached_weights: FloatArray
    closed: Closed


@dataclass(frozen=True, eq=False)
class Programme:
    """A block's dynamic programme, run forward: its mass before statements about the block itself, and all steps."""

    items: tuple[Item, ...]
    steps: tuple[Step, ...]
    values: IntArray
    weights: FloatArray
    mass: Mass


def run_forward(
    children: Sequence[int], masses: dict[int, Mass], items: Sequence[Item], low: int, high: int, limits: Limits
) -> Programme:
    """Add the children one by one; the weight of a state is that of all ways to reach it.

    The state has the sum of the children so far, and for each statement that concerns some children before and some
    after: the people drawn so far for a sample's statement, by C(a + b, f) = sum over u of C(a, u) C(b, f - u); the
    partial sum for others, whose likelihood is multiplied in when the last child is there. States from which the
    bounds cannot be kept are left out.

    *Guarantee*: the weights are exact up to rounding in float64; all terms are positive. Cost: states times options of
    each child.

    Raises
    ------
    TooLarge
        If there are more states than allowed, or time is up.
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
        options = _options(masses[child], items, mine, active, is_drawn=is_drawn)
        whole = (0, MOST_KEYS) if is_drawn else plan.whole(place, low, high)
        frame = _frame(states, options, [whole, *(plan.bounds(place, number) for number in active)])
        found = _extended(states, weights, options, frame, limits)
        reached = _decoded(found, frame)
        closing = tuple(number for number in active if plan.is_complete(place, number))
        closed = _closed(*reached, active, closing, items)
        steps.append(Step(child, active, states, weights, options, frame, kernels.kept(found), *reached, closed))
        states, weights, active = closed.states, closed.weights, closed.active
    size = sum(masses[child].size or 0.0 for child in children) if is_drawn else None
    return Programme(tuple(items), tuple(steps), states[:, 0], weights, _mass(states[:, 0], weights, size))


def run_backward(programme: Programme, outside: FloatArray) -> tuple[dict[int, Mass], dict[int, Mass]]:
    """Return for every child, by its count, the weight of all the rest; and the weights of the watched overlap cells.

    ``outside`` is the logarithm of the weight of everything outside the block, for each of the programme's values.
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
        joint = np.full(len(step.options.weights), -np.inf)
        total = np.zeros(len(joint))
        kernels.retreat(
            step.states, step.weights, step.options.added, step.options.weights, step.frame, step.found, after, before,
            joint, total,
        )  # fmt: skip
        with np.errstate(divide="ignore"):
            rest[step.child] = _mass(step.options.added[:, 0], joint + np.log(total), None)
        after = before
    return rest, watched


@dataclass(frozen=True, eq=False)
class _Plan:
    """The order of the children, what each is part of, and what those after a place can add at least and at most."""

    items: Sequence[Item]
    masses: dict[int, Mass]
    order: list[int]
    of_child: dict[int, list[int]]
    position: dict[int, int]
    least_after: list[int]
    most_after: list[int]

    @classmethod
    def make(cls, children: Sequence[int], items: Sequence[Item], masses: dict[int, Mass], limits: Limits) -> _Plan:
        of_child: dict[int, list[int]] = {child: [] for child in children}
        for number, item in enumerate(items):
            for child in item.children:
                of_child[child].append(number)
        order = _ordered(of_child, items, limits)
        least, most = [0], [0]
        for child in reversed(order[1:]):
            least.append(least[-1] + masses[child].low)
            most.append(most[-1] + masses[child].high)
        position = {child: place for place, child in enumerate(order)}
        return cls(items, masses, order, of_child, position, least[::-1], most[::-1])

    def whole(self, place: int, low: int, high: int) -> tuple[int, int]:
        """Return the sums so far from which the children left can bring the block between ``low`` and ``high``."""
        return low - self.most_after[place], high - self.least_after[place]

    def bounds(self, place: int, number: int) -> tuple[int, int]:
        """Return the least and the largest partial sum of an item that the children left can still put right."""
        statement = self.items[number].statement
        if statement is None:
            return 0, MOST_KEYS
        missing = [self.masses[child] for child in self.items[number].children if self.position[child] > place]
        if statement.is_drawn:
            return (0 if missing else statement.drawn), statement.drawn
        return statement.low - sum(mass.high for mass in missing), statement.high - sum(mass.low for mass in missing)

    def is_complete(self, place: int, number: int) -> bool:
        """Tell whether the last child of an item is there."""
        return all(self.position[child] <= place for child in self.items[number].children)


def _ordered(of_child: dict[int, list[int]], items: Sequence[Item], limits: Limits) -> list[int]:
    """Order the children so that few items are open at a time: always the next one that leaves the fewest states."""
    if not items:
        return list(of_child)
    left = set(of_child)
    n_left = [len(item.children) for item in items]
    cost = [np.log1p(item.statement.drawn if item.statement and item.is_drawn else SUM_STATES) for item in items]
    is_open = [False] * len(items)
    order = []
    while left:
        limits.check()
        best = min(left, key=lambda child: (_added(of_child[child], n_left, cost, is_open), child))
        order.append(best)
        left.remove(best)
        for number in of_child[best]:
            n_left[number] -= 1
            is_open[number] = n_left[number] > 0
    return order


def _added(mine: Sequence[int], n_left: list[int], cost: list[float], is_open: list[bool]) -> float:
    """Return how much more there is to remember when a child with these items is added."""
    opened = sum(cost[number] for number in mine if not is_open[number] and n_left[number] > 1)
    return opened - sum(cost[number] for number in mine if n_left[number] == 1) - 1e-3 * len(mine)


def _opened(states: IntArray, active: tuple[int, ...], mine: Sequence[int]) -> tuple[IntArray, tuple[int, ...]]:
    new = tuple(number for number in mine if number not in active)
    return np.hstack([states, np.zeros((len(states), len(new)), dtype=np.int64)]), (*active, *new)


def _options(
    mass: Mass, items: Sequence[Item], mine: Sequence[int], active: tuple[int, ...], *, is_drawn: bool
) -> Options:
    """Return what a child adds to each column of the state."""
    drawn = [number for number in mine if items[number].is_drawn]
    sums = [number for number in mine if not items[number].is_drawn]
    most = [statement.drawn for number in drawn if (statement := items[number].statement)]
    found = drawn_options(mass, most) if is_drawn else counted_options(mass, most, len(sums))
    added = np.zeros((len(found.weights), 1 + len(active)), dtype=np.int64)
    added[:, 0] = found.added[:, 0]
    for column, number in enumerate((*drawn, *sums), start=1):
        added[:, 1 + active.index(number)] = found.added[:, column]
    return Options(added, found.weights)


def _frame(states: IntArray, options: Options, bounds: Sequence[tuple[int, int]]) -> kernels.Frame:
    """Return which new states are possible, and how they are numbered."""
    if not len(states) or not len(options.weights):
        return kernels.Frame(*(np.zeros(states.shape[1], dtype=np.int64) for _ in range(3)))
    least = states.min(axis=0) + options.added.min(axis=0)
    most = states.max(axis=0) + options.added.max(axis=0)
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
    states: IntArray, weights: FloatArray, options: Options, frame: kernels.Frame, limits: Limits
) -> kernels.Found:
    n_options = max(1, len(options.weights))
    widths = [max(0, int(b) - int(a) + 1) for a, b in zip(frame.least, frame.most, strict=True)]
    possible = int(np.prod([float(width) for width in widths]).clip(max=float(MOST_KEYS)))
    room = max(1, min(limits.states, len(states) * n_options, possible))
    found = kernels.make_found(room)
    block = max(1, WORK_AT_ONCE // n_options)
    for start in range(0, len(states), block):
        limits.check()
        part = slice(start, start + block)
        if not kernels.extend(states[part], weights[part], options.added, options.weights, frame, found):
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
    """Multiply in the statements that are complete, and forget their sums."""
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
    """Return a mass from weights of values, in any order, some perhaps more than once."""
    values, weights = values[np.isfinite(weights)], weights[np.isfinite(weights)]
    if not len(values):
        return Mass(0, np.zeros(0), size)
    low = 0 if size is not None else int(values.min())
    found = _log_sums(values - low, weights, int(values.max()) - low + 1)
    return Mass(low, found if size is None else parted(found, size), size)
