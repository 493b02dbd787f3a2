"""The risk of one file by its categorical keys: frequencies, individual risks, and what they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.frequencies.counts import Frequencies, MissingKeys, count_keys
from linkrisk.frequencies.individual import individual_risk

SIZES = (2, 3, 5)
"""The k of k-anonymity that records are counted for: how many have a key that fewer than k records have."""


@dataclass(frozen=True)
class KeyRisk:
    """What the keys of one file say about the people in it; nothing of a single record.

    missing
        What a missing value is taken for.
    below
        Records whose key fewer than 2, 3 and 5 records have.
    population
        Estimated size of the population: the sum of the weights; the number of records without weights.
    expected, rate
        Expected number of re-identifications, the sum of the individual risks, and that over the records.
    largest
        The largest individual risk.
    population_uniques
        Expected number of records that are unique in the population: of those unique in the sample.
    unique_match
        Probability that a match of a person of the population with a record unique in the sample is right; None where
        no record is unique, or no key occurs twice, unless the file is the population.
    """

    missing: MissingKeys
    n_records: int
    n_keys: int
    below: tuple[int, ...]
    population: float
    expected: float
    largest: float
    population_uniques: float
    unique_match: float | None

    @property
    def rate(self) -> float:
        """Expected re-identifications over the records."""
        return self.expected / self.n_records


@dataclass(frozen=True, eq=False, repr=False)
class KeyRecords:
    """Frequencies and individual risk of each record: confidential, because it tells who is rare."""

    frequencies: Frequencies
    risk: FloatArray

    def __repr__(self) -> str:
        return f"<KeyRecords of {len(self.risk)} records, confidential>"


def key_risk(
    columns: Sequence[NDArray[Any]],
    weights: FloatArray | None = None,
    *,
    missing: MissingKeys | str = MissingKeys.CATEGORY,
) -> tuple[KeyRisk, KeyRecords]:
    """Measure how likely the people of a file are found again by their keys alone, given how they were sampled.

    *Who attacks:* see `individual_risk`; he knows the keys exactly. The individual risk of a record is that of
    Benedetti and Franconi with f and F of `count_keys`, and their sum the expected number of re-identifications. A
    record that is unique in the sample is unique in the population with probability p = 1 / weight by the same model;
    the sum over them is ``population_uniques``. ``unique_match`` depends on no model of the population, but takes
    all people for equally likely to be sampled: with the fraction pi = records / sum of weights, n1 keys that occur
    once and n2 that occur twice, Skinner and Elliot estimate it by::

        pi n1 / (pi n1 + 2 (1 - pi) n2)

    Values are taken for true: of a file whose keys were changed at random it says how rare they look.

    Missing values are what ``missing`` says (`MissingKeys`); the number of keys and ``unique_match``, for which keys
    must be told apart, always take them for a category. Cost: that of `count_keys`.

    References
    ----------
    Franconi, Polettini (2004), Individual risk estimation in mu-Argus: a review; Skinner, Elliot (2002), A measure of
    disclosure risk for microdata, JRSS B 64, https://doi.org/10.1111/1467-9868.00365.

    Examples
    --------
    >>> keys = np.array(["a", "a", "b", "c"], dtype=object)
    >>> file, records = key_risk([keys], np.array([10.0, 10.0, 10.0, 10.0]))
    >>> file.below, round(file.expected, 3), round(file.population_uniques, 3), round(file.unique_match, 3)
    ((2, 4, 4), 0.677, 0.2, 0.1)
    >>> key_risk([keys])[0].expected  # a whole population: one for each key
    3.0
    """
    found = count_keys(columns, weights, missing=missing)
    strict = found if MissingKeys(missing) is MissingKeys.CATEGORY else count_keys(columns, weights)
    risk = individual_risk(found.sample, found.population)
    is_unique = found.sample == 1
    result = KeyRisk(
        missing=MissingKeys(missing),
        n_records=len(risk),
        n_keys=round(float((1.0 / strict.sample).sum())),
        below=_below(found.sample),
        population=float(len(risk) if weights is None else weights.sum()),
        expected=float(risk.sum()),
        largest=float(risk.max()),
        population_uniques=float(np.minimum(1.0 / found.population[is_unique], 1.0).sum()),
        unique_match=_unique_match(strict, weights),
    )
    return result, KeyRecords(found, risk)


def _below(sample: IntArray) -> tuple[int, ...]:
    return tuple(int((sample < size).sum()) for size in SIZES)


def _unique_match(strict: Frequencies, weights: FloatArray | None) -> float | None:
    """Return the measure of Skinner and Elliot; keys are told apart, a missing value being a category."""
    once, twice = int((strict.sample == 1).sum()), int((strict.sample == 2).sum()) // 2
    fraction = 1.0 if weights is None else min(len(weights) / float(weights.sum()), 1.0)
    if once == 0 or (twice == 0 and fraction < 1.0):  # nothing to match, or to estimate it from
        return None
    return fraction * once / (fraction * once + 2.0 * (1.0 - fraction) * twice)
