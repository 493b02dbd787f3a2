"""The chance that additive noise leads from one value to another, on the values that a column can have.

Noise is normal with deviation s. What is released is rounded to a step g, the decimals of the column, and reflected at
the ends of its range, half a step outside of it. So the chance to get from x to y is

    P(y | x) = sum over the images z of y of  F((z + g/2 - x) / s) - F((z - g/2 - x) / s),

F being the normal distribution function, and y, 2a - y, 2b - y, 2a - 2b + y, ... the images of y in mirrors at a and b.

No released value is a code for missing: one that would be is moved towards x, step by step, until it is none. So a
value beside a code has the chance of the code besides its own, of people on its own side of the code, and a code none
(docs/mathematics.md#beside-codes).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.informed.terms import TermList
from linkrisk.protection.values.digits import decimals_of

MOST_VALUES = 1_000
"""Different values up to which the chances of all of them are kept as a table, where steps are wide."""

FEW_VALUES = 128
"""Different values up to which they are unless steps are fine."""

WIDE = 0.5
"""Steps of more than so many deviations make a normal density a poor likeness."""

FINE = 0.01
"""Steps of less than so many deviations leave it what it is."""

REACH = 8.3
"""Deviations that noise can move a value at most: draws have 53 bits."""

ZONE, BINS = 5.0, 32
"""Deviations from an end within which reflection is looked at, and bins in a deviation."""

LEAST = 1e-300

COST_DIGITS = 3
"""Decimals of what values beside a code cost less, so that few costs are different: a tenth of a percent."""


@dataclass(frozen=True)
class NoiseLaw:
    """Deviation s of the noise, step g of the released values (0: none), and mirrors a < b (infinite: none).

    ``codes`` are the values, of those that could be released, that stand for missing, in ascending order.
    """

    deviation: float
    step: float = 0.0
    low: float = -math.inf
    high: float = math.inf
    codes: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        x: FloatArray,
        y: FloatArray,
        deviation: float,
        *,
        is_kept: bool | None,
        is_whole: bool,
        codes: Sequence[float] = (),
    ) -> NoiseLaw:
        """Read step and range from the files.

        Parameters
        ----------
        x, y
            Values of people who are known, and released values.
        deviation
            That of the noise.
        is_kept
            Whether the range is known to be kept; None if nothing is known: then it is if it seems so.
        is_whole
            Whether everybody is known.
        codes
            Numbers that stand for missing.
        """
        known_x, known_y = x[~np.isnan(x)], y[~np.isnan(y)]
        if known_y.size == 0 or known_x.size == 0:
            return cls(deviation)
        decimals = decimals_of(known_y)
        step = 0.0 if decimals is None else 10.0**-decimals
        ends = known_x if is_whole else np.concatenate([known_x, known_y])
        low, high = float(ends.min()), float(ends.max())
        seems_kept = bool(low <= known_y.min() and known_y.max() <= high and low < high)
        if not seems_kept or is_kept is False or (is_kept is None and not is_whole):
            return cls(deviation, step, codes=_on_grid(codes, step))
        within = [code for code in codes if low < code < high]
        return cls(deviation, step, low - step / 2, high + step / 2, _on_grid(within, step))

    @property
    def is_reflected(self) -> bool:
        """Whether there are mirrors."""
        return math.isfinite(self.low)

    @property
    def runs(self) -> list[tuple[float, ...]]:
        """The codes, those that are one step apart together.

        >>> NoiseLaw(1.0, 1.0, codes=(-9.0, 98.0, 99.0)).runs
        [(-9.0,), (98.0, 99.0)]
        """
        ends = np.flatnonzero(np.diff(self.codes) > 1.5 * self.step) + 1
        return [tuple(run.tolist()) for run in np.split(np.array(self.codes), ends) if run.size]

    def places_beside(self) -> list[tuple[float, tuple[float, ...]]]:
        """Return the values to which others are moved, each with the codes that they would have been."""
        return [(place, run) for run in self.runs for place in (run[0] - self.step, run[-1] + self.step)]

    def scaled(self, exponent: int) -> NoiseLaw:
        """Return the law of values that are multiplied by a power of two, which is exact."""
        deviation, step, low, high, *codes = (
            math.ldexp(each, exponent) for each in (self.deviation, self.step, self.low, self.high, *self.codes)
        )
        return NoiseLaw(deviation, step, low, high, tuple(codes))

    def is_tabled(self, x: FloatArray, y: FloatArray) -> bool:
        """Whether chances are kept as a table: for few values, or, where steps are wide, not too many."""
        most = MOST_VALUES if self.step > WIDE * self.deviation else FEW_VALUES
        return self.step > FINE * self.deviation and _distinct(x, y).size <= most

    def is_exact(self, x: FloatArray, y: FloatArray) -> bool:
        """Whether the terms are the chances, or differ from them by hardly anything."""
        return self.step <= WIDE * self.deviation or self.is_tabled(x, y)

    def add(self, x: FloatArray, y: FloatArray, terms: TermList) -> None:
        """Add -log P(y | x) to the cost of every pair, up to a constant.

        Where steps are narrow, P is the normal density of deviation sqrt(s^2 + g^2 / 12), times the sum over all images
        relative to y itself, which matters near the ends alone and is kept as a table of distances to them.
        """
        if self.is_tabled(x, y):
            values = _distinct(x, y)
            codes = [np.where(np.isnan(side), -1, np.searchsorted(values, side)) for side in (x, y)]
            terms.add_table(codes[0], codes[1], -np.log(self.chances(values[:, None], values[None, :])))
            reach = REACH * self.deviation + self.step
            low, high = np.nan_to_num(y - reach, nan=-np.inf), np.nan_to_num(y + reach, nan=np.inf)
            terms.add_interval(np.nan_to_num(x, nan=-np.inf), np.nan_to_num(x, nan=np.inf), low, high)
            return
        width = math.hypot(self.deviation, self.step / math.sqrt(12.0))
        terms.add_gaussian(x / width, y / width)
        if self.is_reflected:
            self._refine(x, y, terms)
        self.refine_codes(x, y, terms)

    def chances(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return P(y | x), at least 1e-300.

        >>> law = NoiseLaw(1.0, 1.0, -0.5, 1.5)
        >>> law.chances(np.array([0.0]), np.array([0.0, 1.0])).round(3).tolist()
        [0.631, 0.369]
        >>> law = NoiseLaw(1.0, 1.0, -0.5, 2.5, codes=(1.0,))
        >>> law.chances(np.array([0.0]), np.array([0.0, 1.0, 2.0])).round(3).tolist()
        [0.927, 0.0, 0.073]
        """
        total = self._folded_chances(x, y)
        for place, run in self.places_beside():
            for code in run:
                is_towards = x < code if place < code else x > code
                is_moved_here = self.is_at(y, place) & is_towards
                total = total + np.where(is_moved_here, self._folded_chances(x, np.array(code)), 0.0)
                total = np.where(self.is_at(y, code), 0.0, total)
        return np.maximum(total, LEAST)

    def is_at(self, values: FloatArray, place: float) -> BoolArray:
        """Tell which values are a place of the grid, whatever their last bits."""
        return np.asarray(np.abs(values - place) < self.step / 4)

    def refine_codes(self, x: FloatArray, y: FloatArray, terms: TermList) -> None:
        """Add -log of how much likelier values beside a code are because of it, where other terms say the rest."""
        beside = _apart([place for place, _ in self.places_beside()], self.step)
        held = [place for place in beside if self.is_at(y, place).any()]
        if not held:
            return
        places = np.array(held)
        y_code = np.where(np.isnan(y), -1, sum(k * self.is_at(y, place) for k, place in enumerate(held, 1)))
        values, own = np.unique(x, return_inverse=True)
        usual = np.maximum(self._folded_chances(values[:, None], places), LEAST)
        gains = np.log(self.chances(values[:, None], places) / usual)
        rows, row_of = np.unique(np.round(np.nan_to_num(gains), COST_DIGITS), axis=0, return_inverse=True)
        costs = rows.max() - np.column_stack([np.zeros(len(rows)), rows])
        x_code = np.where(np.isnan(x), -1, row_of.reshape(-1)[own.reshape(-1)])
        terms.refine(x_code, y_code.astype(np.int64), costs)

    def _folded_chances(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the chances if no value stood for missing."""
        from scipy.special import ndtr  # noqa: PLC0415  (slow to import)

        total = np.zeros(np.broadcast_shapes(x.shape, y.shape))
        for image in self.images(y, REACH * self.deviation):
            with np.errstate(over="ignore"):  # infinitely many deviations away is right, too
                far = (np.abs(image - x) + self.step / 2) / self.deviation
                near = (np.abs(image - x) - self.step / 2) / self.deviation
            total += ndtr(-near) - ndtr(-far)
        return total

    def images(self, y: FloatArray, reach: float) -> list[FloatArray]:
        """Return y and its images that can be as near to a value between the mirrors as noise reaches."""
        if not self.is_reflected:
            return [y]
        width = self.high - self.low
        places = range(-(most := 1 + math.ceil(reach / (2 * width))), most + 1)
        return [image + 2 * width * place for place in places for image in (y, 2 * self.low - y)]

    def _refine(self, x: FloatArray, y: FloatArray, terms: TermList) -> None:
        """Add -log of the sum over all images, relative to y itself, from tables of distances to the ends."""
        x_code, x_place = self._placed(x)
        y_code, y_place = self._placed(y)
        u, v = x_place[:, None], y_place[None, :]
        ratio = np.zeros((x_place.size, y_place.size))
        for image in NoiseLaw(1.0, 0.0, 0.0, self._width()).images(v, REACH):
            ratio += np.exp(np.minimum(0.5 * (v - u) ** 2 - 0.5 * (image - u) ** 2, 0.0))
        terms.refine(x_code, y_code, np.log(ratio.max(initial=1.0) / ratio))

    def _width(self) -> float:
        """Return the distance between the mirrors in deviations; differences of the largest numbers do not overflow."""
        return (self.high / 4 - self.low / 4) / self.deviation * 4

    def _placed(self, values: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return a code of each value, -1 if it is missing, and the mean distance to the lower end of each code.

        Distances are in deviations. Bins are 1 / 32 wide near the ends; all that is far from both is one.
        """
        width = self._width()
        place = np.clip((values / 4 - self.low / 4) / self.deviation * 4, 0.0, width)  # no overflow
        from_above = width - place
        near = np.minimum(np.nan_to_num(place), np.nan_to_num(from_above))
        bins = np.where(place <= from_above, 1.0, -1.0) * (1.0 + np.floor(near * BINS))
        bins = np.where(near > ZONE, 0.0, bins)
        is_known = ~np.isnan(values)
        codes = np.full(values.size, -1, dtype=np.int64)
        distinct, own = np.unique(bins[is_known], return_inverse=True)
        codes[is_known] = own.reshape(-1)
        sums = np.bincount(codes[is_known], place[is_known], distinct.size)
        return codes, sums / np.maximum(np.bincount(codes[is_known], minlength=distinct.size), 1)


def _on_grid(codes: Sequence[float], step: float) -> tuple[float, ...]:
    """Return the codes that are multiples of the step, in ascending order; none without a step."""
    wholes = [(code, code / step) for code in codes if step > 0.0 and math.isfinite(code)]
    return tuple(sorted({code for code, whole in wholes if abs(whole - round(whole)) < 1e-6}))


def _apart(places: Sequence[float], step: float) -> list[float]:
    """Return places in ascending order, each once, whatever their last bits."""
    ordered = sorted(places)
    return [place for k, place in enumerate(ordered) if k == 0 or place - ordered[k - 1] > step / 2]


def _distinct(x: FloatArray, y: FloatArray) -> FloatArray:
    return np.unique(np.concatenate([x[~np.isnan(x)], y[~np.isnan(y)]]))
