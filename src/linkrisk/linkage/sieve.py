"""Codes of 16 bits that tell, quickly and for certain, which protected records are out of reach; and blocks of them.

For sums of weighted differences. Every difference becomes a whole number of *units* that it is at least: a category
that differs costs what it weighs, numbers are cut into steps so that the square of the steps between them counts, ranks
count by their distance. A unit is small against the distances that decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.coordinates import Coordinates, DifferenceRule
from linkrisk.distances.distance import Distance, Rule
from linkrisk.linkage.distance_kernels import BLOCK
from linkrisk.linkage.division_kernels import BUCKETS, divide
from linkrisk.linkage.points import Points, all_distinct, distinct_points, points_in_order
from linkrisk.linkage.sieve_kernels import CATEGORIES, LINEAR, MOST, SQUARED, UNEQUAL, Codes, Sieve, SiftedQueries

TYPICAL = 1024
"""Units of a distance that typically decides."""

FEW_RECORDS, FEW_CANDIDATES = 64, 1024
"""Records tried, and protected ones they are compared with."""

HEAVIEST, LEAST_REACH = 2.0**40, 2.0**-900
"""Most units that an attribute weighs, and the least distance that may be typical: within what floats can hold."""

KNOWN = 60_000
"""Codes of known numbers are at most this; that of a missing one is `HOLE`, far from all of them."""

HOLE = 65_535

N_QUANTILES = 48
"""Buckets of numbers when records are divided into blocks."""


@dataclass(frozen=True)
class _Column:
    """One attribute in units: how codes are compared, those of both files, and what the queries' differences cost."""

    kind: int
    original: Codes
    protected: Codes
    costs: Codes
    base: IntArray
    cap: int

    @property
    def is_of_use(self) -> bool:
        """Whether a difference can cost anything."""
        return self.cap > 0 and bool(self.costs.any())


@dataclass(frozen=True)
class Sifter:
    """The points in blocks of similar ones, the sieve over them, and the queries as it reads them."""

    points: Points
    sieve: Sieve
    queries: SiftedQueries

    def sifted(self, rows: IntArray) -> SiftedQueries:
        """Return the codes of some original records."""
        codes, costs, base = self.queries
        return SiftedQueries(codes[rows], costs[rows], base[rows])


