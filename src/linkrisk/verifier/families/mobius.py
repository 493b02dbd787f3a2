"""Choquet integrals over monotone fuzzy measures whose Möbius values are 0 for sets of more than q attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.verifier.exact.rationals import LEAST, ROUNDING, TINY, Row
from linkrisk.verifier.families.measures import read_gain
from linkrisk.verifier.verification import Rejection

MAX_EXPANDED = 16
"""Number of attributes up to which every gain of a measure is computed, where Möbius sets have three or more."""


CHUNK = 1024
"""Number of sets whose least differences are held together."""


class MobiusMeasures:
    """theta is the Möbius value of every set of 1 to q attributes, by size and then by members."""

    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    least_tolerance: ClassVar[float] = 2.0**-40

    def __init__(self, n_attributes: int, additivity: int) -> None:
        sizes = range(1, min(additivity, n_attributes) + 1)
        self.n_attributes = n_attributes
        self.sets = [members for size in sizes for members in combinations(range(n_attributes), size)]
        self.n_parameters = len(self.sets)
        self._masks = [sum(1 << k for k in members) for members in self.sets]

    def features(self, differences: Sequence[int]) -> Row:
        """Return the least difference in each set."""
        least = (min(differences[k] for k in members) for members in self.sets)
        return {place: value for place, value in enumerate(least) if value}

    def distances(self, theta: FloatArray, differences: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the integrals; Möbius values may be negative, so that errors depend on their absolute values."""
        with np.errstate(all="ignore"):
            values, sizes = np.zeros(len(differences)), np.zeros(len(differences))
            for start in range(0, self.n_parameters, CHUNK):
                part = slice(start, start + CHUNK)
                least = np.column_stack([differences[:, list(members)].min(axis=1) for members in self.sets[part]])
                values += least @ theta[part]
                sizes += least @ np.abs(theta[part])
            error = (2 * self.n_parameters + 16) * ROUNDING * sizes + TINY * (1.0 + np.abs(theta).sum())
            error += 2.0 * LEAST * self.n_parameters * differences.max(axis=1)
        return values, error

    def check_parameters(self, theta: Sequence[int]) -> None:
        """Raise unless the measure is monotone and not 0."""
        if sum(theta) <= 0:
            raise Rejection(
                "The parameters are not admissible: the measure of the set of all attributes is not positive"
            )
        if any(self._least_gain(k, theta) < 0 for k in range(self.n_attributes)):
            raise Rejection("The parameters are not admissible: the measure is not monotone")

    def _least_gain(self, k: int, values: Sequence[int]) -> int:
        """Return the least of mu(A + k) - mu(A) over all sets A."""
        members = [(mask & ~(1 << k), value) for mask, value in zip(self._masks, values, strict=True) if mask >> k & 1]
        if all(rest.bit_count() <= 1 for rest, _ in members):
            return sum(value if rest == 0 else min(value, 0) for rest, value in members)
        if self.n_attributes > MAX_EXPANDED:
            raise Rejection(
                f"Möbius sets of three or more attributes are checked for at most {MAX_EXPANDED} attributes"
            )
        gains = np.zeros(1 << self.n_attributes, dtype=object)
        for rest, value in members:
            gains[rest] = value
        for a in range(self.n_attributes):
            blocks = gains.reshape(-1, 2, 1 << a)
            blocks[:, 1, :] += blocks[:, 0, :]
        return int(gains.min())

    def is_polar(self, row: Row) -> bool:
        """Tell whether the row is 0; nothing else is known here, and proofs use inequalities instead (see `cut`)."""
        return not row

    def cut(self, label: Mapping[str, Any]) -> Row:
        """Return mu(A + k) - mu(A), the sum of the Möbius values of all sets of k and members of A."""
        base, added = read_gain(label, self.n_attributes)
        if len(added) != 1:
            raise Rejection("The proof uses submodularity, which the measures of this attacker need not have")
        within = base | 1 << added[0]
        return {p: 1 for p, mask in enumerate(self._masks) if mask >> added[0] & 1 and mask & ~within == 0}

    @property
    def normal(self) -> Row:
        """Return the row whose product with theta is mu(all)."""
        return dict.fromkeys(range(self.n_parameters), 1)

    def bound(self, place: int) -> int:
        """Return 2^(|A| - 1): a Möbius value is a sum of 2^|A| values of mu in [0, 1], half of them subtracted."""
        return 1 << (len(self.sets[place]) - 1)
