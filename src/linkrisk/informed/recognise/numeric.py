"""Numbers that are a function of the originals, or near them: rounding, coding, intervals, noise."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.informed.recognise.true_pairs import TruePairs, same
from linkrisk.protection.methods.rounding import multiples_of
from linkrisk.protection.values.digits import EXACT, LOOK, Resolution, decimals_of

MOST_PARTS = 12
"""All released values may be multiples of so many times the base by chance."""

LEAST_REFLECTED = 30
"""True pairs from which on it is no chance that no released value is outside of the range of the originals."""

MOST_EDGES = 1000
"""Intervals of uneven width that are looked for at most."""


def common_divisor(values: FloatArray) -> Fraction | None:
    """Return the largest number of which all values are multiples; None if there is none, or all are 0.

    Decimal fractions are treated as the whole numbers they are when the point is moved. Of others the least difference
    between two values is tried, made precise by the largest value.

    >>> common_divisor(np.array([0.6, 1.5, -0.9])), common_divisor(np.array([1.0, 2.0**0.5, 9.0]))
    (Fraction(3, 10), None)
    """
    distinct = np.unique(np.abs(values))
    distinct = distinct[distinct > 0.0]
    if distinct.size == 0:
        return None
    decimals = decimals_of(distinct)
    if decimals is not None:
        wholes = np.rint(distinct * 10.0**decimals).astype(np.int64)
        return Fraction(int(np.gcd.reduce(wholes)), 10**decimals)
    step = float(np.diff(distinct, prepend=0.0).min())
    times = np.rint(distinct[-1] / step)
    if not 0.5 < times < EXACT:
        return None
    divisor = distinct[-1] / times
    is_multiple = np.abs(distinct - np.rint(distinct / divisor) * divisor) <= 1e-11 * distinct[-1]
    return Fraction(float(f"{divisor:.15g}")) if divisor > 1e-9 * distinct[-1] and is_multiple.all() else None


def rounding_base(pairs: TruePairs, name: str) -> float | None:
    """Return the base b with y = b floor(x / b + 1/2) for all true pairs, the largest one; None if there is none."""
    x, y = pairs.numbers(name)
    for base in _parts(common_divisor(pairs.released(name)), range(1, MOST_PARTS + 1)):
        if is_rounded(x, y, base):
            return base
    return _base_of_zeros(x, pairs.released(name))


def is_rounded(x: FloatArray, y: FloatArray, base: float) -> bool:
    """Whether all y are x, rounded to the nearest multiple of a base, halves up."""
    return bool(same(multiples_of(np.floor(x / base + 0.5), base), y).all())


def random_rounding_base(pairs: TruePairs, name: str) -> float | None:
    """Return the largest base of which all released values are multiples, less than one base away; None if none."""
    x, y = pairs.numbers(name)
    divisor = common_divisor(pairs.released(name))
    if divisor is None:
        return _base_of_zeros(x, pairs.released(name))
    base = float(divisor)
    return base if float(np.abs(y - x).max(initial=0.0)) < base * (1.0 - 1e-12) else None


def interval_width(pairs: TruePairs, name: str) -> float | None:
    """Return the width w with y = w (floor(x / w) + 1/2) for all true pairs; None if there is none.

    Released values are odd multiples of w / 2, so their common divisor is an odd multiple of it.
    """
    x, y = pairs.numbers(name)
    divisor = common_divisor(pairs.released(name))
    for width in _parts(None if divisor is None else 2 * divisor, range(1, MOST_PARTS, 2)):
        if same((np.floor(x / width) + 0.5) * width, y).all():
            return width
    return None


def interval_edges(pairs: TruePairs, name: str) -> list[float] | None:
    """Return edges of which each released value is the middle of the two around its original; None if there are none.

    With middles m_1 < ... < m_c and first edge t, the others are e_i = 2 m_i - e_(i - 1), so e_i = s_i + (-1)^i t. Each
    original bounds t from one side; of those left the one with fewest digits is taken. Intervals that hold no value
    break the chain. Cost: a sort.
    """
    x, y = pairs.numbers(name)
    if not is_rising(x, y):
        return None
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    starts = np.flatnonzero(np.concatenate([[True], y[1:] != y[:-1]]))
    n_classes = starts.size
    if (x[starts[1:]] == x[starts[1:] - 1]).any() or not 2 <= n_classes <= min(MOST_EDGES, x.size // 2):
        return None
    sums = np.zeros(n_classes + 1)
    for place, middle in enumerate(y[starts]):
        sums[place + 1] = 2.0 * middle - sums[place]
    is_odd = np.arange(n_classes + 1) % 2 == 1
    least = np.concatenate([[-np.inf], x[np.append(starts[1:], x.size) - 1]])
    largest = np.concatenate([x[starts], [np.inf]])
    low = float(np.where(is_odd, sums - largest, least - sums).max())
    high = float(np.where(is_odd, sums - least, largest - sums).min())
    for first in (roundest(low, high), low + (high - low) / 2.0):
        edges = sums + np.where(is_odd, -first, first)
        if low <= first <= high and _reproduced(edges, x, y):
            return [float(f"{edge:.15g}") for edge in edges]
    return None


def is_rising(x: FloatArray, y: FloatArray) -> bool:
    """Whether larger originals never have smaller released values; equal ones may have different values.

    >>> is_rising(np.array([1.0, 3.0, 2.0, 2.0]), np.array([5.0, 7.0, 7.0, 5.0]))
    True
    """
    if x.size > LOOK and not is_rising(x[:LOOK], y[:LOOK]):
        return False
    ordered = y[np.lexsort((y, x))]
    return bool((ordered[:-1] <= ordered[1:]).all())


def coding_ends(pairs: TruePairs, name: str) -> tuple[float | None, float | None] | None:
    """Return bottom and top with y = min(max(x, bottom), top), None where nothing was cut; None if that is not so."""
    x, y = pairs.numbers(name)
    is_raised, is_lowered = ~same(x, y) & (y > x), ~same(x, y) & (y < x)
    bottom = float(y[is_raised].max()) if is_raised.any() else None
    top = float(y[is_lowered].min()) if is_lowered.any() else None
    clipped = np.clip(x, -np.inf if bottom is None else bottom, np.inf if top is None else top)
    return (bottom, top) if same(clipped, y).all() else None


def noise_percentage(pairs: TruePairs, name: str) -> float | None:
    """Return p of noise: 100 times the root mean square of y - x over the standard deviation of the originals.

    Where not all originals are known, their deviation is taken from the whole release, less the noise in it, as the
    intruder must do; p is then at most 1,000. Where they are, and all released values are in their range, noise counts
    as reflected there, which makes differences smaller. None if there is no pair, no deviation, or more noise than the
    release has room for. Many methods ask, so it is found once.
    """
    return pairs.figure(name, _noise_percentage)


def _noise_percentage(pairs: TruePairs, name: str) -> float | None:
    x, y = pairs.numbers(name)
    if x.size == 0:
        return None
    scale = float(np.abs(np.concatenate([x, y])).max()) or 1.0
    noise = float(np.sqrt(np.mean((y / scale - x / scale) ** 2)))
    all_x, all_y = pairs.columns(name)
    spread = _deviation(all_x[np.isfinite(all_x)] / scale)
    if not pairs.is_whole:
        whole = _deviation(all_y[np.isfinite(all_y)] / scale)
        spread = max(math.sqrt(max(whole**2 - noise**2, 0.0)), noise / 10.0) if noise < 2.0 * whole else 0.0
    elif x.size >= LEAST_REFLECTED:
        noise = _unreflected(noise, x / scale, y / scale)
    if noise == 0.0:
        return 0.0
    return float(f"{100.0 * noise / spread:.6g}") if spread > 0.0 else None


def _unreflected(noise: float, x: FloatArray, y: FloatArray) -> float:
    """Return the deviation of noise that has the root mean square given once it is reflected into the range of x."""
    low, high = float(x.min()), float(x.max())
    if y.min() < low or y.max() > high or noise == 0.0:
        return noise
    nodes, shares = _normal_nodes()
    values = np.quantile(x, np.linspace(0.0, 1.0, min(x.size, LOOK)))[:, None]
    law = Resolution(None, low, high)

    def reflected(deviation: float) -> float:
        moved = law.folded(values + deviation * nodes) - values
        return float(np.sqrt(np.mean(moved**2 @ shares)))

    least, most = noise, 8.0 * noise
    for _ in range(40):
        middle = (least + most) / 2.0
        least, most = (middle, most) if reflected(middle) < noise else (least, middle)
    return least if reflected(most) >= 0.999 * noise else noise


@cache
def _normal_nodes() -> tuple[FloatArray, FloatArray]:
    """Return points of the normal distribution, and their shares of it: means of smooth functions need few."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    return nodes, weights / weights.sum()