def make_sifter(distance: Distance, *, is_merging: bool = True) -> Sifter | None:
    """Encode both files, and put protected records that are alike into blocks; None where that would be of no use.

    That is for other distances than sums of weighted differences, and where all that differs are texts. Missing values
    cost at least what the distance says. Cost: N log N time, half the files in memory.

    *Guarantee* (docs/mathematics.md#sieve): no sum of units is above the distance in units.
    """
    if distance.rule is not Rule.WEIGHTED or not distance.theta.any():
        return None
    coordinates, unit = distance.coordinates, _typical_reach(distance) / TYPICAL
    most = min(MOST // coordinates.n_attributes, 255**2)
    made = [
        _encode(coordinates, k, min(float(distance.theta[k]) / unit, HEAVIEST), most)
        for k in range(coordinates.n_attributes)
    ]
    columns = [column for column in made if column is not None and column.is_of_use]
    if not columns:
        return None
    distinct = distinct_points(distance) if is_merging else all_distinct(len(coordinates.protected))
    order, starts = _blocks([column.protected[distinct.first_row] for column in columns], columns)
    points = points_in_order(distance, distinct, order)
    codes = np.stack([column.protected[points.row_of] for column in columns])
    queries = SiftedQueries(
        np.column_stack([column.original for column in columns]),
        np.column_stack([column.costs for column in columns]),
        np.sum([column.base for column in made if column is not None], axis=0),
    )
    return Sifter(points, _sieve(codes, columns, starts, unit), queries)


def _typical_reach(distance: Distance) -> float:
    """Return about how far the records are that decide, from a few of them: what a unit has to be small against.

    That is as far as the nearest of some protected records. Any number above 0 gives the same links.
    """
    coordinates = distance.coordinates
    rows, candidates = (
        _spread(len(coordinates.original), FEW_RECORDS),
        _spread(len(coordinates.protected), FEW_CANDIDATES),
    )
    reaches = _sums(distance, rows[:, np.newaxis], candidates).min(axis=1)
    typical = float(np.median(reaches)) or float(reaches.mean())
    return typical if LEAST_REACH < typical < math.inf else float(distance.theta.mean())


def _spread(n: int, few: int) -> IntArray:
    """Return at most ``few`` places of n, evenly spread."""
    return np.unique(np.linspace(0, n - 1, few).astype(np.int64))


def _sums(distance: Distance, rows: IntArray, others: IntArray) -> FloatArray:
    """Return about the distances between some records, without what texts add."""
    coordinates, total = distance.coordinates, np.zeros(np.broadcast(rows, others).shape)
    for k in np.flatnonzero(distance.theta > 0.0):
        x, y = coordinates.original[rows, k], coordinates.protected[others, k]
        rule = coordinates.rules[k]
        if rule == DifferenceRule.EQUAL:
            total += distance.theta[k] * (x != y)
        elif rule == DifferenceRule.ORDERED:
            total += distance.theta[k] * np.nan_to_num(np.abs(x - y)) / coordinates.divisor[k]
        elif rule == DifferenceRule.SQUARED:
            total += distance.theta[k] * np.nan_to_num((x - y) ** 2)
    return total


def _encode(coordinates: Coordinates, k: int, weight: float, most: int) -> _Column | None:
    """Return attribute k in units, of which ``weight`` are a difference of 1; None for text."""
    rule = DifferenceRule(int(coordinates.rules[k]))
    if weight <= 0.0 or rule is DifferenceRule.LOOKED_UP:
        return None
    if rule is DifferenceRule.EQUAL:
        return _encode_categories(coordinates, k, weight, most)
    if rule is DifferenceRule.ORDERED:
        return _encode_ranks(coordinates, k, weight, most)
    return _encode_numbers(coordinates, k, weight, most)


def _encode_categories(coordinates: Coordinates, k: int, weight: float, most: int) -> _Column:
    x, y = coordinates.original[:, k], coordinates.protected[:, k]
    one, both = coordinates.missing_one[k], coordinates.missing_both[k]
    last = max(np.nanmax(x, initial=-1.0), np.nanmax(y, initial=-1.0)) + 1.0  # the code of a missing value
    equal = np.where(np.isnan(x), both, 0.0)
    unequal = np.where(np.isnan(x), one, min(1.0, one) if np.isnan(y).any() else 1.0)
    base = _units(np.minimum(equal, unequal), weight, most)
    costs = _units(np.maximum(unequal - equal, 0.0), weight, most)
    original, protected = ((np.where(np.isnan(v), last, v) % MOST).astype(np.uint16) for v in (x, y))
    return _Column(UNEQUAL, original, protected, costs.astype(np.uint16), base, most)


def _encode_ranks(coordinates: Coordinates, k: int, weight: float, most: int) -> _Column | None:
    x, y = coordinates.original[:, k], coordinates.protected[:, k]
    divisor, cap = coordinates.divisor[k], _cap(coordinates, k, weight, most)
    factor = math.floor(min(weight, most // 2) / divisor)
    if 2 * divisor >= MOST:
        return None
    original, protected = (np.where(np.isnan(v), 2 * divisor, v).astype(np.uint16) for v in (x, y))
    equal = 0.0 if _has_holes(coordinates, k) else coordinates.offset[k] / divisor
    base = np.full(len(x), int(_units(np.float64(equal), weight, most)))
    return _Column(LINEAR, original, protected, np.full(len(x), factor, dtype=np.uint16), base, cap)


def _encode_numbers(coordinates: Coordinates, k: int, weight: float, most: int) -> _Column:
    x, y = coordinates.original[:, k], coordinates.protected[:, k]
    cap = _cap(coordinates, k, weight, most)
    middle = float(np.nanmedian(y)) if not np.isnan(y).all() else 0.0
    steps = math.sqrt(weight)  # of one unit, in a difference of 1
    original, protected = (
        np.where(np.isnan(v), HOLE, np.clip(np.floor((v - middle) * steps) + KNOWN // 2, 0, KNOWN)).astype(np.uint16)
        for v in (x, y)
    )
    highest = np.full(len(x), math.isqrt(max(cap - 1, 0)) + 1, dtype=np.uint16)
    return _Column(SQUARED, original, protected, highest, np.zeros(len(x), dtype=np.int64), cap)


def _has_holes(coordinates: Coordinates, k: int) -> bool:
    return bool(np.isnan(coordinates.original[:, k]).any() or np.isnan(coordinates.protected[:, k]).any())


def _cap(coordinates: Coordinates, k: int, weight: float, most: int) -> int:
    """Units that any difference of known codes counts at most: no more than a missing value costs."""
    return int(_units(coordinates.missing_one[k], weight, most)) if _has_holes(coordinates, k) else most


def _units(difference: FloatArray | np.float64, weight: float, most: int) -> IntArray:
    return np.asarray(np.floor(np.minimum(difference * weight, most)), dtype=np.int64)


def _blocks(codes: list[Codes], columns: list[_Column]) -> tuple[IntArray, IntArray]:
    """Return points in an order in which those of a block are alike, and where blocks start (and the last ends)."""
    n_points = len(codes[0])
    buckets = np.empty((n_points, len(columns)), dtype=np.uint8)
    positions = np.zeros((len(columns), BUCKETS))
    powers = np.array([(0, 2, 1)[column.kind] for column in columns])
    for k, column in enumerate(columns):
        buckets[:, k], positions[k] = _buckets(codes[k], column)
    order, starts = np.arange(n_points), np.empty(n_points + 1, dtype=np.int64)
    n_blocks = divide(buckets, positions, powers, BLOCK, order, starts)
    starts[n_blocks] = n_points
    return order, starts[: n_blocks + 1].copy()


def _buckets(codes: Codes, column: _Column) -> tuple[NDArray[np.uint8], FloatArray]:
    """Return the bucket of each code, and where buckets lie, typical distances being 1 apart."""
    positions = np.zeros(BUCKETS)
    if column.kind == UNEQUAL:
        positions[0] = min(float(column.costs.max()) / TYPICAL, 1.0)
        return (codes % BUCKETS).astype(np.uint8), positions
    edges = np.unique(np.quantile(codes, np.linspace(0.0, 1.0, N_QUANTILES + 1)[1:], method="lower"))
    buckets = np.searchsorted(edges, codes).astype(np.uint8)
    scale = math.sqrt(TYPICAL) if column.kind == SQUARED else TYPICAL / float(column.costs[0])
    positions[: len(edges)] = edges / scale
    return buckets, positions


def _sieve(codes: Codes, columns: list[_Column], starts: IntArray, unit: float) -> Sieve:
    kinds = np.array([column.kind for column in columns])
    low = np.minimum.reduceat(codes, starts[:-1], axis=1)
    high = np.maximum.reduceat(codes, starts[:-1], axis=1)
    places = np.cumsum(kinds == UNEQUAL) * CATEGORIES - CATEGORIES
    lacks = np.ones((CATEGORIES * max(int((kinds == UNEQUAL).sum()), 1), len(starts) - 1), dtype=np.uint8)
    block = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    for k in np.flatnonzero(kinds == UNEQUAL):
        lacks[places[k] + codes[k] % CATEGORIES, block] = 0
    caps = np.array([column.cap for column in columns], dtype=np.uint16)
    return Sieve(codes, kinds, caps, starts, low, high, lacks, places, unit)
