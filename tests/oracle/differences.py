"""d_k of two values of one attribute, kind by kind, from the definitions. A missing value is None."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

DEFAULT_ONE = {"numeric": 2.0, "date": 2.0, "nominal": 1.0, "ordinal": 1 / 3, "text": 1.0}
"""What a value missing on one side counts; missing on both sides counts 0."""


def difference(kind: str, x: Any, y: Any, *, one: Any = None, both: Any = 0, **settings: Any) -> Any:
    """d_k of x and y; ``one`` and ``both`` are the costs of a value missing on one side or on both."""
    if x is None and y is None:
        return both
    if x is None or y is None:
        return DEFAULT_ONE[kind] if one is None else one
    return KINDS[kind](x, y, **settings)


def numeric(x: Any, y: Any) -> Any:
    """Square of the difference."""
    return (x - y) * (x - y)


def nominal(x: str, y: str) -> int:
    """0 if equal, else 1."""
    return 0 if x == y else 1


def ordinal(x: str, y: str, order: Sequence[str] = (), inclusive: bool = False) -> Fraction:
    """Count steps from one category to the other over the number of categories; inclusive counts both ends."""
    low, high = sorted([order.index(x), order.index(y)])
    return Fraction(len(order[low : high + 1]) if inclusive else len(order[low:high]), len(order))


def text(x: str, y: str) -> float:
    """Square of 1 - Jaro-Winkler."""
    return (1.0 - jaro_winkler(x, y)) ** 2


KINDS: dict[str, Any] = {
    "numeric": numeric,
    "date": numeric,
    "nominal": nominal,
    "ordinal": ordinal,
    "text": text,
}


def jaro(x: str, y: str) -> float:
    """Jaro similarity: letters found within a window, and how many of them stand in another order."""
    if not x and not y:
        return 1.0
    window = max(max(len(x), len(y)) // 2 - 1, 0)
    taken = [False] * len(y)
    found_x = []
    for i, letter in enumerate(x):
        for j in range(max(0, i - window), min(len(y), i + window + 1)):
            if not taken[j] and y[j] == letter:
                taken[j] = True
                found_x.append(letter)
                break
    found_y = [letter for letter, is_taken in zip(y, taken, strict=True) if is_taken]
    matches = len(found_x)
    if matches == 0:
        return 0.0
    out_of_order = sum(a != b for a, b in zip(found_x, found_y, strict=True)) // 2
    return (matches / len(x) + matches / len(y) + (matches - out_of_order) / matches) / 3


def jaro_winkler(x: str, y: str) -> float:
    """Winkler's reward of 0.1 for each of up to four common first letters, given above a similarity of 0.7."""
    similarity = jaro(x, y)
    prefix = 0
    for a, b in zip(x[:4], y[:4], strict=False):
        if a != b:
            break
        prefix += 1
    return similarity + prefix * 0.1 * (1 - similarity) if similarity > 0.7 else similarity
