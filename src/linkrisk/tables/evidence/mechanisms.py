"""How a table was made: exact, rounded, suppressed or from a sample; and what its counts say about the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import gammaln

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.errors import ParameterError


class Mechanism(Protocol):
    """How published counts follow from population counts, cell by cell."""

    @property
    def name(self) -> str:
        """Name of the mechanism in the description of a table."""

    def bounds(self, published: IntArray) -> tuple[IntArray, IntArray]:
        """Return the least and the largest population count behind each published count.

        *Guarantee* (docs/mathematics.md#mechanism-bounds): a population count outside these bounds is never published
        as this count; the least one may be.
        """

    def log_likelihood(self, published: int, counts: IntArray) -> FloatArray:
        """Return log p(published | population count) for each population count; -inf where it is impossible."""

    @property
    def unit(self) -> int:
        """Every published count is a multiple of this number."""


@dataclass(frozen=True)
class Exact:
    """Counts published without change, or, where cells are suppressed, as intervals that stand in the table itself."""

    name: str = "exact"

    unit = 1

    def bounds(self, published: IntArray) -> tuple[IntArray, IntArray]:
        """Return the counts themselves."""
        return published, published

    def log_likelihood(self, published: int, counts: IntArray) -> FloatArray:
        """Return 0 for the published count, -inf for all others."""
        return np.where(counts == published, 0.0, -np.inf)


@dataclass(frozen=True)
class NearestRounding:
    """Counts rounded to the nearest multiple of a base, halves up.

    >>> import numpy as np
    >>> [bound.tolist() for bound in NearestRounding(5).bounds(np.array([0, 5]))]
    [[0, 3], [2, 7]]
    """

    base: int

    name = "rounded"

    def __post_init__(self) -> None:
        _check_base(self.base)

    def bounds(self, published: IntArray) -> tuple[IntArray, IntArray]:
        """Return the least and the largest count that round to each published count."""
        return np.maximum(published - self.base // 2, 0), published + (self.base - 1) // 2

    def log_likelihood(self, published: int, counts: IntArray) -> FloatArray:
        """Return 0 for counts that round to the published one."""
        low, high = self.bounds(np.array([published]))
        return np.where((counts >= low[0]) & (counts <= high[0]), 0.0, -np.inf)

    @property
    def unit(self) -> int:
        """The base."""
        return self.base


@dataclass(frozen=True)
class RandomRounding:
    """Unbiased random rounding to a base: up with probability remainder / base, otherwise down.

    p(f | F) = 1 - |f - F| / base where |f - F| < base. Multiples of the base do not change.

    >>> import numpy as np
    >>> np.exp(RandomRounding(3).log_likelihood(3, np.arange(7))).round(2).tolist()
    [0.0, 0.33, 0.67, 1.0, 0.67, 0.33, 0.0]
    """

    base: int

    name = "random_rounding"

    def __post_init__(self) -> None:
        _check_base(self.base)

    def bounds(self, published: IntArray) -> tuple[IntArray, IntArray]:
        """Return the least and the largest count that are less than a base away."""
        return np.maximum(published - self.base + 1, 0), published + self.base - 1

    def log_likelihood(self, published: int, counts: IntArray) -> FloatArray:
        """Return log(1 - |f - F| / base)."""
        share = 1.0 - np.abs(counts - published) / self.base
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(share, 0.0))

    @property
    def unit(self) -> int:
        """The base."""
        return self.base


@dataclass(frozen=True)
class Sampling:
    """Counts in a simple random sample of known size, without replacement.

    p(f | F) is hypergeometric (smith-elliot-bayesian.txt, Equation 4): F of N people are in the cell, and n are drawn.

    >>> import numpy as np
    >>> np.exp(Sampling(size=2, population=4).log_likelihood(1, np.array([0, 1, 2, 3, 4]))).round(3).tolist()
    [0.0, 0.5, 0.667, 0.5, 0.0]
    """

    size: int
    population: int

    name = "sample"
    unit = 1

    def __post_init__(self) -> None:
        if not 0 < self.size <= self.population:
            raise ParameterError(
                f"a sample of {self.size} people cannot come from a population of {self.population}; check both sizes"
            )

    def bounds(self, published: IntArray) -> tuple[IntArray, IntArray]:
        """Return the number drawn, and that number plus everybody who was not drawn."""
        return published, published + (self.population - self.size)

    def log_likelihood(self, published: int, counts: IntArray) -> FloatArray:
        """Return the log of the hypergeometric probability."""
        rest = self.population - counts
        is_possible = (counts >= published) & (rest >= self.size - published)
        inside = np.where(is_possible, counts, published)
        outside = np.where(is_possible, rest, self.size - published)
        drawn = log_choose(inside, published) + log_choose(outside, self.size - published)
        total = log_choose(np.array([self.population]), self.size)[0]
        return np.where(is_possible, drawn - total, -np.inf)


def log_choose(n: IntArray, k: int) -> FloatArray:
    """Return the logarithm of the binomial coefficient C(n, k), for n >= k >= 0."""
    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))


def _check_base(base: object) -> None:
    if isinstance(base, bool) or not isinstance(base, int | np.integer) or base < 2:
        raise ParameterError("the base of a rounding must be a whole number of 2 or more; with base 1 a table is exact")
