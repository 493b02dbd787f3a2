"""The attack of an intruder who knows the method: from a description and two files to scores of pairs, and links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.data.columns import FilePair
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.informed.candidates import score_pairs
from linkrisk.informed.description import Description
from linkrisk.informed.known import Known
from linkrisk.informed.link import link_scores
from linkrisk.informed.model import make_terms
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.matching.scores import PairScores

REFUTED = 0.05
"""Share of released records that nobody can be, from which on a description does not fit the release."""


@dataclass(frozen=True, eq=False, repr=False)
class InformedLinkage:
    """What an intruder who knows a description makes of two files.

    ``scores`` are the likeliest pairs, ``linkage`` who each person most likely is; ``n_certain`` counts the people who
    are found for certain: their released record can be nobody else. ``unexplained`` is the share of released records
    that can be none of the people known.
    """

    description: Description
    scores: PairScores
    linkage: Linkage
    n_certain: int
    unexplained: float

    def __repr__(self) -> str:
        return f"<InformedLinkage by {self.description}: {self.linkage.links('expected'):.1f} expected links>"


def attack_informed(
    files: FilePair,
    descriptions: Sequence[Description],
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> tuple[InformedLinkage, ...]:
    """Attack by each description; attributes that are not in the files are left out of it."""
    known = Known(files)
    return tuple(
        _attack(known, description.restricted(known.names), seed, threads, progress) for description in descriptions
    )


def _attack(
    known: Known, description: Description, seed: int, threads: int | None, progress: Progress
) -> InformedLinkage:
    terms = make_terms(description, known)
    scores, n_possible = score_pairs(terms, seed=seed, threads=threads, progress=progress)
    own = known.files.own
    linkage = link_scores(scores, own)
    is_single = (n_possible == 1) & known.is_whole & (not terms.gaussians)
    certain = is_single[own[own >= 0]] & linkage.is_linked("unique")[own >= 0]
    is_empty = np.diff(scores.start) == 0
    return InformedLinkage(description, scores, linkage, int(certain.sum()), float(is_empty.mean()))
