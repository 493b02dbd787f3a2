"""Probabilistic linkage by the book: patterns by double loop, EM by pair and by record, weights, thresholds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

Pattern = tuple[int, ...]
RawFile = list[list[float]]


def level(difference: float, tolerances: Sequence[float]) -> int:
    """Return the first tolerance that is not exceeded; after the last one: disagreement."""
    return next((place for place, t in enumerate(tolerances) if difference <= t), len(tolerances))


def value_classes(
    original: Sequence[Hashable], protected: Sequence[Hashable], most: int, least: int
) -> dict[Hashable, int]:
    """Class of each value that both files have, rarest first: by the number of pairs that agree on it.

    Up to ``most`` different numbers are as many classes, more are put into ``most`` bins evenly spaced in their
    logarithm. Classes are filled from the rarest on, each until it has ``least`` original records.
    """
    pairs = Counter(x for x in original for y in protected if x is not None and x == y)
    numbers = sorted(set(pairs.values()))
    low, high = (math.log2(numbers[0]), math.log2(numbers[-1])) if numbers else (0.0, 0.0)

    def bin_of(number: int) -> int:
        if len(numbers) <= most:
            return numbers.index(number)
        return min(int((math.log2(number) - low) * (most / (high - low))), most - 1)

    bins: dict[int, list[Hashable]] = {}
    for value, number in pairs.items():
        bins.setdefault(bin_of(number), []).append(value)
    result: dict[Hashable, int] = {}
    current, size = -1, least
    for place in sorted(bins):
        if size >= least:
            current, size = current + 1, 0
        for value in bins[place]:
            result[value] = current
            size += sum(x == value for x in original)
    return result


def count_patterns(pattern: Callable[[int, int], Pattern], n_original: int, n_protected: int) -> Counter[Pattern]:
    """Look at every pair."""
    return Counter(pattern(i, j) for i in range(n_original) for j in range(n_protected))


@dataclass
class Classes:
    """Probabilities of the levels in both classes (one row per attribute), and the share of matches."""

    m: RawFile
    u: RawFile
    share: float

    def ratio(self, pattern: Pattern) -> float:
        """P(pattern | match) / P(pattern | no match); levels beyond the tables (missing values) say nothing."""
        result = 1.0
        for k, place in enumerate(pattern):
            if place < len(self.m[k]):
                result *= self.m[k][place] / self.u[k][place]
        return result


def chances_by_pair(pairs: Sequence[Sequence[Pattern]], classes: Classes) -> RawFile:
    """Probability that each pair is a match, each on its own; ``pairs[i]`` are the patterns of record i."""
    odds = classes.share / (1.0 - classes.share)
    result = []
    for row in pairs:
        ratios = [odds * classes.ratio(pattern) for pattern in row]
        result.append([r / (1.0 + r) for r in ratios])
    return result


def chances_by_record(pairs: Sequence[Sequence[Pattern]], classes: Classes) -> RawFile:
    """Probability that each pair is the one match of its record; a record may have none.

    With ``pairs[j]`` the patterns of protected record j: the probability that it was made of each original one.
    """
    result = []
    for row in pairs:
        ratios = [classes.share * classes.ratio(pattern) for pattern in row]
        none = max(1.0 - classes.share * len(row), 0.0)
        result.append([r / (none + sum(ratios)) for r in ratios])
    return result


def em(
    pairs: Sequence[Sequence[Pattern]],
    start: Classes,
    chances: Callable[[Sequence[Sequence[Pattern]], Classes], RawFile],
    largest_share: float,
    iterations: int,
    added: RawFile | None = None,
) -> Classes:
    """Iterate on all pairs, with one prior pair in each class spread as all pairs are; levels not in order.

    ``added`` are matches added to those expected at each level.
    """
    everything = [pattern for row in pairs for pattern in row]
    classes = start
    for _ in range(iterations):
        flat = [chance for row in chances(pairs, classes) for chance in row]
        m: RawFile = []
        u: RawFile = []
        for k, before in enumerate(classes.m):
            known = [(pattern[k], c) for pattern, c in zip(everything, flat, strict=True) if pattern[k] < len(before)]
            among = [sum(c for place, c in known if place == p) for p in range(len(before))]
            others = [sum(1.0 - c for place, c in known if place == p) for p in range(len(before))]
            prior = [sum(place == p for place, _ in known) / len(known) for p in range(len(before))]
            more = [0.0] * len(before) if added is None else added[k]
            total = sum(among) + sum(more) + 1.0
            m.append([(a + b + q) / total for a, b, q in zip(among, more, prior, strict=True)])
            u.append([(b + q) / (sum(others) + 1.0) for b, q in zip(others, prior, strict=True)])
        classes = Classes(m, u, min(sum(flat) / len(flat), largest_share))
    return classes


def thresholds(
    distances: Sequence[float], counts: Sequence[int], matches: Sequence[float], positive: float, negative: float
) -> tuple[set[float], set[float]]:
    """Distances of the links and of the non-links: as many as the rates allow, trying every cut."""
    others = [c - x for c, x in zip(counts, matches, strict=True)]
    cuts = sorted(set(distances))

    def share(values: Sequence[float], kept: Callable[[float], bool]) -> float:
        total = sum(values)
        return sum(v for v, d in zip(values, distances, strict=True) if kept(d)) / total if total else 0.0

    links = {cut for cut in cuts if share(others, lambda d, cut=cut: d <= cut) <= positive + 1e-12}  # type: ignore[misc]
    rest = {cut for cut in cuts if share(matches, lambda d, cut=cut: d >= cut) <= negative + 1e-12}  # type: ignore[misc]
    return links, rest - links


def weight(pattern: Pattern, weights: Sequence[Sequence[float]]) -> float:
    """Sum of the weights of the levels."""
    return math.fsum(weights[k][place] for k, place in enumerate(pattern))
