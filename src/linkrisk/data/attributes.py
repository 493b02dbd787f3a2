"""What a column holds (its kind) and what an intruder may do with it (its role)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LEAST_COST, LARGEST_COST = 1e-100, 1e100
"""Limits of what a missing value may count, other than 0: squares of squares neither underflow nor overflow."""


class Kind(StrEnum):
    """How the values of an attribute are compared."""

    NUMERIC = "numeric"
    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    TEXT = "text"
    DATE = "date"


class Role(StrEnum):
    """What an attribute is to the intruder.

    A quasi-identifier is known to him and used for linking. An identifier must not be in a released file at
    all. A confidential attribute is what he is after: never used for linking; it is counted what links tell of
    it. An ignored attribute takes no part.
    """

    QUASI_IDENTIFIER = "quasi-identifier"
    IDENTIFIER = "identifier"
    CONFIDENTIAL = "confidential"
    IGNORED = "ignored"


@dataclass(frozen=True)
class Attribute:
    """One attribute of both files.

    Parameters
    ----------
    name
        Column name in the original file; the name used everywhere in results.
    kind, role
        See `Kind` and `Role`.
    protected_name
        Column name in the protected file, where it differs.
    order
        The categories of an ordinal attribute from low to high, as text.
    missing_one, missing_both
        The difference d_k counted when the value is missing on one side, or on both sides; None takes the
        default of the kind (see `linkrisk.differences.missing`). 0, or between 1e-100 and 1e100.
    inclusive
        Ordinal only: count both end categories, as abril2012-weights.txt section 2.1 does, so that equal
        categories differ by 1 / (number of categories) instead of 0.
    codes
        Numeric only: the numbers that stand for "missing". No value is one of them, and no protection makes it one.
    """

    name: str
    kind: Kind
    role: Role = Role.QUASI_IDENTIFIER
    protected_name: str | None = None
    order: tuple[str, ...] = ()
    missing_one: float | None = None
    missing_both: float | None = None
    inclusive: bool = False
    codes: tuple[float, ...] = ()


def is_cost(value: float) -> bool:
    """Whether a number can be what a missing value counts.

    >>> is_cost(0.0), is_cost(2.0), is_cost(1e160), is_cost(-1.0)
    (True, True, False, False)
    """
    return value == 0.0 or LEAST_COST <= value <= LARGEST_COST
