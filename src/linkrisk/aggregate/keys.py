"""Keys: what stays the same between a record and its protected version, yet differs between people.

An attribute, or a combination of attributes, without any difference between true pairs identifies people as a
name would. An inverse covariance cannot express that (its entry would be infinite), and a pseudo-inverse gives
the direction weight zero, the opposite of what it deserves. Here a key decides first: it gets the weight
`KEY_WEIGHT`, beyond what the rest of the distance can make up for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.data.columns import FloatArray, IntArray

KEY_WEIGHT = 2.0**70
"""Weight of a key relative to its spread. People whose keys differ by more than about 1e-8 of the spread are
told apart by the key alone, whatever the other attributes say (their share of an own distance is at most the
number of records); rounding in a key stays far below the other attributes' share."""

NO_VARIANCE = 2.0**-40
"""Variance between true pairs, relative to the variance elsewhere, up to which a direction is a key."""


@dataclass(frozen=True)
class PairDifferences:
    """Differences between true pairs: their mean and what is left after subtracting it."""

    mean: FloatArray
    centred: FloatArray


def pair_differences(original: FloatArray, protected: FloatArray, own: IntArray) -> PairDifferences:
    """Differences original minus protected over the true pairs, without their mean."""
    paired = own >= 0
    differences = original[paired] - protected[own[paired]]
    mean = differences.mean(axis=0) if len(differences) else np.zeros(original.shape[1])
    return PairDifferences(mean, differences - mean)


def covariance(values: FloatArray) -> FloatArray:
    """Covariance matrix (n - 1) of the columns."""
    centred = values - values.mean(axis=0)
    return np.asarray(centred.T @ centred / max(len(values) - 1, 1))


def is_constant_difference(differences: PairDifferences, spread: FloatArray) -> FloatArray:
    """Tell for each column whether true pairs differ by one and the same amount, and people differ at all."""
    largest = np.abs(differences.centred).max(axis=0, initial=0.0)
    return np.asarray((spread > 0) & (largest**2 <= NO_VARIANCE * NO_VARIANCE * spread))
