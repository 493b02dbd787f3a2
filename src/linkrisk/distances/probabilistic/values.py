"""Classes of the values of a nominal attribute, by how often they occur: agreement on a rare value says more."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray

LevelArray = NDArray[np.uint8]
ShortArray = NDArray[np.int32]
CodeArray = NDArray[np.uint16] | NDArray[np.uint32]

MOST_CLASSES = 13
"""Most classes of an attribute; with disagreement and two kinds of holes, a level fits four bits."""

LEAST_RECORDS = 20
"""Original records a class has at least, so that there is something to learn its m from."""


@dataclass(frozen=True, eq=False, repr=False)
class ValueClasses:
    """``of_values[code]`` is the class of each value, the rarest first; ``shares`` that of its most frequent value.

    The share of a value is the root of the share of all pairs that agree on it: its frequency, where both files have
    the same.
    """

    of_values: LevelArray
    shares: tuple[float, ...]

    def __repr__(self) -> str:
        return f"<ValueClasses: {self.n_classes} of {len(self.of_values)} values>"

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.shares)

    @property
    def labels(self) -> tuple[str, ...]:
        """Name of each class, without naming a value: they are told by their frequency."""
        return tuple(f"equal ({place + 1}: up to {share:.2%})" for place, share in enumerate(self.shares))


def make_value_classes(original: FloatArray, protected: FloatArray) -> ValueClasses | None:
    """Put the values of a nominal attribute, given as codes, into classes of similar frequency.

    What counts is the number of pairs that agree on a value: records that have it in one file times those in the other.
    Up to 13 different numbers make as many classes; more are put into 13 classes evenly spaced in their logarithm.
    From the rarest on, classes of fewer than 20 original records are joined to the next. A value that is not in both
    files is in no pair that agrees. None where all values are in one class, or none.

    >>> codes = np.repeat([0.0, 1.0, 2.0], [30, 60, 90])
    >>> make_value_classes(codes, codes).labels
    ('equal (1: up to 16.67%)', 'equal (2: up to 33.33%)', 'equal (3: up to 50.00%)')
    """
    counts = [_counts(values) for values in (original, protected)]
    n_values = max(len(numbers) for numbers in counts)
    known, other = (np.pad(numbers, (0, n_values - len(numbers))) for numbers in counts)
    agreeing = known * other
    bins = _bins(agreeing)
    of_values = np.zeros(n_values, dtype=np.uint8)
    shares: list[float] = []
    size = 0
    for place in range(int(bins.max(initial=-1)) + 1):
        members = bins == place
        if not members.any():
            continue
        share = math.sqrt(int(agreeing[members].max()) / max(int(known.sum() * other.sum()), 1))
        if shares and size < LEAST_RECORDS:
            shares[-1] = share
        else:
            shares.append(share)
            size = 0
        size += int(known[members].sum())
        of_values[members] = len(shares) - 1
    return ValueClasses(of_values, tuple(shares)) if len(shares) > 1 else None


def _counts(codes: FloatArray) -> IntArray:
    return np.bincount(codes[~np.isnan(codes)].astype(np.int64))


def _bins(agreeing: IntArray) -> IntArray:
    """Return the bin of each value, by its number of agreeing pairs; -1 where there are none."""
    result = np.full(len(agreeing), -1, dtype=np.int64)
    seen = agreeing > 0
    sizes, places = np.unique(agreeing[seen], return_inverse=True)
    if len(sizes) > MOST_CLASSES:
        heights = np.array([math.log2(size) for size in sizes.tolist()])
        steps = (heights - heights[0]) * (MOST_CLASSES / (heights[-1] - heights[0]))
        places = np.minimum(steps.astype(np.int64), MOST_CLASSES - 1)[places]
    result[seen] = places
    return result
