"""The likeliest original records of each protected one, by what a description says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import SHORT, for_chunks
from linkrisk.informed.candidate_kernels import scan_components, scan_costs
from linkrisk.informed.term_kernels import Terms, count_possible, fill_costs
from linkrisk.informed.terms import TermList
from linkrisk.informed.tree import Forest, make_forest
from linkrisk.linkage.matching.scores import PairScores

CANDIDATES = 64
"""Originals listed for each protected record."""

MANY_CANDIDATES = 256
"""The same where only categories and roundings tell people apart, times the people who are alike in them."""

FLAT_CANDIDATES, MAX_PAIRS = 2_000, 20_000_000
"""The same where all who are possible are equally likely, and pairs listed in all."""

NEGLIGIBLE = 30.0
"""Pairs less likely than the best by exp of this are left out."""

CHUNK = 64
"""Protected records that are treated at a time."""

SAMPLED = 20_000
"""Pairs drawn to see how often two records fit by chance."""

LEFT_OUT, LOOKED_AT = 0.005, 200
"""Share of the likelihood that full lists may leave out on average, and protected records by which that is judged."""

FULL_PAIRS = 6_000_000
"""Pairs of full lists in all, unless the usual lists have more: chains on them take half a minute."""


def score_pairs(
    terms: TermList,
    *,
    n_candidates: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> tuple[PairScores, IntArray]:
    """Return the likeliest pairs, and how many originals each protected record can be, as far as they were looked at.

    Listed are for each protected record the originals of largest p(y_j | x_i).

    Cost: original records are put into a tree of boxes, and a protected record is held against those boxes in which one
    may be likely enough; records that are released alike are looked at once. Memory grows with the pairs listed. Ties
    at the end of a list are left out altogether. Missing values say nothing.
    """
    arrays = terms.finished()
    has, had = terms.finished_swaps()
    rows, place = _distinct(arrays, had)
    search = _Search(make_forest(arrays), has, had, _gain(arrays, has, seed), n_candidates or _list_length(terms))
    chunks: dict[int, _Lists] = {}

    def work(piece: slice) -> None:
        chunks[piece.start] = search.lists(rows[piece])

    is_short = len(rows) * terms.n_original <= SHORT
    for_chunks(work, len(rows), CHUNK, threads=threads, progress=progress, is_short=is_short)
    lists = _Lists.joined([chunks[start] for start in sorted(chunks)]).repeated(place)
    start = np.concatenate([[0], np.cumsum(lists.counts)]).astype(np.int64)
    return PairScores(start, lists.originals, -lists.costs, terms.n_original), lists.possible


@dataclass(frozen=True, eq=False)
class _Lists:
    """Originals and costs of some protected records, one list after the other; how many each has, and how many can be.

    ``possible`` counts those looked at.
    """

    originals: IntArray
    costs: FloatArray
    counts: IntArray
    possible: IntArray

    @classmethod
    def joined(cls, parts: list[_Lists]) -> _Lists:
        """Return the lists of several parts as one."""
        nobody = np.zeros(0, dtype=np.int64)
        parts = [_Lists(nobody, np.zeros(0), nobody, nobody), *parts]
        return cls(
            np.concatenate([part.originals for part in parts]),
            np.concatenate([part.costs for part in parts]),
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.possible for part in parts]),
        )

    def repeated(self, place: IntArray) -> _Lists:
        """Return the lists at some places."""
        counts = self.counts[place]
        first = (np.cumsum(self.counts) - self.counts)[place]
        pairs = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(int(counts.sum()))
        return _Lists(self.originals[pairs], self.costs[pairs], counts, self.possible[place])


class _Search:
    """Looks for the likeliest originals of protected records."""

    def __init__(self, forest: Forest, has: IntArray, had: IntArray, gain: float, n_candidates: int) -> None:
        place = forest.tree.original
        place_of = np.empty(place.size + 2, dtype=np.int64)  # -1 and -2, which are nobody, stay what they are
        place_of[place], place_of[-1], place_of[-2] = np.arange(place.size), -1, -2
        self._forest, self._gain, self._n_candidates = forest, gain, n_candidates
        self._has, self._had = np.ascontiguousarray(has[place]), place_of[had]

    def lists(self, rows: IntArray) -> _Lists:
        """Return the originals of least cost for some protected records."""
        originals = np.empty((len(rows), self._n_candidates), dtype=np.int64)
        costs = np.empty((len(rows), self._n_candidates))
        counts, possible = np.zeros((2, len(rows)), dtype=np.int64)
        found = originals, costs, counts, possible
        terms, tree = self._forest.terms, self._forest.tree
        if self._has.shape[1]:
            scan_components(terms, tree, self._has, self._had, self._gain, rows, NEGLIGIBLE, *found)
        else:
            scan_costs(terms, self._forest.columns, tree, rows, NEGLIGIBLE, *found)
        is_listed = np.arange(self._n_candidates) < counts[:, None]
        return _Lists(originals[is_listed], costs[is_listed], counts, possible)


def full_length(terms: TermList, *, seed: int = 0) -> int | None:
    """Return how many originals must be listed so that those left out hardly matter; None if they are too many.

    Left out may be 1/200 of the likelihood p(y_j | x_i) summed over all originals, on average over 200 protected
    records that are drawn. An intruder with shorter lists finds hardly fewer people, but is too sure of them: noise on
    7 attributes of 10,000 records, 40 % of a deviation: lists of 64 leave out 29 %, and he expects 1,153 links where
    there are 1,029; with full lists 1,002. Cost: 200 N.
    """
    n, arrays = terms.n_original, terms.finished()
    drawn = np.random.default_rng(seed).choice(terms.n_protected, min(LOOKED_AT, terms.n_protected), replace=False)
    costs = np.empty((len(drawn), n))
    fill_costs(arrays, drawn.astype(np.int64), costs)
    costs = costs[np.isfinite(costs).any(axis=1)]
    if not len(costs):
        return CANDIDATES
    usual = _list_length(terms)
    most = min(n, max(usual, FULL_PAIRS // terms.n_protected))  # what is beyond need not be sorted
    likelihood = np.exp(costs.min(axis=1, keepdims=True) - costs)
    listed = -np.sort(np.partition(-likelihood, most - 1, axis=1)[:, :most], axis=1)
    reached = np.cumsum(listed, axis=1) / likelihood.sum(axis=1, keepdims=True)
    needed = int(np.searchsorted(reached.mean(axis=0), 1.0 - LEFT_OUT)) + 1
    return usual if needed <= usual else needed if needed <= most else None


def _list_length(terms: TermList) -> int:
    """Return how many originals are listed: more where many are equally likely, as memory allows.

    Those beyond are possible, and hardly matter: with PRAM of 8 attributes (keep 0.7) and 5,000 records, lists of 64,
    256, 1,000 and 2,000 find 2,570, 2,576, 2,573 and 2,573; with 256 the intruder is too sure of them by 1.5 %.
    Originals that are all alike are listed together or not at all: there is room for twice the largest number of them.
    """
    fits = max(CANDIDATES, MAX_PAIRS // max(1, terms.n_protected))
    most = min(terms.n_original, FLAT_CANDIDATES, fits)
    if terms.gaussians or terms.swaps:
        return min(most, max(CANDIDATES, 2 * _most_alike(terms)))
    if not (terms.tables or terms.tents):
        return most
    sides = [*(x for x, _, _ in terms.tables), *(x for x, _ in terms.tents)]
    n_distinct = len(_first_alike([np.asarray(side)[:, None] for side in sides])[0])
    return min(most, -(-MANY_CANDIDATES * terms.n_original // max(1, n_distinct)))


def _most_alike(terms: TermList) -> int:
    """Return the largest number of originals that no term tells apart."""
    sides = [x for x, *_ in [*terms.gaussians, *terms.tents, *terms.tables, *terms.keys, *terms.swaps]]
    sides += [side for low, high, *_ in terms.intervals for side in (low, high)]
    place = _first_alike([np.asarray(side)[:, None] for side in sides])[1]
    return int(np.bincount(place).max(initial=0))


def _distinct(terms: Terms, had: IntArray) -> tuple[IntArray, IntArray]:
    """Return protected records of which no two are alike in all terms, and where among these each has its like."""
    return _first_alike([terms.y_key[:, None], terms.y, terms.y_low, terms.y_high, terms.y_tent, terms.y_code, had])


def _first_alike(sides: Sequence[NDArray[Any]]) -> tuple[IntArray, IntArray]:
    """Return rows of which no two are the same in all of some tables, and where among these each row has its like."""
    bits = np.column_stack([np.ascontiguousarray(side).view(np.int64) for side in sides if side.shape[1]])
    rows = np.ascontiguousarray(bits).view(np.dtype((np.void, 8 * bits.shape[1])))[:, 0]
    _, first, place = np.unique(rows, return_index=True, return_inverse=True)
    return first, place.reshape(-1)


def _gain(terms: Terms, has: IntArray, seed: int) -> float:
    """Return the log of one over the share of possible pairs, by which pairs that others imply count for more."""
    return float(-np.log(fitting_share(terms, seed))) if has.shape[1] else 0.0


def fitting_share(terms: Terms, seed: int) -> float:
    """Return how often a pair drawn at random is possible, at least one over the pairs drawn."""
    random = np.random.default_rng(seed)
    i = random.integers(0, len(terms.x_key), SAMPLED)
    j = random.integers(0, len(terms.y_key), SAMPLED)
    return max(1, count_possible(terms, i, j)) / SAMPLED
