"""The rule for missing values in microaggregation, from its words: who is averaged with whom.

Clusters themselves are made by a function that is given, which takes records without missing values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Record = Sequence[float | None]


def clusters(
    records: Sequence[Record], k: int, cluster: Callable[[list[list[float]]], list[int]], spreads: Sequence[float]
) -> list[int | None]:
    """Return a number for the cluster of each record; None for one that lacks everything."""
    patterns: dict[tuple[bool, ...], list[int]] = {}
    for i, record in enumerate(records):
        patterns.setdefault(tuple(value is None for value in record), []).append(i)
    found: dict[int, int] = {}
    members: list[list[int]] = []
    for lacking, rows in patterns.items():
        if all(lacking) or len(rows) < k:
            continue
        points = [[value for value in records[i] if value is not None] for i in rows]
        own = [0] * len(rows) if len(rows) < 2 * k else cluster(points)
        for label in sorted(set(own)):
            members.append([i for i, other in zip(rows, own, strict=True) if other == label])
            found |= dict.fromkeys(members[-1], len(members) - 1)
    joined = dict(found)
    for i, record in enumerate(records):
        if i not in found and any(value is not None for value in record):
            joined[i] = _nearest(record, records, members, spreads)
    return [joined.get(i) for i in range(len(records))]


def _nearest(
    record: Record, records: Sequence[Record], members: Sequence[Sequence[int]], spreads: Sequence[float]
) -> int:
    distances = {}
    for label, own in enumerate(members):
        distance = 0.0
        for place, value in enumerate(record):
            if value is None:
                continue
            others = [other for i in own if (other := records[i][place]) is not None]
            if len(others) < len(own):
                break
            distance += ((sum(others) / len(others) - value) / spreads[place]) ** 2
        else:
            distances[label] = distance
    return min(distances, key=lambda label: distances[label])
