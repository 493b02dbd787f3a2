"""Regression coefficients: whether an analyst who has only the protected file would draw the same conclusions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.data.columns import FilePair
from linkrisk.errors import ParameterError
from linkrisk.losses.cross_moments import cross_moments
from linkrisk.losses.numeric import Numbers, left_out_note, numbers_of

CONFIDENCE = 0.95

INDEPENDENT = 1e-10
"""Share of its variance that the attributes before it must leave unexplained for an attribute to take part."""


@dataclass(frozen=True)
class RegressionLoss:
    """How far regression coefficients moved: b in the original, b' in the protected file.

    ``standardised`` is the mean and ``largest`` the largest of |b' - b| / se(b), where se(b) is the standard error in
    the original. ``overlap`` is the mean overlap of the 95 % confidence intervals (1: the same interval, 0: no point in
    common). ``by_target`` holds mean difference and overlap for each attribute that was regressed on the others. NaN
    where there is no coefficient.
    """

    standardised: float
    largest: float
    overlap: float
    n_coefficients: int
    by_target: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"coefficients differ by {self.standardised:.2f} standard errors, intervals overlap {self.overlap:.2f}"


def regression_loss(files: FilePair, target: str | None = None) -> RegressionLoss:
    """Compare the coefficients of linear regressions on the two files.

    Each numeric attribute (or ``target`` alone) is regressed on all others by least squares with an intercept, in each
    file. With coefficients b, b', their standard errors, and 95 % confidence intervals [l, u], [l', u'] (Student's t,
    n - p degrees of freedom), the results are |b' - b| / se(b) and the overlap

        J = 1/2 (L / (u - l) + L / (u' - l')),  L = max(0, min(u, u') - max(l, l')),

    averaged over the coefficients, intercepts not counted.

    Records: in each file all records in which every numeric attribute is known. An attribute that is constant in one
    of the files, or a combination of attributes before it, has no coefficient and is left out of both files. Where a
    file has no more records than attributes, nothing is estimated. Notes say so. Independent of the units of the
    attributes. Cost: linear in the records; one inverse gives all regressions.

    References
    ----------
    Karr, Kohnen, Oganian, Reiter, Sanil (2006), A framework for evaluating the utility of data altered to protect
    confidentiality, The American Statistician 60(3), 224-232 (overlap; there it may be negative).

    Examples
    --------
    Three records (1, 1), (2, 3), (3, 2) become (1, 1), (2, 2), (3, 2): the slope of the second attribute on the first
    goes from 1/2 to 1/2, and that of the first on the second from 1/2, with standard error 0.866, to 3/2.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> files = pair_files(np.array([[1, 1], [2, 3], [3, 2]]), np.array([[1, 1], [2, 2], [3, 2]]))
    >>> found = regression_loss(files)
    >>> {name: round(difference, 4) for name, (difference, _) in found.by_target.items()}
    {'V1': 1.1547, 'V2': 0.0}
    """
    numbers = numbers_of(files)
    _check_target(numbers, target)
    varying = _ordered(numbers.varying(), target)
    matrices = [_complete_covariances(columns, varying) for columns in (varying.original, varying.protected)]
    kept = _independent([covariances for covariances, _ in matrices])
    dropped = tuple(name for k, name in enumerate(varying.names) if k not in kept)
    notes = (*left_out_note(numbers.constant_names, "Regression"), *_dependent_note(dropped))
    names = [varying.names[k] for k in kept]
    fits = [_Fit.of(covariances[np.ix_(kept, kept)], n_records) for covariances, n_records in matrices]
    targets = [k for k, name in enumerate(names) if target in (None, name)]
    if len(names) < 2 or not targets or any(n_records <= len(names) for _, n_records in matrices):
        return RegressionLoss(math.nan, math.nan, math.nan, 0, notes=(*notes, "Regression: nothing to estimate."))
    return _compared(names, targets, fits[0], fits[1], notes)


@dataclass(frozen=True)
class _Fit:
    """Coefficients of every attribute (row) on all others, and half the widths of their confidence intervals."""

    coefficients: FloatArray
    errors: FloatArray
    half_widths: FloatArray

    @classmethod
    def of(cls, covariances: FloatArray, n_records: int) -> _Fit:
        """Read all regressions off the inverse P of the correlations: b_kl = -P_kl / P_kk s_k / s_l."""
        from scipy.special import stdtrit  # noqa: PLC0415  (slow to import)

        freedom = max(1, n_records - len(covariances))
        deviations = np.sqrt(np.diag(covariances))
        inverse = np.linalg.inv(covariances / np.outer(deviations, deviations))
        own = np.diag(inverse)[:, None]
        remaining = np.maximum(np.diag(inverse)[None, :] - inverse**2 / own, 0.0)
        units = np.divide.outer(deviations, deviations)
        errors = np.sqrt(remaining / own / freedom) * units
        quantile = float(stdtrit(freedom, 0.5 + CONFIDENCE / 2))
        return cls(-inverse / own * units, errors, quantile * errors)


def _compared(
    names: list[str], targets: list[int], before: _Fit, after: _Fit, notes: tuple[str, ...]
) -> RegressionLoss:
    rows = [(k, [j for j in range(len(names)) if j != k]) for k in targets]
    differences, overlaps = [], []
    for k, others in rows:
        change = np.abs(after.coefficients[k, others] - before.coefficients[k, others])
        differences.append(change / before.errors[k, others])
        overlaps.append(_overlaps(change, before.half_widths[k, others], after.half_widths[k, others]))
    return RegressionLoss(
        standardised=float(np.mean(differences)),
        largest=float(np.max(differences)),
        overlap=float(np.mean(overlaps)),
        n_coefficients=int(np.size(differences)),
        by_target={
            names[k]: (float(np.mean(difference)), float(np.mean(overlap)))
            for k, difference, overlap in zip(targets, differences, overlaps, strict=True)
        },
        notes=notes,
    )


def _overlaps(change: FloatArray, half: FloatArray, other_half: FloatArray) -> FloatArray:
    """Return the overlap of intervals whose middles differ by ``change``."""
    common = np.clip(half + other_half - change, 0.0, 2 * np.minimum(half, other_half))
    with np.errstate(invalid="ignore", divide="ignore"):
        overlap = 0.5 * (common / (2 * half) + common / (2 * other_half))
    return np.where(
        np.isnan(overlap), np.asarray(change == 0, dtype=np.float64), overlap
    )  # an interval of width 0 holds its own middle only


def _check_target(numbers: Numbers, target: str | None) -> None:
    if target is not None and target not in numbers.names:
        raise ParameterError(
            f"the target {target!r} is not a numeric attribute that both files have; name one of them, or no target"
        )


def _ordered(numbers: Numbers, target: str | None) -> Numbers:
    """Put the target first, because of attributes that depend on each other the later ones are left out."""
    return numbers.select(sorted(range(len(numbers.names)), key=lambda k: numbers.names[k] != target))


def _complete_covariances(columns: Sequence[FloatArray], numbers: Numbers) -> tuple[FloatArray, int]:
    """Return the covariances over the records in which every attribute is known, and the number of these records."""
    if not columns:
        return np.empty((0, 0)), 0
    complete = np.ones(len(columns[0]), dtype=bool)
    for column in columns:
        complete &= ~np.isnan(column)
    n_records = int(complete.sum())
    if n_records == 0:
        return np.zeros((len(columns), len(columns))), 0
    known = columns if n_records == len(complete) else [column[complete] for column in columns]
    return cross_moments(known, numbers.centres, numbers.units).m11, n_records


def _independent(matrices: Sequence[FloatArray]) -> list[int]:
    """Return the attributes that are, in every file, not a combination of attributes kept before them."""
    kept: list[int] = []
    for k in range(len(matrices[0])):
        if all(_own_share(matrix, kept, k) > INDEPENDENT for matrix in matrices):
            kept.append(k)
    return kept


def _own_share(covariances: FloatArray, others: list[int], k: int) -> float:
    """Return the share of the variance of attribute k that the others do not explain (0 if it has no variance)."""
    variances = np.diag(covariances)
    if not variances[k] > 0:
        return 0.0
    if not others:
        return 1.0
    deviations = np.sqrt(variances[others])
    among = covariances[np.ix_(others, others)] / np.outer(deviations, deviations)
    with_k = covariances[others, k] / (deviations * math.sqrt(variances[k]))
    return 1.0 - float(with_k @ np.linalg.solve(among, with_k))


def _dependent_note(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        return ()
    return (f"Regression: {', '.join(names)} left out: constant, or a combination of others, in one of the files.",)
