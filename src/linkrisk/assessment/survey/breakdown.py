"""Risk by the values of a column, in a table that can be shared: no row is about few people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray, LabelArray

MISSING = "(missing)"
"""The row of those whose value is missing."""


@dataclass(frozen=True, eq=False, repr=False)
class Chances:
    """How likely one attacker on one scale finds each record, or each group (confidential)."""

    label: str
    scale: str
    chance: FloatArray

    def __repr__(self) -> str:
        return f"<Chances of {self.label} on scale {self.scale}, confidential>"


@dataclass(frozen=True)
class AttackRate:
    """What one attack finds among some people: how many, their share, and their share of the population.

    ``population_rate`` is None without sampling weights.
    """

    label: str
    scale: str
    found: float
    rate: float
    population_rate: float | None = None


@dataclass(frozen=True)
class Cell:
    """The people (or groups) who have one value and could be found, and what each attack finds among them."""

    value: str
    n: int
    attacks: tuple[AttackRate, ...]


@dataclass(frozen=True)
class Breakdown:
    """Risk by the values of one column; values with fewer than ``smallest_cell`` people are not told apart.

    ``cells`` are those shown. ``others`` are the ``n_hidden`` values that are not, together; None if there are none.
    """

    column: str
    smallest_cell: int
    cells: tuple[Cell, ...]
    n_hidden: int = 0
    others: Cell | None = None


def break_down(
    column: str,
    labels: LabelArray,
    attacks: Sequence[Chances],
    can_be_found: BoolArray,
    *,
    smallest_cell: int,
    weights: FloatArray | None = None,
) -> Breakdown:
    """Tell the risk by the values of a column, without rows that are about few people.

    The rate of a value is the sum of its people's chances over their number; with weights, sums are of weight times
    chance, and of weights. People without counterpart cannot be found and do not count; a missing value is one of its
    own. Which rows are shown is told by `hidden_cells`. Cost: a pass over the records for each attack.

    Examples
    --------
    >>> links = Chances("mean", "ranks", np.array([1.0, 1.0, 0.0, 0.0, 0.0, 1.0]))
    >>> region = np.array(["north", "north", "north", "south", "south", "west"], dtype=object)
    >>> found = break_down("region", region, [links], np.ones(6, dtype=bool), smallest_cell=3)
    >>> [(cell.value, cell.n, cell.attacks[0].rate) for cell in (*found.cells, found.others)]
    [('north', 3, 0.6666666666666666), ('', 3, 0.3333333333333333)]
    """
    spelled = [MISSING if label is None else str(label) for label in labels]
    values = _ordered({value for value, is_counted in zip(spelled, can_be_found, strict=True) if is_counted})
    place = {value: number for number, value in enumerate(values)}
    numbers = np.array([place.get(value, -1) for value in spelled])
    rows = [np.flatnonzero(can_be_found & (numbers == number)) for number in range(len(values))]
    hidden = hidden_cells(np.array([len(some) for some in rows], dtype=np.int64), smallest_cell)
    shown = tuple(
        _cell(value, some, attacks, weights)
        for value, some, is_hidden in zip(values, rows, hidden, strict=True)
        if not is_hidden
    )
    left = [some for some, is_hidden in zip(rows, hidden, strict=True) if is_hidden]
    others = _cell("", np.concatenate(left), attacks, weights) if left else None
    return Breakdown(column, smallest_cell, shown, len(left), others)


def break_down_all(
    columns: Sequence[tuple[str, LabelArray]],
    attacks: Sequence[Chances],
    can_be_found: BoolArray,
    *,
    smallest_cell: int,
    weights: FloatArray | None = None,
) -> tuple[tuple[Breakdown, ...], tuple[str, ...]]:
    """Tell the risk by the values of several columns, one by one, and why some are left out.

    Where sums of rows of two tables are the same people, as of a region and its districts, what one of them hides could
    be told from the other: then the later one is left out (docs/mathematics.md#suppression).
    """
    shown: list[tuple[LabelArray, Breakdown]] = []
    notes = []
    for name, labels in columns:
        table = break_down(name, labels, attacks, can_be_found, smallest_cell=smallest_cell, weights=weights)
        tells = [
            other
            for before, other in shown
            if (table.n_hidden or other.n_hidden) and has_common_sums(before[can_be_found], labels[can_be_found])
        ]
        if tells:
            notes.append(
                f"no risk by {name}: some of its values make up values of {tells[0].column}, so that small numbers "
                "hidden in one table could be told from the other; name one of the two in by (--by)"
            )
        else:
            shown.append((labels, table))
    return tuple(table for _, table in shown), tuple(notes)


def has_common_sums(first: LabelArray, second: LabelArray) -> bool:
    """Tell whether some values of two columns, but not all, are of the same people.

    Values are connected where somebody has both; the people of all connected values are a sum of rows of either table.

    >>> region = np.array(["n", "n", "s", "s"], dtype=object)
    >>> has_common_sums(region, np.array(["n1", "n2", "s1", "s2"], dtype=object))
    True
    >>> has_common_sums(region, np.array(["f", "m", "f", "m"], dtype=object))
    False
    """
    pairs = set(zip(first.tolist(), second.tolist(), strict=True))
    if not pairs:
        return False
    start = next(iter(pairs))
    ours, theirs = {start[0]}, {start[1]}
    while True:
        reached = {pair for pair in pairs if pair[0] in ours or pair[1] in theirs}
        if len(reached) == len(pairs):
            return False
        pairs -= reached
        new = {one for one, _ in reached} - ours, {other for _, other in reached} - theirs
        if not any(new):
            return True
        ours |= new[0]
        theirs |= new[1]


def hidden_cells(counts: IntArray, smallest: int) -> BoolArray:
    """Tell which cells of a table whose total is known are not shown.

    Those below the smallest count are not. What is hidden can be told from the total by subtraction, all hidden cells
    together; so the smallest of the others are hidden, too, until there are two of them at least, and with the smallest
    count together. Ties: of equal cells the first is hidden first.

    *Guarantee* (docs/mathematics.md#suppression): no cell, and no difference of the total and cells shown, is between 1
    and the smallest count, unless the total is.

    >>> hidden_cells(np.array([30, 4, 20, 50]), 10).tolist()
    [False, True, True, False]
    >>> hidden_cells(np.array([30, 4, 20, 8]), 10).tolist()
    [False, True, False, True]
    """
    hidden = np.asarray(counts < smallest)
    if not hidden.any():
        return hidden
    for place in np.argsort(counts, kind="stable"):
        if hidden.sum() >= 2 and counts[hidden].sum() >= smallest:
            break
        hidden[place] = True
    return hidden


def attack_rate(attack: Chances, rows: IntArray, weights: FloatArray | None) -> AttackRate:
    """Return what an attack finds among some people; the rate for the population is that of Hájek."""
    chance = attack.chance[rows]
    population = None
    if weights is not None:
        population = float((weights[rows] * chance).sum() / weights[rows].sum())
    return AttackRate(attack.label, attack.scale, float(chance.sum()), float(chance.sum() / len(rows)), population)


def _cell(value: str, rows: IntArray, attacks: Sequence[Chances], weights: FloatArray | None) -> Cell:
    return Cell(value, len(rows), tuple(attack_rate(attack, rows, weights) for attack in attacks))


def _ordered(values: set[str]) -> list[str]:
    """Return values in order: numbers by size, then texts, then who has none.

    >>> _ordered({"10", "9", MISSING, "north"})
    ['9', '10', 'north', '(missing)']
    """
    return sorted(values, key=lambda value: (value == MISSING, *_number(value), value))


def _number(value: str) -> tuple[bool, float]:
    try:
        number = float(value)
    except ValueError:
        return True, 0.0
    return (True, 0.0) if math.isnan(number) else (False, number)
