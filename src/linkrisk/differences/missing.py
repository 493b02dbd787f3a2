"""What difference a missing value counts as: by kind, and settable per attribute.

An intruder who meets a hole learns nothing for or against a match, so a value missing on one side counts what
two unrelated records differ by on average: 2 for numbers and dates (all scales have unit variance), 1/3 for
ordinal attributes (ranks spread evenly), and 1, plain disagreement, for nominal and text ones. Two holes agree: 0.

Attackers that work on vectors of numbers (`mahalanobis`, `kernel`, the bilinear forms) cannot use such a rule;
for them a hole is filled with the mean of its file.
"""

from __future__ import annotations

from linkrisk.data.attributes import LARGEST_COST, LEAST_COST, Attribute, Kind, is_cost
from linkrisk.errors import SettingsError

ONE_SIDE = {Kind.NUMERIC: 2.0, Kind.DATE: 2.0, Kind.NOMINAL: 1.0, Kind.ORDINAL: 1 / 3, Kind.TEXT: 1.0}
BOTH_SIDES = 0.0


def missing_costs(attribute: Attribute) -> tuple[float, float]:
    """Return d_k for a value missing on one side, and for values missing on both.

    A cost out of its limits (`linkrisk.data.attributes.is_cost`) is an error.

    >>> missing_costs(Attribute("age", Kind.NUMERIC))
    (2.0, 0.0)
    >>> missing_costs(Attribute("age", Kind.NUMERIC, missing_one=0.5))
    (0.5, 0.0)
    """
    one = ONE_SIDE[attribute.kind] if attribute.missing_one is None else attribute.missing_one
    both = BOTH_SIDES if attribute.missing_both is None else attribute.missing_both
    for name, cost in (("missing_one", one), ("missing_both", both)):
        if not is_cost(cost):
            raise SettingsError(
                f"{name} of attribute {attribute.name!r} must be 0, or a number from {LEAST_COST:g} to {LARGEST_COST:g}"
            )
    return one, both
