"""The rows of records that decide what can be linked, and whether some records can be linked at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tests.oracle.judge.case import Case
from tests.oracle.judge.families import MEASURES
from tests.oracle.judge.semidefinite import SemidefiniteSystem
from tests.oracle.judge.strict import StrictSystem

Found = tuple[Sequence[int] | None, list[int] | None]


def make_rows(case: Case) -> RecordRows:
    """Return the rows of a case."""
    return SemidefiniteRows(case) if case.family == "bilinear_psd" else RecordRows(case)


class RecordRows:
    """Which records can be linked at once: all their rows, and the inequalities of the parameters, are positive.

    The inequalities are asked to hold strictly. That changes nothing: rows that are positive at some admissible theta
    are so around it, and every family has parameters at which all inequalities that are not 0 = 0 are strict.

    ``counting`` are the rivals of each record, ``records`` those in question, ``linked_always`` those without a rival.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.family = case.distance
        self.counting = {i: case.counting(i) for i in case.people}
        self.linked_always = [i for i, rivals in self.counting.items() if not rivals]
        self.system = self._make_system()
        self.inequalities = [self.system.add(row) for row in self._inequalities()]
        self.record_of: dict[int, int] = {}
        self.numbers = {i: self._add(i) for i in case.people if self.counting[i]}
        self.records = [i for i in self.numbers if case.worth(i) > 0]

    def _make_system(self) -> StrictSystem:
        return StrictSystem(self.family.n_parameters)

    @property
    def interior(self) -> list[int]:
        """Parameters inside the admissible set."""
        family, n = self.family, self.family.n_attributes
        if family.is_form:
            return [int(k == m) for k in range(n) for m in range(k, n)]
        if family.name not in MEASURES:
            return [1] * n
        if family.additivity:
            return [int(len(members) == 1) for members in family.subsets()]
        sizes = [mask.bit_count() for mask in range(1, 1 << n)]
        return [size * (2 * n - size) for size in sizes]

    def link(self, records: Sequence[int]) -> Found:
        """Return parameters that link all of some records, or some of them that cannot all be linked."""
        answer = self.system.solve([*(number for i in records for number in self.numbers[i]), *self.inequalities])
        if answer.theta is not None:
            return self._parameters(answer.theta), None
        mixture = answer.mixture or {}
        return None, sorted({self.record_of[number] for number in mixture if number in self.record_of})

    def _parameters(self, theta: Sequence[int]) -> Sequence[int]:
        return theta if self.family.is_form or self.family.name in MEASURES else self.family.from_edges(theta)

    def _inequalities(self) -> list[list[int]]:
        if self.family.name != "bilinear":
            return self.family.inequalities()
        found = {tuple(_shortened(phi)) for row in self.case.features for phi in row if any(phi)}
        return [list(phi) for phi in sorted(found)]

    def _add(self, i: int) -> list[int]:
        """Add the rows of a record; those that hold wherever others do are left out."""
        found = []
        for j in self._rivals(i):
            weighed = self._weighed(self.case.row(i, j))
            if self._holds_inside(weighed):
                continue
            number = self.system.add(weighed)
            self.record_of[number] = i
            found.append(number)
        return found

    def _weighed(self, row: Sequence[int]) -> Sequence[int]:
        """Return a row in the unknowns of the system: for weights, the multipliers of edges."""
        return row if self.family.is_form or self.family.name in MEASURES else self.family.on_edges(row)

    def _rivals(self, i: int) -> list[int]:
        """Return the rivals of a record that are not farther than another one on every attribute.

        Distances that are no forms do not fall when a d_k grows (ordered weights: one of the ordered d_k).
        """
        rivals = self.counting[i]
        if self.family.is_form:
            return rivals
        differences = {
            j: sorted(self.case.squares[i][j]) if self.family.name == "owa" else self.case.squares[i][j] for j in rivals
        }
        kept: list[int] = []
        for j in sorted(rivals, key=lambda j: sum(differences[j])):
            if not any(all(a <= b for a, b in zip(differences[q], differences[j], strict=True)) for q in kept):
                kept.append(j)
        return kept

    def _holds_inside(self, row: Sequence[int]) -> bool:
        """Tell whether a row is certainly positive inside the set: that of weights, no entry being negative."""
        if self.family.is_form or not any(row):
            return False
        if self.family.name not in MEASURES:
            return min(row) >= 0
        return not self.family.additivity and min(row) >= 0


class SemidefiniteRows(RecordRows):
    """The same over positive semidefinite matrices, attributes brought to one size by powers of two."""

    def __init__(self, case: Case) -> None:
        n = case.distance.n_attributes
        sizes = [max(abs(d[k]) for row in case.differences for d in row).bit_length() for k in range(n)]
        self.shifts = [max(sizes) - size for size in sizes]
        self.places = [(k, m) for k in range(n) for m in range(k, n)]
        super().__init__(case)

    def _make_system(self) -> StrictSystem:
        return SemidefiniteSystem(self.family.n_attributes)

    def _weighed(self, row: Sequence[int]) -> Sequence[int]:
        return self._shifted(row)

    def _shifted(self, values: Sequence[int]) -> list[int]:
        """Multiply entries of an upper triangle by the factors of their two attributes."""
        shifts = self.shifts
        return [value << (shifts[k] + shifts[m]) for value, (k, m) in zip(values, self.places, strict=True)]

    def link(self, records: Sequence[int]) -> Found:
        """Return a semidefinite matrix that links all of some records, or some that cannot all be linked."""
        system = self.system
        assert isinstance(system, SemidefiniteSystem)
        numbers = [number for i in records for number in self.numbers[i]]
        owns = [self._scaled(self.case.differences[i][self.case.own[i]]) for i in records]
        across = system.solve_across(numbers, owns)
        if across is not None:
            return self._shifted(across), None
        theta, core = system.solve_semidefinite(numbers)
        if core is None:
            return None if theta is None else self._shifted(theta), None
        return None, sorted({self.record_of[number] for number in core})

    def _scaled(self, vector: Sequence[int]) -> list[int]:
        return [value << shift for value, shift in zip(vector, self.shifts, strict=True)]


def _shortened(row: Sequence[int]) -> list[int]:
    factor = math.gcd(*row) or 1
    return [value // factor for value in row]


__all__ = ["Fraction", "RecordRows", "make_rows"]
