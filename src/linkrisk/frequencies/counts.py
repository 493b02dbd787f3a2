"""How often the key of each record occurs: in the sample, and, by the sum of weights, in the population."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.data.same_values import combination_numbers, is_missing, value_codes
from linkrisk.engine import interrupt

MAX_PATTERNS = 200
"""Patterns of missing values up to which wildcards are counted in an assessment: pairs of them are compared."""


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
    Values are compared exactly. Cost: a sort for each attribute; with wildcards up to one for each two patterns of
    missing values, of the different keys. References: Franconi and Polettini (2004), Individual risk estimation in
    mu-Argus: a review; sdcMicro's ``freqCalc`` for missing values.

    Examples
    --------
    >>> region, sex = np.array(["n", "n", "s", None], dtype=object), np.array(["f", "f", "m", "m"], dtype=object)
    >>> found = count_keys([region, sex], np.array([10.0, 20.0, 30.0, 40.0]))
    >>> found.sample.tolist(), found.population.tolist()
    ([2, 2, 1, 1], [30.0, 30.0, 30.0, 40.0])
    >>> count_keys([region, sex], missing="wildcard").sample.tolist()
    [2, 2, 2, 2]
    """
    codes = np.stack([value_codes(column) for column in columns], axis=1)
    given = np.ones(len(codes)) if weights is None else weights
    numbers = combination_numbers(codes)
    if MissingKeys(missing) is MissingKeys.CATEGORY:
        return Frequencies(*_totals(numbers, numbers, given))
    _, first = np.unique(numbers, return_index=True)  # one record for each key
    counts, sums = np.bincount(numbers).astype(np.int64), np.bincount(numbers, given).astype(np.float64)
    is_unknown = np.stack([is_missing(column[first]) for column in columns], axis=1)
    sample, population = np.zeros(len(first), dtype=np.int64), np.zeros(len(first))
    for ours, theirs, shared in _patterns(is_unknown):
        both = combination_numbers(codes[first[np.concatenate([ours, theirs])]][:, shared])
        mine, others = both[: len(ours)], both[len(ours) :]
        sample[ours] += _sums(mine, others, counts[theirs].astype(np.float64)).astype(np.int64)
        population[ours] += _sums(mine, others, sums[theirs])
    return Frequencies(sample[numbers], population[numbers])


def n_patterns(columns: Sequence[NDArray[Any]]) -> int:
    """Count the different sets of attributes that records lack; where it is 1, none or the same are missing in all.

    >>> n_patterns([np.array([1.0, np.nan, np.nan]), np.array([1.0, 2.0, 3.0])])
    2
    """
    return len(np.unique(np.stack([is_missing(column) for column in columns], axis=1), axis=0))


def _patterns(missing: BoolArray) -> Iterator[tuple[IntArray, IntArray, BoolArray]]:
    """Yield the keys of each pattern of missing values, all those it shares some attributes with, and these."""
    patterns, place = np.unique(missing, axis=0, return_inverse=True)
    place = place.reshape(-1)
    for pattern, unknown in enumerate(patterns):
        interrupt.check()
        either, which = np.unique(patterns | unknown, axis=0, return_inverse=True)
        theirs = which.reshape(-1)[place]
        for number, both in enumerate(either):
            yield np.flatnonzero(place == pattern), np.flatnonzero(theirs == number), ~both


def _sums(ours: IntArray, theirs: IntArray, amounts: FloatArray) -> FloatArray:
    """Return for each of our numbers the sum of the amounts of those of theirs that are equal to it."""
    size = int(max(ours.max(initial=0), theirs.max(initial=0))) + 1
    return np.asarray(np.bincount(theirs, amounts, minlength=size)[ours], dtype=np.float64)


def _totals(ours: IntArray, theirs: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return for each of our numbers how many of theirs are equal to it, and the sum of their weights."""
    size = int(max(ours.max(initial=0), theirs.max(initial=0))) + 1
    counted = np.bincount(theirs, minlength=size).astype(np.int64)
    summed = np.bincount(theirs, weights, minlength=size).astype(np.float64)
    return counted[ours], summed[ours]
