"""Original records in a tree of boxes, so that the likeliest ones of a protected record are found without all pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.informed.term_kernels import Columns, Terms
from linkrisk.informed.tree_kernels import Tree, enclose, grow

MOST_BOUNDED = 128
"""Categories of an attribute up to which boxes know what each of them costs at least."""


@dataclass(frozen=True, eq=False, repr=False)
class Forest:
    """Original records in trees, one for each key.

    ``terms`` are those given with the original records in the order of their places: record ``tree.original[p]`` has
    place p.
    """

    tree: Tree
    terms: Terms

    @cached_property
    def columns(self) -> Columns:
        """The numbers and codes of the originals, term by term."""
        return Columns(np.ascontiguousarray(self.terms.x.T), np.ascontiguousarray(self.terms.x_code.T))

    def __repr__(self) -> str:
        return f"<Forest: {self.tree.original.size} records, {self.tree.child.size} boxes>"


def make_forest(terms: Terms) -> Forest:
    """Put original records into trees.

    Boxes are divided in the coordinate in which two of their records differ most, in the units of the terms: deviations
    of the noise, lengths of the released intervals, what it costs to be of another category. Cost: N log^2 N.
    """
    columns, is_code, apart = _columns(terms)
    n_keys = int(max(terms.x_key.max(initial=-1), terms.y_key.max(initial=-1))) + 1
    key_start = np.searchsorted(np.sort(terms.x_key), np.arange(n_keys + 1))
    place = np.argsort(terms.x_key, kind="stable")
    root, boxes = np.empty(n_keys, dtype=np.int64), np.empty((3, 2 * place.size + 1), dtype=np.int64)
    count = grow(columns, is_code, apart, key_start, place, root, *boxes)
    begin, end, child = (np.ascontiguousarray(part[:count]) for part in boxes)
    bounded = np.flatnonzero(terms.table_height <= MOST_BOUNDED + 1)
    n_columns = terms.x.shape[1] + terms.x_low.shape[1] + terms.x_tent.shape[1]
    tree = Tree(
        original=place,
        root=root,
        begin=begin,
        end=end,
        child=child,
        low=np.empty((count, n_columns)),
        high=np.empty((count, n_columns)),
        least=np.empty((int(terms.table_height[bounded].sum()), count)),
        bounded=bounded,
    )
    placed = with_originals(terms, place)
    enclose(placed, tree)
    return Forest(tree, placed)


def with_originals(terms: Terms, rows: IntArray) -> Terms:
    """Return the terms with other original records: those in the rows given, in this order."""
    sides = ("x_key", "x", "x_low", "x_high", "x_tent", "x_code")
    return terms._replace(**{name: np.ascontiguousarray(getattr(terms, name)[rows]) for name in sides})


def _columns(terms: Terms) -> tuple[FloatArray, BoolArray, FloatArray]:
    """Return the coordinates by which boxes are divided, which of them are codes, and what it costs to differ in one.

    Missing values are put beyond the largest one.
    """
    middles = [_middles(terms, k) for k in range(terms.x_low.shape[1])]
    numbers = [*terms.x.T, *middles, *terms.x_tent.T]
    codes = [code.astype(np.float64) for code in terms.x_code.T]
    columns = np.column_stack([*map(_filled, numbers), *codes, np.zeros(len(terms.x_key))])
    is_code = np.arange(columns.shape[1]) >= len(numbers)
    apart = np.ones(columns.shape[1])
    apart[len(numbers) : len(numbers) + len(codes)] = [_apart(terms, k) for k in range(len(codes))]
    return np.asfortranarray(columns), is_code, apart


def _middles(terms: Terms, k: int) -> FloatArray:
    """Return the middles of the originals' intervals, in units of half the usual length of a released one."""
    low, high = terms.x_low[:, k], terms.x_high[:, k]
    with np.errstate(invalid="ignore"):
        lengths = terms.y_high[:, k] - terms.y_low[:, k]
        middles = np.where(np.isfinite(low) & np.isfinite(high), low + (high - low) / 2.0, np.nan)
    usual = float(np.median(lengths[np.isfinite(lengths)])) if np.isfinite(lengths).any() else 0.0
    spread = float(np.nanmax(middles) - np.nanmin(middles)) if np.isfinite(middles).any() else 0.0
    return np.asarray(middles / (max(usual / 2.0, 1e-6 * spread) or 1.0))


def _filled(column: FloatArray) -> FloatArray:
    is_known = np.isfinite(column)
    if is_known.all():
        return column
    known = column[is_known]
    beyond = known.max() + known.std() if known.size else 0.0
    return np.where(is_known, column, beyond)


def _apart(terms: Terms, k: int) -> float:
    """Return what a released category costs more, on average, if it was another one; at most 30."""
    ends = np.append(terms.table_start[1:], terms.tables.size)
    table = terms.tables[terms.table_start[k] : ends[k]].reshape(-1, int(terms.table_width[k]))
    costs = np.minimum(np.ascontiguousarray(table[:-1, :-1].T), 30.0)
    return float((costs.mean(axis=0) - costs.min(axis=0)).mean()) if costs.size else 0.0
