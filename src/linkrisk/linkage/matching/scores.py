"""Pairs of an original and a protected record, and how likely each is: what every attacker with a model ends in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class PairScores:
    """Log-likelihoods of pairs, listed for each protected record; pairs not listed are impossible or negligible.

    start
        The candidates of protected record j are ``original[start[j] : start[j + 1]]``.
    original
        The original records, ascending for each j.
    value
        log p(y_j | x_i), up to a constant for each j; finite.
    n_original
        Number of original records.
    """

    start: IntArray
    original: IntArray
    value: FloatArray
    n_original: int

    def __repr__(self) -> str:
        return f"<PairScores: {len(self.value)} pairs of {self.n_original} and {self.n_protected} records>"

    @property
    def n_protected(self) -> int:
        """Number of protected records."""
        return len(self.start) - 1

    @property
    def protected(self) -> IntArray:
        """The protected record of each pair."""
        return np.repeat(np.arange(self.n_protected), np.diff(self.start))

    def by_original(self) -> tuple[IntArray, IntArray]:
        """Return the places of the pairs in the order of original records, and where those of each begin."""
        order = np.argsort(self.original, kind="stable")
        counts = np.bincount(self.original, minlength=self.n_original)
        return order, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def normalised(self) -> PairScores:
        """Return the log of the probability that j is i, if each protected record were looked at on its own."""
        if not len(self.value):
            return self
        j = self.protected
        largest = np.full(self.n_protected, -np.inf)
        np.maximum.at(largest, j, self.value)
        sums = np.bincount(j, np.exp(self.value - largest[j]), self.n_protected)
        return replace(self, value=self.value - largest[j] - np.log(sums[j]))
