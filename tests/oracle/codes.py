"""Numbers of values and of records, the obvious way: everything compared with everything that was seen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def first_seen_codes(values: Sequence[Hashable]) -> list[int]:
    """Return for each value its place among the different ones, in the order in which they appear."""
    seen: list[Hashable] = []
    for value in values:
        if value not in seen:
            seen.append(value)
    return [seen.index(value) for value in values]


def sorted_codes(columns: Sequence[Sequence[object]]) -> list[int]:
    """Return for each record its place among the different ones, sorted column by column.

    Numbers count to twelve digits, missing ones are larger than all others; a missing text comes before all others.
    """
    rows = [tuple(_key(value) for value in row) for row in zip(*columns, strict=True)]
    different = sorted(set(rows))
    return [different.index(row) for row in rows]


def _key(value: object) -> float | str:
    if isinstance(value, float):
        return float("inf") if value != value else float(f"{value:.11e}")  # noqa: PLR0124  (NaN is not itself)
    if isinstance(value, int):
        return value
    return "" if value is None else f"={value}"
