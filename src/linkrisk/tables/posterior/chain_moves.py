"""Moves between populations that keep all fixed sums, and whether they are proven to reach every such population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from linkrisk.arrays import IntArray
from linkrisk.tables.posterior.atoms import Atoms
from linkrisk.tables.posterior.chain_kernels import Moves

MOST_PAIRS = 4_000_000
"""Most pairs of a left and a right cell of a split that are listed."""

MOST_LATTICE = 400
"""Number of classes up to which a basis of the integer kernel is computed."""


@dataclass(frozen=True, eq=False)
class MoveSet:
    """The moves, whether they are proven to connect all populations, and why."""

    moves: Moves
    is_proven: bool
    reason: str


def make_moves(atoms: Atoms) -> MoveSet:
    """Return moves that keep every fixed sum.

    Atoms in the same fixed sums form a class. *Transfers* move people from one atom to another of its class.
    *Exchanges* split the tables into two sides; people of two classes that agree on the attributes both sides share
    exchange their categories on one side: these are the primitive moves of Dobra (2003). *Lattice moves* are sums of
    vectors from a basis of the integer kernel over classes.

    *Guarantee* (docs/mathematics.md#chain) (``is_proven``): every population with the fixed sums can be reached from
    every other, because all of them have a positive weight (`log_likelihood` has a penalty instead of bounds). Where at
    most one table fixes sums, its cells and the rest are a partition, and transfers suffice. Where all tables that fix
    sums are exact and their attributes are the cliques of a decomposable graph, exchanges connect the counts of
    classes, because they are a Markov basis (Dobra, A., 2003, Markov bases for decomposable graphical models, Bernoulli
    9(6), 1093-1108); and transfers connect all populations with the same counts of classes. In all other cases lattice
    moves are added, and nothing is proven.
    """
    classes, group = np.unique(atoms.margins, axis=0, return_inverse=True)
    group = group.ravel().astype(np.int64)
    n_tables = atoms.margins.shape[1]
    splits = _splits(atoms.margin_attributes) if n_tables > 1 else []
    exchanges = None if splits is None else _exchanges(classes, splits)
    is_proven = exchanges is not None
    lattice = np.zeros((0, len(classes)), dtype=np.int64)
    if exchanges is None:
        exchanges = _no_exchanges(len(classes))
        if len(classes) <= MOST_LATTICE:
            lattice = integer_kernel(_fixed_sums(classes))
    largest = atoms.population * float(atoms.sizes.max() / atoms.sizes.sum())
    n_levels = 1 + int(np.ceil(np.log2(1.0 + largest)))
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(classes) + 1))
    moves = Moves(group, starts, order, *exchanges, lattice, n_levels)
    return MoveSet(moves, is_proven, _reason(n_tables, is_proven=is_proven))


def _reason(n_tables: int, *, is_proven: bool) -> str:
    if not is_proven:
        return "the tables that fix sums are not those of a decomposable graph"
    return "at most one table fixes sums" if n_tables <= 1 else "exact tables of a decomposable graph"


def _splits(attributes: Sequence[tuple[str, ...]]) -> list[tuple[list[int], list[int]]] | None:
    """Return the two sides of every edge of a junction tree of the tables; None if they have none (Graham's test)."""
    if any(not names for names in attributes):
        return None
    left = dict(enumerate(set(names) for names in attributes))
    parent: dict[int, int] = {}
    while len(left) > 1:
        ear = next((pair for pair in ((a, _holder(a, left)) for a in left) if pair[1] is not None), None)
        if ear is None or ear[1] is None:
            return None
        parent[ear[0]] = ear[1]
        del left[ear[0]]
    sides = []
    for table in parent:
        inside = [other for other in range(len(attributes)) if _is_below(other, table, parent)]
        sides.append((inside, [other for other in range(len(attributes)) if other not in inside]))
    return sides


def _holder(table: int, left: dict[int, set[str]]) -> int | None:
    """Return another table that has all attributes which this one shares with any other; None if there is none."""
    others = {name for other, names in left.items() if other != table for name in names}
    shared = left[table] & others
    return next((other for other, names in left.items() if other != table and shared <= names), None)


def _is_below(table: int, ancestor: int, parent: dict[int, int]) -> bool:
    while table != ancestor and table in parent:
        table = parent[table]
    return table == ancestor


Exchanges = tuple[IntArray, IntArray, IntArray, IntArray, IntArray, IntArray]


def _no_exchanges(n_classes: int) -> Exchanges:
    rows, wide = np.zeros((0, n_classes), dtype=np.int64), np.zeros((0, 1), dtype=np.int64)
    return rows, rows, rows, wide, rows, wide


def _exchanges(classes: IntArray, splits: Sequence[tuple[list[int], list[int]]]) -> Exchanges | None:
    """Return the cells of every class in every split; None if some combination of a left and a right cell is missing.

    Classes that are connected by equal left or right cells agree on the attributes that both sides share.
    """
    if not splits:
        return _no_exchanges(len(classes))
    found = []
    for sides in splits:
        left, right = (np.unique(classes[:, side], axis=0, return_inverse=True)[1].ravel() for side in sides)
        n_left, n_right = int(left.max()) + 1, int(right.max()) + 1
        if n_left * n_right > MOST_PAIRS:
            return None
        component = _components(left, right, n_left, n_right)
        if not _is_complete(left, right, component):
            return None
        pair = np.full(1 + n_left * n_right, -1, dtype=np.int64)
        pair[0] = n_right
        pair[1 + left * n_right + right] = np.arange(len(classes))
        order = np.argsort(component, kind="stable")
        starts = np.searchsorted(component[order], np.arange(component.max() + 2))
        found.append((left, right, component, starts, order, pair))
    left, right, component, starts, order, pair = (_stacked(rows) for rows in zip(*found, strict=True))
    return left, right, component, starts, order, pair


def _stacked(rows: Sequence[IntArray]) -> IntArray:
    result = np.full((len(rows), max(len(row) for row in rows)), -1, dtype=np.int64)
    for place, row in enumerate(rows):
        result[place, : len(row)] = row
    return result


def _components(left: IntArray, right: IntArray, n_left: int, n_right: int) -> IntArray:
    n = n_left + n_right
    graph = coo_array((np.ones(len(left)), (left, n_left + right)), shape=(n, n))
    _, label = connected_components(graph, directed=False)
    _, component = np.unique(label[left], return_inverse=True)
    return component.ravel().astype(np.int64)


def _is_complete(left: IntArray, right: IntArray, component: IntArray) -> bool:
    n = int(component.max()) + 1
    n_classes = np.bincount(component, minlength=n)
    n_parts = [np.bincount(np.unique(np.stack([component, part]), axis=1)[0], minlength=n) for part in (left, right)]
    return bool((n_classes == n_parts[0] * n_parts[1]).all())


def _fixed_sums(classes: IntArray) -> IntArray:
    """Return the matrix of fixed sums over classes, the total included."""
    total = np.ones((1, len(classes)), dtype=np.int64)
    cells = [column[None, :] == np.unique(column[column >= 0])[:, None] for column in classes.T]
    return np.vstack([total, *cells]).astype(np.int64)


def integer_kernel(matrix: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a basis of all whole vectors that a matrix maps to 0, one vector per row, shortened pair by pair.

    *Guarantee* (docs/mathematics.md#chain): every whole vector of the kernel is a whole combination of the rows,
    because they are the rows that a unimodular transformation maps to 0.

    >>> integer_kernel(np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])).tolist()
    [[1, -1, -1, 1]]
    """
    n_rows, n = matrix.shape
    work = np.hstack([matrix.T.astype(object), np.eye(n, dtype=np.int64).astype(object)])
    first = 0
    for column in range(n_rows):
        while True:
            places = [row for row in range(first, n) if work[row, column]]
            if len(places) <= 1:
                break
            pivot = min(places, key=lambda row: abs(work[row, column]))
            for row in places:
                if row != pivot:
                    work[row] -= (work[row, column] // work[pivot, column]) * work[pivot]
        if places:
            work[[first, places[0]]] = work[[places[0], first]]
            first += 1
    return _shortened(work[first:, n_rows:].astype(np.int64))


def _shortened(basis: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add or subtract basis vectors as long as one of them gets shorter."""
    basis = basis.copy()
    for _ in range(10):
        is_changed = False
        for row in range(len(basis)):
            for sign in (1, -1):
                others = basis + sign * basis[row]
                others[row] = basis[row]
                is_shorter = np.abs(others).sum(axis=1) < np.abs(basis).sum(axis=1)
                is_changed = is_changed or bool(is_shorter.any())
                basis[is_shorter] = others[is_shorter]
        if not is_changed:
            break
    signs = np.array([row[np.flatnonzero(row)[0]] for row in basis]) if len(basis) else np.zeros(0)
    return np.where(signs[:, None] < 0, -basis, basis) if len(basis) else basis
