"""Probabilistic record linkage in full: m and u, thresholds, pairs by class, links one to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.distance import Distance, Rule
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.linkage.assignment import Assignment, assign
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import DEFAULT_TIES


@dataclass(frozen=True)
class PairClasses:
    """Pairs as links, clerical pairs and non-links, in this order, and the true pairs among them.

    ``pairs`` are those that EM counted: all pairs of ``n_records`` records, which are all pairs if ``is_complete``.
    ``true_pairs`` are of all records.
    """

    pairs: tuple[int, int, int]
    true_pairs: tuple[int, int, int]
    n_records: int
    is_complete: bool

    @property
    def precision(self) -> float | None:
        """Share of right ones among the claimed links; None where none is claimed or not all pairs were counted."""
        if not self.is_complete or self.pairs[0] == 0:
            return None
        return self.true_pairs[0] / self.pairs[0]

    def __str__(self) -> str:
        links, clerical, rest = self.pairs
        right, looked_at, missed = self.true_pairs
        return (
            f"{links} pairs claimed as links, {clerical} clerical, {rest} non-links; "
            f"true pairs among them: {right}, {looked_at}, {missed}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class ProbabilisticLinkage:
    """What probabilistic record linkage found; prints m and u, thresholds and counts, and nothing of a single record.

    ``linkage`` has each record's largest weights (as distances from the largest possible), ``assignment`` the linkage
    one to one at the largest total weight, ``classes`` the pairs by class.
    """

    distance: AgreementDistance
    linkage: Linkage
    assignment: Assignment
    classes: PairClasses

    @property
    def m(self) -> FloatArray:
        """Probabilities of the levels among matches, one row per attribute; see `Mixture`."""
        return self.distance.mixture.m

    @property
    def u(self) -> FloatArray:
        """Probabilities of the levels among other pairs."""
        return self.distance.mixture.u

    @property
    def weights(self) -> FloatArray:
        """log2(m / u), in bits."""
        return self.distance.mixture.weights

    @property
    def thresholds(self) -> tuple[float, float]:
        """Weights from which on pairs are links, and up to which they are non-links."""
        decision, largest = self.distance.decision, self.distance.largest_weight
        return largest - decision.link, largest - decision.non_link

    @property
    def is_converged(self) -> bool:
        """Whether EM converged."""
        return self.distance.mixture.is_converged

    def __repr__(self) -> str:
        mixture = self.distance.mixture
        link, non_link = self.thresholds
        learned = (
            f"EM {mixture.ending}, log-likelihood {mixture.log_likelihood:.6g}, share of matches {mixture.share:.3g}."
        )
        linked, assigned = self.linkage.links(DEFAULT_TIES), self.assignment.links(DEFAULT_TIES)
        links = f"{linked:.6g} links in expectation; one to one: {assigned:.6g}"
        lines = [
            learned,
            *_level_table(self.distance),
            f"Links from weight {link:.3g} on, non-links up to {non_link:.3g}: {self.classes}.",
            f"Largest weight: {links} (gap {self.assignment.gap:.1%}).",
            *(f"note: {note}" for note in self.distance.notes),
        ]
        return "\n".join(lines)


def link_probabilistically(
    distance: AgreementDistance, *, threads: int | None = None, progress: Progress = no_progress
) -> ProbabilisticLinkage:
    """Link two files by probabilistic record linkage: weights, two thresholds, links one to one.

    ``distance`` is that of `linkrisk.attackers.Probabilistic`, which learns the weights by EM; see there for the model
    and its parameters, `decide` for the thresholds, `assign` for links one to one. Ties and missing values as there.
    Cost: all pairs are compared, and assigned (N^3 at worst up to 500 records, on lists of candidates beyond).
    Reference: torra2010-owa.txt, section 2; abril2012-weights.txt, section 2.

    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.distances.probabilistic.probabilistic import agreement_distance
    >>> people = np.random.default_rng(1).normal(size=(50, 3))
    >>> found = link_probabilistically(agreement_distance(make_comparison(pair_files(people, people))))
    >>> found.assignment.links(), found.is_converged
    (50.0, True)
    """
    linkage = nearest(distance, threads=threads, progress=progress)
    assignment = assign(distance, threads=threads, progress=progress)
    distance = with_comparison(distance, linkage, threads)
    return ProbabilisticLinkage(distance, linkage, assignment, pair_classes(distance, linkage))


def pair_classes(distance: AgreementDistance, linkage: Linkage) -> PairClasses:
    """Count pairs by class, and where the true pairs are."""
    own = linkage.own[linkage.has_counterpart]
    decision = distance.decision
    right, missed = int((own <= decision.link).sum()), int((own >= decision.non_link).sum())
    n_records = distance.parameters["records_learned_from"]
    assert isinstance(n_records, int)  # noqa: S101  (for the type checker)
    coordinates = distance.coordinates
    is_complete = sum(decision.pairs) == len(coordinates.original) * len(coordinates.protected)
    return PairClasses(decision.pairs, (right, len(own) - right - missed, missed), n_records, is_complete)


def with_comparison(distance: AgreementDistance, linkage: Linkage, threads: int | None = None) -> AgreementDistance:
    """Return the distance with the links of `mean` among its parameters, and a note if there are more of them.

    What EM took for matches may be other pairs; it cannot know. Links are those in expectation. Cost: one search by the
    mean of the d_k, which is nearly always far less than the linkage itself.
    """
    weights = np.full(distance.coordinates.n_attributes, 1.0 / distance.coordinates.n_attributes)
    mean = Distance(Rule.WEIGHTED, weights, distance.coordinates, importance=np.sqrt(weights))
    theirs, ours = nearest(mean, threads=threads).links(DEFAULT_TIES), linkage.links(DEFAULT_TIES)
    notes = distance.notes
    if ours < theirs:
        note = (
            f"probabilistic links {ours:.6g} records, fewer than mean, which links {theirs:.6g}: what EM took for "
            "matches are not all matches, or levels say less than differences"
        )
        notes = (*notes, note)
    return replace(distance, parameters={**distance.parameters, "links_of_mean": theirs}, notes=notes)


def with_pair_classes(distance: AgreementDistance, linkage: Linkage, scale: str) -> AgreementDistance:
    """Return the distance with what became of the true pairs among its parameters, and a line on it among its notes."""
    classes = pair_classes(distance, linkage)
    mixture = distance.mixture
    of_whom = "" if classes.is_complete else f", pairs of {classes.n_records} records"
    note = f"probabilistic on scale {scale}: EM {mixture.ending}; {classes}{of_whom}"
    true_pairs = dict(zip(("links", "clerical", "non_links"), classes.true_pairs, strict=True))
    parameters = {**distance.parameters, "true_pairs": true_pairs, "precision_of_links": classes.precision}
    return replace(distance, parameters=parameters, notes=(*distance.notes, note))


def _level_table(distance: AgreementDistance) -> list[str]:
    """One line for each attribute and level: m, u and weight."""
    rows: list[Sequence[str]] = [("attribute", "level", "m", "u", "weight")]
    mixture = distance.mixture
    for k, name in enumerate(distance.agreement.names):
        for level, label in enumerate(distance.agreement.labels(k)):
            m, u = mixture.m[k, level], mixture.u[k, level]
            if not np.isnan(m):
                rows.append((name, label, f"{m:.4f}", f"{u:.4f}", f"{mixture.weights[k, level]:.2f}"))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
