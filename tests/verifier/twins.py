"""The learning problem in fractions, from the definitions in docs/certificates.md: slow and obvious.

Imports nothing from linkrisk; d_k comes as a function of two records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise

SAME = Fraction(1, 1 << 40)

Vector = list[Fraction]


def subsets(n: int, most: int | None = None) -> list[tuple[int, ...]]:
    """Return all sets of 1 to ``most`` of n attributes, small ones first."""
    return [s for size in range(1, (n if most is None else min(most, n)) + 1) for s in combinations(range(n), size)]


def mean_features(d: Vector) -> Vector:
    """Return the differences."""
    return list(d)


def ordered_features(d: Vector) -> Vector:
    """Return the differences from large to small."""
    return sorted(d, reverse=True)


def choquet_features(d: Vector) -> Vector:
    """Return, by bit mask, how long a level rising from 0 leaves just these differences above it."""
    result = []
    for mask in range(1, 1 << len(d)):
        inside = [d[k] for k in range(len(d)) if mask >> k & 1]
        outside = [d[k] for k in range(len(d)) if not mask >> k & 1]
        result.append(max(min(inside) - max(outside, default=Fraction(0)), Fraction(0)))
    return result


def mobius_features(additivity: int) -> Callable[[Vector], Vector]:
    """Return the features of measures with Möbius values of at most so many attributes."""
    return lambda d: [min(d[k] for k in members) for members in subsets(len(d), additivity)]


def form_features(differences: Vector) -> Vector:
    """Return the products of two differences, those of different attributes twice."""
    n = len(differences)
    return [differences[k] * differences[m] * (1 if k == m else 2) for k in range(n) for m in range(k, n)]


FEATURES: Mapping[str, Callable[[Vector], Vector]] = {
    "weighted_mean": mean_features,
    "weighted_mean_metric": mean_features,
    "owa": ordered_features,
    "choquet": choquet_features,
    "choquet_metric": choquet_features,
    "bilinear": form_features,
    "bilinear_free": form_features,
    "bilinear_psd": form_features,
}


@dataclass(frozen=True)
class Twin:
    """A learning problem: ``squares(i, j)`` are the d_k, ``differences(i, j)`` what features are made of.

    Rows and rivals are asked for many times, and kept.
    """

    squares: Callable[[int, int], Vector]
    differences: Callable[[int, int], Vector]
    features: Callable[[Vector], Vector]
    own: Sequence[int]
    n_protected: int
    ties: str = "unique"
    tolerance: Fraction = SAME
    weights: Sequence[float] | None = None
    _rows: dict[tuple[int, int], Vector] = field(default_factory=dict, init=False, repr=False, compare=False)
    _rivals: dict[int, list[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def people(self) -> list[int]:
        """Records with a protected version."""
        return [i for i, j in enumerate(self.own) if j >= 0]

    def phi(self, i: int, j: int) -> Vector:
        """Return the features of a pair."""
        return self.features(self.differences(i, j))

    def row(self, i: int, j: int) -> Vector:
        """Return v(i, j)."""
        if (i, j) not in self._rows:
            near, own = 1 - self.tolerance, self.phi(i, self.own[i])
            self._rows[i, j] = [near * a - b for a, b in zip(self.phi(i, j), own, strict=True)]
        return self._rows[i, j]

    def is_twin(self, i: int, j: int) -> bool:
        """Whether j differs from i as its own does."""
        pairs = zip(self.squares(i, j), self.squares(i, self.own[i]), strict=True)
        return all((1 - SAME) * a <= b and (1 - SAME) * b <= a for a, b in pairs)

    def rivals(self, i: int) -> list[int]:
        """Return the protected records that count against i."""
        if i not in self._rivals:
            others = [j for j in range(self.n_protected) if j != self.own[i]]
            self._rivals[i] = others if self.ties == "unique" else [j for j in others if not self.is_twin(i, j)]
        return self._rivals[i]

    def worth(self, i: int) -> Fraction:
        """Return what a link is worth."""
        weight = Fraction(1) if self.weights is None else Fraction(self.weights[i])
        if self.ties != "expected":
            return weight
        return weight / sum(self.is_twin(i, j) for j in range(self.n_protected))

    def is_linked(self, i: int, theta: Sequence[Fraction]) -> bool:
        """Whether theta links i."""
        return all(dot(theta, self.row(i, j)) > 0 for j in self.rivals(i))

    def links(self, theta: Sequence[float | Fraction]) -> Fraction:
        """Return the worth of what theta links."""
        exact = [Fraction(value) for value in theta]
        return sum((self.worth(i) for i in self.people if self.is_linked(i, exact)), Fraction(0))


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    """Return the sum of products."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def sweep(twin: Twin, low: Fraction = Fraction(0), high: Fraction = Fraction(1)) -> tuple[Fraction, Fraction]:
    """Return the best links of (1 - s, s), low <= s <= high, and such an s: two weights, all that can happen."""
    cuts = {low, high}
    for i in twin.people:
        for j in twin.rivals(i):
            a, b = twin.row(i, j)
            if a != b and low < a / (a - b) < high:
                cuts.add(a / (a - b))
    points = sorted(cuts)
    points += [(a + b) / 2 for a, b in pairwise(points)]
    return max((_links_at(twin, s), s) for s in points)


def _links_at(twin: Twin, s: Fraction) -> Fraction:
    theta = [1 - s, s]
    return sum((twin.worth(i) for i in twin.people if twin.is_linked(i, theta)), Fraction(0))


def up_sets(n: int) -> Iterator[frozenset[int]]:
    """Yield every family of non-empty sets, as bit masks, that holds with a set all larger ones."""
    masks = range(1, 1 << n)
    for chosen in range(1 << len(masks)):
        family = frozenset(mask for place, mask in enumerate(masks) if chosen >> place & 1)
        if all(other in family for mask in family for other in masks if mask & other == mask):
            yield family
