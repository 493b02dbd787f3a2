"""Links by one attribute alone (abril2012-weights.txt, Table 6)."""

from __future__ import annotations

from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import DEFAULT_TIES, Ties
from linkrisk.study.measures.measured import Measured
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:  # noqa: ARG001  (nothing is drawn)
    """Return the share linked by each attribute alone, as ``rate_NAME``, and the highest."""
    comparison = release.comparison(variant.scale)
    ties = DEFAULT_TIES if variant.ties is None else Ties(variant.ties)
    n_people = release.files.n_pairs
    rates = {
        name: nearest(mean_distance(comparison.select([name]))).links(ties) / n_people for name in comparison.names
    }
    return Measured({"highest": max(rates.values()), **{f"rate_{name}": rate for name, rate in rates.items()}})
