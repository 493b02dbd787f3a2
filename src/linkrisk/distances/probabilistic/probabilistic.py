"""Probabilistic record linkage: what agreement on each attribute is worth, learned without knowing who is who."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance, Rule
from linkrisk.distances.probabilistic.agreement import MAX_LEVELS, Agreement, make_agreement
from linkrisk.distances.probabilistic.decision import Decision, decide
from linkrisk.distances.probabilistic.learned import learned_notes, learned_parameters
from linkrisk.errors import NotApplicableError

if TYPE_CHECKING:
    from linkrisk.distances.probabilistic.mixture import Mixture
    from linkrisk.distances.probabilistic.patterns import Patterns

FALSE_LINKS = 0.05
"""Default of the first error rate: unrelated pairs that are claimed per original record."""

LEARNED_PAIRS = 2_000_000
LEAST_RECORDS = 400
PER_PROBABILITY = 10
"""EM learns from as many records as make `LEARNED_PAIRS` pairs, from at least `LEAST_RECORDS`, and from
`PER_PROBABILITY` for each probability of a level that is free."""

MOST_LEARNED_PAIRS = 10_000_000
"""EM learns from no more pairs than this, unless they are those of `LEAST_RECORDS` records."""

MOST_PAIRS = 20_000_000_000
"""With more pairs than this, comparing them all would take hours."""

UNITS = ("protected", "original", "pair")
MISSING = ("ignored", "level")
VALUES = ("frequency", "alike")
MATCHES = ("learned", "all")


@dataclass(frozen=True, kw_only=True)
class AgreementDistance(Distance):
    """Sum over the attributes of how much less than the best one a level of agreement is worth, in bits.

    ``costs[k, l]`` is that of level l of attribute k (after the levels: missing on one side, on both). ``extras`` are
    bits that each original and each protected record cost besides. A pair weighs ``largest_weight`` - distance; where
    originals compete for each protected record, this is log2 of the probability that it was made of the original one.
    """

    agreement: Agreement
    costs: FloatArray
    extras: tuple[FloatArray, FloatArray]
    mixture: Mixture
    decision: Decision
    largest_weight: float

    @property
    def temperature(self) -> float:
        """A distance is minus a log-likelihood ratio, in bits."""
        return 1.0 / math.log(2.0)

    def without_rivals(self, measured: FloatArray, original: IntArray, protected: IntArray) -> FloatArray:
        """Return the costs of the levels alone: up to a constant log2 of u / m, a stranger's chance over a match's."""
        return np.asarray(measured - self.extras[0][original] - self.extras[1][protected])

    def exchanged(self) -> Self:
        """Return the same distance with the two files exchanged."""
        return replace(super().exchanged(), extras=(self.extras[1], self.extras[0]))

    def with_candidates(self, rows: IntArray) -> Self:
        """Return the same distance with these protected records alone."""
        return replace(super().with_candidates(rows), extras=(self.extras[0], self.extras[1][rows]))


def agreement_distance(
    comparison: Comparison,
    *,
    levels: int = MAX_LEVELS,
    tolerances: Mapping[str, Sequence[float]] | None = None,
    values: str = VALUES[0],
    unit: str = UNITS[0],
    matches: str = MATCHES[0],
    missing: str = MISSING[0],
    is_monotone: bool = True,
    false_positive: float | None = None,
    false_negative: float = 0.05,
    seed: int = 0,
    threads: int | None = None,
) -> AgreementDistance:
    """Learn m and u from the patterns of agreement and return the distance they make.

    `linkrisk.attackers.Probabilistic` describes the parameters. Cost: all pairs of some records are compared, and their
    patterns are what EM learns from; where originals compete, all pairs are compared once more.
    """
    from linkrisk.distances.probabilistic.mixture import fit_mixture  # noqa: PLC0415  (compiled)
    from linkrisk.distances.probabilistic.patterns import count_patterns  # noqa: PLC0415
    from linkrisk.distances.probabilistic.rivals import rival_sums  # noqa: PLC0415

    check_agreement(comparison, tolerances)
    coordinates = comparison.coordinates
    n_original, n_protected = len(coordinates.original), len(coordinates.protected)
    agreement = make_agreement(comparison, levels, tolerances, is_by_value=values == "frequency")
    is_competing = unit == "protected"
    patterns = count_patterns(
        agreement,
        coordinates.exchanged() if is_competing else coordinates,
        max_records=records_to_learn_from(agreement, n_original if is_competing else n_protected),
        is_by_record=unit != "pair",
        seed=seed,
        threads=threads,
    )
    mixture = fit_mixture(
        patterns,
        agreement,
        largest_share=1.0 / max(n_original, n_protected, 2),
        is_monotone=is_monotone,
        is_missing_level=missing == "level",
        is_share_known=matches == "all",
        seed=seed,
        threads=threads,
    )
    costs = mixture.weights.max(axis=1, keepdims=True) - mixture.weights
    extra, largest = np.zeros(n_protected), math.fsum(mixture.weights.max(axis=1).tolist())
    if is_competing:
        sums = rival_sums(agreement, coordinates, mixture, costs, threads)
        extra, largest = sums - sums.min(), -float(sums.min())
    rate = FALSE_LINKS / n_protected if false_positive is None else false_positive
    decision = decide(*_measured(patterns, mixture, costs, extra, largest), rate, false_negative)
    settings = {"unit": unit, "matches": matches, "missing": missing, "values": values}
    return AgreementDistance(
        rule=Rule.AGREEMENT,
        theta=np.zeros(0),
        coordinates=coordinates,
        importance=np.ones(comparison.n_attributes),
        agreement=agreement,
        costs=costs,
        extras=(np.zeros(n_original), extra),
        mixture=mixture,
        decision=decision,
        largest_weight=largest,
        parameters={**settings, **learned_parameters(agreement, mixture, decision, largest, patterns)},
        notes=learned_notes(agreement, mixture, patterns, "protected" if is_competing else "original"),
    )


def records_to_learn_from(agreement: Agreement, n_rivals: int) -> int:
    """Return how many records EM learns from, each compared with ``n_rivals`` of the other file.

    >>> from linkrisk.differences.coordinates import DifferenceRule
    >>> ages = Agreement(("age",), ((0.0, 0.1),), (DifferenceRule.SQUARED,), (None,))
    >>> records_to_learn_from(ages, 100), records_to_learn_from(ages, 1_000_000)
    (20000, 400)
    """
    wanted = max(PER_PROBABILITY * agreement.n_free, LEARNED_PAIRS // n_rivals)
    return max(LEAST_RECORDS, min(wanted, MOST_LEARNED_PAIRS // n_rivals))


def _measured(
    patterns: Patterns, mixture: Mixture, costs: FloatArray, extra: FloatArray, largest: float
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Distances that occur among the counted pairs, how many pairs are as far, and matches expected of these.

    Distances are added up as the kernels that link do it, to the last bit.
    """
    from linkrisk.distances.probabilistic.agreement_kernels import add_levels  # noqa: PLC0415  (compiled)

    apart = np.empty(len(patterns.counts))
    add_levels(patterns.levels, costs, apart)
    records = patterns.records
    if records is None or not extra.any():
        return apart, patterns.counts, mixture.matches
    lengths = np.diff(records.ends, prepend=0)
    far = apart[records.found] + np.repeat(extra[records.rows], lengths)
    counts = np.asarray(records.sizes * np.repeat(records.weights, lengths), dtype=np.int64)
    return far, counts, np.asarray(counts * np.exp2(largest - far), dtype=np.float64)


def check_agreement(comparison: Comparison, tolerances: Mapping[str, Sequence[float]] | None) -> None:
    """Raise where tolerances do not fit the files, or the files are too large; cheap."""
    make_agreement(comparison, 0, tolerances)
    n_pairs = len(comparison.coordinates.original) * len(comparison.coordinates.protected)
    if n_pairs > MOST_PAIRS:
        raise NotApplicableError(
            f"probabilistic: compares all {n_pairs:.1e} pairs; give a scenario with a share of the people"
        )
