"""What explains an attribute by itself, and how the explanations of all become treatments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from linkrisk.data.attributes import Kind
from linkrisk.informed.description import Treatment
from linkrisk.informed.known import NUMBERS
from linkrisk.informed.recognise.categories import (
    can_be_drawn,
    coded_categories,
    generalised_categories,
    keep_share,
)
from linkrisk.informed.recognise.numeric import (
    coding_ends,
    interval_edges,
    interval_width,
    random_rounding_base,
    rounding_base,
)
from linkrisk.informed.recognise.swapping import PERMUTATION, is_swapped, swap_percentage, swap_variant
from linkrisk.informed.recognise.true_pairs import LABELS, TruePairs, same
from linkrisk.protection.values.dates import PERIODS, middle_of_period


@dataclass(frozen=True)
class Finding:
    """What explains one attribute: a method, its parameters for this attribute, and those that all it treats share."""

    method: str
    own: Mapping[str, Any]
    shared: Mapping[str, Any] = field(default_factory=dict)


def explain_alone(pairs: TruePairs, name: str) -> Finding | None:
    """Return what explains an attribute by itself, if it is no microaggregation, no PRAM and no noise.

    Functions of the original come first, the most specific of all, then swapped values, then random rounding.
    """
    explanations: Sequence[Callable[[TruePairs, str], Finding | None]]
    if pairs.has_holes(name):
        explanations = (_suppressed, _swapped, _randomly_rounded)
    elif pairs.kind(name) is Kind.DATE:
        explanations = (_generalised, _swapped, _randomly_rounded)
    else:
        explanations = (_coded, _rounded, _generalised, _swapped, _randomly_rounded)
    return _first(explanations, pairs, name)


def explain_last(pairs: TruePairs, name: str) -> Finding | None:
    """Return what explains an attribute that is no microaggregation either: intervals of uneven width, or PRAM."""
    return _first((_cut_at_edges, drawn), pairs, name)


def drawn(pairs: TruePairs, name: str) -> Finding | None:
    """Return PRAM of an attribute, if its categories can have been drawn."""
    if pairs.kind(name) not in LABELS or not can_be_drawn(pairs, name):
        return None
    return Finding("pram", {"keep": keep_share(pairs, name)})


def with_one_variant(pairs: TruePairs, findings: Mapping[str, Finding]) -> dict[str, Finding]:
    """Return findings in which categories were swapped in pairs only if numbers were, too.

    Neighbouring categories that change places do so as often in both directions, whichever variant it was.
    """
    swapped = [name for name, finding in findings.items() if finding.method == "rank_swap"]
    variants = {findings[name].shared["variant"] for name in swapped if findings[name].own["p"] > 0.0}
    changed = [name for name in swapped if pairs.kind(name) is Kind.ORDINAL and PERMUTATION in variants]
    return {**findings, **{name: replace(findings[name], shared={"variant": PERMUTATION}) for name in changed}}


def merged(findings: Mapping[str, Finding]) -> list[Treatment]:
    """Return findings as treatments: one for all attributes with the same method and the same shared parameters.

    >>> [str(part) for part in merged({"a": Finding("noise", {"p": 1}), "b": Finding("noise", {"p": 2})})]
    ['noise of a, b (p = a: 1, b: 2)']
    """
    treatments: list[Treatment] = []
    done: set[str] = set()
    for first, finding in findings.items():
        if first in done:
            continue
        alike = {
            name: other
            for name, other in findings.items()
            if (other.method, other.shared) == (finding.method, finding.shared)
        }
        done |= set(alike)
        parameters = dict.fromkeys(key for other in alike.values() for key in other.own)
        own = {key: {name: other.own[key] for name, other in alike.items() if key in other.own} for key in parameters}
        treatments.append(Treatment(finding.method, tuple(alike), {**own, **finding.shared}))
    return treatments


def _first(
    explanations: Sequence[Callable[[TruePairs, str], Finding | None]], pairs: TruePairs, name: str
) -> Finding | None:
    return next((found for explain in explanations if (found := explain(pairs, name)) is not None), None)


def _suppressed(pairs: TruePairs, name: str) -> Finding | None:
    """Explain an attribute that is the same wherever it is known on both sides: kept, or moved by no rank.

    An attribute that was left must be missing where it was; these methods say nothing about missing values.
    """
    if pairs.kind(name) in NUMBERS:
        is_same = bool(same(*pairs.numbers(name)).all())
        moved = {"p": swap_percentage(pairs, name)}  # 0, if all digits are there
        return Finding("rank_swap", moved, {"variant": PERMUTATION}) if is_same else None
    x, y, _ = pairs.codes(name)
    is_same = bool((x == y).all()) and can_be_drawn(pairs, name)
    return Finding("pram", {"keep": 1.0}) if is_same else None


def _coded(pairs: TruePairs, name: str) -> Finding | None:
    ends: tuple[Any, Any] | None = None
    if pairs.kind(name) is Kind.NUMERIC:
        ends = coding_ends(pairs, name)
    elif pairs.kind(name) is Kind.ORDINAL:
        ends = coded_categories(pairs, name)
    if ends is None or ends == (None, None):
        return None
    return Finding(
        "coding", {end: value for end, value in zip(("bottom", "top"), ends, strict=True) if value is not None}
    )


def _rounded(pairs: TruePairs, name: str) -> Finding | None:
    base = rounding_base(pairs, name) if pairs.kind(name) is Kind.NUMERIC else None
    return None if base is None else Finding("rounding", {"base": base}, {"random": False})


def _randomly_rounded(pairs: TruePairs, name: str) -> Finding | None:
    base = random_rounding_base(pairs, name) if pairs.kind(name) in NUMBERS else None
    return None if base is None else Finding("rounding", {"base": base}, {"random": True})


def _generalised(pairs: TruePairs, name: str) -> Finding | None:
    into: Any = None
    if pairs.kind(name) is Kind.NUMERIC:
        into = interval_width(pairs, name)
    elif pairs.kind(name) is Kind.DATE:
        into = _period(pairs, name)
    elif pairs.kind(name) in LABELS:
        into = generalised_categories(pairs, name)
    return Finding("generalise", {"into": into}) if into else None


def _period(pairs: TruePairs, name: str) -> str | None:
    """Return the period of which released dates are the middle; None if there is none."""
    x, y = pairs.numbers(name)
    return next((period for period in PERIODS if bool((middle_of_period(x, period) == y).all())), None)


def _cut_at_edges(pairs: TruePairs, name: str) -> Finding | None:
    is_tried = pairs.kind(name) is Kind.NUMERIC and not pairs.has_holes(name)
    edges = interval_edges(pairs, name) if is_tried else None
    return None if edges is None else Finding("generalise", {"into": edges})


def _swapped(pairs: TruePairs, name: str) -> Finding | None:
    if pairs.kind(name) not in (*NUMBERS, Kind.ORDINAL) or not is_swapped(pairs, name):
        return None
    return Finding("rank_swap", {"p": swap_percentage(pairs, name)}, {"variant": swap_variant(pairs, name)})
