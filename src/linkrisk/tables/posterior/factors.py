"""What one table contributes to the naive posterior of an overlap count: a weight for each possible count."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.published_table import PublishedTable

MOST_SUMMED = 20_000
"""Largest population for which the weights of an overlap cell inside a sampled sum are computed: it takes a sum over
all counts."""

SURE = 1e-250
"""A value of a convolution above this share of the largest is accurate: what underflows is far smaller."""

TILT_STEPS = 50
"""Halvings in the search for the tilt at which a value of a convolution can be computed."""


@dataclass(eq=False)
class Factor:
    """The likelihood of one table as a function of the count of an overlap cell.

    Three cases, by the attributes the table shares with the overlap (smith-elliot-bayesian.txt, Equations 3 to 5 and
    "Other tables"):

    * a cell of the table is the overlap cell: p(f | F);
    * the overlap cell is a sum of cells of the table: the convolution of their likelihoods, each cell uniform a priori;
      for a sample it is hypergeometric again, with the sum of the drawn counts;
    * the overlap cell is one of K cells that a published cell sums: the sum over R >= 0 of p(f | F + R) times the
      number of ways to spread R people over the other K - 1 cells, each uniform a priori.

    The last two cases can occur at once. Cells with the same ``signatures`` have the same weights, which are computed
    once.
    """

    table: PublishedTable
    evidence: Evidence
    _windows: dict[tuple[int, int], tuple[int, FloatArray]] = field(default_factory=dict)

    @cached_property
    def shared(self) -> tuple[str, ...]:
        """The attributes of the overlap that the table has."""
        return tuple(name for name in self.evidence.overlap if name in self.table.attributes)

    @property
    def is_direct(self) -> bool:
        """Whether the overlap cell is a cell of the table."""
        return set(self.table.attributes) == set(self.evidence.overlap)

    @cached_property
    def n_inside(self) -> int:
        """K, the number of overlap cells that share the categories which the table has."""
        return self.evidence.domain.n_cells(self.evidence.overlap) // self.evidence.domain.n_cells(self.shared)

    @cached_property
    def is_feasible(self) -> bool:
        """Whether the weights can be computed in a reasonable time."""
        return self.n_inside == 1 or not self.table.is_sample or self.evidence.population <= MOST_SUMMED

    def signatures(self, cells: IntArray) -> list[Hashable]:
        """Return for each overlap cell everything on which the weights of its counts depend."""
        codes = self.evidence.domain.codes(self.evidence.overlap, cells)
        keys = self.evidence.domain.keys(codes, self.evidence.overlap, self.shared)
        sums = self.table.sums(self.shared, keys)
        if self.table.mechanism.name == "suppressed":
            return self._intervals(keys)
        return list(zip(sums.published.tolist(), sums.n_positive.tolist(), strict=True))

    def log_weights(self, signature: Hashable, counts: IntArray) -> FloatArray:
        """Return the logarithm of the weight of each count of an overlap cell, up to a constant."""
        if self.table.is_sample:
            return self._sampled(signature, counts)
        start, window = self._window(signature)
        if self.n_inside == 1:
            inside = (counts >= start) & (counts < start + len(window))
            return np.where(inside, window[np.clip(counts - start, 0, len(window) - 1)], -np.inf)
        totals = start + np.arange(len(window))
        return _inside(counts, totals, window, self.n_inside)

    def _sampled(self, signature: Hashable, counts: IntArray) -> FloatArray:
        assert isinstance(signature, tuple)  # noqa: S101  (for the type checker)
        drawn = int(signature[0])
        if self.n_inside == 1:
            return self.table.mechanism.log_likelihood(drawn, counts)
        totals = np.arange(self.evidence.population + 1)
        return _inside(counts, totals, self.table.mechanism.log_likelihood(drawn, totals), self.n_inside)

    def _window(self, signature: Hashable) -> tuple[int, FloatArray]:
        """Return the least possible sum, and the log likelihoods of this sum and all larger ones."""
        assert isinstance(signature, tuple)  # noqa: S101  (for the type checker)
        if self.table.mechanism.name == "suppressed":
            return _convolved([(low, np.zeros(high - low + 1)) for low, high in signature])
        published, n_positive = (int(number) for number in signature)
        n_zero = self.evidence.domain.n_cells(self.table.attributes) // self.evidence.domain.n_cells(self.shared)
        n_zero -= n_positive
        if (n_positive, n_zero) not in self._windows:
            self._windows[n_positive, n_zero] = self._kernel(n_positive, n_zero)
        start, window = self._windows[n_positive, n_zero]
        return published + start, window

    def _kernel(self, n_positive: int, n_zero: int) -> tuple[int, FloatArray]:
        """Convolve the likelihoods of so many cells, as functions of the sum less its published value.

        Likelihoods of all published counts other than 0 have the same form, because the least of them is as large as
        the base of the rounding.
        """
        mechanism = self.table.mechanism
        forms = []
        for published, n_cells in ((mechanism.unit * (1 if mechanism.unit > 1 else 0), n_positive), (0, n_zero)):
            low, high = (int(bound[0]) for bound in mechanism.bounds(np.array([published])))
            form = mechanism.log_likelihood(published, np.arange(low, high + 1))
            forms.append(_power((low - published, form), n_cells))
        return _convolved(forms)

    def _intervals(self, keys: IntArray) -> list[Hashable]:
        """Return the intervals of the cells of each sum; cells that are not suppressed are joined into one."""
        own = self.evidence.domain.keys(self.table.codes, self.table.attributes, self.shared)
        order = np.argsort(own, kind="stable")
        first, last = (np.searchsorted(own[order], keys, side=side) for side in ("left", "right"))
        result: list[Hashable] = []
        for a, b in zip(first, last, strict=True):
            rows = order[a:b]
            open_ = rows[self.table.counts[rows] < 0]
            fixed = int(self.table.low[rows].sum() - self.table.low[open_].sum())
            result.append(
                ((fixed, fixed), *zip(self.table.low[open_].tolist(), self.table.high[open_].tolist(), strict=True))
            )
        return result


Form = tuple[int, FloatArray]
"""A function of whole numbers: the number where it begins, and the logarithms of its values from there on."""


def _convolved(forms: list[Form]) -> Form:
    start, total = 0, np.zeros(1)
    for begin, form in forms:
        start += begin
        total = _log_convolve(total, form)
    return start, total


def _power(form: Form, n: int) -> Form:
    """Convolve ``n`` copies of a function, by squaring."""
    result: Form = (0, np.zeros(1))
    square = form
    while n:
        if n & 1:
            result = _convolved([result, square])
        n >>= 1
        if n:
            square = _convolved([square, square])
    return result


def _log_convolve(first: FloatArray, second: FloatArray) -> FloatArray:
    """Convolve two log-concave functions given by their logarithms, accurately even far below the largest value.

    Such small values matter: a sum of a thousand cells published as 0 is hardly ever 1, and yet other tables may leave
    only that. So where a value is too small beside the largest, both functions are multiplied by an exp(-t x) that
    makes it large, and the result is divided by it again.
    """
    result, is_sure = _tilted(first, second, 0.0)
    while not is_sure.all():
        place = int(np.argmin(is_sure))
        other, is_better = _tilted(first, second, _tilt_to(first, second, place))
        is_better[place] = True
        result = np.where(is_sure, result, other)
        is_sure |= is_better
    return result


def _tilted(first: FloatArray, second: FloatArray, tilt: float) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Convolve the functions times exp(-t x), scaled to a largest value of 1; tell where the result is accurate."""
    bent = [values - tilt * np.arange(len(values)) for values in (first, second)]
    a, b = (np.exp(values - values.max()) for values in bent)
    found = np.convolve(a, b)
    with np.errstate(divide="ignore"):
        result = np.log(found) + bent[0].max() + bent[1].max() + tilt * np.arange(len(found))
    return result, found > SURE


