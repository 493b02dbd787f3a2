"""The expectation step of EM: how many matches m, u and the share of matches let expect at each level."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.probabilistic.agreement_kernels import add_levels
from linkrisk.distances.probabilistic.em_kernels import LARGEST_SCORE, encode_levels, match_pairs, match_records
from linkrisk.distances.probabilistic.patterns import Patterns
from linkrisk.distances.probabilistic.values import CodeArray, LevelArray, ShortArray
from linkrisk.engine.threads import for_chunks

MOST_CODES = 1024
"""Combinations of the levels of several attributes that are looked up at once: what a core has at hand."""

PIECE, FEW = 1 << 18, 64
"""Patterns, and records, that a core works on at a time; the same on every machine, so that sums are the same."""


class Expected(NamedTuple):
    """Matches expected at each level of each attribute and in all, and the log-likelihood without that of u."""

    matched: FloatArray
    matches: float
    likelihood: float


@dataclass(frozen=True, eq=False, repr=False)
class LevelCodes:
    """Levels of several attributes as one number, so that one place is looked up for all of them.

    ``codes[e, h]`` is that of the attributes ``members[h]`` in entry e, the last one counting fastest, after those of
    the groups before; attribute k has ``sizes[k]`` levels.
    """

    codes: CodeArray
    members: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, levels: LevelArray, found: ShortArray) -> LevelCodes:
        """Encode some rows of levels."""
        sizes = tuple(int(largest) + 1 for largest in levels.max(axis=0, initial=0))
        members = _grouped(sizes)
        lengths = [math.prod(sizes[k] for k in some) for some in members]
        group, stride = np.zeros(len(sizes), dtype=np.int64), np.zeros(len(sizes), dtype=np.int64)
        for h, some in enumerate(members):
            for place, k in enumerate(some):
                group[k], stride[k] = h, math.prod(sizes[j] for j in some[place + 1 :])
        kind = np.uint16 if sum(lengths) <= 1 << 16 else np.uint32
        codes = np.empty((len(found), len(members)), dtype=kind)
        encode_levels(levels, found, np.cumsum([0, *lengths]), group, stride, codes)
        return cls(codes, members, sizes)

    def table(self, values: FloatArray) -> FloatArray:
        """Return the sum of values[k, level] over the attributes of a group, for each code."""
        parts = [np.zeros(0)]
        for some in self.members:
            sums = np.zeros(1)
            for k in some:
                sums = np.add.outer(sums, values[k, : self.sizes[k]]).ravel()
            parts.append(sums)
        return np.concatenate(parts)

    def by_level(self, sums: FloatArray, width: int) -> FloatArray:
        """Return the sums of each level of each attribute from those of each code."""
        result = np.zeros((len(self.sizes), width))
        first = 0
        for some in self.members:
            shape = [self.sizes[k] for k in some]
            box = sums[first : first + math.prod(shape)].reshape(shape)
            first += box.size
            for place, k in enumerate(some):
                others = tuple(axis for axis in range(len(some)) if axis != place)
                result[k, : self.sizes[k]] = box.sum(axis=others)
        return result


def _grouped(sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Put attributes into groups of at most `MOST_CODES` combinations: those with most levels first, where they fit.

    >>> _grouped([2, 14, 14, 14, 4])
    ((1, 2, 4), (3, 0))
    """
    groups: list[list[int]] = []
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k]):
        fitting = (group for group in groups if math.prod(sizes[j] for j in group) * sizes[k] <= MOST_CODES)
        home = next(fitting, None)
        if home is None:
            groups.append([k])
        else:
            home.append(k)
    return tuple(tuple(group) for group in groups)


