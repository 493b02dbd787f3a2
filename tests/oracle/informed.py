"""What a protection method says about a pair of records, from its definition; and swaps by enumeration."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from statistics import NormalDist

Record = Sequence[float]
Pair = tuple[int, int]


def noise_cost(x: Record, y: Record, deviations: Sequence[float]) -> float:
    """-log of the density of y = x + normal noise, without its constant."""
    return sum(0.5 * ((b - a) / s) ** 2 for a, b, s in zip(x, y, deviations, strict=True))


def folded(value: float, low: float, high: float) -> float:
    """Return the value, reflected at the ends of a range until it is inside."""
    while not low <= value <= high:
        value = 2 * low - value if value < low else 2 * high - value
    return value


def folded_noise_probability(x: float, y: float, deviation: float, step: float, low: float, high: float) -> float:
    """Chance that x plus normal noise, reflected at both ends and rounded to the step, is y.

    By adding up many short intervals of noise, each led to where it ends up.
    """
    normal, n_parts, reach = NormalDist(0.0, deviation), 20_000, 9.0 * deviation
    total = 0.0
    for part in range(n_parts):
        left = -reach + 2 * reach * part / n_parts
        right = left + 2 * reach / n_parts
        if abs(folded(x + (left + right) / 2, low, high) - y) <= step / 2:
            total += normal.cdf(right) - normal.cdf(left)
    return total


def moved_noise_probability(x: int, y: int, deviation: float, low: int, high: int, codes: Sequence[int]) -> float:
    """Chance that x plus normal noise, reflected, rounded to whole numbers and moved towards x off codes, is y.

    By adding up the chances of all whole numbers, each led to where it ends up.
    """
    total = 0.0
    for number in range(low, high + 1):
        end = number
        while end in codes:
            end += 1 if x > number else -1
        if end == y:
            total += folded_noise_probability(x, number, deviation, 1.0, low - 0.5, high + 0.5)
    return total


def pram_probability(x: str, y: str, keep: float, column: Sequence[str]) -> float:
    """Chance that x becomes y: kept, or drawn from the frequencies of the column."""
    return keep * (x == y) + (1.0 - keep) * sum(value == y for value in column) / len(column)


def random_rounding_probability(x: float, y: float, base: float) -> float:
    """Chance that x is rounded to y, a multiple of the base."""
    below = base * math.floor(x / base)
    if y == below:
        return 1.0 - (x - below) / base
    return (x - below) / base if y == below + base else 0.0


def swapped_matchings(x: Sequence[Record], y: Sequence[Record], window: int) -> list[tuple[int, ...]]:
    """All ways to say who is who (j = matching[i]) in which values changed places in pairs, at most a window away.

    Values are distinct in each column. In a column let person i have become record j, and let p(i) be the person whose
    value j shows: then p must be its own inverse, and the ranks of i and p(i) must be near.
    """
    n, n_attributes = len(x), len(x[0])
    ranks = [sorted(record[k] for record in x) for k in range(n_attributes)]
    return [
        matching
        for matching in permutations(range(n))
        if all(_is_swap(x, y, matching, k, ranks[k], window) for k in range(n_attributes))
    ]


def _is_swap(
    x: Sequence[Record], y: Sequence[Record], matching: Sequence[int], k: int, ordered: Sequence[float], window: int
) -> bool:
    holder = {record[k]: i for i, record in enumerate(x)}
    partner = [holder[y[matching[i]][k]] for i in range(len(x))]
    rank = [ordered.index(record[k]) for record in x]
    return all(partner[partner[i]] == i and abs(rank[partner[i]] - rank[i]) <= window for i in range(len(x)))


def window_share(first: Sequence[int], second: Sequence[int], window: int) -> float:
    """How often a rank of the first and one of the second are at most a window apart."""
    return sum(abs(a - b) <= window for a in first for b in second) / (len(first) * len(second))


def permuted_columns(x: Record, window: int) -> Counter[tuple[float, ...]]:
    """Count in how many ways each column can be released: equal values in any order, then any permutation of ranks."""
    n, ordered = len(x), sorted(x)
    found: Counter[tuple[float, ...]] = Counter()
    for order in permutations(range(n)):
        if any(x[order[rank]] != ordered[rank] for rank in range(n)):
            continue
        for taken in permutations(range(n)):
            if all(abs(rank - other) <= window for rank, other in enumerate(taken)):
                place = {record: rank for rank, record in enumerate(order)}
                found[tuple(ordered[taken[place[record]]] for record in range(n))] += 1
    return found


def likeliest(costs: Sequence[float], n_listed: int, negligible: float, tied: float) -> dict[int, float]:
    """Originals of one released record that are listed, by what each costs.

    The cheapest, as many as there are places for; without those that cost more than the best by ``negligible``, and
    without those that cost as much as one that found no place.
    """
    order = sorted((cost, i) for i, cost in enumerate(costs) if cost < math.inf)
    listed, left_out = order[:n_listed], order[n_listed:]
    if not listed:
        return {}
    most = listed[0][0] + negligible
    if left_out:
        most = min(most, left_out[0][0] - tied * (1.0 + abs(left_out[0][0])))
    return {i: cost for cost, i in listed if cost <= most}


def term_cost(kind: str, x: Sequence[float], y: Sequence[float], table: Sequence[Sequence[float]] = ()) -> float:
    """Cost of one term for a pair; a missing value, NaN or a negative code, says nothing.

    ``x`` and ``y`` are a number each, or the two ends of an interval each.
    """
    if kind == "interval":
        return 0.0 if x[0] <= y[1] and y[0] <= x[1] else math.inf
    if kind == "table":
        return 0.0 if x[0] < 0 or y[0] < 0 else table[int(x[0])][int(y[0])]
    if math.isnan(x[0]) or math.isnan(y[0]):
        return 0.0
    if kind == "gaussian":
        return (x[0] - y[0]) ** 2 / 2.0
    return -math.log(1.0 - abs(x[0] - y[0])) if abs(x[0] - y[0]) < 1.0 else math.inf


def holders(values: Sequence[float], column: Sequence[float], single: Sequence[float]) -> list[int]:
    """Row of a column that holds each value: -1 if none does, -2 if it is missing, or not single in a third column."""
    result = []
    for value in values:
        rows = [row for row, other in enumerate(column) if other == value]
        if math.isnan(value) or (rows and list(single).count(value) != 1):
            result.append(-2)
        else:
            result.append(rows[-1] if rows else -1)
    return result


def implied_cost(
    first: Pair,
    cost: Callable[[int, int], float],
    has: Sequence[Sequence[int]],
    had: Sequence[Sequence[int]],
    gain: float,
) -> float:
    """Cost of all pairs that are true if one is, where values changed places in pairs, less a gain for each.

    If i is j, then had[j] is has[i] in every attribute, and these pairs imply others. -1 in has: nobody shows the value
    of i, so that he is nobody; -2, and any negative number in had: nothing follows. Infinite if one of the pairs is
    impossible, or if somebody would be two people.
    """
    pairs, todo = {first}, [first]
    while todo:
        i, j = todo.pop()
        for shown, of in zip(has[i], had[j], strict=True):
            if shown == -1:
                return math.inf
            if shown >= 0 and of >= 0 and (of, shown) not in pairs:
                pairs.add((of, shown))
                todo.append((of, shown))
    people, records = {i for i, _ in pairs}, {j for _, j in pairs}
    if len(people) < len(pairs) or len(records) < len(pairs):
        return math.inf
    return sum(cost(i, j) - gain for i, j in pairs)


def stranger_density(y: Sequence[float], values: Sequence[Sequence[float]], bandwidths: Sequence[float]) -> float:
    """Log of the density of a record of numbers, each on its own, by normal kernels; without 1 / sqrt(2 pi) each."""
    total = 0.0
    for value, column, h in zip(y, values, bandwidths, strict=True):
        total += math.log(sum(math.exp(-(((value - other) / h) ** 2) / 2.0) for other in column) / (len(column) * h))
    return total


def left_out(x: list[list[float]], y: list[list[float]], length: int) -> float:
    """Return the mean share of the normal likelihood of each released record beyond its likeliest originals."""
    shares = []
    for b in y:
        weights = sorted(
            (math.exp(-0.5 * sum((u - v) ** 2 for u, v in zip(a, b, strict=True))) for a in x), reverse=True
        )
        shares.append(sum(weights[length:]) / sum(weights))
    return sum(shares) / len(shares)
