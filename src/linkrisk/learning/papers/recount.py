"""What parameters are worth: links counted by the linkage of the package, whatever a solver claims."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.engine import interrupt
from linkrisk.learning.papers.milp import Milp
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties

HAIR = 1e-12
"""By how much inequalities between parameters are met, so that rounding cannot undo them."""


@dataclass(frozen=True)
class Recount:
    """Parameters, and the links they make."""

    theta: FloatArray
    links: float


def count_links(family: Family, comparison: Comparison, theta: FloatArray, ties: Ties | str = Ties.UNIQUE) -> Recount:
    """Count the links that parameters of a family make, by the linkage itself, even if Ctrl-C ended their search."""
    distance = family.distance(theta, comparison)
    with interrupt.set_aside():
        return Recount(theta, nearest(distance).links(ties))


def recount(model: Milp, theta: FloatArray) -> Recount:
    """Count the links that a solver's parameters make, after `admissible` has undone its rounding."""
    return count_links(model.family, model.comparison, admissible(model, theta), model.ties)


def admissible(model: Milp, theta: FloatArray) -> FloatArray:
    """Return the parameters next to a solver's that are admissible without any tolerance.

    Presolve drops rows that no parameters violate though some meet them with a tie: weights of 0. From a reduced
    model parameters therefore take a step of a quarter of the margin into the interior.

    *Guarantee* (docs/mathematics.md#inside): that step undoes no row of the model, because rows and step directions
    have length 1. All zeros, which are no distance, become the interior point.
    """
    interior = model.parameters.interior
    theta = np.clip(theta, *model.box)
    if not theta.any():
        return interior
    slopes = model.at_least_zero @ interior
    short = (HAIR - model.at_least_zero @ theta) / slopes
    step = max(float(short.max(initial=0.0)), 0.0)
    if model.is_reduced and not model.family.is_signed:
        step += 0.25 * model.margin / float(np.linalg.norm(interior))
    return np.asarray(theta + step * interior)
