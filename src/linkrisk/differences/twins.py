"""Twins: who differs from a record as its own protected version does. The rule, for exact numbers.

Linkage and learner decide it by `linkrisk.differences.twin_kernels`, the verifier in whole numbers by `is_same`; both
are exact, so that all agree.
"""

from __future__ import annotations

from fractions import Fraction

TOLERANCE = 2.0**-40
"""Differences closer than this, relatively, count as the same; so do distances, unless an attacker has another
tolerance (`linkrisk.distances.distance`)."""


def is_same(there: Fraction | int, here: Fraction | int) -> bool:
    """Whether two exact differences count as the same: neither is less than 1 - 2^-40 times the other.

    Protected record j is a twin of original record i if d_k(i, j) and d_k(i, own(i)) are the same for every attribute.

    *Guarantee* (docs/mathematics.md#ties): this is the rule, in exact arithmetic.

    >>> is_same(2**40 - 1, 2**40), is_same(2**40 - 2, 2**40), is_same(0, 0)
    (True, False, True)
    """
    near, far = (1 - Fraction(TOLERANCE)).as_integer_ratio()
    return near * there <= far * here and near * here <= far * there
