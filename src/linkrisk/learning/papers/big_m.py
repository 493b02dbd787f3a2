"""How far a row can be violated at most: the least constant that lets a record be given up."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family, ParameterSet


def largest_violations(family: Family, parameters: ParameterSet, rows: FloatArray) -> FloatArray:
    """Return for each row v an upper bound of -theta . v over the admissible theta, 0 where there is no violation.

    Parameters are scaled as the model scales them: normal . theta = 1, or entries in [-1, 1] where the cone is the
    whole space.

    *Guarantee* (docs/mathematics.md#big-m): no admissible theta violates a row by more. Where the cone has edges the
    bound is attained at one of them, for measures that are only monotone at a unanimity measure (see
    `unanimity_values`); otherwise it follows from the bounds of the parameters, and need not be attained.

    >>> import numpy as np
    >>> from linkrisk.distances.weighted_mean import WeightedMeanFamily
    >>> family = WeightedMeanFamily()
    >>> largest_violations(family, family.parameter_set(2), np.array([[1.0, -0.5], [1.0, 1.0]])).tolist()
    [0.5, 0.0]
    """
    if parameters.rays is not None and parameters.normal is not None:
        edges = parameters.rays / (parameters.rays @ parameters.normal)[:, None]
        least = (rows @ edges.T).min(axis=1)
    elif isinstance(family, ChoquetFamily):
        least = unanimity_values(rows).min(axis=1)
    elif parameters.bounds is not None:
        least = -(np.abs(rows) @ parameters.bounds)
    else:
        least = -np.abs(rows).sum(axis=1)
    return np.asarray(np.maximum(-least, 0.0))


def unanimity_values(rows: FloatArray) -> FloatArray:
    """Return u_B . v for every row v and every unanimity measure u_B, which is 1 on the sets that hold B.

    Column B - 1 belongs to the subset of bit mask B. Cost: n 2^n for each row.

    *Guarantee* (docs/mathematics.md#unanimity): if v = s phi(i, j) - phi(i, i) with s > 0, theta . v over all monotone
    measures with mu(all) = 1 is least at some u_B.

    >>> import numpy as np
    >>> unanimity_values(np.array([[1.0, 2.0, 4.0]])).tolist()
    [[5.0, 6.0, 4.0]]
    """
    n_rows, n_subsets = rows.shape[0], rows.shape[1] + 1
    sums = np.concatenate([np.zeros((n_rows, 1)), rows], axis=1)
    for bit in (1 << k for k in range(n_subsets.bit_length() - 1)):
        blocks = sums.reshape(n_rows, n_subsets // (2 * bit), 2, bit)
        blocks[:, :, 0, :] += blocks[:, :, 1, :]
    return sums[:, 1:]
