"""The scales: how raw numbers become comparable before they are subtracted.

Values are scaled once, in this module, and the same float64 numbers serve the linkage, the learner and the
verifier. Sums are exact (`math.fsum`), so the order of the records does not change a single bit.
"""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.limits import LEAST_SCALED
from linkrisk.differences.scale import Scale


def scale_values(original: FloatArray, protected: FloatArray, scale: Scale) -> tuple[FloatArray, FloatArray]:
    """Scale one numeric attribute in both files.

    Missing values (NaN) take no part in means, deviations and ranks, and stay NaN. A constant column is only centred.
    Where the original is constant it gives no unit: ``original`` then takes as unit the root mean square of the
    protected values' differences from that constant. Cost: linear for ``separate`` and ``original``, a sort for
    ``ranks``.

    >>> import numpy as np
    >>> x, y = scale_values(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0]), Scale.SEPARATE)
    >>> x.tolist() == y.tolist() == [-1.0, 0.0, 1.0]
    True
    """
    if scale is Scale.RANKS:
        return _standard_ranks(original), _standard_ranks(protected)
    if scale is Scale.ORIGINAL:
        centre, spread = _original_moments(original, protected)
        return (original - centre) / spread, (protected - centre) / spread
    (centre, spread), (protected_centre, protected_spread) = careful_moments(original), careful_moments(protected)
    return (original - centre) / spread, (protected - protected_centre) / protected_spread


def scaled_means(original: FloatArray, protected: FloatArray, scale: Scale) -> tuple[float, float]:
    """Return what stands for a missing value of each file where holes must be filled: its mean, on the scale.

    0 where a file is scaled by its own mean or by ranks (the middle rank), or has no known value. On the scale
    ``original``, the mean of the protected file (as `careful_moments` rounds it), scaled as if it were a value.

    *Guarantee* (docs/mathematics.md#holes): except on ranks, a record whose value is the mean and one whose value is
    missing get exactly the same number.

    >>> import numpy as np
    >>> scaled_means(np.array([1.0, 2.0, 3.0]), np.array([4.0, np.nan, 6.0]), Scale.ORIGINAL)
    (0.0, 3.0)
    """
    if scale is not Scale.ORIGINAL or np.isnan(protected).all():
        return 0.0, 0.0
    centre, spread = _original_moments(original, protected)
    mean = (careful_moments(protected)[0] - centre) / spread
    return 0.0, mean if abs(mean) >= LEAST_SCALED else 0.0  # below, no record can have it: `check_scaled` refuses it


def _original_moments(original: FloatArray, protected: FloatArray) -> tuple[float, float]:
    """Centre and unit of the scale ``original``."""
    centre, spread = careful_moments(original)
    return centre, _root_mean_square(protected - centre) if _is_constant(original) else spread


def careful_moments(values: FloatArray) -> tuple[float, float]:
    """Mean and standard deviation (n - 1) of the known values; a deviation of 0 is returned as 1.

    *Guarantee* (docs/mathematics.md#moments): permuting the values changes nothing; multiplying them by a power of two
    multiplies both results by it exactly (short of overflow and underflow of the results themselves).
    """
    known = values[~np.isnan(values)]
    if known.size == 0:
        return 0.0, 1.0
    # A power of two brings the values near 1, so that neither the sum nor the squares can overflow.
    exponent = math.frexp(float(np.abs(known).max()))[1]
    small = np.ldexp(known, -exponent)
    centre = math.fsum(small.tolist()) / small.size
    if small.min() == small.max():
        return math.ldexp(float(small[0]), exponent), 1.0
    squares = (small - centre) ** 2
    deviation = math.sqrt(math.fsum(squares.tolist()) / (small.size - 1))
    return math.ldexp(centre, exponent), math.ldexp(deviation, exponent)


def _is_constant(values: FloatArray) -> bool:
    known = values[~np.isnan(values)]
    return known.size == 0 or bool(known.min() == known.max())


def _root_mean_square(values: FloatArray) -> float:
    """Root mean square of the known values, 1 where all are 0; powers of two pass through exactly."""
    known = values[~np.isnan(values)]
    if not known.any():
        return 1.0
    exponent = math.frexp(float(np.abs(known).max()))[1]
    squares = np.ldexp(known, -exponent) ** 2
    return math.ldexp(math.sqrt(math.fsum(squares.tolist()) / known.size), exponent)


def _standard_ranks(values: FloatArray) -> FloatArray:
    """Midranks m among n known values as (m - (n + 1) / 2) sqrt(12) / n: mean 0, variance 1 without ties."""
    known = ~np.isnan(values)
    count = int(known.sum())
    result = np.full(values.shape, np.nan)
    if count:
        _, place, tied = np.unique(values[known], return_inverse=True, return_counts=True)
        midranks = np.cumsum(tied) - (tied - 1) / 2
        result[known] = (midranks[place] - (count + 1) / 2) * (math.sqrt(12) / count)
    return result
