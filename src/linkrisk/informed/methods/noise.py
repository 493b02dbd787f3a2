"""Additive noise: what a released value tells about the original one, with a deviation that is published."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.scales import careful_moments
from linkrisk.informed.description import Treatment
from linkrisk.informed.holes import patterns_of_holes
from linkrisk.informed.known import Known
from linkrisk.informed.methods.beside_codes import Beside
from linkrisk.informed.methods.noise_law import WIDE, NoiseLaw
from linkrisk.informed.terms import TermList

DEPENDENT = 1e-13
"""Directions with less than this share of the largest variance carry no noise, as the method adds it; only rounding."""


TRIED = 256
"""Draws from which the chance to stay within all ranges is told."""

LEAST_INSIDE = 10
"""Of these, so many are inside at least where no record is reflected after its last draw: 200 draws fail 1 in 3,000."""

FINEST = 1e-5
"""Steps count as so many deviations at least, where directions are compared: eigenvalues have 16 digits."""

SQUARED = 400
"""Numbers from 2^-400 to 2^400 are squared as they are; others are multiplied by a power of two before."""

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
    """Add -log P(y | x) for each attribute, s being p percent of the standard deviation of the original file.

    P is that of `noise_law`: (y - x)^2 / (2 s^2) where values are fine and far from the ends of their range. An
    intruder who does not know the whole file takes the deviation from the released one, which noise has made larger by
    the factor sqrt(1 + (p / 100)^2).
    """
    for name in treatment.attributes:
        x, y = known.numbers(name)
        law = law_of(treatment, name, known)
        if law is None:
            terms.add_equal(x, y)
        else:
            law.add(x, y, terms)


def law_of(treatment: Treatment, name: str, known: Known) -> NoiseLaw | None:
    """Return what noise did to the values of one attribute; None if it was none, as for a constant one."""
    x, y = known.numbers(name)
    told = x[~np.isnan(x)]
    if known.is_whole and told.size and told.min() == told.max():
        return None
    size = float(treatment.value("p", name)) / 100.0
    deviation = size * original_deviation(x, y, size, known)
    if deviation <= 0.0:
        return None
    codes = known.column(name).attribute.codes
    return NoiseLaw.of(x, y, deviation, is_kept=_is_kept(treatment), is_whole=known.is_whole, codes=codes)


def _is_kept(treatment: Treatment) -> bool | None:
    """Whether noise is published to stay in the ranges of the columns; None where nothing is said."""
    told = treatment.parameters.get("continuous")
    return None if told is None else not told


def has_chances(treatment: Treatment, known: Known) -> bool:
    """Whether the terms of noise are its chances: steps are narrow, or tabled; for correlated noise see below."""
    if treatment.method == "correlated_noise":
        return _has_correlated_chances(treatment, known)
    laws = {name: law_of(treatment, name, known) for name in treatment.attributes}
    return all(law is None or law.is_exact(*known.numbers(name)) for name, law in laws.items())


def _has_correlated_chances(treatment: Treatment, known: Known) -> bool:
    """Whether a normal density over the chance to be within all ranges is the law of correlated noise.

    It is not where the noise was drawn for further attributes, whose ranges and missing values count, too; where a step
    is wide compared with the noise in some direction; and where a record hardly ever stays within all ranges, since it
    is reflected after its last draw.
    """
    laws = [law_of(treatment, name, known) for name in treatment.attributes]
    moved = [law for law in laws if law is not None]
    if treatment.is_partial or any(law.step > WIDE * law.deviation for law in moved):
        return False
    if not moved:
        return True
    x, y, laws = _squarable(treatment, known)
    size = float(treatment.value("p", treatment.attributes[0])) / 100.0
    with np.errstate(all="ignore"):  # of columns that hardly vary nothing is claimed
        covariances = _covariances(x, y, size, [None for _ in laws], known)
        if covariances is None or not _steps_in_a_deviation(covariances, laws) >= 1.0 / WIDE:
            return False
        is_told = not _have_codes(laws) or Beside.of(x, y, laws).is_small
        return is_told and int(_n_inside(x, covariances, laws).min(initial=TRIED)) >= LEAST_INSIDE


def _steps_in_a_deviation(covariances: FloatArray, laws: Sequence[NoiseLaw | None]) -> float:
    """Return the least deviation of noise over all directions in which it has any, each attribute counted in steps."""
    moved = [place for place, law in enumerate(laws) if law is not None]
    deviations = np.sqrt(np.diag(covariances)[moved])
    correlations = covariances[np.ix_(moved, moved)] / deviations / deviations[:, None]
    if not np.isfinite(correlations).all():
        return 0.0
    of_all = np.linalg.eigvalsh(correlations)
    n_dependent = int((of_all <= DEPENDENT * of_all.max()).sum())
    steps = np.maximum([law.step / law.deviation for law in laws if law is not None], FINEST)
    squares = np.linalg.eigvalsh(correlations / np.outer(steps, steps))
    return float(np.sqrt(max(squares[n_dependent], 0.0)))


def add_correlated_noise_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Add half the squared length of (y - x) in coordinates in which the noise is standard normal.

    The covariances of the noise are those of the data times (p / 100)^2, and those of rounding to decimals of step g,
    g^2 / 12. Directions in which attributes depend on each other linearly carry no noise, and are left out. Where
    records were drawn again until they were within all ranges, the log of the chance Z(x) to be so is added. Missing
    values stay missing, so each pattern of them has coordinates of its own; where they do not stay, incomplete records
    tell nothing. Of records beside a code for missing `Beside` tells what the code adds.
    """
    size = float(treatment.value("p", treatment.attributes[0])) / 100.0
    if size == 0.0:
        for name in treatment.attributes:
            terms.add_equal(*known.numbers(name))
        return
    x, y, laws = _squarable(treatment, known)
    covariances = _covariances(x, y, size, laws, known)
    if covariances is None:
        return
    are_holes_kept = patterns_of_holes(treatment.attributes, known)[2]
    whitened = partial(_whitened, covariances=covariances, are_holes_kept=are_holes_kept)
    x_white, y_white = whitened(x, y)
    for k in range(x.shape[1]):
        if not np.isnan(x_white[:, k]).all():
            terms.add_gaussian(x_white[:, k], y_white[:, k])
    _add_range_term(x, covariances, laws, known, terms)
    if _have_codes(laws):
        Beside.of(x, y, laws).add(whitened, terms)


