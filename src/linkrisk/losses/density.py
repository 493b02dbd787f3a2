"""A kernel density at a few points of a large sample."""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray

REACH = 8.0
"""Distance, in bandwidths, beyond which a value adds nothing to the density."""


def density_at(points: FloatArray, ordered: FloatArray, bandwidth: float) -> FloatArray:
    """Gaussian kernel density f(x) = 1/(n h) sum_i phi((x - x_i) / h) of a sorted sample at some points.

    *Guarantee* (docs/mathematics.md#density): values farther than 8 h are left out, which makes f too small by at most
    phi(8) / h < 5.1e-15 / h; all others are summed one by one, without a grid. The sample must have no missing values.
    Cost: for each point the values within reach, at most n; 10^6 values and 19 points take a tenth of a second.

    Reference: Silverman (1986), Density Estimation for Statistics and Data Analysis, section 2.4.

    Examples
    --------
    Three records 0, 1, 2 and h = 1, at the middle one: (phi(1) + phi(0) + phi(1)) / 3.

    >>> import numpy as np
    >>> density_at(np.array([1.0]), np.array([0.0, 1.0, 2.0]), 1.0).round(4).tolist()
    [0.2943]
    """
    first = np.searchsorted(ordered, points - REACH * bandwidth, side="left")
    last = np.searchsorted(ordered, points + REACH * bandwidth, side="right")
    sums = [
        np.exp(-0.5 * ((ordered[low:high] - point) / bandwidth) ** 2).sum()
        for point, low, high in zip(points, first, last, strict=True)
    ]
    return np.array(sums) / (ordered.size * bandwidth * math.sqrt(2 * math.pi))


def silverman_bandwidth(ordered: FloatArray) -> float:
    """Return h = 0.9 min(s, IQR / 1.34) n^(-1/5) of a sorted sample; s alone where the quartiles are equal.

    Reference: Silverman (1986), equation 3.31. Cost: linear.

    Examples
    --------
    Three records 0, 1, 2: s = 1, IQR = 1, so h = 0.9 / 1.34 / 3^(1/5).

    >>> import numpy as np
    >>> round(silverman_bandwidth(np.array([0.0, 1.0, 2.0])), 4)
    0.5392
    """
    deviation = float(ordered.std(ddof=1))
    low, high = np.quantile(ordered, [0.25, 0.75])
    spread = min(deviation, float(high - low) / 1.34) if high > low else deviation
    return float(0.9 * spread * ordered.size**-0.2)
