"""Probabilistic record linkage: what agreement on each attribute is worth, learned without knowing who is who."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance, Rule
from linkrisk.distances.probabilistic.agreement import MAX_LEVELS, Agreement, make_agreement
from linkrisk.distances.probabilistic.decision import Decision, decide
from linkrisk.errors import NotApplicableError

if TYPE_CHECKING:
    from linkrisk.distances.probabilistic.mixture import Mixture
    from linkrisk.distances.probabilistic.patterns import Patterns

FALSE_LINKS = 0.05
"""Default of the first error rate: unrelated pairs that are claimed per original record."""

LEARNED_PAIRS = 2_000_000
LEAST_RECORDS = 400
"""EM learns from as many original records as make `LEARNED_PAIRS` pairs, and from at least `LEAST_RECORDS`."""

MOST_PAIRS = 20_000_000_000
"""With more pairs than this, comparing them all would take hours."""

UNITS = ("record", "pair")
MISSING = ("ignored", "level")


@dataclass(frozen=True, kw_only=True)
class AgreementDistance(Distance):
    """Sum over the attributes of how much less than the best one a level of agreement is worth, in bits.

    ``costs[k, l]`` is that of level l of attribute k (after the levels: missing on one side, on both).
    """

    agreement: Agreement
    costs: FloatArray
    mixture: Mixture
    decision: Decision
    largest_weight: float


def agreement_distance(
    comparison: Comparison,
    *,
    levels: int = MAX_LEVELS,
    tolerances: Mapping[str, Sequence[float]] | None = None,
    unit: str = UNITS[0],
    missing: str = MISSING[0],
    is_monotone: bool = True,
    false_positive: float | None = None,
    false_negative: float = 0.05,
    seed: int = 0,
    threads: int | None = None,
) -> AgreementDistance:
    """Learn m and u from the patterns of agreement and return the distance they make.

    `linkrisk.attackers.Probabilistic` describes the parameters. Cost: all pairs of some records are compared, and their
    patterns are what EM learns from.
    """
    from linkrisk.distances.probabilistic.agreement_kernels import add_levels  # noqa: PLC0415  (compiled)
    from linkrisk.distances.probabilistic.mixture import fit_mixture  # noqa: PLC0415
    from linkrisk.distances.probabilistic.patterns import count_patterns  # noqa: PLC0415

    check_agreement(comparison, tolerances)
    coordinates = comparison.coordinates
    n_original, n_protected = len(coordinates.original), len(coordinates.protected)
    agreement = make_agreement(comparison, levels, tolerances)
    patterns = count_patterns(
        agreement,
        coordinates,
        max_records=max(LEAST_RECORDS, LEARNED_PAIRS // n_protected),
        is_by_record=unit == "record",
        seed=seed,
        threads=threads,
    )
    mixture = fit_mixture(
        patterns,
        agreement,
        largest_share=1.0 / max(n_original, n_protected, 2),
        is_monotone=is_monotone,
        is_missing_level=missing == "level",
        seed=seed,
    )
    costs = mixture.weights.max(axis=1, keepdims=True) - mixture.weights
    apart = np.empty(len(patterns.counts))
    add_levels(patterns.levels, costs, apart)
    rate = FALSE_LINKS / n_protected if false_positive is None else false_positive
    decision = decide(apart, patterns.counts, mixture.matches, rate, false_negative)
    largest = math.fsum(mixture.weights.max(axis=1).tolist())
    return AgreementDistance(
        rule=Rule.AGREEMENT,
        theta=np.zeros(0),
        coordinates=coordinates,
        importance=np.ones(comparison.n_attributes),
        agreement=agreement,
        costs=costs,
        mixture=mixture,
        decision=decision,
        largest_weight=largest,
        parameters=_parameters(unit, missing, agreement, mixture, decision, largest, patterns),
        notes=_notes(agreement, mixture, patterns),
    )


def check_agreement(comparison: Comparison, tolerances: Mapping[str, Sequence[float]] | None) -> None:
    """Raise where tolerances do not fit the files, or the files are too large; cheap."""
    make_agreement(comparison, 0, tolerances)
    n_pairs = len(comparison.coordinates.original) * len(comparison.coordinates.protected)
    if n_pairs > MOST_PAIRS:
        raise NotApplicableError(
            f"probabilistic: compares all {n_pairs:.1e} pairs; give a scenario with a share of the people"
        )


def _parameters(
    unit: str,
    missing: str,
    agreement: Agreement,
    mixture: Mixture,
    decision: Decision,
    largest: float,
    patterns: Patterns,
) -> dict[str, object]:
    """Return what was learned, for readers and JSON."""
    tables = {"m": mixture.m, "u": mixture.u, "weights": np.where(np.isnan(mixture.m), np.nan, mixture.weights)}
    classes = ("links", "clerical", "non_links")
    return {
        **{name: _by_level(agreement, table) for name, table in tables.items()},
        "unit": unit,
        "missing": missing,
        "share_of_matches": mixture.share,
        "iterations": mixture.iterations,
        "converged": mixture.is_converged,
        "log_likelihood": mixture.log_likelihood,
        "patterns": len(patterns.counts),
        "records_learned_from": patterns.n_records,
        "thresholds": {
            "link": _finite(largest - decision.link),
            "non_link": _finite(largest - decision.non_link),
        },
        "error_rates": {"false_positive": decision.false_positive, "false_negative": decision.false_negative},
        "pairs": dict(zip(classes, decision.pairs, strict=True)),
        "matches_expected": dict(zip(classes, decision.matches, strict=True)),
    }


def _by_level(agreement: Agreement, table: FloatArray) -> dict[str, dict[str, float]]:
    return {
        name: {
            label: float(value)
            for label, value in zip(agreement.labels(k), table[k], strict=False)
            if not np.isnan(value)
        }
        for k, name in enumerate(agreement.names)
    }


def _finite(value: float) -> float | None:
    """Return a threshold, None where no pair is beyond it."""
    return value if math.isfinite(value) else None


def _notes(agreement: Agreement, mixture: Mixture, patterns: Patterns) -> tuple[str, ...]:
    notes = [
        f"probabilistic: all pairs agree alike in {name}; it gets weight 0"
        for name, is_informative in zip(agreement.names, mixture.is_informative, strict=True)
        if not is_informative
    ]
    if not mixture.is_converged:
        notes.append(f"probabilistic: EM has not converged after {mixture.iterations} iterations; weights are its last")
    if not patterns.is_complete:
        notes.append(
            f"probabilistic: m and u are learned from {patterns.n_records} of {patterns.n_original} original records, "
            "drawn with the seed; all are linked"
        )
    return tuple(notes)
