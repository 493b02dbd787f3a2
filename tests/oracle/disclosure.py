"""Interval disclosure, anonymity and confidential values the obvious way: value by value, every pair of records."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


def inside_by_deviation(original: Sequence[float], protected: Sequence[float], width: float) -> list[bool]:
    """Tell which original values are within a share of the deviation; false where one is missing."""
    known = [x for x in original if not math.isnan(x)]
    deviation = statistics.stdev(known) if len(set(known)) > 1 else 1.0
    return [abs(x - y) <= width * deviation for x, y in zip(original, protected, strict=True)]


def inside_by_rank(original: Sequence[float], protected: Sequence[float], width: float) -> list[bool]:
    """Tell which original values lie between protected values with ranks near that of their own."""
    ordered = sorted(y for y in protected if not math.isnan(y))
    reach = int(width * len(ordered))
    result = []
    for x, y in zip(original, protected, strict=True):
        places = [place for place, value in enumerate(ordered) if value == y]
        if math.isnan(x) or not places:
            result.append(False)
            continue
        low, high = max(0, places[0] - reach), min(len(ordered) - 1, places[-1] + reach)
        result.append(ordered[low] <= x <= ordered[high])
    return result


def class_sizes(records: Sequence[tuple[Any, ...]]) -> list[int]:
    """Return for each record how many records, itself included, have its values."""
    counts = Counter(records)
    return [counts[record] for record in records]


@dataclass(frozen=True)
class LearnedValues:
    """What an intruder learns of one confidential attribute: as `linkrisk` counts it."""

    people: int
    certain: int
    certain_true: int
    certain_alone: int
    picked: Fraction
    guessed: Fraction
    before: int


def learned_values(
    classes: Sequence[Sequence[int]], own: Sequence[int], original: Sequence[Any], protected: Sequence[Any], width: Any
) -> LearnedValues:
    """Go through the people one by one; ``classes[i]`` are the protected records nearest to i, None is missing.

    ``width`` None: values are the same or not; otherwise within this distance.
    """

    def is_same(x: Any, y: Any) -> bool:
        return bool(x == y) if width is None else abs(x - y) <= width

    people = [i for i in range(len(own)) if own[i] >= 0 and original[i] is not None]
    certain, certain_true, certain_alone, picked, guessed = 0, 0, 0, Fraction(0), Fraction(0)
    for i in people:
        seen = [protected[j] for j in classes[i]]
        known = [value for value in seen if value is not None]
        true = sum(is_same(value, original[i]) for value in known)
        picked += Fraction(true, len(seen))
        modes = most_frequent(known, is_same)
        guessed += Fraction(sum(is_same(value, original[i]) for value in modes), len(modes) or 1)
        if len(known) == len(seen) and all(is_same(x, y) for x in known for y in known):
            certain += 1
            certain_true += true == len(seen)
            certain_alone += len(seen) == 1
    most = most_frequent([value for value in protected if value is not None], is_same)[:1]
    before = sum(is_same(value, original[i]) for i in people for value in most)
    return LearnedValues(len(people), certain, certain_true, certain_alone, picked, guessed, before)


def most_frequent(values: Sequence[Any], is_same: Callable[[Any, Any], bool]) -> list[Any]:
    """Return the different values, ascending, that are the same as the most others."""
    counts = {guess: sum(is_same(value, guess) for value in values) for guess in sorted(set(values))}
    return [guess for guess, count in counts.items() if count == max(counts.values())]


def diversity(classes: Sequence[Any], values: Sequence[Any], *, is_ordered: bool) -> tuple[int, float, Fraction, int]:
    """Return distinct and entropy l-diversity, t-closeness, and the records in classes of one value; None: missing."""
    known = [value for value in values if value is not None]
    domain = sorted(set(known))
    whole = [Fraction(known.count(value), len(known)) for value in domain]
    distinct, entropies, distances, homogeneous = [], [], [], 0
    for label in set(classes):
        mine = [value for each, value in zip(classes, values, strict=True) if each == label and value is not None]
        if not mine:
            continue
        shares = [Fraction(mine.count(value), len(mine)) for value in domain]
        distinct.append(len(set(mine)))
        entropies.append(-sum(float(p) * math.log(p) for p in shares if p))
        distances.append(earth_movers_distance(shares, whole, is_ordered=is_ordered))
        homogeneous += len(mine) if len(set(mine)) == 1 else 0
    return min(distinct), math.exp(min(entropies)), max(distances), homogeneous


def earth_movers_distance(p: Sequence[Fraction], q: Sequence[Fraction], *, is_ordered: bool) -> Fraction:
    """Move what is too much to the next value, step by step; or, if all values are equally far apart, at once."""
    if not is_ordered:
        return sum((max(x - y, Fraction(0)) for x, y in zip(p, q, strict=True)), Fraction(0))
    carried, work = Fraction(0), Fraction(0)
    for x, y in zip(p[:-1], q[:-1], strict=True):
        carried += x - y
        work += abs(carried)
    return work / (len(p) - 1) if len(p) > 1 else Fraction(0)
