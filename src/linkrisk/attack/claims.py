"""How sure an intruder can be: what he claims, and how much of it is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.distances.distance import TOLERANCE
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.ties import Ties

RATIOS = (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)


@dataclass(frozen=True)
class Claim:
    """The claims of an intruder who trusts a link only if nearest / second-nearest distance is at most ``ratio``.

    ``precision`` is the share of his claims that are right (None if he makes none), ``recall`` the share of the people
    in both files whom he finds.
    """

    ratio: float
    claimed: int
    correct: int
    precision: float | None
    recall: float


def claims(linkage: Linkage, ratios: tuple[float, ...] = RATIOS) -> tuple[Claim, ...]:
    """Count claimed and correct links for each ratio.

    A record is claimed when the nearest protected record is nearer than the second-nearest by the ratio; at 1 the
    intruder claims wherever one record is strictly nearest. Distances are taken as the attacker measures them
    (squared). A record without counterpart can be claimed, which is always wrong. Negative distances (free bilinear
    forms) have no ratio and are never claimed below 1.
    """
    nearest, second = linkage.nearest, linkage.second_nearest
    is_correct = linkage.is_linked(Ties.UNIQUE)
    n_pairs = int(linkage.has_counterpart.sum())
    result = []
    # Nearest by more than the tolerance for ties: if two records are equally near, neither is claimed.
    with np.errstate(invalid="ignore"):  # who has no candidate at all claims nothing
        is_ahead = second - nearest > TOLERANCE * np.abs(second)
    is_clear = is_correct | (is_ahead & (linkage.tied == 0))
    for ratio in ratios:
        is_claimed = is_clear & ((nearest <= ratio * second) if ratio < 1.0 else True)
        if ratio < 1.0:
            is_claimed &= nearest >= 0.0
        claimed, correct = int(is_claimed.sum()), int((is_claimed & is_correct).sum())
        precision = correct / claimed if claimed else None
        result.append(Claim(ratio, claimed, correct, precision, correct / n_pairs if n_pairs else 0.0))
    return tuple(result)
