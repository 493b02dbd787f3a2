"""The attack of an intruder who knows the method: from descriptions and two files to scores of pairs, and links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.columns import FilePair
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.informed.candidates import full_length, score_pairs
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.methods.rank_swap import PAIRS, PERMUTATION
from linkrisk.informed.model import is_a_model, make_terms
from linkrisk.informed.terms import TermList, joined_codes
from linkrisk.linkage.assignment import Assignment
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.matching.assignment import BestAssignment, assign_pairs
from linkrisk.linkage.matching.bayes import Ceiling, bayes_links
from linkrisk.linkage.matching.link import link_scores
from linkrisk.linkage.matching.posterior import Marginals, Method, posterior
from linkrisk.linkage.matching.scores import PairScores
from linkrisk.linkage.nearest_class import ScoredClasses, likeliest_classes
from linkrisk.linkage.ties import DEFAULT_TIES, Ties

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
    marginals, linkage, classes
        Probabilities of these pairs if each protected record is one person, and who each person most likely is: one,
        or several that are as likely. They are those of belief propagation, or of the chains of the ceiling where these
        make the better rule (`Ceiling`).
    assignment
        The one-to-one assignment with the most expected links.
    n_certain
        People who are found for certain: their released record can be nobody else's.
    ceiling
        Expected links of the best intruder there can be, who may claim a record for several people, where the
        description is a model of the release; None where it is not, or was not asked for.
    is_short
        Whether belief propagation alone found more links than were enough, so that no chain was run for a ceiling.
    """

    description: Description
    scores: PairScores
    linkage: Linkage
    classes: ScoredClasses
    marginals: Marginals
    assignment: Assignment
    n_certain: int
    ceiling: Ceiling | None = None
    is_short: bool = False

    def __repr__(self) -> str:
        return f"<InformedLinkage by {self.description}: {self.linkage.links('expected'):.1f} expected links>"


@dataclass(frozen=True)
class _How:
    """How an attack is made."""

    seed: int
    threads: int | None
    has_ceiling: bool
    progress: Progress
    ties: Ties
    enough: float


def attack_informed(
    files: FilePair,
    descriptions: Sequence[Description],
    *,
    seed: int = 0,
    threads: int | None = None,
    has_ceiling: bool = True,
    progress: Progress = no_progress,
    ties: Ties = DEFAULT_TIES,
    enough: float = math.inf,
) -> tuple[InformedLinkage, ...]:
    """Attack by each description; attributes that are not in the files are left out of it.

    Where it is not published whether rank swapping let values change places in pairs, both is tried. Where more than
    ``enough`` links by a tie rule are found without chains, none are run: then there is no ceiling.
    """
    known = Known(files)
    how = _How(seed, threads, has_ceiling, progress, ties, enough)
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
    length = _ceiling_length(terms, description, known, how)
    scores, n_possible = score_pairs(
        terms, n_candidates=length, seed=how.seed, threads=how.threads, progress=how.progress
    )
    own = known.files.own
    quick = None if length is None else _enough(scores, own, how)
    ceiling = None if length is None or quick is not None else _ceiling(scores, how)
    marginals = quick or (_marginals(scores, how) if ceiling is None else ceiling.best)
    alike = _alike(known, description)
    probability = _shared(marginals, alike) if marginals.method == "chain" else marginals.probability
    with np.errstate(divide="ignore"):
        logarithms = np.log(probability)
    best = assign_pairs(scores, probability, seed=how.seed)
    return InformedLinkage(
        description=description,
        scores=scores,
        linkage=link_scores(scores, logarithms, own),
        classes=likeliest_classes(scores, logarithms),
        marginals=marginals,
        assignment=_counted(best, own, alike),
        n_certain=_certain(scores, n_possible, own) if known.is_whole and not terms.gaussians else 0,
        ceiling=ceiling,
        is_short=quick is not None,
    )


def _enough(scores: PairScores, own: IntArray, how: _How) -> Marginals | None:
    """Return the probabilities of belief propagation if they make more links than are enough; None otherwise."""
    if math.isinf(how.enough):
        return None
    quick = posterior(scores, method="belief", seed=how.seed, threads=how.threads)
    with np.errstate(divide="ignore"):
        linkage = link_scores(scores, np.log(quick.probability), own)
    return quick if linkage.links(how.ties) > how.enough else None


def _certain(scores: PairScores, n_possible: IntArray, own: IntArray) -> int:
    """Count the released records that can be one person only; none if one of them is somebody else.

    Then the description is wrong, and what follows from it is not certain.
    """
    single = np.flatnonzero((n_possible == 1) & (np.diff(scores.start) == 1))
    is_right = own[scores.original[scores.start[single]]] == single
    return len(single) if is_right.all() else 0


def _ceiling_length(terms: TermList, description: Description, known: Known, how: _How) -> int | None:
    """Return how many originals are listed for a ceiling; None where terms are no model, or too many are likely."""
    if not (how.has_ceiling and is_a_model(description, known) and known.n_original <= MAX_CEILING):
        return None
    return full_length(terms, seed=how.seed)


def _ceiling(scores: PairScores, how: _How) -> Ceiling | None:
    """Return what any intruder can expect; None where the pairs listed make up no matching."""
    found = bayes_links(scores, is_one_to_one=False, seed=how.seed, threads=how.threads, progress=how.progress)
    return found if found.n_unlisted == 0 else None


def _marginals(scores: PairScores, how: _How) -> Marginals:
    """Return the probabilities of the pairs over all matchings.

    Messages that have not settled are kept, with that status, where the chain would take long: links by them were never
    fewer than those of each record looked at on its own.
    """
    is_small = max(scores.n_original, scores.n_protected) <= MAX_CHAIN
    method: Method = "auto" if is_small else "belief"
    return posterior(scores, method=method, seed=how.seed, sweeps=SWEEPS, threads=how.threads)


def _shared(marginals: Marginals, alike: IntArray) -> FloatArray:
    """Give released records that are alike the same probability of being a person, as chains do but for noise."""
    scores = marginals.scores
    pair = np.stack([scores.original, alike[scores.protected()]])
    _, place, number = np.unique(pair, axis=1, return_inverse=True, return_counts=True)
    place = place.reshape(-1)
    return np.asarray(np.bincount(place, weights=marginals.probability)[place] / number[place])


def _counted(best: BestAssignment, own: IntArray, alike: IntArray) -> Assignment:
    """Return an assignment as others are counted: released records that are alike are twins."""
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
    return joined_codes([known.column(name).protected for name in description.names], known.n_protected)
