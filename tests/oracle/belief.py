"""Belief propagation over matchings from its definition, message by message, for a very long time."""

from __future__ import annotations

from collections.abc import Sequence


def believed(
    weight: Sequence[Sequence[float]], absent: Sequence[float], stranger: Sequence[float], n_rounds: int
) -> list[list[float]]:
    """Probability of each pair after many rounds; rows are original records, columns protected ones, 0 is no pair.

    Record r tells pair e 1 / (s_r + sum over its other pairs of weight times what their other record tells them).
    """
    n, m = len(weight), len(weight[0])
    up = [[1.0] * m for _ in range(n)]  # what original records tell
    down = [[1.0] * m for _ in range(n)]  # what protected records tell
    for _ in range(n_rounds):
        before = up, down
        up = [_told(up[i], weight[i], down[i], absent[i]) for i in range(n)]
        columns = [_told(_column(down, j), _column(weight, j), _column(up, j), stranger[j]) for j in range(m)]
        down = [[column[i] for column in columns] for i in range(n)]
        if (up, down) == before:  # to the last bit: nothing changes any more
            break
    odds = [[weight[i][j] * up[i][j] * down[i][j] for j in range(m)] for i in range(n)]
    return [[one / (1.0 + one) for one in row] for row in odds]


def _column(rows: Sequence[Sequence[float]], j: int) -> list[float]:
    return [row[j] for row in rows]


def _told(old: Sequence[float], weight: Sequence[float], heard: Sequence[float], slack: float) -> list[float]:
    """Messages of one record to its pairs; a fifth of each is the one before."""
    terms = [w * h for w, h in zip(weight, heard, strict=True)]
    rests = [slack + sum(terms[:e]) + sum(terms[e + 1 :]) for e in range(len(terms))]
    return [0.2 * before + 0.8 / max(1e-150, rest) for before, rest in zip(old, rests, strict=True)]


def largest_matching(pairs: Sequence[tuple[int, int]]) -> int:
    """Most pairs of which no two share a row or a column: paths that make room, one after the other (Kuhn)."""
    holder: dict[int, int] = {}

    def has_room(row: int, seen: set[int]) -> bool:
        for column in (j for i, j in pairs if i == row and j not in seen):
            seen.add(column)
            if column not in holder or has_room(holder[column], seen):
                holder[column] = row
                return True
        return False

    return sum(has_room(row, set()) for row in {i for i, _ in pairs})
