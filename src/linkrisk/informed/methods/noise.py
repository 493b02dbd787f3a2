"""Additive noise: a released value is normal around the original one, with a deviation that is published."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.scales import careful_moments
from linkrisk.informed.description import Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList

DEPENDENT = 1e-13
"""Directions with less than this share of the largest variance carry no noise, as the method adds it; only rounding."""


SHARE_DISTINCT = 0.2
"""Of the different values that noise would give, so many at least are different in a file with noise."""


def looks_drawn(released: FloatArray) -> bool:
    """Whether so many released values are different as noise gives; means of clusters, for one, are not.

    n values of deviation s on a grid of step g fall into about C = 4 s / g cells, C (1 - exp(-n / C)) of which are not
    empty. The step is the least difference between two values.

    >>> dice = np.random.default_rng(1)
    >>> values = dice.normal(size=200)
    >>> looks_drawn(values), looks_drawn(np.round(values, 2)), looks_drawn(np.repeat(values[:20], 10))
    (True, True, False)
    """
    values = released[~np.isnan(released)]
    values = values / (np.abs(values).max(initial=0.0) or 1.0)  # squares and differences of these do not overflow
    distinct = np.unique(values)
    if len(distinct) < 2:
        return len(values) < 2
    n_cells = max(1.0, 4.0 * float(values.std()) / float(np.diff(distinct).min()))
    expected = -n_cells * np.expm1(-len(values) / n_cells)
    return bool(len(distinct) >= SHARE_DISTINCT * expected)


def add_noise_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Add (y - x)^2 / (2 s^2) for each attribute, s being p percent of the standard deviation of the original file.

    An intruder who does not know the whole file takes the deviation from the released one, which noise has made larger
    by the factor sqrt(1 + (p / 100)^2).
    """
    for name in treatment.attributes:
        x, y = known.numbers(name)
        size = float(treatment.value("p", name)) / 100.0
        deviation = size * original_deviation(x, y, size, known)
        if deviation > 0.0:
            terms.add_gaussian(x / deviation, y / deviation)
        else:
            terms.add_equal(x, y)


def add_correlated_noise_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Add half the squared length of (y - x) in coordinates in which the noise is standard normal.

    Directions in which the attributes depend on each other linearly carry no noise, and are left out. A record with a
    missing value in one of the attributes tells nothing by them; nor does anything where there are not two others.
    """
    size = float(treatment.value("p", treatment.attributes[0])) / 100.0
    columns = [known.numbers(name) for name in treatment.attributes]
    x, y = (np.column_stack([column[side] for column in columns]) for side in (0, 1))
    if size == 0.0:
        for k in range(x.shape[1]):
            terms.add_equal(x[:, k], y[:, k])
        return
    base = x if known.is_whole else y
    factor = 1.0 if known.is_whole else 1.0 + size**2
    complete = base[~np.isnan(base).any(axis=1)]
    if len(complete) < 2:
        return
    scale = np.array([careful_moments(column)[1] for column in complete.T])
    values, vectors = np.linalg.eigh(np.cov(complete / scale, rowvar=False).reshape(len(scale), -1) / factor)
    is_used = values > DEPENDENT * values.max()
    whitening = vectors[:, is_used] / np.sqrt(values[is_used]) / size
    for k in range(whitening.shape[1]):
        terms.add_gaussian((x / scale) @ whitening[:, k], (y / scale) @ whitening[:, k])


def original_deviation(x: FloatArray, y: FloatArray, size: float, known: Known) -> float:
    """Return the standard deviation of the original file, as far as the intruder can tell."""
    if known.is_whole:
        return float(careful_moments(x)[1])
    return float(careful_moments(y)[1]) / float(np.sqrt(1.0 + size**2))
