"""The individual risk: how likely a record of a sample is linked rightly to one of all people who have its key."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray

SERIES_FROM = 20
"""Frequency from which the series needs few terms whatever the sampling fraction; below, it needs a large fraction."""

TERMS = 64
"""Terms of the series: what is left out is below 2^-53 of the sum, for f >= 20 and for fractions of 1 / 2 or more."""


def individual_risk(sample: IntArray, population: FloatArray) -> FloatArray:
    r"""Return the expected value of 1 / F for each record, F being the people of the population who have its key.

    *Who attacks:* somebody who knows the key of a person, knows that the person is in the sample, has a register of the
    whole population with the same key in it, and picks one of those who have it.

    Of F only the frequency f in the sample is seen. Given f it is taken for negative binomial with f successes of
    probability p, the sampling fraction of the key, estimated by f over the sum of the weights (Benedetti and
    Franconi)::

        P(F = j | f) = C(j - 1, f - 1) p^f q^(j - f)   for j >= f,   q = 1 - p
        r = E(1 / F | f) = p^f / f * 2F1(f, f; f + 1; q) = p I(f)
        I(f) = integral over s in (0, 1) of s^(f - 1) / (p + q s)

    so that r = -p log(p) / q for f = 1, (p / q)(1 + p log(p) / q) for f = 2, and (p / q)(1 / 2 - (p / q)(1 + p log(p)
    / q)) for f = 3. No approximation is made for larger f: I(f + 1) = (1 / f - p I(f)) / q below 20, where p < 1 / 2
    (errors shrink by p / q each step), and otherwise the series 2F1(1, 1; f + 1; q), whose terms are positive.
    sdcMicro takes p / (f - q) for f >= 3, which is the same in the first two orders of 1 / f: for p = 0.01 it is
    too large by 4 parts in 10^3 for f = 3, and by 8 parts in 10^8 for f = 359.

    *Guarantee* (docs/mathematics.md#individual-risk): these are one number, no error grows, and p / f <= r <= 1 / f.

    Without sampling (the weights add up to f, or to less) the risk is 1 / f. Missing values have been dealt with by
    `count_keys`. Cost: a few dozen operations for each record.

    References
    ----------
    Benedetti, Franconi (1998), Statistical and technological solutions for controlled data dissemination; Franconi,
    Polettini (2004), Individual risk estimation in mu-Argus: a review, PSD 2004; Rinott (2003), On models for
    statistical disclosure risk estimation.

    Examples
    --------
    >>> individual_risk(np.array([1, 2, 1]), np.array([17.0, 110.0, 1.0])).round(8).tolist()
    [0.17707583, 0.01714426, 1.0]
    """
    frequency = np.asarray(sample, dtype=np.float64)
    fraction = np.minimum(frequency / np.asarray(population, dtype=np.float64), 1.0)
    by_series = (frequency >= SERIES_FROM) | (fraction >= 0.5)
    risk = np.empty(len(frequency))
    risk[by_series] = _series(frequency[by_series], fraction[by_series])
    risk[~by_series] = _stepped(frequency[~by_series], fraction[~by_series])
    return risk


def _series(frequency: FloatArray, fraction: FloatArray) -> FloatArray:
    """Return (p / f) 2F1(1, 1; f + 1; q): the term after that of q^m is q (m + 1) / (f + m + 1) times as large."""
    term, total = np.ones_like(frequency), np.ones_like(frequency)
    for place in range(1, TERMS):
        term *= (1.0 - fraction) * place / (frequency + place)
        total += term
    return fraction / frequency * total


def _stepped(frequency: FloatArray, fraction: FloatArray) -> FloatArray:
    """Return p I(f) for p < 1 / 2, by steps from I(1) = -log(p) / q; none beyond the frequency of the record."""
    odds = 1.0 - fraction
    integral = -np.log(fraction) / odds
    for step in range(1, SERIES_FROM - 1):
        integral = np.where(frequency > step, (1.0 / step - fraction * integral) / odds, integral)
    return fraction * integral
