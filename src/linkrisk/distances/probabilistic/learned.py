"""What EM learned, for readers and JSON: parameters by name, and notes on what to know about them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.probabilistic.agreement import Agreement
from linkrisk.distances.probabilistic.decision import Decision

if TYPE_CHECKING:  # compiled
    from linkrisk.distances.probabilistic.mixture import Mixture
    from linkrisk.distances.probabilistic.patterns import Patterns


def learned_parameters(
    agreement: Agreement, mixture: Mixture, decision: Decision, largest: float, patterns: Patterns
) -> dict[str, object]:
    """Return what was learned; ``largest`` is the weight of a pair at distance 0."""
    tables = {"m": mixture.m, "u": mixture.u, "weights": np.where(np.isnan(mixture.m), np.nan, mixture.weights)}
    classes = ("links", "clerical", "non_links")
    return {
        **{name: _by_level(agreement, table) for name, table in tables.items()},
        "share_of_matches": mixture.share,
        "iterations": mixture.iterations,
        "status": str(mixture.status),
        "flat_because": mixture.flat_because or None,
        "converged": mixture.is_converged,
        "starts": {start.name: start.outcome for start in mixture.starts},
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


def learned_notes(agreement: Agreement, mixture: Mixture, patterns: Patterns, side: str) -> tuple[str, ...]:
    """Return what a reader must know: attributes that say nothing, how EM ended unless well, whom it learned from."""
    notes = [
        f"probabilistic: all pairs agree alike in {name}; it gets weight 0"
        for name, is_informative in zip(agreement.names, mixture.is_informative, strict=True)
        if not is_informative
    ]
    if not mixture.is_converged and any(mixture.is_informative):
        notes.append(f"probabilistic: EM {mixture.ending}; other m, u and weights may be as likely")
    if not patterns.is_complete:
        notes.append(
            f"probabilistic: m and u are learned from {patterns.n_records:,} of {patterns.n_all:,} {side} records, "
            f"{patterns.n_records / agreement.n_free:.0f} for each of the {agreement.n_free} probabilities of levels, "
            "drawn with the seed; all are linked"
        )
    return tuple(notes)


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
