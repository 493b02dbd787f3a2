"""How often each pattern of agreement occurs among all pairs of records, counted without keeping the pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.coordinates import Coordinates
from linkrisk.differences.rules import CHUNK, chunk_size, rules_for
from linkrisk.differences.twins import TOLERANCE
from linkrisk.distances.probabilistic.agreement import Agreement
from linkrisk.distances.probabilistic.agreement_kernels import (
    PER_WORD,
    Limits,
    count_rows,
    decode_patterns,
    move_patterns,
    number_rows,
)
from linkrisk.distances.probabilistic.cost_kernels import spread_nearest
from linkrisk.distances.probabilistic.values import LevelArray, ShortArray
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import for_chunks

MAX_PATTERNS = 4_000_000
"""With more distinct patterns than this (some 200 MB), no more records are counted."""

TASK = 1 << 21
"""Pairs a thread counts at a time."""

ROUND = 8
"""Tasks between two checks of the number of patterns; the same on every machine, so that results are the same."""


@dataclass(frozen=True, eq=False, repr=False)
class RecordPatterns:
    """The distinct patterns of each record of one file with those of the other.

    Those of record i are numbers ``found[ends[i - 1]:ends[i]]``, of ``sizes`` records of the other file each;
    ``weights[i]`` records of its own file are equal to it, the first in row ``rows[i]``.
    """

    ends: IntArray
    found: ShortArray
    sizes: ShortArray
    weights: IntArray
    rows: IntArray

    def __repr__(self) -> str:
        return f"<RecordPatterns of {int(self.weights.sum())} records>"


@dataclass(frozen=True, eq=False, repr=False)
class Patterns:
    """Distinct patterns of agreement: ``levels[p, k]`` of attribute k, and how many pairs have the pattern.

    ``n_records`` records of the ``n_all`` of one file were compared with all of the other; ``records`` tells who has
    which pattern, if it was asked for. ``nearest[k, l]`` counts the levels of each of these records and the one nearest
    to it by the mean of the d_k; several that are as near share it.
    """

    levels: LevelArray
    counts: IntArray
    n_records: int
    n_all: int
    records: RecordPatterns | None = None
    nearest: FloatArray | None = None

    def __repr__(self) -> str:
        return f"<Patterns: {len(self.counts)} distinct among {self.n_pairs} pairs>"

    @property
    def n_pairs(self) -> int:
        """Pairs counted."""
        return int(self.counts.sum())

    @property
    def is_complete(self) -> bool:
        """Whether all pairs were counted."""
        return self.n_records == self.n_all


def make_limits(agreement: Agreement, coordinates: Coordinates) -> Limits:
    """Return the levels as the kernels read them, for original records against protected ones."""
    n_limits = np.array(agreement.n_levels, dtype=np.int64) - 1
    has_holes = np.asarray(np.isnan(coordinates.protected).any(axis=0), dtype=np.int64)
    starts = np.full(len(n_limits), -1, dtype=np.int64)
    tables = [np.zeros(0, dtype=np.uint8)]
    for k, classes in enumerate(agreement.values):
        if classes is not None:
            starts[k] = sum(len(table) for table in tables)
            tables.append(classes.of_values)
    return Limits(agreement.limits(coordinates), n_limits, has_holes, starts, np.concatenate(tables))


def count_patterns(
    agreement: Agreement,
    coordinates: Coordinates,
    *,
    max_records: int | None = None,
    is_by_record: bool = False,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Patterns:
    """Count the distinct patterns over all pairs of an original and a protected record.

    Equal records are compared once. With more than ``max_records`` distinct original records, or beyond 4 million
    patterns, only some original records, drawn with the seed, are compared with all protected ones: each brings its
    one match along, so the share of matches stays what it is. Patterns come sorted, and counts are whole numbers:
    neither the order of the records nor the number of threads changes anything. ``is_by_record`` also keeps who has
    which pattern, for which all pairs are compared once more. With ``coordinates.exchanged()`` it is protected records
    that are drawn, and told apart.

    Cost: a pass over the pairs (see `benchmarks/matching.py`); memory for the patterns only.
    """
    counting = _Counting.of(agreement, coordinates, threads)
    order = np.random.default_rng(seed).permutation(len(counting.originals.rows))
    if max_records is None or max_records >= len(order):
        max_records = len(order)
    done, table = 0, counting.nothing()
    while done < max_records and len(table[1]) <= MAX_PATTERNS:
        part = order[done : min(done + ROUND * counting.step, max_records)]
        table = counting.count(table, part)
        done += len(part)
        progress(done, max_records)
    keys, counts = table
    levels = np.empty((len(counts), len(agreement.names)), dtype=np.uint8)
    decode_patterns(keys, levels)
    rows = np.sort(order[:done])
    return Patterns(
        levels,
        counts,
        n_records=int(counting.originals.counts[rows].sum()),
        n_all=len(coordinates.original),
        records=counting.by_record(keys, rows) if is_by_record else None,
        nearest=counting.nearest(rows, agreement.width),
    )


_Table = tuple[IntArray, IntArray]


@dataclass(frozen=True)
class _Counting:
    """Counting in progress: distinct records of both files, and how often each occurs."""

    coordinates: Coordinates
    limits: Limits
    originals: Distinct
    columns: FloatArray
    point_counts: IntArray
    threads: int | None

    @classmethod
    def of(cls, agreement: Agreement, coordinates: Coordinates, threads: int | None) -> _Counting:
        originals, points = distinct_rows(coordinates.original), distinct_rows(coordinates.protected)
        columns = np.ascontiguousarray(points.rows.T)
        limits = make_limits(agreement, coordinates)
        return cls(coordinates, limits, originals, columns, points.counts, threads)

    @property
    def step(self) -> int:
        """Records a thread takes at a time."""
        n_points = int(self.columns.shape[1])
        return max(1, min(chunk_size(self.coordinates), TASK // max(n_points, 1), CHUNK))

    def nothing(self, size: int = 0) -> _Table:
        """Return a table without patterns."""
        n_words = -(-len(self.columns) // PER_WORD)
        return np.zeros((size, n_words), dtype=np.int64), np.zeros(size, dtype=np.int64)

    def count(self, before: _Table, rows: IntArray) -> _Table:
        """Add the patterns of some original records to a table."""
        tables: dict[int, _Table] = {}

        def work(piece: slice) -> None:
            tables[piece.start] = self._count_piece(rows[piece])

        for_chunks(work, len(rows), self.step, threads=self.threads)
        return _merged([before, *(tables[start] for start in sorted(tables))])

    def _count_piece(self, rows: IntArray) -> _Table:
        queries = np.ascontiguousarray(self.originals.rows[rows])
        rules = rules_for(self.coordinates, queries)
        weights = self.originals.counts[rows]
        keys, counts = self.nothing(_power_of_two(2 * self.columns.shape[1]))
        done = used = 0
        while True:
            done, used = count_rows(
                queries, weights, self.columns, self.point_counts, rules, self.limits, done, used, keys, counts
            )
            if done == len(rows):
                return keys[counts > 0], counts[counts > 0]
            larger = self.nothing(2 * len(counts))
            move_patterns(keys, counts, *larger)
            keys, counts = larger

    def by_record(self, keys: IntArray, rows: IntArray) -> RecordPatterns:
        """List the patterns of each of the given original records."""
        index = self.nothing(_power_of_two(2 * len(keys)))
        move_patterns(keys, np.arange(1, len(keys) + 1), *index)
        parts: dict[int, tuple[IntArray, ShortArray, ShortArray]] = {}

        def work(piece: slice) -> None:
            queries = np.ascontiguousarray(self.originals.rows[rows[piece]])
            rules = rules_for(self.coordinates, queries)
            ends = np.empty(len(queries), dtype=np.int64)
            found, sizes = (np.empty(len(queries) * self.columns.shape[1], dtype=np.int32) for _ in range(2))
            length = number_rows(
                queries, self.columns, self.point_counts, rules, self.limits, *index, len(keys), ends, found, sizes
            )
            parts[piece.start] = ends, found[:length].copy(), sizes[:length].copy()

        for_chunks(work, len(rows), self.step, threads=self.threads)
        lists = [parts[start] for start in sorted(parts)]
        starts = np.cumsum([0, *(len(found) for _, found, _ in lists)])
        return RecordPatterns(
            np.concatenate([ends + start for (ends, _, _), start in zip(lists, starts[:-1], strict=True)]),
            np.concatenate([found for _, found, _ in lists]),
            np.concatenate([sizes for _, _, sizes in lists]),
            self.originals.counts[rows],
            self.originals.first[rows],
        )

    def nearest(self, rows: IntArray, width: int) -> FloatArray:
        """Count the levels of the given original records and their nearest points by the mean of the d_k."""
        parts: dict[int, FloatArray] = {}

        def work(piece: slice) -> None:
            queries = np.ascontiguousarray(self.originals.rows[rows[piece]])
            rules = rules_for(self.coordinates, queries)
            weights = self.originals.counts[rows[piece]]
            matched = np.zeros((len(self.columns), width))
            spread_nearest(queries, weights, self.columns, self.point_counts, rules, self.limits, TOLERANCE, matched)
            parts[piece.start] = matched

        for_chunks(work, len(rows), self.step, threads=self.threads)
        return np.asarray(np.sum([parts[start] for start in sorted(parts)], axis=0))


def _power_of_two(least: int) -> int:
    """Return a power of two above a number."""
    return 1 << max(least, 1).bit_length()


def _merged(tables: list[_Table]) -> _Table:
    """Put tables together, patterns sorted and each once."""
    keys = np.concatenate([keys for keys, _ in tables])
    counts = np.concatenate([counts for _, counts in tables])
    order = np.lexsort(keys.T)
    keys, counts = keys[order], counts[order]
    if len(keys) == 0:
        return keys, counts
    starts = np.flatnonzero(np.concatenate([[True], (keys[1:] != keys[:-1]).any(axis=1)]))
    return keys[starts], np.add.reduceat(counts, starts)


class Distinct(NamedTuple):
    """Distinct rows of a matrix; how often each occurs, where first, and which of them each row is."""

    rows: FloatArray
    counts: IntArray
    first: IntArray
    place_of: IntArray


def distinct_rows(values: FloatArray) -> Distinct:
    """Return the distinct rows, sorted by their bytes; the order of the rows changes nothing but ``first``."""
    rows = np.ascontiguousarray(np.where(np.isnan(values), np.nan, values + 0.0))  # one NaN, and no -0.0
    whole = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    _, first, places, counts = np.unique(whole, return_index=True, return_inverse=True, return_counts=True)
    return Distinct(np.ascontiguousarray(rows[first]), counts.astype(np.int64), first, places.ravel())
