"""AvRL: links of intruders who know some of the attributes, on average over all sets of attributes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.advice.subset_kernels import OPEN, count_by_sets
from linkrisk.arrays import IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.rules import chunk_size, rules_for
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import for_chunks
from linkrisk.linkage.linkage import Linkage, shared_links
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import DEFAULT_TIES, Ties

MOST_SUBSETS = 30
"""All subsets of one size are attacked up to this number; if there are more, this many are drawn."""

MOST_LINKAGES = 600
"""Sets of attributes attacked in all: with more than 20 attributes fewer are drawn of each size, one at least."""

LEAST_TOGETHER, MOST_TOGETHER = 1_000, 20_000
"""Protected records between which all sets are counted together, person by person: with fewer it is not worth a kernel,
with more a tree or a sieve for each set looks at fewer of them."""

MOST_ATTRIBUTES = 64
"""Attributes up to which they are: with more, units would be coarse and differences fill the cache."""

FEW_PEOPLE = 64
"""People whose links are counted between two looks at Ctrl-C."""

Attributes = tuple[int, ...]
"""Places of some attributes, ascending."""


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
    15 with 4 attributes and 127 with 7; files of 1,000 to 20,000 records are looked at once for all sets
    (`links_by_sets`).

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
        people = np.sort(
            np.random.default_rng((seed, 1)).choice(people, n_people, replace=False)
        )  # sets stay as they are
    most_subsets = min(most_subsets, max(1, MOST_LINKAGES // len(names)))
    sets = [_subsets(len(names), size, most_subsets, rng) for size in range(1, len(names) + 1)]
    links = iter(
        _links(comparison.restrict(people), [chosen for each in sets for chosen in each], ties, threads, progress)
    )
    rates = [math.fsum(next(links) / len(people) for _ in each) / len(each) for each in sets]
    is_sampled = any(math.comb(len(names), size) > most_subsets for size in range(1, len(names) + 1))
    return AverageLinkage(tuple(rates), tuple(len(each) for each in sets), is_sampled, n_people)


def _links(
    comparison: Comparison, sets: Sequence[Attributes], ties: Ties, threads: int | None, progress: Progress
) -> list[float]:
    """Return how many people are found by each set of attributes; they all have a counterpart."""
    n_protected = len(comparison.coordinates.protected)
    if not (LEAST_TOGETHER <= n_protected <= MOST_TOGETHER) or comparison.n_attributes > MOST_ATTRIBUTES:
        return [*_links_one_by_one(comparison, sets, ties, threads, progress)]
    shared = links_by_sets(comparison, sets, threads=threads, progress=progress)
    return [_counted(comparison, chosen, shared[:, s], ties, threads) for s, chosen in enumerate(sets)]


def _links_one_by_one(
    comparison: Comparison, sets: Sequence[Attributes], ties: Ties, threads: int | None, progress: Progress
) -> Iterator[float]:
    for done, chosen in enumerate(sets, start=1):
        interrupt.check()
        yield _linkage(comparison, chosen, threads).links(ties)
        progress(done, len(sets))


def _linkage(comparison: Comparison, chosen: Attributes, threads: int | None) -> Linkage:
    """Link by the mean of some attributes."""
    return nearest(mean_distance(comparison.select([comparison.names[k] for k in chosen])), threads=threads)


def links_by_sets(
    comparison: Comparison,
    sets: Sequence[Attributes],
    *,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> IntArray:
    """Tell for each person and each set of attributes among how many records a link by `mean` is shared.

    All people must have a counterpart. 0: not linked; 1 + number of twins where linked; `OPEN` where rounding could
    matter, which the caller decides by `nearest`. Ties and missing values as in `nearest`. Cost: people times protected
    records times attributes, once, and for each set a sixteenth of its share of that for those who are found.

    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> values = np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 3.0]])
    >>> links_by_sets(make_comparison(pair_files(values, values)), [(0,), (0, 1)]).tolist()
    [[2, 1], [2, 1], [1, 1]]
    """
    coordinates = comparison.coordinates
    columns = np.ascontiguousarray(coordinates.protected.T)
    members = np.array([k for chosen in sets for k in chosen], dtype=np.int64)
    starts = np.cumsum([0, *(len(chosen) for chosen in sets)])
    shared = np.empty((len(coordinates.own), len(sets)), dtype=np.int64)

    def work(piece: slice) -> None:
        queries, rules = rules_for(coordinates, coordinates.original[piece])
        count_by_sets(queries, coordinates.own[piece], columns, rules, members, starts, shared[piece])

    chunk = min(FEW_PEOPLE, chunk_size(coordinates))
    for_chunks(work, len(shared), chunk, threads=threads, progress=progress)
    return shared


def _counted(comparison: Comparison, chosen: Attributes, shared: IntArray, ties: Ties, threads: int | None) -> float:
    """Count links by a tie rule; those that rounding leaves open are decided exactly."""
    is_open = shared == OPEN
    twins = np.where(is_open, 0, shared - 1)
    is_linked = shared > 0
    if is_open.any():
        rows = np.flatnonzero(is_open)
        exact = _linkage(comparison.restrict(rows), chosen, threads)
        is_linked[rows], twins[rows] = exact.is_linked(Ties.CLASS), exact.twins
    if ties is Ties.EXPECTED:
        return shared_links(twins[is_linked])
    return int((is_linked & (twins == 0)).sum() if ties is Ties.UNIQUE else is_linked.sum())


def _subsets(n: int, size: int, most: int, rng: np.random.Generator) -> list[Attributes]:
    """Return all sets of a size, or ``most`` different ones, drawn at random."""
    if math.comb(n, size) <= most:
        return list(itertools.combinations(range(n), size))
    drawn: set[Attributes] = set()
    while len(drawn) < most:
        drawn.add(tuple(sorted(rng.choice(n, size, replace=False).tolist())))
    return sorted(drawn)
