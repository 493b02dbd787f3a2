"""In which order the children of a block are added to the states, and how many states there are at least on the way."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.tables.posterior.atoms import Statement

SUM_STATES = 50.0
"""States that a partial sum is assumed to have when children are ordered; people drawn have as many as their number."""

CHECKED_AFTER = 256
"""Children that are ordered between two looks at the clock."""


@dataclass(frozen=True, eq=False)
class Item:
    """A statement about the sum of some children; or, if ``statement`` is None, an overlap cell whose sum is wanted."""

    statement: Statement | None
    children: frozenset[int]
    overlap: int = -1

    @property
    def is_drawn(self) -> bool:
        """Whether its partial sum counts the people drawn by a sample, instead of all people."""
        return self.statement is not None and self.statement.is_drawn


def items_of(children: Iterable[int], items: Sequence[Item]) -> dict[int, list[int]]:
    """Return for each child the places of the items it is in."""
    of_child: dict[int, list[int]] = {child: [] for child in children}
    for number, item in enumerate(items):
        for child in item.children:
            of_child[child].append(number)
    return of_child


def ordered(of_child: dict[int, list[int]], items: Sequence[Item], check: Callable[[], None]) -> list[int]:
    """Order the children so that few items are open at a time: the next is always one that leaves the fewest states.

    Of those that do, the first by number. What a child adds changes only when an item it is in is opened, or is left
    with one child; so a child enters the queue anew only then, and what the queue says of it is out of date if it does
    not agree with ``added``. Cost: children times items of each, times a logarithm; ``check`` is called now and then.
    """
    if not items:
        return list(of_child)
    n_left = [len(item.children) for item in items]
    cost = [float(np.log1p(item.statement.drawn if item.statement and item.is_drawn else SUM_STATES)) for item in items]
    is_open = [False] * len(items)
    added = {child: _added(mine, n_left, cost, is_open) for child, mine in of_child.items()}
    queue = [(value, child) for child, value in added.items()]
    heapq.heapify(queue)
    order: list[int] = []
    while queue:
        value, best = heapq.heappop(queue)
        if added.get(best) != value:
            continue
        if len(order) % CHECKED_AFTER == 0:
            check()
        order.append(best)
        del added[best]
        changed: set[int] = set()
        for number in of_child[best]:
            n_left[number] -= 1
            if not is_open[number] or n_left[number] <= 1:
                changed |= items[number].children
            is_open[number] = n_left[number] > 0
        for child in changed & added.keys():
            new = _added(of_child[child], n_left, cost, is_open)
            if new != added[child]:
                added[child] = new
                heapq.heappush(queue, (new, child))
    return order


def _added(mine: Sequence[int], n_left: list[int], cost: list[float], is_open: list[bool]) -> float:
    """Return by how much the state grows, as a logarithm, when a child with these items is added."""
    opened = sum(cost[number] for number in mine if not is_open[number] and n_left[number] > 1)
    return opened - sum(cost[number] for number in mine if n_left[number] == 1) - 1e-3 * len(mine)


def least_states(
    order: Sequence[int], of_child: dict[int, list[int]], items: Sequence[Item], holders: Sequence[int]
) -> tuple[float, float]:
    """Return the logarithms of a number of states that is reached at least, and of the work of all steps at least.

    ``holders`` are children that can hold the people drawn for each item, all at once (`find_holders`). Work is the
    pairs of a state and an addition.

    *Guarantee* (docs/mathematics.md#least-states): if there is a population in which each holder has at least the
    people drawn for its items, so many states are reached. A child adds, for the samples' items it is in, any numbers
    of people drawn up to its count, independently of each other; so once the holder of an item is added and until its
    last child is, every number from 0 to f of people drawn is a state, in all combinations.
    """
    n_left = [len(item.children) for item in items]
    drawn = [float(np.log1p(item.statement.drawn)) if item.statement and item.is_drawn else 0.0 for item in items]
    is_held = [False] * len(items)
    states = most = 0.0
    work = -np.inf
    for child in order:
        work = np.logaddexp(work, states)
        for number in of_child[child]:
            n_left[number] -= 1
            was_held = is_held[number]
            is_held[number] = (was_held or holders[number] == child) and n_left[number] > 0
            states += drawn[number] * (int(is_held[number]) - int(was_held))
        most = max(most, states)
    return most, float(work)


def find_holders(
    order: Sequence[int], of_child: dict[int, list[int]], items: Sequence[Item], most: Sequence[int], whole: int
) -> list[int] | None:
    """Return for each item a child that can hold the people drawn for it, an early one; None if room is short.

    The largest counts of children (``most``), of the sums of tables, and of all children together (``whole``) hold the
    people of all these children at once. Where each child is in one table's sum, the others can always fill up what is
    missing, so that there is such a population; where sums cross, that is taken for granted.
    """
    room = [whole if item.statement is None else item.statement.high for item in items]
    holders, held = [-1] * len(items), dict.fromkeys(order, 0)
    for child in order:
        sums = [number for number in of_child[child] if not items[number].is_drawn]
        for number in of_child[child]:
            statement = items[number].statement
            if holders[number] >= 0 or statement is None or not statement.is_drawn:
                continue
            more = max(0, statement.drawn - held[child])
            if held[child] + more > most[child] or more > whole or any(room[place] < more for place in sums):
                continue
            holders[number] = child
            held[child] += more
            whole -= more
            for place in sums:
                room[place] -= more
    is_short = any(item.is_drawn and holder < 0 for item, holder in zip(items, holders, strict=True))
    return None if is_short else holders
