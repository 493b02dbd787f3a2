"""What each attribute gives away: links with it alone, and links with all except it."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.assessment.result import AttributeRisk, SampledLinks
from linkrisk.data.columns import FilePair
from linkrisk.data.same_values import n_distinct, share_unchanged
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties


def attribute_risks(
    files: FilePair,
    comparison: Comparison,
    *,
    people: IntArray | None = None,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> tuple[AttributeRisk, ...]:
    """Count for each attribute the links of the attacker `mean` with it alone, and with all others.

    With it alone for everybody; with all others for the original records ``people`` only, where they are given (see
    `drawn_people`). Ties and missing values are those of `linkrisk.linkage.search.nearest`. Cost: two linkages per
    attribute. Alone, equal values are one and next to nothing is compared; with all others, those people are compared
    with the whole protected file. Reference: abril2012-weights.txt, Table 6 (single attributes).
    """
    names = comparison.names
    known = comparison if people is None else comparison.restrict(people)
    result = []
    for column in files.columns:
        name = column.attribute.name
        others = [other for other in names if other != name]
        without = _links(known.select(others), threads) if others else None
        drawn = None if people is None or without is None else SampledLinks(len(people), files.n_pairs, without)
        result.append(
            AttributeRisk(
                name=name,
                kind=str(column.attribute.kind),
                distinct_original=n_distinct(column.original),
                distinct_protected=n_distinct(column.protected),
                unchanged=share_unchanged(column, files.own),
                alone=_links(comparison.select([name]), threads),
                without=without if drawn is None else None,
                without_sample=drawn,
            )
        )
        progress(len(result), len(names))
    return tuple(result)


def drawn_people(own: IntArray, n_people: int, seed: int) -> IntArray | None:
    """Draw original records that have a counterpart, without replacement, in order; None: there are no more than that.

    >>> drawn_people(np.array([0, -1, 2, 1]), 2, seed=1).tolist()
    [0, 2]
    >>> drawn_people(np.array([0, -1, 2, 1]), 3, seed=1) is None
    True
    """
    paired = np.flatnonzero(own >= 0)
    if len(paired) <= n_people:
        return None
    return np.sort(np.random.default_rng(seed).choice(paired, n_people, replace=False))


def _links(comparison: Comparison, threads: int | None) -> dict[Ties, float]:
    linkage = nearest(mean_distance(comparison), threads=threads)
    return {rule: linkage.links(rule) for rule in Ties}
