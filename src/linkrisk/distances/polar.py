"""Exact tests of W . theta <= 0 for all admissible theta, W being given in whole numbers.

The proof of a bound rests on these tests; `linkrisk verify` has tests of its own.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from fractions import Fraction


def whole_row(row: Iterable[float]) -> list[int]:
    """Return floats as whole numbers, times a common power of two.

    >>> whole_row([0.5, 1.0])
    [1, 2]
    """
    ratios = [float(value).as_integer_ratio() for value in row]
    common = max((denominator for _, denominator in ratios), default=1)  # all are powers of two
    return [numerator * (common // denominator) for numerator, denominator in ratios]


def common_factor(row: Sequence[int]) -> int:
    """Return the greatest whole number that divides all, 1 where all are 0.

    >>> common_factor([6, 0, 9]), common_factor([0, 0])
    (3, 1)
    """
    return math.gcd(*row) or 1


def is_nonpositive_on_rays(row: Sequence[int], rays: Sequence[Sequence[Fraction]]) -> bool:
    """Whether W . ray <= 0 for every ray.

    *Guarantee* (docs/mathematics.md#polar-weights): then W . theta <= 0 for all non-negative mixtures of the rays.

    >>> is_nonpositive_on_rays([-1, 0], [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]])
    True
    """
    return all(sum((r * w for r, w in zip(ray, row, strict=True)), Fraction(0)) <= 0 for ray in rays)


def is_nonpositive_on_measures(row: Sequence[int], n_attributes: int) -> bool:
    """Whether sum of W(A) mu(A) <= 0 for all monotone measures; W is given by bit mask from 1 on.

    *Guarantee* (docs/mathematics.md#polar-measures): every monotone measure with mu(all) = 1 is a mixture of measures
    with values 0 and 1. Each of these is 1 on a family of sets that is closed under adding attributes. The family of
    largest sum is found as a maximum flow (Picard 1976): the sum of all positive W minus the flow that carries them off
    along "a set, the same set with one attribute more", to sets of negative W.

    >>> is_nonpositive_on_measures([1, 0, -1], 2), is_nonpositive_on_measures([1, 0, -1][::-1], 2)
    (True, False)
    """
    size = 1 << n_attributes
    flow = _Flow(size + 1, source=0, sink=size)
    wanted = 0
    for mask in range(1, size):
        weight = row[mask - 1]
        if weight > 0:
            wanted += weight
            flow.add(0, mask, weight)
        elif weight < 0:
            flow.add(mask, size, -weight)
    for mask in range(1, size):
        for k in range(n_attributes):
            if not mask >> k & 1:
                flow.add(mask, mask | 1 << k, wanted)
    return flow.maximum() == wanted


def is_negative_semidefinite(upper: Sequence[int], n: int) -> bool:
    """Whether the symmetric matrix of an upper triangle W is negative semidefinite.

    W stands for the form theta -> sum W_kl theta_kl over the upper triangle, that is for the matrix with W_kk on the
    diagonal and W_kl / 2 beside it.

    *Guarantee* (docs/mathematics.md#polar-semidefinite): then W . S <= 0 for all positive semidefinite S. Decided by
    exact elimination (LDL').

    >>> is_negative_semidefinite([-1, 2, -1], 2), is_negative_semidefinite([-1, 3, -1], 2)
    (True, False)
    """
    matrix = [[Fraction(0)] * n for _ in range(n)]
    place = 0
    for k in range(n):
        for m in range(k, n):
            matrix[k][m] = matrix[m][k] = Fraction(-upper[place] * (2 if m == k else 1))
            place += 1
    for k in range(n):
        pivot = matrix[k][k]
        if pivot < 0 or (pivot == 0 and any(matrix[k][m] for m in range(k + 1, n))):
            return False
        if pivot == 0:
            continue
        for m in range(k + 1, n):
            share = matrix[m][k] / pivot
            if share:
                for q in range(m, n):
                    matrix[m][q] -= share * matrix[k][q]
                    matrix[q][m] = matrix[m][q]
    return True


def negative_direction(upper: Sequence[int], n: int) -> list[int] | None:
    """Return u with u' S u < 0 for the symmetric matrix S of an upper triangle; None if it is positive semidefinite.

    *Guarantee* (docs/mathematics.md#polar-semidefinite): exact. Elimination writes S as L D L'; where it meets a
    negative pivot, or one of 0 beside an entry that is not, u is found by going back.

    >>> negative_direction([1, 0, 1], 2), negative_direction([1, 2, 1], 2)
    (None, [-2, 1])
    """
    matrix = [[Fraction(0)] * n for _ in range(n)]
    place = 0
    for k in range(n):
        for m in range(k, n):
            matrix[k][m] = matrix[m][k] = Fraction(upper[place])
            place += 1
    shares = [[Fraction(0)] * n for _ in range(n)]
    for k in range(n):
        pivot = matrix[k][k]
        beside = next((m for m in range(k + 1, n) if matrix[k][m]), None) if pivot == 0 else None
        if pivot < 0 or beside is not None:
            vector = [Fraction(int(m == k)) for m in range(n)]
            if beside is not None:  # with z_k = c and z_beside = -sign: 2 c z_beside S_kb + S_bb < 0 for large c
                entry = matrix[k][beside]
                vector[beside] = Fraction(1)
                vector[k] = -(abs(matrix[beside][beside]) + 1) / entry
            for q in reversed(range(k)):
                vector[q] = -sum((shares[m][q] * vector[m] for m in range(q + 1, n)), Fraction(0))
            return _whole_vector(vector)
        if pivot == 0:
            continue
        for m in range(k + 1, n):
            share = shares[m][k] = matrix[m][k] / pivot
            if share:
                for q in range(m, n):
                    matrix[m][q] -= share * matrix[k][q]
                    matrix[q][m] = matrix[m][q]
    return None


def _whole_vector(vector: Sequence[Fraction]) -> list[int]:
    common = math.lcm(*(value.denominator for value in vector))
    return [int(value * common) for value in vector]


class _Flow:
    """Maximum flow of whole numbers by shortest augmenting layers (Dinic 1970)."""

    def __init__(self, n_nodes: int, source: int, sink: int) -> None:
        self.source, self.sink = source, sink
        self.edges: list[list[int]] = [[] for _ in range(n_nodes)]
        self.head: list[int] = []
        self.room: list[int] = []

    def add(self, tail: int, head: int, room: int) -> None:
        """Add an edge and its reverse."""
        for start, end, capacity in ((tail, head, room), (head, tail, 0)):
            self.edges[start].append(len(self.head))
            self.head.append(end)
            self.room.append(capacity)

    def maximum(self) -> int:
        """Return the largest flow from source to sink."""
        total = 0
        while (level := self._levels())[self.sink] >= 0:
            places = [0] * len(self.edges)
            while pushed := self._push(self.source, None, level, places):
                total += pushed
        return total

    def _levels(self) -> list[int]:
        level = [-1] * len(self.edges)
        level[self.source] = 0
        waiting = deque([self.source])
        while waiting:
            node = waiting.popleft()
            for edge in self.edges[node]:
                head = self.head[edge]
                if self.room[edge] and level[head] < 0:
                    level[head] = level[node] + 1
                    waiting.append(head)
        return level

    def _push(self, node: int, limit: int | None, level: list[int], places: list[int]) -> int:
        """Push along one path of the layers; the depth is at most the number of attributes plus two."""
        if node == self.sink:
            return limit or 0
        while places[node] < len(self.edges[node]):
            edge = self.edges[node][places[node]]
            head, room = self.head[edge], self.room[edge]
            if room and level[head] == level[node] + 1:
                pushed = self._push(head, room if limit is None else min(limit, room), level, places)
                if pushed:
                    self.room[edge] -= pushed
                    self.room[edge ^ 1] += pushed
                    return pushed
            places[node] += 1
        return 0
