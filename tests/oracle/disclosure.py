"""Interval disclosure and anonymity the obvious way: one value after the other, every pair of records."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
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
