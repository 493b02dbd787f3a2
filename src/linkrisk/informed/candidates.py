"""The likeliest original records of each protected one, by what a description says."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import for_chunks
from linkrisk.informed.candidate_kernels import ALL, GAUSSIAN, INTERVAL, Order, scan_components, scan_costs
from linkrisk.informed.term_kernels import Terms, cost_of
from linkrisk.informed.terms import TermList
from linkrisk.linkage.matching.scores import PairScores

CANDIDATES = 64
"""Originals listed for each protected record."""

FLAT_CANDIDATES, MAX_PAIRS = 2_000, 20_000_000
"""The same where many are equally likely, and pairs listed in all."""

NEGLIGIBLE = 30.0
"""Pairs less likely than the best by exp of this are left out."""

CHUNK = 64
"""Protected records that are treated at a time."""

SAMPLED = 20_000
"""Pairs drawn to see how often two records fit by chance."""


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

    Cost: every protected record is held against the originals that share its key, and stops where a coordinate alone
    makes the rest too unlikely; memory grows with protected records times candidates. Ties at the end of a list are
    left out altogether. Missing values say nothing.
    """
    n_candidates = n_candidates or _list_length(terms)
    arrays = terms.finished()
    has, had = terms.finished_swaps()
    order = make_order(arrays)
    gain = -np.log(fitting_share(arrays, seed)) if has.shape[1] else 0.0
    n_protected = terms.n_protected
    originals = np.empty((n_protected, n_candidates), dtype=np.int64)
    costs = np.empty((n_protected, n_candidates))
    counts, possible = np.zeros((2, n_protected), dtype=np.int64)

    def work(piece: slice) -> None:
        rows = originals[piece], costs[piece], counts[piece], possible[piece]
        if has.shape[1]:
            scan_components(arrays, order, has, had, gain, piece.start, NEGLIGIBLE, *rows)
        else:
            scan_costs(arrays, order, piece.start, NEGLIGIBLE, *rows)

    for_chunks(work, n_protected, CHUNK, threads=threads, progress=progress)
    is_listed = np.arange(n_candidates) < counts[:, None]
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return PairScores(start, originals[is_listed], -costs[is_listed], terms.n_original), possible


def _list_length(terms: TermList) -> int:
    """Return how many originals are listed: more where all that is possible is equally likely, as memory allows."""
    is_flat = not (terms.gaussians or terms.swaps)
    fits = max(CANDIDATES, MAX_PAIRS // max(1, terms.n_protected))
    return min(terms.n_original, FLAT_CANDIDATES, fits) if is_flat else min(terms.n_original, CANDIDATES)


def make_order(terms: Terms) -> Order:
    """Put original records in the order of the search, by the coordinate that prunes most."""
    kind, column, primary = _primary(terms)
    order = np.lexsort((primary, terms.x_key))
    n_keys = int(max(terms.x_key.max(initial=-1), terms.y_key.max(initial=-1))) + 1
    counts = np.bincount(terms.x_key, minlength=n_keys)
    return Order(
        original=order,
        key_start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        primary=np.ascontiguousarray(primary[order]),
        kind=kind,
        column=column,
    )


def fitting_share(terms: Terms, seed: int) -> float:
    """Return how often a pair drawn at random is possible, at least one over the pairs drawn."""
    random = np.random.default_rng(seed)
    i = random.integers(0, len(terms.x_key), SAMPLED)
    j = random.integers(0, len(terms.y_key), SAMPLED)
    fits = sum(cost_of(terms, a, b, np.inf) < np.inf for a, b in zip(i.tolist(), j.tolist(), strict=True))
    return max(1, fits) / SAMPLED


def _primary(terms: Terms) -> tuple[int, int, FloatArray]:
    """Return kind and column of the coordinate that tells most records apart, and its values."""
    best: tuple[float, int, int, FloatArray] = (2.0, ALL, 0, np.zeros(len(terms.x_key)))
    for k in range(terms.x_low.shape[1]):
        low, high = terms.x_low[:, k], terms.x_high[:, k]
        order = np.lexsort((high, low))
        is_nested = bool((high[order][1:] < high[order][:-1]).any())
        width, spread = _width(terms.y_low[:, k], terms.y_high[:, k]), _width(low.min(), high.max())
        if not is_nested and spread > 0.0 and spread / max(width, 1e-9 * spread) > best[0]:
            best = spread / max(width, 1e-9 * spread), INTERVAL, k, low
    for k in range(terms.x.shape[1]):
        if np.isnan(terms.x[:, k]).any():
            continue
        spread = float(terms.x[:, k].std())
        if best[1] != INTERVAL and spread > best[0]:
            best = spread, GAUSSIAN, k, terms.x[:, k]
    return best[1], best[2], best[3]


def _width(low: FloatArray, high: FloatArray) -> float:
    """Return the median length of intervals; of those without end, infinity."""
    with np.errstate(invalid="ignore"):
        return float(np.median(np.nan_to_num(np.asarray(high) - np.asarray(low), nan=np.inf, posinf=np.inf)))
