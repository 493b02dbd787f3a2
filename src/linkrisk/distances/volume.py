"""How much room a distance leaves at a temperature: what makes a likelihood of exp(-distance / temperature)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.coordinates import Coordinates, DifferenceRule


@dataclass(frozen=True, eq=False)
class Volume:
    """The sum of exp(-sum of w_k d_k / temperature) over all released records there can be, for every temperature.

    ``n_numbers`` coordinates are numbers. Each of ``categories`` is a coordinate with finitely many values: the
    weighted differences that occur, and how many values are so far from one.
    """

    n_numbers: int
    categories: tuple[tuple[FloatArray, FloatArray], ...]

    def log(self, temperature: float) -> float:
        """Return its logarithm, up to a number that is the same for all temperatures.

        >>> round(Volume(2, ()).log(math.exp(3.0)), 9)
        3.0
        """
        result = 0.5 * self.n_numbers * math.log(temperature)
        for apart, counts in self.categories:
            least = float(apart.min())
            result += math.log(float((counts * np.exp((least - apart) / temperature)).sum())) - least / temperature
        return result

    def mean_distance(self, temperature: float) -> float:
        """Return the mean distance of a record drawn with density exp(-distance / temperature) / volume.

        It is temperature^2 times the derivative of the logarithm, and grows with the temperature.

        >>> Volume(3, ()).mean_distance(2.0)
        3.0
        """
        result = 0.5 * self.n_numbers * temperature
        for apart, counts in self.categories:
            weights = counts * np.exp((float(apart.min()) - apart) / temperature)
            result += float((weights * apart).sum() / weights.sum())
        return result


def make_volume(coordinates: Coordinates, weights: FloatArray) -> Volume:
    """Return the volume of a weighted sum of differences.

    It is a product over the coordinates of: for numbers, the integral of exp(-w (x - y)^2 / T) over y, which is
    sqrt(pi T / w); for categories, the sum over those that occur in either file (of ordinal ones the mean over x of
    it). Coordinates of weight 0 leave all room at every temperature. Text counts as categories without order; missing
    values count as none.
    """
    used = np.flatnonzero(weights > 0.0).tolist()
    is_number = {k: coordinates.rules[k] == DifferenceRule.SQUARED for k in used}
    categories = tuple(_categories(coordinates, k, float(weights[k])) for k in used if not is_number[k])
    return Volume(sum(is_number.values()), categories)


def _categories(coordinates: Coordinates, k: int, weight: float) -> tuple[FloatArray, FloatArray]:
    """Return the weighted differences between values that occur, and how many values are so far from one."""
    text = coordinates.texts[k]
    if text is not None:
        return _unordered(len(set(text.original) | set(text.protected)), weight)
    codes = np.concatenate([coordinates.original[:, k], coordinates.protected[:, k]])
    codes = np.unique(codes[~np.isnan(codes)])
    if coordinates.rules[k] != DifferenceRule.ORDERED or len(codes) == 0:
        return _unordered(len(codes), weight)
    apart, counts = np.unique(np.abs(codes[:, None] - codes), return_counts=True)
    return weight * (apart + coordinates.offset[k]) / coordinates.divisor[k], counts / len(codes)


def _unordered(n_values: int, weight: float) -> tuple[FloatArray, FloatArray]:
    return np.array([0.0, weight]), np.array([1.0, max(n_values, 1) - 1.0])
