"""Claims of an intruder by double loop over all distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.oracle.linking import is_nearer


def claims(distances: Sequence[Sequence[Any]], own: Sequence[int], ratio: Any) -> tuple[int, int]:
    """Count claimed and correct links: ``distances[i][j]``, ``own[i]`` the counterpart of i or -1.

    A record is claimed if one protected record is clearly nearest, and near enough compared with the next.
    """
    claimed = correct = 0
    for i, row in enumerate(distances):
        order = sorted(range(len(row)), key=lambda j: row[j])
        first, second = order[0], order[1]
        if not is_nearer(row[first], row[second]):
            continue
        if ratio < 1 and row[first] > ratio * row[second]:
            continue
        claimed += 1
        correct += first == own[i]
    return claimed, correct