def _have_codes(laws: Sequence[NoiseLaw | None]) -> bool:
    """Whether noise can have led to a code for missing."""
    return any(law is not None and law.codes for law in laws)


def _squarable(treatment: Treatment, known: Known) -> tuple[FloatArray, FloatArray, list[NoiseLaw | None]]:
    """Return both files and what noise did to each attribute, in units in which squares are numbers.

    Where a column has numbers beyond 2^400, or none of 2^-400, columns are multiplied by powers of two. It is exact,
    and changes densities by a constant. Columns of about the size of the largest share its power, so that directions
    stay what they are.
    """
    columns = [known.numbers(name) for name in treatment.attributes]
    laws = [law_of(treatment, name, known) for name in treatment.attributes]
    sizes = [math.frexp(float(np.nanmax(np.abs(np.concatenate(column)), initial=0.0)))[1] for column in columns]
    powers = np.zeros(len(sizes), dtype=np.int64)
    if max(map(abs, sizes)) > SQUARED:
        powers = np.array([max(sizes) if size > max(sizes) - SQUARED else size for size in sizes])
    x, y = (np.ldexp(np.column_stack([column[side] for column in columns]), -powers) for side in (0, 1))
    scaled = [None if law is None else law.scaled(-int(power)) for law, power in zip(laws, powers, strict=True)]
    return x, y, scaled


