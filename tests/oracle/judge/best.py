"""The most that admissible parameters link: which records cannot all be linked, and who is given up best."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.judge.case import Case, whole_numbers
from tests.oracle.judge.rows import RecordRows, make_rows
from tests.oracle.judge.strict import product

MANY = 9
"""Records from which on it pays to make cores small."""


@dataclass(frozen=True)
class Judgement:
    """What the best admissible parameters link: between ``lower`` and ``upper``, which are nearly always equal.

    ``theta`` are parameters that link ``records``, worth ``lower``.
    """

    lower: Fraction
    upper: Fraction
    records: tuple[int, ...]
    theta: tuple[Fraction, ...]
    n_questions: int
    n_exact: int

    @property
    def is_decided(self) -> bool:
        """Whether the optimum is known."""
        return self.lower == self.upper


def judge(case: Case, hints: Iterable[Sequence[float]] = (), seconds: float = math.inf) -> Judgement:
    """Return the most that admissible parameters link, exactly.

    ``hints`` are parameters to start from. After some ``seconds`` what is known by then is returned.
    """
    return _Search(case, hints, seconds).run()


class _Search:
    """Gives up the records of least worth that hit all sets known to be impossible, until the others are possible."""

    def __init__(self, case: Case, hints: Iterable[Sequence[float]], seconds: float) -> None:
        self.end = time.perf_counter() + seconds
        self.case = case
        self.rows: RecordRows = make_rows(case)
        self.open = self.rows.records
        worths = {i: case.worth(i) for i in case.people}
        self.always = sum((worths[i] for i in self.rows.linked_always), Fraction(0))
        scale = math.lcm(*(worths[i].denominator for i in self.open)) if self.open else 1
        self.scale = scale
        self.weight = [int(worths[i] * scale) for i in self.open]
        self.cores: list[int] = []
        self.best, self.theta = -1, tuple(map(Fraction, self.rows.interior))
        self.n_questions = 0
        for theta in (*hints, self.rows.interior):
            exact = [Fraction(value) for value in theta]
            if case.is_admissible(exact):
                self._offer(exact)
        self._find_lost()

    def _find_lost(self) -> None:
        """Note the records that cannot be linked even alone; those that known parameters link can."""
        theta = whole_numbers(list(self.theta))
        for place, i in enumerate(self.open):
            if not self._is_linked(i, theta) and self.rows.link([i])[1] is not None:
                self.cores.append(1 << place)

    def run(self) -> Judgement:
        """Return what is best."""
        everybody = (1 << len(self.open)) - 1
        upper = self._worth(everybody)
        while upper > self.best and time.perf_counter() < self.end:
            given_up = least_hitting_set(self.cores, self.weight)
            upper = self._worth(everybody & ~given_up)
            if upper <= self.best or not self._learn_from(everybody & ~given_up):
                break
        assert self.case.is_admissible(self.theta), (self.case, self.theta)
        records = self.case.linked(self.theta)
        lower = sum((self.case.worth(i) for i in records), Fraction(0))
        above = max(Fraction(upper, self.scale) + self.always, lower)
        return Judgement(lower, above, tuple(records), self.theta, self.n_questions, self.rows.system.n_exact)

    def _learn_from(self, members: int) -> bool:
        """Ask whether these can be linked; if not, give up who is least worth and ask again. False: nothing learned."""
        has_learned = False
        while members and time.perf_counter() < self.end:
            self.n_questions += 1
            chosen = [self.open[place] for place in _bits(members)]
            theta, core = self.rows.link(chosen)
            if theta is not None:
                self._offer([Fraction(value) for value in theta])
                return True
            if core is None:
                return has_learned
            mask = sum(1 << self.open.index(i) for i in self._reduced(core))
            self.cores.append(mask)
            has_learned = True
            members &= ~(1 << min(_bits(mask), key=self.weight.__getitem__))
        return True

    def _reduced(self, core: list[int]) -> list[int]:
        """Return records of a core that cannot all be linked either, none of which can be left out."""
        if len(self.open) < MANY:
            return core
        needed: list[int] = []
        rest = list(core)
        while len(needed) + len(rest) > 2 and rest:
            left_out = rest.pop()
            self.n_questions += 1
            smaller = self.rows.link([*needed, *rest])[1]
            if smaller is None:
                needed.append(left_out)
            else:
                rest = [i for i in rest if i in smaller]
        return needed + rest

    def _offer(self, theta: list[Fraction]) -> None:
        whole = whole_numbers(theta)
        linked = sum(weight for i, weight in zip(self.open, self.weight, strict=True) if self._is_linked(i, whole))
        if linked > self.best:
            self.best, self.theta = linked, tuple(theta)

    def _is_linked(self, i: int, theta: list[int]) -> bool:
        return all(product(theta, self.case.row(i, j)) > 0 for j in self.rows.counting[i])

    def _worth(self, members: int) -> int:
        return sum(self.weight[place] for place in _bits(members))


def least_hitting_set(sets: Sequence[int], weight: Sequence[int]) -> int:
    """Return the set, as a bit mask, of least weight that meets all of some sets.

    >>> least_hitting_set([0b011, 0b110], [1, 1, 1]), least_hitting_set([0b011, 0b110], [1, 3, 1])
    (2, 5)
    """
    minimal = [s for s in set(sets) if not any(other != s and other & s == other for other in sets)]
    minimal.sort(key=lambda s: (s.bit_count(), s))
    return _Hitting(minimal, weight).run()


class _Hitting:
    """Branch and bound on the first set that is not met; sets that have nothing in common bound the rest."""

    def __init__(self, sets: list[int], weight: Sequence[int]) -> None:
        self.sets = sets
        self.weight = weight
        self.best = sum(1 << place for place in range(len(weight)))
        self.cost = sum(weight) + 1

    def run(self) -> int:
        self._branch(0, 0, 0)
        return self.best

    def _branch(self, taken: int, refused: int, cost: int) -> None:
        left = [s & ~refused for s in self.sets if not s & taken]
        if not left:
            if cost < self.cost:
                self.best, self.cost = taken, cost
            return
        if not all(left) or cost + self._bound(left) >= self.cost:
            return
        members = sorted(_bits(min(left, key=int.bit_count)), key=self.weight.__getitem__)
        for place in members:
            self._branch(taken | 1 << place, refused, cost + self.weight[place])
            refused |= 1 << place

    def _bound(self, left: list[int]) -> int:
        seen = total = 0
        for members in sorted(left, key=int.bit_count):
            if not members & seen:
                seen |= members
                total += min(self.weight[place] for place in _bits(members))
        return total


def _bits(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
