"""Comparing all pairs by a form in floating point, with what each value may be off by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel

SUBNORMAL = 2.0**-1000
"""Larger than the error of a sum of products that underflow."""

ULPS = 8.0 * 2.0**-53
"""Larger than the roundings of a margin made of two values, as a share of these."""

LOST, LINKED, UNCLEAR = range(3)
"""Verdicts about a record."""


class Side(NamedTuple):
    """Vectors z of one file and a form S: S z, z.S z, the size of its terms, and the norms of |S| |z| and z."""

    vectors: FloatArray
    images: FloatArray
    squares: FloatArray
    sizes: FloatArray
    image_norms: FloatArray
    norms: FloatArray


def make_side(vectors: FloatArray, matrix: FloatArray) -> Side:
    """Prepare the vectors of a file for a form."""
    sizes = np.abs(vectors)
    return Side(
        vectors=np.ascontiguousarray(vectors),
        images=np.ascontiguousarray(np.einsum("ik,kl->il", vectors, matrix)),
        squares=np.einsum("ik,kl,il->i", vectors, matrix, vectors),
        sizes=np.einsum("ik,kl,il->i", sizes, np.abs(matrix), sizes),
        image_norms=np.linalg.norm(np.einsum("ik,kl->il", sizes, np.abs(matrix)), axis=1),
        norms=np.linalg.norm(vectors, axis=1),
    )


@inlined_kernel
def value_of_form(x: Side, i: int, y: Side, j: int) -> float:
    """Return x.S x - 2 x.S y + y.S y."""
    product = 0.0
    for k in range(x.images.shape[1]):
        product += x.images[i, k] * y.vectors[j, k]
    return float(x.squares[i] - 2.0 * product + y.squares[j])


@inlined_kernel
def error_of_form(x: Side, i: int, y: Side, j: int, rounding: float) -> float:
    """Return what the value may be off by, if each of its terms is off by a share ``rounding``.

    The terms of x.S y add up to at most the product of the norms of |S| |x| and y.
    """
    return float(4.0 * rounding * (x.sizes[i] + y.sizes[j] + 2.0 * x.image_norms[i] * y.norms[j]) + SUBNORMAL)


@kernel
def mark_linked(
    x: Side,
    y: Side,
    own: IntArray,
    dropped: IntArray,
    dropped_start: IntArray,
    near: float,
    rounding: float,
    verdicts: NDArray[np.int8],
) -> None:
    """Write for each record whether it is nearer to its own point than ``near`` times every other that counts.

    The points dropped[dropped_start[i] : dropped_start[i + 1]] do not count against record i.
    """
    dropped_by = np.full(y.norms.size, -1, np.int64)
    for i in range(own.size):
        for place in range(dropped_start[i], dropped_start[i + 1]):
            dropped_by[dropped[place]] = i
        base = value_of_form(x, i, y, own[i])
        base_error = error_of_form(x, i, y, own[i], rounding)
        verdict = LINKED
        for j in range(y.norms.size):
            if dropped_by[j] == i:
                continue
            value = value_of_form(x, i, y, j)
            margin = near * value - base
            doubt = error_of_form(x, i, y, j, rounding) + base_error + ULPS * (abs(value) + abs(margin))
            if margin < -doubt:
                verdict = LOST
                break
            if not margin > doubt:
                verdict = UNCLEAR
        verdicts[i] = verdict


@kernel
def unclear_signs(x: Side, i: int, y: Side, rounding: float) -> NDArray[np.bool_]:
    """Tell for which points y, other than x itself, the form of x - y is not clearly positive."""
    result = np.zeros(y.norms.size, np.bool_)
    for j in range(y.norms.size):
        if not value_of_form(x, i, y, j) > error_of_form(x, i, y, j, rounding):
            result[j] = (x.vectors[i] != y.vectors[j]).any()
    return result


@kernel
def mark_unclear_signs(x: Side, y: Side, rounding: float, is_unclear: NDArray[np.bool_]) -> None:
    """Mark the vectors x for which there is such a point."""
    for i in range(x.norms.size):
        is_unclear[i] = unclear_signs(x, i, y, rounding).any()
