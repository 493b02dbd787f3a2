"""Probabilities of the number of people in a cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.errors import SettingsError

NEGLIGIBLE = 700.0
"""Counts whose log weight is further than this below the largest are left out: their probability is 0 in float64."""


class NoExactPosteriorError(SettingsError):
    """An exact posterior cannot be had: there are too many populations, or none was found in time."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """Probabilities of the counts of one cell: ``low``, ``low`` + 1, and so on."""

    low: int
    probabilities: FloatArray

    @property
    def counts(self) -> IntArray:
        """The counts that have a probability."""
        return np.arange(self.low, self.low + len(self.probabilities))

    def match_probability(self, n_samples: int = 2) -> float:
        """Return the probability that a unique match between m samples is right: the sum of p(c) / c^(m - 1).

        All matchings between the samples of the people in the cell are equally likely.
        """
        return float(np.sum(self.probabilities / self.counts.astype(np.float64) ** (n_samples - 1)))

    @property
    def mean(self) -> float:
        """The expected count."""
        return float(self.probabilities @ self.counts)

    def probability(self, count: int) -> float:
        """Return the probability of a count."""
        place = count - self.low
        return float(self.probabilities[place]) if 0 <= place < len(self.probabilities) else 0.0
