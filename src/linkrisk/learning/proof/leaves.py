"""Exact multipliers of the cores at a leaf: floats prove sums of weights only up to rounding."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

MOST_CORES = 150
"""Cores with positive multipliers up to which exact ones are computed."""

NEAR = 1e-9
"""Share of the largest weight up to which a multiplier or a reduced weight counts as 0."""


def exact_multipliers(
    cores: Sequence[frozenset[int]], multipliers: Sequence[float], weight: Mapping[int, Fraction]
) -> tuple[list[int], int] | None:
    """Return the multipliers that given ones are rounded from, as whole numbers and their divisor; None if not clear.

    Optimal multipliers of the relaxation are a vertex: records whose weight they use up fix those that are not 0. Any
    multipliers of 0 or more prove a bound (docs/mathematics.md#multipliers), so that nothing hangs on this being right.

    >>> third = Fraction(1, 3)
    >>> exact_multipliers([frozenset({0, 1})], [0.33333333333], {0: third, 1: Fraction(1)})
    ([1], 3)
    """
    size = float(max(weight.values(), default=Fraction(0)))
    used = [c for c, y in enumerate(multipliers) if y > NEAR * size]
    if len(used) > MOST_CORES or not used:
        return None
    members = sorted({i for c in used for i in cores[c]})
    left = {i: float(weight[i]) - math.fsum(multipliers[c] for c in used if i in cores[c]) for i in members}
    tight = [i for i in members if abs(left[i]) <= NEAR * size]
    solution = _solved([[Fraction(int(i in cores[c])) for c in used] + [weight[i]] for i in tight], len(used))
    if solution is None or min(solution) < 0:
        return None
    divisor = math.lcm(*(value.denominator for value in solution))
    found = dict(zip(used, solution, strict=True))
    return [int(found.get(c, Fraction(0)) * divisor) for c in range(len(cores))], divisor


def _solved(rows: list[list[Fraction]], size: int) -> list[Fraction] | None:
    """Return the only solution of linear equations (last entries are right sides), None if there is not just one."""
    for column in range(size):
        place = next((q for q in range(column, len(rows)) if rows[q][column]), None)
        if place is None:
            return None
        rows[column], rows[place] = rows[place], rows[column]
        lead = [value / rows[column][column] for value in rows[column]]
        rows[column] = lead
        for q, row in enumerate(rows):
            if q != column and row[column]:
                share = row[column]
                rows[q] = [a - share * b for a, b in zip(row, lead, strict=True)]
    return [row[size] for row in rows[:size]] if not any(row[size] for row in rows[size:]) else None
