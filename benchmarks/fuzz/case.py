"""What the judge is told: the scaled values of a comparison and the rules, as plain data."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tests.oracle.judge import Case

from benchmarks.fuzz.instance import FREE, Instance
from linkrisk.differences import Comparison
from linkrisk.differences.coordinates import Coordinates, DifferenceRule

USUAL = Fraction(1, 2**40)

JUDGED_AS = {"choquet_additive": "choquet"}


def make_case(instance: Instance, comparison: Comparison) -> Case:
    """Return the case of an instance whose files are compared already."""
    is_form = instance.family.startswith("bilinear")
    numeric, *vectors = comparison.vectors() if is_form else (comparison,)
    coordinates = numeric.coordinates
    tolerance = Fraction(0) if instance.family in FREE else max(USUAL, Fraction(instance.margin))
    costs = zip(coordinates.missing_one.tolist(), coordinates.missing_both.tolist(), strict=True)
    return Case(
        family=JUDGED_AS.get(instance.family, instance.family),
        original=coordinates.original.tolist(),
        protected=coordinates.protected.tolist(),
        own=coordinates.own.tolist(),
        ties=instance.ties,
        tolerance=tolerance,
        weights=instance.weights,
        floor=Fraction(instance.floor) if instance.family == "weighted_mean_metric" else Fraction(0),
        additivity=instance.additivity if instance.family == "choquet_additive" else 0,
        tables={k: _table(coordinates, k) for k, rule in enumerate(coordinates.rules) if rule},
        missing=list(costs),
        vectors=(vectors[0].tolist(), vectors[1].tolist()) if is_form else None,
    )


def repaired_case(case: Case) -> Case:
    """Return the case by which links of a repaired form are counted: with the usual tolerance."""
    return replace(case, tolerance=USUAL)


def _table(coordinates: Coordinates, k: int) -> list[list[float]]:
    """Return d_k of all pairs, for an attribute of labels."""
    one, both = float(coordinates.missing_one[k]), float(coordinates.missing_both[k])
    offset, divisor = float(coordinates.offset[k]), float(coordinates.divisor[k])
    is_ordered = coordinates.rules[k] == DifferenceRule.ORDERED

    def d(a: float, b: float) -> float:
        if a != a or b != b:  # noqa: PLR0124  (NaN: missing)
            return both if a != a and b != b else one  # noqa: PLR0124
        return (abs(a - b) + offset) / divisor if is_ordered else float(a != b)

    x, y = coordinates.original[:, k].tolist(), coordinates.protected[:, k].tolist()
    return [[d(a, b) for b in y] for a in x]