def _tilt_to(first: FloatArray, second: FloatArray, place: int) -> float:
    """Return t such that both functions times exp(-t x) are largest at places that add up to ``place``."""
    slopes = np.concatenate([np.diff(first), np.diff(second)])
    least, most = float(slopes.min()) - 1.0, float(slopes.max()) + 1.0
    for _ in range(TILT_STEPS):
        middle = (least + most) / 2.0
        at = sum(int(np.argmax(values - middle * np.arange(len(values)))) for values in (first, second))
        least, most = (middle, most) if at > place else (least, middle)
    return most


def _inside(counts: IntArray, totals: IntArray, log_likelihood: FloatArray, n_inside: int) -> FloatArray:
    """Sum over all totals: their likelihood, times the ways to spread what a count leaves over the other cells."""
    possible = np.isfinite(log_likelihood)
    totals, log_likelihood = totals[possible], log_likelihood[possible]
    result = np.empty(len(counts))
    block = max(1, 2_000_000 // max(1, len(totals)))
    for start in range(0, len(counts), block):
        rest = totals[None, :] - counts[start : start + block, None]
        spare = np.maximum(rest, 0).astype(np.float64)
        others = float(n_inside - 2)  # the count of one of the other cells follows from the rest
        ways = gammaln(spare + others + 1.0) - gammaln(others + 1.0) - gammaln(spare + 1.0)
        terms = np.where(rest >= 0, log_likelihood[None, :] + ways, -np.inf)
        result[start : start + block] = _log_sums(terms) if terms.shape[1] else -np.inf
    return result


def _log_sums(terms: FloatArray) -> FloatArray:
    """Return the logarithm of the sum of each row, given logarithms; the function of scipy is slower for short rows."""
    peaks = np.maximum(terms.max(axis=1), -1e300)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(terms - peaks[:, None]).sum(axis=1)) + peaks)
