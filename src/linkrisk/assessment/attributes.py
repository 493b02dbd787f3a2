"""What each attribute gives away: links with it alone, and links with all except it."""

from __future__ import annotations

from linkrisk.assessment.result import AttributeRisk
from linkrisk.data.columns import FilePair
from linkrisk.data.same_values import n_distinct, unchanged_values
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties


def attribute_risks(
    files: FilePair,
    comparison: Comparison,
    *,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> tuple[AttributeRisk, ...]:
    """Count for each attribute the links of the attacker `mean` with it alone, and with all others.

    Cost: two linkages per attribute. Reference: abril2012-weights.txt, Table 6 (single attributes).
    """
    names = comparison.names
    result = []
    for column in files.columns:
        name = column.attribute.name
        others = [other for other in names if other != name]
        result.append(
            AttributeRisk(
                name=name,
                kind=str(column.attribute.kind),
                distinct_original=n_distinct(column.original),
                distinct_protected=n_distinct(column.protected),
                unchanged=float(unchanged_values(column, files.own).mean()),
                alone=_links(comparison.select([name]), threads),
                without=_links(comparison.select(others), threads) if others else None,
            )
        )
        progress(len(result), len(names))
    return tuple(result)


def _links(comparison: Comparison, threads: int | None) -> dict[Ties, float]:
    linkage = nearest(mean_distance(comparison), threads=threads)
    return {rule: linkage.links(rule) for rule in Ties}