def _covariances(
    x: FloatArray, y: FloatArray, size: float, laws: Sequence[NoiseLaw | None], known: Known
) -> FloatArray | None:
    """Return the covariances of noise and rounding, as the intruder knows them.

    None with fewer than two records, and where noise is so large that its squares are infinite.
    """
    base = x if known.is_whole else y
    complete = base[~np.isnan(base).any(axis=1)]
    if len(complete) < 2:
        return None
    factor = 1.0 if known.is_whole else 1.0 + size**2
    scale = np.array([careful_moments(column)[1] for column in complete.T])
    spread = np.array([careful_moments(column)[1] for column in base.T])
    correlations = np.cov(complete / scale, rowvar=False).reshape(len(scale), -1) / factor
    rounding = np.diag([0.0 if law is None else law.step**2 / 12.0 for law in laws])
    with np.errstate(over="ignore", invalid="ignore"):
        covariances = np.asarray(size**2 * np.outer(spread, spread) * correlations + rounding)
    return covariances if np.isfinite(covariances).all() else None


def _whitened(
    x: FloatArray, y: FloatArray, covariances: FloatArray, *, are_holes_kept: bool
) -> tuple[FloatArray, FloatArray]:
    """Return both files in coordinates in which noise is standard normal, pattern by pattern of missing values.

    Unused coordinates are 0 for all records of a pattern; those that tell nothing have NaN throughout.
    """
    whitened = [np.full(side.shape, np.nan) for side in (x, y)]
    for lacking in np.unique(np.isnan(np.concatenate([x, y])), axis=0):
        shown = np.flatnonzero(~lacking)
        if not shown.size or (lacking.any() and not are_holes_kept):
            continue
        whitening = _whitening(covariances[np.ix_(shown, shown)])
        for side, result in zip((x, y), whitened, strict=True):
            rows = (np.isnan(side) == lacking).all(axis=1)
            result[rows] = 0.0
            result[np.ix_(rows, range(whitening.shape[1]))] = side[np.ix_(rows, shown)] @ whitening
    return whitened[0], whitened[1]


def _whitening(covariances: FloatArray) -> FloatArray:
    """Return the matrix W with W' C W = 1 in the directions that have any variance to speak of."""
    scale = np.sqrt(np.diag(covariances))
    scale = np.where(scale > 0.0, scale, 1.0)
    values, vectors = np.linalg.eigh(covariances / np.outer(scale, scale))
    is_used = values > DEPENDENT * values.max()
    return np.asarray(vectors[:, is_used] / np.sqrt(values[is_used]) / scale[:, None])


def _add_range_term(
    x: FloatArray, covariances: FloatArray, laws: Sequence[NoiseLaw | None], known: Known, terms: TermList
) -> None:
    """Add log Z(x), Z being the chance that a record with noise is within all ranges, from `TRIED` draws."""
    if not any(law is not None and law.is_reflected for law in laws):
        return
    counts, codes = np.unique(_n_inside(x, covariances, laws), return_inverse=True)
    costs = np.log((counts + 0.5) / (TRIED + 0.5))
    nothing = np.zeros(known.n_protected, dtype=np.int64)
    terms.refine(codes.reshape(-1), nothing, (costs - costs.min())[:, None])


def _n_inside(x: FloatArray, covariances: FloatArray, laws: Sequence[NoiseLaw | None]) -> IntArray:
    """Return for each record how many of `TRIED` draws of noise leave it within all ranges."""
    inside = np.full(len(x), TRIED)
    if not any(law is not None and law.is_reflected for law in laws):
        return inside
    low = np.array([-np.inf if law is None else law.low for law in laws])
    high = np.array([np.inf if law is None else law.high for law in laws])
    draws = np.random.default_rng(0).multivariate_normal(np.zeros(len(low)), covariances, TRIED, method="eigh")
    beyond = np.maximum(low - x - draws.min(axis=0), x + draws.max(axis=0) - high)
    near = np.flatnonzero((beyond > 0.0).any(axis=1))
    for row in near:
        noisy = x[row] + draws
        inside[row] = int((~((noisy < low) | (noisy > high)).any(axis=1)).sum())
    return inside


def original_deviation(x: FloatArray, y: FloatArray, size: float, known: Known) -> float:
    """Return the standard deviation of the original file, as far as the intruder can tell."""
    if known.is_whole:
        return float(careful_moments(x)[1])
    return float(careful_moments(y)[1]) / float(np.sqrt(1.0 + size**2))
