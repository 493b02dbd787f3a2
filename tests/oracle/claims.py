"""Claims of an intruder by double loop over all distances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from tests.oracle.linking import have_same_differences, is_nearer, link_record


def claims(
    differences: Sequence[Sequence[Sequence[Any]]], own: Sequence[int], values: Sequence[Any], ratio: Any, ties: str
) -> tuple[int, Fraction]:
    """Count claimed and correct links: ``differences[i][j]`` per attribute, ``own[i]`` the counterpart of i or -1.

    ``values[j]`` are those of protected record j. A record is claimed if those nearest to it are twins of each other
    (under ``unique``: if one is nearest), and near enough compared with the next one that has other values.
    """
    claimed, correct = 0, Fraction(0)
    for i, rows in enumerate(differences):
        far = [sum(row) / len(row) for row in rows]
        gain = link_record(far, own[i], partial(_is_twin, rows, own[i])).gain(ties)
        first = own[i] if own[i] >= 0 and far[own[i]] == min(far) else far.index(min(far))
        near = [j for j in range(len(far)) if not is_nearer(far[first], far[j])]
        is_alike = all(have_same_differences(rows[first], rows[j]) for j in near)
        if not gain and not (len(near) == 1 if ties == "unique" else is_alike):
            continue
        following = [far[j] for j in range(len(far)) if values[j] != values[first]]
        if ratio < 1 and following and far[first] > ratio * min(following):
            continue
        claimed += 1
        correct += gain
    return claimed, correct


def _is_twin(rows: Sequence[Sequence[Any]], own: int, other: int) -> bool:
    return have_same_differences(rows[own], rows[other])
