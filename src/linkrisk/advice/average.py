"""AvRL: links of intruders who know some of the attributes, on average over all sets of attributes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linkrisk.differences.comparison import Comparison
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import DEFAULT_TIES, Ties

MOST_SUBSETS = 30
"""All subsets of one size are attacked up to this number; if there are more, this many are drawn."""

MOST_LINKAGES = 600
"""Sets of attributes attacked in all: with more than 20 attributes fewer are drawn of each size, one at least."""


@dataclass(frozen=True)
class AverageLinkage:
    """Average record linkage.

    ``rates`` are the mean rates of intruders who know 1, 2, ... attributes, ``n_subsets`` the number of sets of
    attributes behind each; ``is_sampled`` tells that not all sets were tried. ``n_people`` are the people whose links
    were counted; None: everybody. ``rate`` is the mean of the rates.
    """

    rates: tuple[float, ...]
    n_subsets: tuple[int, ...]
    is_sampled: bool
    n_people: int | None = None

    @property
    def rate(self) -> float:
        """AvRL as a share of the records."""
        return math.fsum(self.rates) / len(self.rates)


def average_linkage(
    comparison: Comparison,
    *,
    ties: Ties = DEFAULT_TIES,
    most_subsets: int = MOST_SUBSETS,
    most_people: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> AverageLinkage:
    """Return AvRL: the mean over sizes of the mean rate of `mean` (DBRL1) over the sets of attributes of that size.

    abril-bilinear.txt, 6.1, gives figures but no definition; this is our reading of it. It comes near the paper's
    figures for files with four attributes, and does not for the others:

    ``AvRL = (1 / n) sum_s mean over |A| = s of links(A) / people``.

    Where there are more than ``most_subsets`` sets of a size, ``most_subsets`` of them are drawn at random by ``seed``
    (of more than 20 attributes fewer, `MOST_LINKAGES` in all), and the result is an estimate. It is one, too, where
    more than ``most_people`` could be found: then that many are drawn, and looked for among all protected records. Ties
    and missing values as in any attack; the scale is that of the comparison. Cost: a linkage for each set, for instance
    15 with 4 attributes and 127 with 7.

    Examples
    --------
    >>> import numpy as np
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> original = np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 3.0], [1.0, 4.0]])
    >>> protected = original + [[0.0, 0.0]] * 4
    >>> average_linkage(make_comparison(pair_files(original, protected))).rates  # the first alone: one of two each
    (0.75, 1.0)
    """
    names = comparison.names
    rng = np.random.default_rng(seed)
    people = np.flatnonzero(comparison.coordinates.own >= 0)
    n_people = max(most_people, 1) if most_people is not None and most_people < len(people) else None
    if n_people is not None:
        drawn = np.random.default_rng((seed, 1)).choice(people, n_people, replace=False)  # sets stay as they are
        comparison = comparison.restrict(np.sort(drawn))
    most_subsets = min(most_subsets, max(1, MOST_LINKAGES // len(names)))
    counts = [min(math.comb(len(names), size), most_subsets) for size in range(1, len(names) + 1)]
    rates, done = [], 0
    for size in range(1, len(names) + 1):
        found = []
        for subset in _subsets(names, size, most_subsets, rng):
            interrupt.check()
            linkage = nearest(mean_distance(comparison.select(subset)), threads=threads)
            found.append(linkage.links(ties) / int(linkage.has_counterpart.sum()))
            done += 1
            progress(done, sum(counts))
        rates.append(math.fsum(found) / len(found))
    is_sampled = any(math.comb(len(names), size) > most_subsets for size in range(1, len(names) + 1))
    return AverageLinkage(tuple(rates), tuple(counts), is_sampled, n_people)


def _subsets(names: tuple[str, ...], size: int, most: int, rng: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Return all sets of a size, or ``most`` different ones, drawn at random."""
    if math.comb(len(names), size) <= most:
        yield from itertools.combinations(names, size)
        return
    drawn: set[tuple[int, ...]] = set()
    while len(drawn) < most:
        drawn.add(tuple(sorted(rng.choice(len(names), size, replace=False).tolist())))
    for places in sorted(drawn):
        yield tuple(names[place] for place in places)
