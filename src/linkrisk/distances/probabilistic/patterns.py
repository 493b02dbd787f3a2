"""How often each pattern of agreement occurs among all pairs of records, counted without keeping the pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    list_rows,
    move_patterns,
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
    which pattern. With ``coordinates.exchanged()`` it is protected records
    that are drawn, and told apart.

    Cost: a pass over the pairs (see `benchmarks/matching.py`); memory for the patterns only.
    """
    counting = _Counting.of(agreement, coordinates, threads)
    order = np.random.default_rng(seed).permutation(len(counting.originals.rows))
    if max_records is None or max_records >= len(order):
        max_records = len(order)
    done, table, listed, found = 0, counting.nothing(), _Listed.nothing(counting), np.zeros(0, dtype=np.int32)
    while done < max_records and len(table[1]) <= MAX_PATTERNS:
        part = np.sort(order[done : min(done + ROUND * counting.step, max_records)])
        if is_by_record:
            listed = listed.and_more(counting, part)
            table, found = listed.numbered()
        else:
            table = counting.count(table, part)
        done += len(part)
        progress(done, max_records)
    keys, counts = table
    levels = np.empty((len(counts), len(agreement.names)), dtype=np.uint8)
    decode_patterns(keys, levels)
    rows = np.sort(order[:done])
    records = RecordPatterns(listed.ends, found, listed.sizes, listed.weights, counting.originals.first[listed.rows])
    return Patterns(
        levels,
        counts,
        n_records=int(counting.originals.counts[rows].sum()),
        n_all=len(coordinates.original),
        records=records if is_by_record else None,
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
        queries, rules = rules_for(self.coordinates, self.originals.rows[rows])
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

    def nearest(self, rows: IntArray, width: int) -> FloatArray:
        """Count the levels of the given original records and their nearest points by the mean of the d_k."""
        parts: dict[int, FloatArray] = {}

        def work(piece: slice) -> None:
            queries, rules = rules_for(self.coordinates, self.originals.rows[rows[piece]])
            weights = self.originals.counts[rows[piece]]
            matched = np.zeros((len(self.columns), width))
            spread_nearest(queries, weights, self.columns, self.point_counts, rules, self.limits, TOLERANCE, matched)
            parts[piece.start] = matched

        for_chunks(work, len(rows), self.step, threads=self.threads)
        return np.asarray(np.sum([parts[start] for start in sorted(parts)], axis=0))


@dataclass(frozen=True, eq=False)
class _Listed:
    """Patterns of some records, listed one record after the other by their words."""

    rows: IntArray
    weights: IntArray
    ends: IntArray
    words: IntArray
    sizes: ShortArray

    @classmethod
    def nothing(cls, counting: _Counting) -> _Listed:
        none = np.zeros(0, dtype=np.int64)
        return cls(none, none, none, counting.nothing()[0], none.astype(np.int32))

    def numbered(self) -> tuple[_Table, ShortArray]:
        """Count the patterns, and return the number of each that is listed."""
        pairs = np.asarray(self.sizes * np.repeat(self.weights, np.diff(self.ends, prepend=0)), dtype=np.int64)
        keys, counts, found = _distinct(self.words, pairs)
        return (keys, counts), found

    def and_more(self, counting: _Counting, rows: IntArray) -> _Listed:
        """List the patterns of more records."""
        parts: dict[int, tuple[IntArray, IntArray, ShortArray]] = {}

        def work(piece: slice) -> None:
            queries, rules = rules_for(counting.coordinates, counting.originals.rows[rows[piece]])
            ends, n_most = np.empty(len(queries), dtype=np.int64), len(queries) * counting.columns.shape[1]
            words, sizes = counting.nothing(n_most)[0], np.empty(n_most, dtype=np.int32)
            about = queries, counting.columns, counting.point_counts, rules, counting.limits
            length = list_rows(*about, ends, words, sizes)
            parts[piece.start] = ends, words[:length].copy(), sizes[:length].copy()

        for_chunks(work, len(rows), counting.step, threads=counting.threads)
        lists = [(self.ends, self.words, self.sizes), *(parts[start] for start in sorted(parts))]
        firsts = np.cumsum([0, *(len(words) for _, words, _ in lists)])
        return replace(
            self,
            rows=np.concatenate([self.rows, rows]),
            weights=np.concatenate([self.weights, counting.originals.counts[rows]]),
            ends=np.concatenate([ends + first for (ends, _, _), first in zip(lists, firsts[:-1], strict=True)]),
            words=np.concatenate([words for _, words, _ in lists]),
            sizes=np.concatenate([sizes for _, _, sizes in lists]),
        )


def _power_of_two(least: int) -> int:
    """Return a power of two above a number."""
    return 1 << max(least, 1).bit_length()


def _merged(tables: list[_Table]) -> _Table:
    """Put tables together, patterns sorted and each once."""
    keys, counts, _ = _distinct(np.concatenate([keys for keys, _ in tables]), np.concatenate([n for _, n in tables]))
    return keys, counts


def _distinct(keys: IntArray, counts: IntArray) -> tuple[IntArray, IntArray, ShortArray]:
    """Return the distinct keys, sorted, how many there are of each, and which of them each key is."""
    place = np.zeros(len(keys), dtype=np.int32)
    if len(keys) == 0:
        return keys, counts, place
    order = np.argsort(keys[:, 0]) if keys.shape[1] == 1 else np.lexsort(keys.T)
    keys = keys[order]
    is_first = np.concatenate([[True], (keys[1:] != keys[:-1]).any(axis=1)])
    place[order] = np.cumsum(is_first) - 1
    return keys[is_first], np.add.reduceat(counts[order], np.flatnonzero(is_first)), place


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
