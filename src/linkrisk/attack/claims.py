"""How sure an intruder can be: what he claims, and how much of it is right."""

from __future__ import annotations

from dataclasses import dataclass

from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.nearest_class import NearestClasses
from linkrisk.linkage.ties import Ties

RATIOS = (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)


@dataclass(frozen=True)
class Claim:
    """The claims of an intruder who trusts a link only if it is clear: nearest distance / next one at most ``ratio``.

    ``correct`` counts right claims by the tie rule of the attack: under ``expected`` who faces k equal records picks
    one, and is right with probability 1 / k. ``precision`` is the share of his claims that are right (None if he makes
    none), ``recall`` the share of the people in both files whom he finds.
    """

    ratio: float
    claimed: int
    correct: float
    precision: float | None
    recall: float


def claims(
    linkage: Linkage, classes: NearestClasses, ties: Ties, ratios: tuple[float, ...] = RATIOS
) -> tuple[Claim, ...]:
    """Count claimed and correct links for each ratio; people are linked to their nearest record.

    A person is claimed when the nearest protected record is nearer by the ratio than the next one with other values; at
    1 the intruder claims wherever nobody but twins is as near as the nearest. Under ``unique`` he claims single
    records only: not where another is equal. So the correct claims at 1 are the links by the same rule. Distances are
    taken as the attacker measures them (squared). A record without counterpart can be claimed, which is always wrong.
    Negative distances (free bilinear forms) have no ratio and are never claimed below 1. Missing values count as the
    distance says. Cost: linear.
    """
    n_pairs = int(linkage.has_counterpart.sum())
    is_clear = linkage.is_linked(ties) | (classes.is_single if ties is Ties.UNIQUE else classes.is_alike)
    result = []
    for ratio in ratios:
        is_claimed = is_clear
        if ratio < 1.0:
            is_claimed = is_clear & (classes.nearest <= ratio * classes.following) & (classes.nearest >= 0.0)
        claimed, correct = int(is_claimed.sum()), linkage.links(ties, among=is_claimed)
        precision = correct / claimed if claimed else None
        result.append(Claim(ratio, claimed, correct, precision, correct / n_pairs if n_pairs else 0.0))
    return tuple(result)
