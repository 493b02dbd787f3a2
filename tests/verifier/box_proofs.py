"""Proofs by boxes made by a plain search in fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.verifier.twins import Twin, Vector

MAX_BOXES = 400
RATIOS = [Fraction(2) ** e for e in range(-6, 7)]

Box = list[tuple[Fraction, Fraction]]


def top(row: Vector, box: Box) -> Fraction:
    """Return the maximum of a row over a box."""
    return sum((max(x * a, x * b) for x, (a, b) in zip(row, box, strict=True)), Fraction(0))


class TooManyBoxesError(Exception):
    """The search would take more than `MAX_BOXES`."""


class BoxProof:
    """A search that divides boxes until no more than ``bound`` can be linked in any."""

    def __init__(self, twin: Twin, n: int, floor: Fraction, bound: Fraction, *, groups: bool, cores: bool) -> None:
        self.twin, self.bound = twin, bound
        self.uses_groups, self.uses_cores = groups, cores
        edges = [[(1 - n * floor) * (k == m) + floor for m in range(n)] for k in range(n)]
        self.rows = {
            (i, j): [sum((a * b for a, b in zip(e, twin.row(i, j), strict=True)), Fraction(0)) for e in edges]
            for i in twin.people
            for j in twin.rivals(i)
        }
        self.columns: dict[str, list[Any]] = {
            key: []
            for key in (
                "divisions", "cuts", "n_lost", "lost_records", "lost_to", "n_sets", "groups", "n_rows", "row_records",
                "row_to", "multipliers",
            )
        }  # fmt: skip
        for k in range(n):
            box = [(Fraction(int(k == m)), Fraction(1)) for m in range(n)]
            self._search(box, frozenset(), {})

    def to_dict(self) -> dict[str, Any]:
        """Return the proof."""
        return {"kind": "boxes", **self.columns}

    def _search(self, box: Box, lost: frozenset[int], groups: dict[int, int]) -> None:
        columns = self.columns
        if len(columns["divisions"]) >= MAX_BOXES:
            raise TooManyBoxesError
        columns["divisions"].append(-1)
        columns["n_sets"].append(0)
        here = len(columns["divisions"]) - 1
        new = self._losses(box, lost)
        columns["n_lost"].append(len(new))
        columns["lost_records"] += [i for i, _ in new]
        columns["lost_to"] += [j for _, j in new]
        lost = lost | {i for i, _ in new}
        if self._linkable(lost, groups) <= self.bound:
            return
        if self.uses_groups:
            groups = self._join(box, lost, groups, here)
            if self._linkable(lost, groups) <= self.bound:
                return
        conflict = next(self._conflicts(box, lost), None) if self.uses_cores else None
        if conflict is not None:
            self._tell(conflict, -1, here)
            columns["divisions"][here] = -2
            for record in (conflict[0][0][0], conflict[1][0][0]):
                self._search(box, lost | {record}, groups)
            return
        if here % 5 == 0:
            columns["divisions"][here] = -3
            self._search(box, lost, groups)
            return
        k = max(range(len(box)), key=lambda m: box[m][1] - box[m][0])
        cut = Fraction(float(box[k][0] + box[k][1]) / 2) if box[k][0] or here % 2 else box[k][1] / 4
        columns["divisions"][here] = k
        columns["cuts"].append(float(cut))
        self._search([*box[:k], (box[k][0], cut), *box[k + 1 :]], lost, groups)
        self._search([*box[:k], (cut, box[k][1]), *box[k + 1 :]], lost, groups)

    def _losses(self, box: Box, lost: frozenset[int]) -> list[tuple[int, int]]:
        found = {i: (i, j) for (i, j), row in self.rows.items() if i not in lost and top(row, box) <= 0}
        return list(found.values())

    def _linkable(self, lost: frozenset[int], groups: dict[int, int]) -> Fraction:
        units: dict[int, Fraction] = {}
        for i in self.twin.people:
            if i not in lost:
                unit = groups.get(i, -1 - i)
                units[unit] = max(units.get(unit, Fraction(0)), self.twin.worth(i))
        return sum(units.values(), Fraction(0))

    def _join(self, box: Box, lost: frozenset[int], groups: dict[int, int], here: int) -> dict[int, int]:
        """Put two records that are in no group, and in conflict, into one."""
        for conflict in self._conflicts(box, lost):
            first, second = conflict[0][0][0], conflict[1][0][0]
            if first not in groups and second not in groups:
                self._tell(conflict, first, here)
                return {**groups, first: first, second: first}
        return groups

    def _conflicts(self, box: Box, lost: frozenset[int]) -> Iterator[Any]:
        """Yield pairs of rows of different records with multipliers of a mixture that is positive nowhere."""
        pairs = [pair for pair in self.rows if pair[0] not in lost]
        for a in pairs:
            for b in pairs:
                for ratio in RATIOS if a[0] < b[0] else ():
                    mixed = [x + ratio * y for x, y in zip(self.rows[a], self.rows[b], strict=True)]
                    if top(mixed, box) <= 0:
                        yield (a, 1.0), (b, float(ratio))
                        break

    def _tell(self, conflict: Any, group: int, here: int) -> None:
        columns = self.columns
        columns["n_sets"][here] += 1
        columns["groups"].append(group)
        columns["n_rows"].append(2)
        for (i, j), multiplier in conflict:
            columns["row_records"].append(i)
            columns["row_to"].append(j)
            columns["multipliers"].append(multiplier)
