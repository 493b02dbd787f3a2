"""Proofs by boxes: a tree of boxes of parameters, and in each box the records that cannot be linked there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress
from linkrisk.verifier.boxes.rows import BoxRows
from linkrisk.verifier.boxes.tree import BoxTree, read_box_tree
from linkrisk.verifier.boxes.walk import BoxWalk
from linkrisk.verifier.certificate.fields import as_list, as_wholes, check_keys, entry
from linkrisk.verifier.families.weights import Weights
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.problem.worths import Worths
from linkrisk.verifier.verification import Rejection

KEYS = (
    "kind", "divisions", "cuts", "n_lost", "lost_records", "lost_to", "n_sets", "groups", "n_rows", "row_records",
    "row_to", "multipliers",
)  # fmt: skip

ASIDE = "aside"
"""Parameters that the boxes leave out; the entry may be missing."""

CHUNK = 100_000
"""Number of losses or mixtures that are checked together."""


def prove_boxes(
    instance: Instance,
    proof: Mapping[str, Any],
    lost: Collection[int],
    wanted: Fraction,
    counts: dict[str, int],
    progress: Progress,
) -> Fraction:
    """Return a bound on the worth of links of every admissible theta; raise `Rejection` where a step does not hold.

    *Guarantee* (docs/mathematics.md#verify-boxes): every theta of the cone, suitably scaled and without the parameters
    put aside, is in a box that is not divided, and there it links no more than what is returned (see `BoxWalk`).
    """
    del wanted  # all sums are exact
    if not isinstance(instance.family, Weights):
        raise Rejection("A proof by boxes is only possible for weighted means and ordered weighted averages")
    check_keys(proof, (*KEYS, ASIDE), "The proof")
    if not any(as_list(entry(proof, key, "The proof"), f"The column {key!r}") for key in KEYS[1:]):
        return Worths(instance, lost).total  # no boxes: nothing is shown
    aside = _read_aside(proof, instance.family.n_parameters)
    tree = read_box_tree(proof, instance, instance.family.n_parameters - len(aside))
    counts.update(boxes=len(tree.parent))
    _check_losses(tree, BoxRows(instance, instance.family, tree.losses, aside), progress)
    _check_mixtures(tree, BoxRows(instance, instance.family, tree.mixed, aside), progress)
    return BoxWalk(Worths(instance, lost), tree).bound()


def _read_aside(proof: Mapping[str, Any], n_parameters: int) -> list[int]:
    """Return the parameters that the boxes leave out, each once; one must be left."""
    where = "the parameters put aside by the proof"
    aside = as_wholes(as_list(proof.get(ASIDE, []), f"The column {ASIDE!r}"), where, least=0, below=n_parameters)
    if len(np.unique(aside)) < len(aside) or len(aside) >= n_parameters:
        raise Rejection("The proof puts a parameter aside twice, or all of them")
    return [int(k) for k in aside]


def _check_losses(tree: BoxTree, rows: BoxRows, progress: Progress) -> None:
    """Raise unless every record that the proof calls lost in a box has a row that is positive nowhere in the box."""
    total = len(tree.of_loss)
    for start in range(0, total, CHUNK):
        interrupt.check()
        progress(start, total)
        box = tree.of_loss[start : start + CHUNK]
        if not rows.never_positive(rows.of_pair[start : start + CHUNK], tree.low[box], tree.high[box]).all():
            raise Rejection("A record that the proof calls lost in a box can be linked there")


def _check_mixtures(tree: BoxTree, rows: BoxRows, progress: Progress) -> None:
    """Raise unless every mixture of rows is positive nowhere in its box, and has a positive multiplier."""
    total = len(tree.of_mixture)
    for start in range(0, total, CHUNK):
        interrupt.check()
        progress(start, total)
        box = tree.of_mixture[start : start + CHUNK]
        first = tree.first[start : start + CHUNK + 1]
        members = slice(first[0], first[-1])
        multipliers = tree.multiplier[members]
        starts = first[:-1] - first[0]
        if not (np.diff(first) > 0).all() or not np.logical_or.reduceat(tree.is_positive[members], starts).all():
            raise Rejection("A mixture of rows of the proof has no positive multiplier")
        if not rows.mixtures_never_positive(
            starts, rows.of_pair[members], multipliers, tree.low[box], tree.high[box]
        ).all():
            raise Rejection("The records of a mixture of rows of the proof can be linked together in its box")
