"""Links, non-links and clerical pairs: two thresholds on the weight of a pair, from two error rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from linkrisk.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Decision:
    """Two thresholds, as distances (largest possible weight minus weight), and what they do to the counted pairs.

    Pairs at most ``link`` apart are claimed as links (-inf: none), those at least ``non_link`` apart are non-links
    (inf: none), and the rest are clerical: somebody would have to look at them. ``false_positive`` and
    ``false_negative`` are the rates reached; ``pairs`` and ``matches`` count pairs, and matches expected among them, as
    links, clerical pairs and non-links.
    """

    link: float
    non_link: float
    false_positive: float
    false_negative: float
    pairs: tuple[int, int, int]
    matches: tuple[float, float, float]


def decide(
    distances: FloatArray, counts: IntArray, matches: FloatArray, false_positive: float, false_negative: float
) -> Decision:
    """Choose the thresholds that claim and dismiss as many pairs as two error rates allow.

    ``distances``, ``counts`` and expected ``matches`` are those of the distinct patterns. In the order of their
    distance, the nearest patterns are links as long as they hold at most a share ``false_positive`` of the pairs that
    are no matches, the farthest ones are non-links as long as they hold at most a share ``false_negative`` of the
    matches. Patterns at the same distance stay together, and the pattern that would exceed a rate is clerical: so rates
    are kept without drawing lots. Where both rates leave nothing clerical and the two sets overlap, the overlap counts
    as links.

    >>> apart = np.array([0.0, 1.0, 5.0, 9.0])
    >>> found = decide(apart, np.array([10, 2, 8, 100]), np.array([10.0, 1.0, 1.0, 0.0]), 0.01, 0.1)
    >>> found.link, found.non_link, found.pairs
    (1.0, 5.0, (12, 0, 108))
    """
    order = np.argsort(distances, kind="stable")
    levels = distances[order]
    starts = np.flatnonzero(np.concatenate([[True], levels[1:] != levels[:-1]])[: len(levels)])
    levels = levels[starts]
    total, matched = (
        np.add.reduceat(np.asarray(values, dtype=np.float64)[order], starts) for values in (counts, matches)
    )
    others = np.maximum(total - matched, 0.0)
    wrong = np.cumsum(others) / max(float(others.sum()), math.ulp(0.0))
    missed = np.cumsum(matched[::-1])[::-1] / max(float(matched.sum()), math.ulp(0.0))
    n_links = int((wrong <= false_positive * (1.0 + 1e-12)).sum())
    n_kept = max(int((missed > false_negative * (1.0 + 1e-12)).sum()), n_links)
    ends = [0, n_links, n_kept, len(levels)]
    parts = [slice(a, b) for a, b in pairwise(ends)]
    links, clerical, rest = (int(total[part].sum()) for part in parts)
    expected = [float(matched[part].sum()) for part in parts]
    return Decision(
        link=float(levels[n_links - 1]) if n_links else -math.inf,
        non_link=float(levels[n_kept]) if n_kept < len(levels) else math.inf,
        false_positive=float(wrong[n_links - 1]) if n_links else 0.0,
        false_negative=float(missed[n_kept]) if n_kept < len(levels) else 0.0,
        pairs=(links, clerical, rest),
        matches=(expected[0], expected[1], expected[2]),
    )