@dataclass(frozen=True, eq=False, repr=False)
class Expectation:
    """Counted patterns as the expectation step reads them: those of each record one after the other, or each once."""

    patterns: Patterns
    counts: FloatArray
    codes: LevelCodes
    threads: int | None = 1

    @classmethod
    def of(cls, patterns: Patterns) -> Expectation:
        """Encode the patterns."""
        counts = patterns.counts.astype(np.float64)
        records = patterns.records
        found = np.arange(len(counts), dtype=np.int32) if records is None else records.found
        return cls(patterns, counts, LevelCodes.of(patterns.levels, found))

    def on(self, threads: int | None) -> Expectation:
        """Return the same on some cores."""
        return replace(self, threads=threads)

    @property
    def n_rivals(self) -> float:
        """Records of the other file that a record is compared with."""
        return float(self.counts.sum()) / self.patterns.n_records

    def totals(self, width: int) -> FloatArray:
        """Return the pairs at each level of each attribute."""
        records, codes = self.patterns.records, self.codes.codes
        sizes = self.counts
        if records is not None:
            weights = np.repeat(records.weights, np.diff(records.ends, prepend=0))
            sizes = np.asarray(records.sizes * weights, dtype=np.float64)
        n_codes = len(self.codes.table(np.zeros((len(self.codes.sizes), width))))
        sums = np.zeros(n_codes)
        for column in codes.T:
            sums += np.bincount(column, weights=sizes, minlength=n_codes)
        return self.codes.by_level(sums, width)

    def expect(self, log_ratio: FloatArray, share: float) -> Expected:
        """Return what log(m / u) of each level and the share of matches let expect."""
        table = self.codes.table(log_ratio)
        is_logarithm = float(np.abs(log_ratio).max(axis=1, initial=0.0).sum()) > LARGEST_SCORE
        if not is_logarithm:
            table = np.exp(table)
        by_code = self._of_pairs if self.patterns.records is None else self._of_records
        sums, likelihood = by_code(table, is_logarithm, share)
        matched = self.codes.by_level(sums, log_ratio.shape[1])
        return Expected(matched, float(matched[0].sum()), likelihood)

    def _of_records(self, table: FloatArray, is_logarithm: bool, share: float) -> tuple[FloatArray, float]:
        """Add up the matches of each code if a record has one match or, with some probability, none.

        The likelihood is the sum over the records of log(none + share . sum of the ratios).
        """
        records, codes = self.patterns.records, self.codes.codes
        assert records is not None  # noqa: S101  (for the type checker)
        none = max(1.0 - share * self.n_rivals, 0.0)
        totals = np.empty(len(records.ends))

        def work(piece: slice, sums: FloatArray) -> None:
            about = codes, records.sizes, records.ends, records.weights
            match_records(*about, table, is_logarithm, share, none, piece.start, piece.stop, totals, sums)

        sums = self._in_pieces(work, len(totals), FEW, table)
        return sums, math.fsum(records.weights * np.log(totals))

    def _of_pairs(self, table: FloatArray, is_logarithm: bool, share: float) -> tuple[FloatArray, float]:
        """Add up the matches of each code, each pair on its own; the likelihood of a pair is 1 - share + share . r."""
        codes, likelihoods = self.codes.codes, {0: 0.0}

        def work(piece: slice, sums: FloatArray) -> None:
            some = piece.start, piece.stop
            likelihoods[piece.start] = match_pairs(codes, self.counts, table, is_logarithm, share, *some, sums)

        sums = self._in_pieces(work, len(codes), PIECE, table)
        return sums, math.fsum([*likelihoods.values(), float(self.counts.sum()) * math.log1p(-share)])

    def _in_pieces(
        self, work: Callable[[slice, FloatArray], None], n_items: int, size: int, table: FloatArray
    ) -> FloatArray:
        """Add up what pieces find, on several cores where there are several and there is much to do."""
        parts = np.zeros((-(-n_items // size), *table.shape))

        def into_its_part(piece: slice) -> None:
            work(piece, parts[piece.start // size])

        if self.threads == 1 or n_items <= size or len(self.codes.codes) <= PIECE:
            for start in range(0, n_items, size):
                into_its_part(slice(start, min(start + size, n_items)))
        else:
            for_chunks(into_its_part, n_items, size, threads=self.threads)
        return np.asarray(parts.sum(axis=0))

    def matches_of_patterns(self, log_ratio: FloatArray, share: float) -> FloatArray:
        """Return the matches expected of each pattern; slower, for the end."""
        scores = np.empty_like(self.counts)
        add_levels(self.patterns.levels, log_ratio, scores)
        ratios = np.exp(np.clip(scores, -LARGEST_SCORE, LARGEST_SCORE))
        records = self.patterns.records
        if records is None:
            odds = share / (1.0 - share) * ratios
            return np.asarray(self.counts * (odds / (1.0 + odds)))
        lengths = np.diff(records.ends, prepend=0)
        record = np.repeat(np.arange(len(lengths)), lengths)
        totals = np.bincount(record, weights=records.sizes * ratios[records.found], minlength=len(lengths))
        none = max(1.0 - share * self.n_rivals, 0.0)
        factors = records.weights * share / np.maximum(none + share * totals, 1e-300)
        worth = np.bincount(records.found, weights=records.sizes * factors[record], minlength=len(ratios))
        return np.asarray(ratios * worth)
