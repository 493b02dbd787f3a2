"""How good the probabilities of matches are, where the population is known: ranks, reliability, Brier score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.labels import labels_of
from linkrisk.data.read import open_file
from linkrisk.errors import ColumnError, FileError
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.unique_matches import UniqueMatches

BINS = 10
"""Intervals of the reliability diagram."""


@dataclass(frozen=True)
class RankCorrelation:
    """Rank correlations of two lists, corrected for ties, with two-sided p-values; NaN where one list is constant."""

    spearman: float
    spearman_p: float
    kendall: float
    kendall_p: float


@dataclass(frozen=True)
class Reliability:
    """One interval of the reliability diagram: mean probability reported, mean true probability, number of matches."""

    low: float
    high: float
    said: float
    true: float
    n_matches: int


@dataclass(frozen=True)
class Judgement:
    """Probabilities of matches, compared with the truth.

    ``brier`` is the mean of (p - outcome)^2. If the samples tell who is who (``is_by_person``), the outcome is 1 where
    all records of a match are of one person, and 0 otherwise. If they do not, the expectation over the outcome is
    taken: it is 1 with the true probability 1 / c^(m - 1). ``expected_correct`` is the sum of the probabilities p,
    ``true_correct`` that of the outcomes, or of the true probabilities.
    """

    ranks: RankCorrelation
    brier: float
    expected_correct: float
    true_correct: float
    is_by_person: bool
    reliability: tuple[Reliability, ...]


def true_counts(evidence: Evidence, population: Any, cells: IntArray, *, delimiter: str | None = None) -> IntArray:
    """Count the people of each overlap cell in the population, a file or frame with one row per person.

    Raises
    ------
    InputError
        If the population lacks an attribute of the overlap, does not have the stated size, or has nobody in a cell in
        which a sample has a record.
    """
    table = open_file(population, "population", delimiter=delimiter)
    if table.n_records != evidence.population:
        raise FileError(
            f"{table.name} has {table.n_records:,} people, but the population is said to have {evidence.population:,}; "
            "give the file of the whole population, or correct the stated size"
        )
    columns = []
    is_known = np.ones(table.n_records, dtype=bool)
    for name in evidence.overlap:
        if name not in table.column_names:
            raise ColumnError(
                f"{table.name} has no column {name!r}, by which records are matched; add it, or leave it out of the "
                "overlap"
            )
        place = {label: code for code, label in enumerate(evidence.domain.categories[name])}
        codes = np.array([place.get(label, -1) for label in labels_of(table.column(name))], dtype=np.int64)
        is_known &= codes >= 0  # people with categories that no sample and no table has are in no matched cell
        columns.append(codes)
    codes = np.column_stack(columns)[is_known]
    keys, counts = np.unique(evidence.domain.keys(codes, evidence.overlap, evidence.overlap), return_counts=True)
    at = np.minimum(np.searchsorted(keys, cells), max(len(keys) - 1, 0))
    found = np.where(keys[at] == cells, counts[at], 0) if len(keys) else np.zeros(len(cells), dtype=np.int64)
    if (found == 0).any():
        raise FileError(
            f"{table.name} has nobody with a combination of {', '.join(evidence.overlap)} that occurs in the samples; "
            "give the population they were drawn from"
        )
    return found.astype(np.int64)


def are_same_people(evidence: Evidence, matches: UniqueMatches) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Tell which matches are of one person; None where the samples do not tell who is who."""
    if any(sample.ids is None for sample in evidence.samples):
        return None
    people = [
        np.array(sample.ids, dtype=object)[rows]
        for sample, rows in zip(evidence.samples, matches.records.T, strict=True)
    ]
    return np.asarray(np.logical_and.reduce([other == people[0] for other in people[1:]]))


def judge(probabilities: FloatArray, true: FloatArray, outcomes: FloatArray | None = None) -> Judgement:
    """Compare probabilities with the true ones, and with outcomes where they are known.

    Examples
    --------
    >>> import numpy as np
    >>> found = judge(np.array([0.2, 0.4, 0.9]), np.array([0.25, 0.5, 1.0]))
    >>> found.ranks.spearman, round(found.true_correct, 2)
    (1.0, 1.75)
    """
    results = true if outcomes is None else outcomes
    brier = results * (1.0 - probabilities) ** 2 + (1.0 - results) * probabilities**2
    return Judgement(
        rank_correlation(probabilities, true),
        float(brier.mean()),
        math.fsum(probabilities.tolist()),
        math.fsum(results.tolist()),
        outcomes is not None,
        _reliability(probabilities, results),
    )


def rank_correlation(first: FloatArray, second: FloatArray) -> RankCorrelation:
    """Return Spearman's and Kendall's (tau-b) rank correlations of two lists.

    Numbers that differ by less than one part in 10^9 count as tied: they may be the same sum in another order.
    """
    from scipy.stats import kendalltau, spearmanr  # noqa: PLC0415  (slow to import)

    if len(first) < 2 or _is_constant(first) or _is_constant(second):
        return RankCorrelation(math.nan, math.nan, math.nan, math.nan)
    x, y = _rounded(first), _rounded(second)
    spearman, kendall = spearmanr(x, y), kendalltau(x, y)
    return RankCorrelation(
        float(spearman.statistic), float(spearman.pvalue), float(kendall.statistic), float(kendall.pvalue)
    )


def _reliability(said: FloatArray, true: FloatArray) -> tuple[Reliability, ...]:
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    result: list[Reliability] = []
    for place in range(BINS):
        inside = places == place
        if inside.any():
            means = float(said[inside].mean()), float(true[inside].mean())
            result.append(Reliability(place / BINS, (place + 1) / BINS, *means, int(inside.sum())))
    return tuple(result)


def _rounded(values: FloatArray) -> list[float]:
    return [float(f"{value:.9g}") for value in values]


def _is_constant(values: FloatArray) -> bool:
    return len(set(_rounded(values))) < 2
