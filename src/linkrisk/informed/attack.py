"""The attack of an intruder who knows the method: from descriptions and two files to scores of pairs, and links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.data.columns import FilePair
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.informed.candidates import score_pairs
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.methods.rank_swap import PAIRS, PERMUTATION
from linkrisk.informed.model import is_a_model, make_terms
from linkrisk.informed.terms import joined_codes
from linkrisk.linkage.assignment import Assignment
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.matching.assignment import BestAssignment, assign_pairs
from linkrisk.linkage.matching.bayes import Ceiling, bayes_links
from linkrisk.linkage.matching.link import link_scores
from linkrisk.linkage.matching.posterior import Marginals, Method, posterior
from linkrisk.linkage.matching.scores import PairScores

REFUTED = 0.05
"""Share of released records that nobody known can be, from which on a description does not fit a release of these."""

MAX_CEILING = 20_000
"""Records up to which the ceiling of any intruder is worked out."""

MAX_CHAIN, SWEEPS = 2_000, 200
"""Records up to which a Markov chain takes the place of belief propagation that does not converge, and its sweeps."""


@dataclass(frozen=True, eq=False, repr=False)
class InformedLinkage:
    """What an intruder who knows a description makes of two files.

    scores
        The likeliest pairs, each protected record looked at on its own.
    marginals, linkage
        Probabilities of these pairs if each protected record is one person, and who each person most likely is. They
        are those of belief propagation, or of the chains of the ceiling where these make the better rule (`Ceiling`).
    assignment
        The one-to-one assignment with the most expected links.
    n_certain
        People who are found for certain: their released record can be nobody else's.
    unexplained
        Share of the released records that can be none of the people known.
    ceiling
        Expected links of the best intruder there can be, who may claim a record for several people, where the
        description is a model of the release; None where it is not, or was not asked for.
    """

    description: Description
    scores: PairScores
    linkage: Linkage
    marginals: Marginals
    assignment: Assignment
    n_certain: int
    unexplained: float
    ceiling: Ceiling | None = None

    def __repr__(self) -> str:
        return f"<InformedLinkage by {self.description}: {self.linkage.links('expected'):.1f} expected links>"


@dataclass(frozen=True)
class _How:
    """How an attack is made."""

    seed: int
    threads: int | None
    has_ceiling: bool
    progress: Progress


def attack_informed(
    files: FilePair,
    descriptions: Sequence[Description],
    *,
    seed: int = 0,
    threads: int | None = None,
    has_ceiling: bool = False,
    progress: Progress = no_progress,
) -> tuple[InformedLinkage, ...]:
    """Attack by each description; attributes that are not in the files are left out of it.

    Where it is not published whether rank swapping let values change places in pairs, both is tried.
    """
    known = Known(files)
    how = _How(seed, threads, has_ceiling, progress)
    kept = [description.restricted(known.names) for description in descriptions]
    return tuple(_attack(known, variant, how) for description in kept for variant in _variants(description, known))


def _variants(description: Description, known: Known) -> list[Description]:
    """Return a description with each variant of rank swapping that is possible."""
    open_ones = [part for part in description.treatments if part.method == "rank_swap" and _is_open(part)]
    if not open_ones:
        return [description]
    found = [_with_variant(description, variant) for variant in (PAIRS, PERMUTATION)]
    return [each for each in found if _fits(each, known)] or found[1:]


def _is_open(treatment: Treatment) -> bool:
    return treatment.parameters.get("variant") is None


def _with_variant(description: Description, variant: str) -> Description:
    parts = tuple(
        replace(part, parameters={**part.parameters, "variant": variant})
        if part.method == "rank_swap" and _is_open(part)
        else part
        for part in description.treatments
    )
    return replace(description, treatments=parts)


def _fits(description: Description, known: Known) -> bool:
    """Whether nearly every released record can be somebody; asked only where everybody is known."""
    if not known.is_whole:
        return True
    _, n_possible = score_pairs(make_terms(description, known))
    return float((n_possible == 0).mean()) <= REFUTED


def _attack(known: Known, description: Description, how: _How) -> InformedLinkage:
    terms = make_terms(description, known)
    scores, n_possible = score_pairs(terms, seed=how.seed, threads=how.threads, progress=how.progress)
    own = known.files.own
    ceiling = None
    if how.has_ceiling and is_a_model(description, known) and known.n_original <= MAX_CEILING:
        ceiling = bayes_links(scores, is_one_to_one=False, seed=how.seed, threads=how.threads, progress=how.progress)
    marginals = _marginals(scores, how) if ceiling is None else ceiling.best
    with np.errstate(divide="ignore"):
        linkage = link_scores(scores, np.log(marginals.probability), own)
    is_single = (n_possible == 1) & known.is_whole & (not terms.gaussians)
    certain = is_single[own[own >= 0]] & linkage.is_linked("unique")[own >= 0]
    best = assign_pairs(scores, marginals.probability, seed=how.seed)
    return InformedLinkage(
        description=description,
        scores=scores,
        linkage=linkage,
        marginals=marginals,
        assignment=_counted(best, known, description),
        n_certain=int(certain.sum()),
        unexplained=float((n_possible == 0).mean()),
        ceiling=ceiling,
    )


def _marginals(scores: PairScores, how: _How) -> Marginals:
    """Return the probabilities of the pairs over all matchings.

    Messages that have not settled are kept, with that status, where the chain would take long: links by them were never
    fewer than those of each record looked at on its own.
    """
    is_small = max(scores.n_original, scores.n_protected) <= MAX_CHAIN
    method: Method = "auto" if is_small else "belief"
    return posterior(scores, method=method, seed=how.seed, sweeps=SWEEPS, threads=how.threads)


def _counted(best: BestAssignment, known: Known, description: Description) -> Assignment:
    """Return an assignment as others are counted: released records that are alike are twins."""
    own = known.files.own
    alike = _alike(known, description)
    copies = np.bincount(alike)[alike]
    has_own, is_given = own >= 0, best.partner >= 0
    is_class = has_own & is_given & (alike[best.partner] == alike[own])
    return Assignment(
        partner=best.partner,
        own=own,
        total=-best.expected,
        bound=-best.bound,
        copies=np.where(has_own, copies[own], 0),
        is_class=is_class,
    )


def _alike(known: Known, description: Description) -> IntArray:
    """Return a number for each released record, the same for those that are equal in all attributes described."""
    names = [name for part in description.treatments for name in part.attributes] + list(description.left)
    return joined_codes([known.column(name).protected for name in names], known.n_protected)