def roundest(low: float, high: float) -> float:
    """Return the number from low to high that takes fewest digits: 0, or one near their middle.

    >>> roundest(0.27, 0.61), roundest(-3.0, 18.0), roundest(1234.4, 1236.1), roundest(0.5, 0.5)
    (0.4, 0.0, 1235.0, 0.5)
    """
    if low <= 0.0 <= high:
        return 0.0
    middle = low + (high - low) / 2.0
    size = max(abs(low), abs(high))
    if not (math.isfinite(size) and low < high):
        return middle
    for exponent in range(math.floor(math.log10(size)), math.floor(math.log10(size)) - 16, -1):
        number = float(f"{round(middle / 10.0**exponent)}e{exponent}")
        if low <= number <= high:
            return number
    return middle


def _parts(whole: Fraction | None, parts: range) -> Iterator[float]:
    """Yield a number divided by each of the parts."""
    for part in parts if whole is not None else ():
        yield float(Fraction(whole or 0) / part)


def _base_of_zeros(x: FloatArray, released: FloatArray) -> float | None:
    """Return a base with which all originals become 0, where nothing else was released to anybody."""
    if x.size == 0 or released.any():
        return None
    return float(f"{3.0 * float(np.abs(x).max()):.1g}") or 1.0


def _reproduced(edges: FloatArray, x: FloatArray, y: FloatArray) -> bool:
    if not (np.diff(edges) > 0.0).all():
        return False
    places = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, edges.size - 2)
    middles = edges[places] + (edges[places + 1] - edges[places]) / 2.0
    return bool((x >= edges[0]).all() and (x <= edges[-1]).all() and same(middles, y).all())


def _deviation(values: FloatArray) -> float:
    return float(values.std(ddof=1)) if values.size > 1 else 0.0
