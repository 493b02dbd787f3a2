"""AvRL: links on average over all sets of attributes that an intruder may know."""

from __future__ import annotations

from linkrisk.advice.average import average_linkage
from linkrisk.linkage.ties import DEFAULT_TIES, Ties
from linkrisk.study.measures.measured import Measured
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:
    """Return AvRL, and the rates of intruders who know 1, 2, ... attributes."""
    ties = DEFAULT_TIES if variant.ties is None else Ties(variant.ties)
    found = average_linkage(release.comparison(variant.scale), ties=ties, seed=seed)
    return Measured({"rate": found.rate, **{f"rate_{size}": rate for size, rate in enumerate(found.rates, start=1)}})
