"""Probabilistic record linkage: what agreement on each attribute is worth, learned without knowing who is who."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.attacker import is_whole_number
from linkrisk.distances.distance import Distance, Rule
from linkrisk.distances.probabilistic.agreement import MAX_LEVELS, Agreement, make_agreement
from linkrisk.distances.probabilistic.decision import Decision, decide
from linkrisk.errors import NotApplicableError, ParameterError

if TYPE_CHECKING:
    from linkrisk.distances.probabilistic.mixture import Mixture
    from linkrisk.distances.probabilistic.patterns import Patterns

FALSE_LINKS = 0.05
"""Default of the first error rate: so many unrelated pairs claimed for each original record."""

LEARNED_PAIRS = 2_000_000
LEAST_RECORDS = 400
"""EM learns from as many original records as make so many pairs, but from so many in any case."""

MOST_PAIRS = 20_000_000_000
"""Pairs beyond which comparing them all would take hours."""

UNITS = ("record", "pair")
MISSING = ("ignored", "level")


@dataclass(frozen=True, kw_only=True)
class AgreementDistance(Distance):
    """Sum over the attributes of what a level of agreement falls short of the best one, in bits.

    ``costs[k, l]`` is that of level l of attribute k (after the levels: missing on one side, on both).
    """

    agreement: Agreement
    costs: FloatArray
    mixture: Mixture
    decision: Decision
    largest_weight: float


@dataclass(frozen=True)
class Probabilistic:
    """The intruder who weighs agreements by how rare they are among strangers (Fellegi and Sunter).

    He sees both files and knows no true pair: no oracle. Each attribute of a pair is at a level of agreement (equal,
    within a tolerance, ..., different; see `make_agreement`). EM tells him how probable each
    level is among matches, m, and among other pairs, u, the attributes being independent in each class
    (`fit_mixture`). The weight of a pair is the sum over k of log2(m_k / u_k), and he links
    a record to the protected one of the largest weight: distance = largest possible weight - weight, in bits.

    Parameters
    ----------
    levels
        Tolerances of a number besides equality, 0 to 12; 0 compares all kinds for equality alone, as the papers do.
        Protected numbers are hardly ever equal to the original ones, so by default there are 12.
    tolerances
        Rising tolerances of some attributes instead: standard deviations of the scale (numbers, dates), categories
        (ordinal), 1 - Jaro-Winkler (text).
    unit
        ``"record"``: EM takes the pairs of a record together, which has one match at most; ``"pair"``: each pair on its
        own, as usual where not every record has a match. The first finds far more (docs/decisions/0009).
    missing
        ``"ignored"``: a value missing on either side says nothing (weight 0); ``"level"``: missing on one side, and on
        both, are levels with an m and a u.
    monotone
        A closer level never weighs less than a farther one.
    false_positive, false_negative
        Error rates for claims: the share of unrelated pairs claimed as links (by default 0.05 over the number of
        protected records: 5 wrong claims for 100 people), and of matches dismissed as non-links. They do not change
        who is linked, but which links he would stand by (`linkrisk.distances.probabilistic.decision.decide`).
    seed
        Seed of the starts of EM, and of the records it learns from where there are many; that of the run, or 0.
    threads
        Cores to use; all by default.

    Ties: two pairs at the same levels are tied, whatever their differences are; twins are told by the differences, as
    for every attacker. An attribute in which all pairs are at one level gets weight 0, with a note. Cost: all pairs
    are compared; EM learns from 2 million pairs (400 original records at least). Reference: torra2010-owa.txt,
    section 2; abril2012-weights.txt, section 2.

    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.linkage.search import nearest
    >>> people = np.random.default_rng(1).normal(size=(50, 3))
    >>> distance = Probabilistic().distance(make_comparison(pair_files(people, people)))
    >>> nearest(distance).links()
    50
    """

    levels: int = MAX_LEVELS
    tolerances: Mapping[str, Sequence[float]] | None = None
    unit: str = "record"
    missing: str = "ignored"
    monotone: bool = True
    false_positive: float | None = None
    false_negative: float = 0.05
    seed: int | None = None
    threads: int | None = None

    name: ClassVar[str] = "probabilistic"
    has_true_pairs: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not is_whole_number(self.levels) or not 0 <= self.levels <= MAX_LEVELS:
            raise ParameterError(f"probabilistic: levels must be a whole number from 0 to {MAX_LEVELS}")
        for key, choices in (("unit", UNITS), ("missing", MISSING)):
            if getattr(self, key) not in choices:
                raise ParameterError(f"probabilistic: {key} must be {' or '.join(choices)}")
        if not isinstance(self.monotone, bool):
            raise ParameterError("probabilistic: monotone must be true or false")
        if self.seed is not None and (not is_whole_number(self.seed) or self.seed < 0):
            raise ParameterError("probabilistic: seed must be a whole number of at least 0")
        for key in ("false_positive", "false_negative"):
            rate = getattr(self, key)
            is_default = rate is None and key == "false_positive"
            if not is_default and (
                isinstance(rate, bool) or not isinstance(rate, Real) or not 0.0 <= float(rate) <= 1.0
            ):
                raise ParameterError(f"probabilistic: {key} must be a number from 0 to 1")

    def check(self, comparison: Comparison) -> None:
        """Raise where the parameters do not fit the files, or the files are too large; cheap."""
        make_agreement(comparison, 0, self.tolerances)
        n_pairs = len(comparison.coordinates.original) * len(comparison.coordinates.protected)
        if n_pairs > MOST_PAIRS:
            raise NotApplicableError(
                f"probabilistic: compares all {n_pairs:.1e} pairs; give a scenario with a share of the people"
            )

    def distance(self, comparison: Comparison) -> AgreementDistance:
        """Learn m and u from the patterns of agreement and return the distance they make."""
        from linkrisk.distances.probabilistic.agreement_kernels import add_levels  # noqa: PLC0415  (compiled)
        from linkrisk.distances.probabilistic.mixture import fit_mixture  # noqa: PLC0415
        from linkrisk.distances.probabilistic.patterns import count_patterns  # noqa: PLC0415

        self.check(comparison)
        coordinates = comparison.coordinates
        n_original, n_protected = len(coordinates.original), len(coordinates.protected)
        agreement = make_agreement(comparison, int(self.levels), self.tolerances)
        seed = int(self.seed or 0)
        patterns = count_patterns(
            agreement,
            coordinates,
            max_records=max(LEAST_RECORDS, LEARNED_PAIRS // n_protected),
            is_by_record=self.unit == "record",
            seed=seed,
            threads=self.threads,
        )
        mixture = fit_mixture(
            patterns,
            agreement,
            largest_share=1.0 / max(n_original, n_protected, 2),
            is_monotone=self.monotone,
            is_missing_level=self.missing == "level",
            seed=seed,
        )
        costs = mixture.weights.max(axis=1, keepdims=True) - mixture.weights
        apart = np.empty(len(patterns.counts))
        add_levels(patterns.levels, costs, apart)
        rate = FALSE_LINKS / n_protected if self.false_positive is None else float(self.false_positive)
        decision = decide(apart, patterns.counts, mixture.matches, rate, float(self.false_negative))
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
            parameters=_parameters(self, agreement, mixture, decision, largest, patterns),
            notes=_notes(agreement, mixture, patterns),
        )


def _parameters(
    attacker: Probabilistic,
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
        "unit": attacker.unit,
        "missing": attacker.missing,
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
