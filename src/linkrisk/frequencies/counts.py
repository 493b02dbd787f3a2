"""How often the key of each record occurs: in the sample, and, by the sum of weights, in the population."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.data.same_values import is_missing


class MissingKeys(StrEnum):
    """What a missing value of a key is.

    ``category``: a value of its own, which only matches missing ones: so it is where a question does not apply, such as
    the job of a child. ``wildcard``: it may be any value, so that it matches every one, as sdcMicro's ``freqCalc``
    counts (alpha = 1): so it is where values were suppressed. Wildcards make keys look less rare.
    """

    CATEGORY = "category"
    WILDCARD = "wildcard"


@dataclass(frozen=True, eq=False, repr=False)
class Frequencies:
    """For each record how many records have its key (``sample``, itself included), and the sum of their weights."""

    sample: IntArray
    population: FloatArray

    def __repr__(self) -> str:
        return f"<Frequencies of {len(self.sample)} records>"


def count_keys(
    columns: Sequence[NDArray[Any]],
    weights: FloatArray | None = None,
    *,
    missing: MissingKeys | str = MissingKeys.CATEGORY,
) -> Frequencies:
    """Count how often the key of each record, its combination of values, occurs.

    f = number of records whose key matches that of the record, itself included; F = sum of their sampling weights,
    which estimates how many people of the population have the key. Without weights the file is the population, and
    F = f.

    Parameters
    ----------
    columns
        One array for each attribute of the key: float64 with NaN, or objects with None, where a value is missing.
    weights
        Sampling weights of the records: how many people of the population each stands for.
    missing
        What a missing value is; see `MissingKeys`. Matching by wildcards is not transitive: two records that match a
        third need not match each other.

    Notes
    -----
    Values are compared exactly. Cost: a sort for each attribute; with wildcards one for each two patterns of missing
    values. References: Franconi and Polettini (2004), Individual risk estimation in mu-Argus: a review; sdcMicro's
    ``freqCalc`` for missing values.

    Examples
    --------
    >>> region, sex = np.array(["n", "n", "s", None], dtype=object), np.array(["f", "f", "m", "m"], dtype=object)
    >>> found = count_keys([region, sex], np.array([10.0, 20.0, 30.0, 40.0]))
    >>> found.sample.tolist(), found.population.tolist()
    ([2, 2, 1, 1], [30.0, 30.0, 30.0, 40.0])
    >>> count_keys([region, sex], missing="wildcard").sample.tolist()
    [2, 2, 2, 2]
    """
    codes = np.stack([_codes(column) for column in columns], axis=1)
    given = np.ones(len(codes)) if weights is None else weights
    if MissingKeys(missing) is MissingKeys.CATEGORY:
        return Frequencies(*_totals(_numbered(codes), _numbered(codes), given))
    sample, population = np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes))
    for ours, theirs, shared in _patterns(np.stack([is_missing(column) for column in columns], axis=1)):
        both = np.concatenate([ours, theirs])
        numbers = _numbered(codes[both][:, shared])
        counted, summed = _totals(numbers[: len(ours)], numbers[len(ours) :], given[theirs])
        sample[ours] += counted
        population[ours] += summed
    return Frequencies(sample, population)


def _patterns(missing: BoolArray) -> Iterator[tuple[IntArray, IntArray, BoolArray]]:
    """Yield the records of each two patterns of missing values, and the attributes that both patterns know."""
    patterns, place = np.unique(missing, axis=0, return_inverse=True)
    rows = [np.flatnonzero(place.ravel() == pattern) for pattern in range(len(patterns))]
    for ours, unknown in zip(rows, patterns, strict=True):
        for theirs, also_unknown in zip(rows, patterns, strict=True):
            yield ours, theirs, ~(unknown | also_unknown)


def _totals(ours: IntArray, theirs: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return for each of our numbers how many of theirs are equal to it, and the sum of their weights."""
    size = int(max(ours.max(initial=0), theirs.max(initial=0))) + 1
    counted = np.bincount(theirs, minlength=size).astype(np.int64)
    summed = np.bincount(theirs, weights, minlength=size).astype(np.float64)
    return counted[ours], summed[ours]


def _numbered(codes: IntArray) -> IntArray:
    """Return a number for each combination of codes; rows without any column are all alike."""
    numbers = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:  # numbered again each time, which keeps the products small
        numbers = np.unique(numbers * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1].astype(
            np.int64
        )
    return numbers


def _codes(column: NDArray[Any]) -> IntArray:
    """Return a number for each value of a column, the same for all missing ones."""
    if column.dtype == np.float64:
        return np.unique(column, return_inverse=True)[1].astype(np.int64)
    places: dict[Any, int] = {}
    return np.array([places.setdefault(value, len(places)) for value in column], dtype=np.int64)
