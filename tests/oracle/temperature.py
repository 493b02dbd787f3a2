"""The temperature of a distance the obvious way: the likelihood of a mixture, term by term."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

Table = Sequence[Sequence[float]]
"""Distances, a row for each original record."""


def log_likelihood(distances: Table, temperature: float, log_volume: float) -> float:
    """Return the log-likelihood of all released records: each was made of one original, all of them equally likely."""
    total = 0.0
    for j in range(len(distances[0])):
        density = sum(math.exp(-row[j] / temperature) for row in distances) / len(distances)
        total += (math.log(density) if density > 0.0 else -math.inf) - log_volume
    return total


def expected_distance(distances: Table, temperature: float) -> float:
    """Return the mean distance of released records to the original they were made of, as far as can be known."""
    total = 0.0
    for j in range(len(distances[0])):
        weights = [math.exp(-row[j] / temperature) for row in distances]
        total += sum(w * row[j] for w, row in zip(weights, distances, strict=True)) / sum(weights)
    return total / len(distances[0])


def category_volume(
    values: Sequence[Sequence[float]], difference: Callable[[int, float, float], float], temperature: float
) -> float:
    """Return the sum of exp(-distance / T) over all combinations of values, averaged over the record it is from.

    ``difference(k, u, v)`` is what values u and v of attribute k add to the distance.
    """
    everybody = list(itertools.product(*values))
    total = 0.0
    for record in everybody:
        for other in everybody:
            apart = sum(difference(k, u, v) for k, (u, v) in enumerate(zip(record, other, strict=True)))
            total += math.exp(-apart / temperature)
    return total / len(everybody)
