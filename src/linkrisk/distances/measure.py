"""Fuzzy measures: a weight for every subset of the attributes.

Inside, a measure is an array over bit masks: entry ``mask`` belongs to the subset of the attributes k whose bit
``1 << k`` is set. Users name subsets by attributes; `dyadic_label` prints a mask the way the tables of
abril2012-choquet.txt do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from numbers import Real

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.errors import ParameterError

MAX_FULL_ATTRIBUTES = 16
"""Attributes up to which all 2^n subsets are kept."""

SLACK = 1e-9
"""How far monotonicity and normalisation may be off in parameters given by a user: printed figures are rounded."""

Subsets = Mapping[frozenset[str], float]


def mobius_from_measure(measure: FloatArray) -> FloatArray:
    """Möbius transform: m(A) = sum over B in A of (-1)^(|A| - |B|) mu(B). Cost n 2^n.

    Reference: abril2012-choquet.txt, section 3.3.

    >>> import numpy as np
    >>> mobius_from_measure(np.array([0.0, 0.25, 0.25, 1.0])).tolist()
    [0.0, 0.25, 0.25, 0.5]
    """
    result = np.array(measure, dtype=np.float64)
    for bit in _bits(result.size):
        blocks = result.reshape(-1, 2, bit)
        blocks[:, 1, :] -= blocks[:, 0, :]
    return result


def measure_from_mobius(mobius: FloatArray) -> FloatArray:
    """Zeta transform, the inverse of `mobius_from_measure`: mu(A) = sum over B in A of m(B), Equation (18).

    Whole numbers (an array of objects) stay whole.

    >>> import numpy as np
    >>> measure_from_mobius(np.array([0.0, 0.25, 0.25, 0.5])).tolist()
    [0.0, 0.25, 0.25, 1.0]
    """
    result = np.array(mobius, dtype=np.float64 if mobius.dtype != object else object)
    for bit in _bits(result.size):
        blocks = result.reshape(-1, 2, bit)
        blocks[:, 1, :] += blocks[:, 0, :]
    return result


def shapley_values(measure: FloatArray) -> FloatArray:
    """Share of each attribute: m(A) divided evenly among the members of A, summed over all A.

    >>> import numpy as np
    >>> shapley_values(np.array([0.0, 0.2, 0.3, 1.0])).round(3).tolist()
    [0.45, 0.55]
    """
    mobius = mobius_from_measure(measure)
    sizes = np.bitwise_count(np.arange(mobius.size))
    share = mobius / np.maximum(sizes, 1)
    masks = np.arange(mobius.size)
    return np.array([math.fsum(share[(masks & bit) > 0]) for bit in _bits(mobius.size)])


def unanimity_values(rows: FloatArray) -> FloatArray:
    """Return u_B . v for every row v and every unanimity measure u_B, which is 1 on the sets that hold B.

    Column B - 1 belongs to the subset of bit mask B. Cost: n 2^n per row.

    *Guarantee* (docs/mathematics.md#unanimity): if v = s phi(i, j) - phi(i, i) with s > 0, theta . v over all monotone
    measures with mu(all) = 1 is least at some u_B. These measures are mixtures of those with values 0 and 1, so one of
    them is as low; it makes the integral of d(i, i) equal to some d_k(i, i), so it is 1 on the set B of the attributes
    that reach d_k(i, i), and is nowhere below u_B; and u_B itself gives d(i, i) the same integral.

    >>> unanimity_values(np.array([[1.0, 2.0, 4.0]])).tolist()
    [[5.0, 6.0, 4.0]]
    """
    n_rows, n_subsets = rows.shape[0], rows.shape[1] + 1
    sums = np.concatenate([np.zeros((n_rows, 1)), rows], axis=1)
    for bit in (1 << k for k in range(n_subsets.bit_length() - 1)):
        blocks = sums.reshape(n_rows, n_subsets // (2 * bit), 2, bit)
        blocks[:, :, 0, :] += blocks[:, :, 1, :]
    return sums[:, 1:]


def dyadic_label(mask: int, n_attributes: int) -> str:
    """Label a subset as the tables of abril2012-choquet.txt do: one digit per attribute, the first one first.

    >>> dyadic_label(1, 4)
    '1000'
    """
    return "".join("1" if mask >> k & 1 else "0" for k in range(n_attributes))


def measure_from_subsets(values: Subsets, names: Sequence[str]) -> FloatArray:
    """Measure over bit masks from values named by attributes; every non-empty subset must be given.

    The empty set may be left out; it is 0.
    """
    masks = _masks(values, names, "measure")
    n_subsets = 1 << len(names)
    absent = [mask for mask in range(1, n_subsets) if mask not in masks]
    if absent:
        raise ParameterError(
            f"measure: {len(absent)} of {n_subsets - 1} subsets have no value, the first being "
            f"{_subset_name(absent[0], names)}; give every subset, or give the Möbius transform, in which "
            "subsets left out are 0"
        )
    measure = np.zeros(n_subsets)
    for mask, value in masks.items():
        measure[mask] = value
    return measure


def mobius_from_subsets(values: Subsets, names: Sequence[str]) -> dict[int, float]:
    """Möbius transform by bit mask from values named by attributes; subsets left out are 0."""
    masks = _masks(values, names, "mobius")
    if masks.pop(0, 0.0) != 0.0:
        raise ParameterError("mobius: the empty set must have Möbius value 0; leave it out or set it to 0")
    return masks


def check_measure(measure: FloatArray, names: Sequence[str]) -> None:
    """Raise unless mu(empty) = 0, mu(all) = 1 and mu is monotone."""
    if abs(measure[0]) > SLACK:
        raise ParameterError("measure: the empty set must have measure 0; leave it out or set it to 0")
    if abs(measure[-1] - 1.0) > SLACK:
        raise ParameterError("measure: the set of all attributes must have measure 1; divide all values by its value")
    masks = np.arange(measure.size)
    for bit in _bits(measure.size):
        smaller = masks[(masks & bit) == 0]
        falls = measure[smaller | bit] < measure[smaller] - SLACK
        if falls.any():
            mask = int(smaller[int(falls.argmax())])
            raise ParameterError(
                f"measure: not monotone, {_subset_name(mask | bit, names)} weighs less than "
                f"{_subset_name(mask, names)}; a larger set may never weigh less"
            )


def smoothed_measure(measure: FloatArray) -> FloatArray:
    """Raise the value of every set to the largest value of its subsets (by less than `SLACK`, once checked).

    *Guarantee* (docs/mathematics.md#smoothed): the result is monotone to the last bit, so that a smaller difference
    never gives a larger distance; a measure that is monotone is returned as it is.
    """
    result = np.array(measure, dtype=np.float64)
    result[0] = 0.0
    for bit in _bits(result.size):
        blocks = result.reshape(-1, 2, bit)
        blocks[:, 1, :] = np.maximum(blocks[:, 1, :], blocks[:, 0, :])
    return result


def check_submodular(measure: FloatArray, names: Sequence[str]) -> None:
    """Raise unless mu(A + k) + mu(A + l) >= mu(A + k + l) + mu(A) for all A, k, l, and singletons are positive.

    *Guarantee* (docs/mathematics.md#submodular): these local conditions are equivalent to submodularity, that is mu(A)
    + mu(B) >= mu(A or B) + mu(A and B) for all sets A and B.
    """
    masks = np.arange(measure.size)
    bits = _bits(measure.size)
    for bit, name in zip(bits, names, strict=True):
        if measure[bit] <= 0:
            raise ParameterError(f"measure: {name} alone must have a positive measure for a metric")
    for first, second in combinations(bits, 2):
        rest = masks[(masks & (first | second)) == 0]
        gain = measure[rest | first] + measure[rest | second] - measure[rest | first | second] - measure[rest]
        if (gain < -SLACK).any():
            mask = int(rest[int((gain < -SLACK).argmax())]) | first | second
            raise ParameterError(
                f"measure: not submodular at {_subset_name(mask, names)}; use choquet instead of choquet_metric, or "
                "lower the measure of that set"
            )


def _bits(n_subsets: int) -> list[int]:
    return [1 << k for k in range(n_subsets.bit_length() - 1)]


def _masks(values: Subsets, names: Sequence[str], what: str) -> dict[int, float]:
    bit_of = {name: 1 << k for k, name in enumerate(names)}
    result: dict[int, float] = {}
    for subset, value in values.items():
        unknown = sorted(set(subset) - bit_of.keys())
        if unknown:
            raise ParameterError(f"{what}: unknown attribute {unknown[0]!r}; the attributes are {', '.join(names)}")
        if not _is_finite(value):
            raise ParameterError(f"{what}: the value of {_set_text(subset)} is not a finite number; give a number")
        result[sum(bit_of[name] for name in subset)] = float(value)
    return result


def _is_finite(value: object) -> bool:
    return isinstance(value, Real) and math.isfinite(value)


def _subset_name(mask: int, names: Sequence[str]) -> str:
    return _set_text(name for k, name in enumerate(names) if mask >> k & 1)


def _set_text(names: Iterable[str]) -> str:
    return "{" + ", ".join(sorted(names)) + "}"
