"""Differences between means, covariances, correlations, and eigenvalues of the correlation matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.data.columns import FilePair
from linkrisk.losses.cross_moments import both_moments
from linkrisk.losses.numeric import ROUNDING, left_out_note, numbers_of


@dataclass(frozen=True)
class Variation:
    """How far statistics of one kind moved: t is such a statistic in the original, t' in the protected file.

    ``absolute`` is the mean and ``largest`` the largest of |t' - t|, over ``n_statistics`` statistics. ``relative`` is
    the mean of |t' - t| / |t| over the ``n_relative`` statistics for which this ratio is defined; where t = 0 and t' =
    0 it counts as 0, where only t = 0 it is undefined. NaN where there is no statistic.
    """

    absolute: float
    largest: float
    relative: float
    n_statistics: int
    n_relative: int

    def __str__(self) -> str:
        return f"absolute {self.absolute:.4f}, largest {self.largest:.4f}, relative {self.relative:.4f}"


@dataclass(frozen=True)
class MomentDifferences:
    """Means and covariances in standard deviations of the original; correlations and eigenvalues without a unit."""

    means: Variation
    covariances: Variation
    correlations: Variation
    eigenvalues: Variation
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return (
            f"means {self.means.absolute:.4f}, covariances {self.covariances.absolute:.4f}, "
            f"correlations {self.correlations.absolute:.4f}, eigenvalues {self.eigenvalues.absolute:.4f}"
        )


def moment_differences(files: FilePair) -> MomentDifferences:
    """Compare the first and second moments of two files.

    With S_k the standard deviation of attribute k in the original, the statistics compared are

    - means: mean(x_k) / S_k, p of them; the relative difference is that of the means themselves;
    - covariances: cov(x_k, x_l) / (S_k S_l) for k <= l, with divisor n; variances are those with k = l;
    - correlations: Pearson's, for k < l;
    - eigenvalues: those of the correlation matrix, from the largest to the least.

    See `Variation` for what is reported. Records: all records of both files. Missing values are left out for each
    attribute, and for covariances and correlations for each pair of attributes (so the correlation matrix may have
    small negative eigenvalues). Attributes that are constant in the original are left out everywhere; those constant in
    the protected file only are left out of correlations and eigenvalues; notes say so. Independent of the units of the
    attributes. Cost: linear.

    References
    ----------
    Domingo-Ferrer, Torra (2001), Disclosure control methods and information loss for microdata, in Confidentiality,
    Disclosure, and Data Access, 91-110 (mean absolute error and mean variation).

    Examples
    --------
    Three records 1, 2, 3 become 2, 3, 7. The mean goes from 2 to 4: by two standard deviations, or by 100 %. The
    variance goes from 2/3 to 14/3.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> found = moment_differences(pair_files(np.array([[1.0], [2.0], [3.0]]), np.array([[2.0], [3.0], [7.0]])))
    >>> found.means.absolute, found.means.relative, round(found.covariances.absolute, 4)
    (2.0, 1.0, 4.0)
    """
    numbers = numbers_of(files)
    varying = numbers.varying()
    original, protected = both_moments(varying)
    upper, above = np.triu_indices(len(varying.names)), np.triu_indices(len(varying.names), 1)
    zero = varying.centres / varying.units
    before, after = original.correlations, protected.correlations
    usable = _usable(before, after)
    lost = tuple(name for name, is_usable in zip(varying.names, usable, strict=True) if not is_usable)
    return MomentDifferences(
        means=variation(original.means + zero, protected.means + zero),
        covariances=variation(original.m11[upper], protected.m11[upper]),
        correlations=variation(before[above], after[above]),
        eigenvalues=variation(*(_eigenvalues(matrix[np.ix_(usable, usable)]) for matrix in (before, after))),
        notes=(*left_out_note(numbers.constant_names, "Moments"), *_lost_note(lost)),
    )


def variation(before: FloatArray, after: FloatArray) -> Variation:
    """Summarise how far statistics moved; a statistic that is undefined (NaN) in one of the files is left out.

    Examples
    --------
    Three statistics 2, 0, 0 become 3, 0, 1: absolute (1 + 0 + 1) / 3, relative (1/2 + 0) / 2.

    >>> import numpy as np
    >>> print(variation(np.array([2.0, 0.0, 0.0]), np.array([3.0, 0.0, 1.0])))
    absolute 0.6667, largest 1.0000, relative 0.2500
    """
    known = ~(np.isnan(before) | np.isnan(after))
    start, change = before[known], np.abs(after - before)[known]
    change[change <= ROUNDING * np.maximum(1.0, np.abs(start))] = 0.0
    is_zero = np.abs(start) <= ROUNDING
    ratios = np.concatenate([change[~is_zero] / np.abs(start[~is_zero]), np.zeros((is_zero & (change == 0)).sum())])
    return Variation(
        absolute=float(change.mean()) if change.size else math.nan,
        largest=float(change.max()) if change.size else math.nan,
        relative=float(ratios.mean()) if ratios.size else math.nan,
        n_statistics=int(change.size),
        n_relative=int(ratios.size),
    )


def _usable(before: FloatArray, after: FloatArray) -> BoolArray:
    """Tell which attributes vary in both files and have a correlation with all other attributes that vary."""
    candidates = np.flatnonzero(~np.isnan(np.diag(before) + np.diag(after)))
    undefined = np.isnan(before + after)[np.ix_(candidates, candidates)]
    is_usable = np.zeros(len(before), dtype=bool)
    is_usable[candidates[~undefined.any(axis=1)]] = True
    return is_usable


def _eigenvalues(correlations: FloatArray) -> FloatArray:
    if correlations.size < 2:  # one attribute: its eigenvalue is 1 in every file
        return np.empty(0)
    return np.asarray(np.linalg.eigvalsh(correlations)[::-1], dtype=np.float64)


def _lost_note(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        return ()
    return (f"Eigenvalues: {', '.join(names)} left out: no correlation is defined in one of the files.",)
