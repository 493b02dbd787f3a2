"""What the released records of people look like whom the intruder does not know."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList, joined_codes

BINS_IN_BANDWIDTH = 8
"""Bins of a histogram in one bandwidth, before it is smoothed."""

MAX_BINS = 1 << 20
"""Bins in all; where values are so far apart that these are too few, they are wider."""


def add_stranger_term(known: Known, terms: TermList) -> None:
    """Add log g(y_j) to the cost of every pair of released record j: how likely it is if it is a stranger's.

    Where the release has more records than there are people known, it is p(y_j | x_i) / g(y_j) that counts
    (`linkrisk.linkage.matching.posterior`). Strangers are taken to be like everybody in the release, attribute by
    attribute: g is the product of what each term sees of the released file, shares of categories and of equal values,
    and a density of numbers. Dependence between attributes is left out, for a density of all of them next to a known
    person would be mostly his own peak.

    Nothing is added where nobody is a stranger, and where values changed places in pairs: there a pair counts with
    others. Missing values say nothing. Cost: linear, and sorting.
    """
    if known.n_protected <= known.n_original or terms.swaps:
        return
    density = np.zeros(known.n_protected)
    for _, y, _ in terms.tables:
        density += _log_share(y)
    for _, value in terms.tents:
        density += _log_share(joined_codes([value], len(value)), np.isnan(value))
    for _, value in terms.gaussians:
        density += _log_density(value)
    if terms.keys:
        density += _log_share(joined_codes([y for _, y in terms.keys], known.n_protected))
    nobody, everybody = np.zeros(known.n_original, dtype=np.int64), np.arange(known.n_protected)
    terms.add_table(nobody, everybody, (density - density.min())[None, :])


def _log_share(codes: IntArray, is_missing: FloatArray | None = None) -> FloatArray:
    """Return the log of the share of each record's code among those that are known; 0 for one that is missing."""
    is_known = codes >= 0 if is_missing is None else ~np.asarray(is_missing, dtype=np.bool_)
    counts = np.bincount(codes[is_known])
    result = np.zeros(len(codes))
    result[is_known] = np.log(counts[codes[is_known]] / is_known.sum())
    return result


def _log_density(values: FloatArray) -> FloatArray:
    """Return sqrt(2 pi) times the density of a column at each of its values, as a logarithm; 0 for missing ones.

    The factor is the one that normal terms leave out. A normal kernel of Silverman's bandwidth, or 1, the deviation of
    the noise, if that is more: the released values have no finer detail.
    """
    is_known = ~np.isnan(values)
    known = values[is_known]
    result = np.zeros(len(values))
    if len(known) == 0:
        return result
    bandwidth = max(1.0, silverman_bandwidth(known))
    result[is_known] = np.log(smoothed_counts(known, bandwidth)) - np.log(len(known) * bandwidth)
    return result


def silverman_bandwidth(values: FloatArray) -> float:
    """Return 0.9 min(deviation, interquartile range / 1.34) n^(-1/5): Silverman (1986), Equation 3.31.

    >>> round(silverman_bandwidth(np.arange(32.0)), 3)
    4.221
    """
    low, high = np.quantile(values, [0.25, 0.75])
    spread = min(float(values.std(ddof=min(1, len(values) - 1))), float(high - low) / 1.34)
    return float(0.9 * spread * len(values) ** -0.2)


def smoothed_counts(values: FloatArray, bandwidth: float) -> FloatArray:
    """Return at each value the sum over all of exp(-d^2 / 2), d being their distance in bandwidths, at least 1.

    By a histogram, smoothed, each value shared between the two bins beside it: right up to a percent or so, unless a
    value is beyond a hundred thousand bandwidths.
    """
    from scipy.ndimage import gaussian_filter1d  # noqa: PLC0415  (slow to import)

    low, span = float(values.min()), float(values.max() - values.min())
    width = max(bandwidth / BINS_IN_BANDWIDTH, span / MAX_BINS)
    place = (values - low) / width
    below = np.floor(place).astype(np.int64)
    share, n_bins, steps = place - below, int(below.max()) + 2, bandwidth / width
    counts = np.bincount(below, 1.0 - share, n_bins) + np.bincount(below + 1, share, n_bins)
    smooth = gaussian_filter1d(counts, steps, mode="constant", truncate=5.0) * np.sqrt(2.0 * np.pi) * steps
    return np.asarray(np.maximum((1.0 - share) * smooth[below] + share * smooth[below + 1], 1.0))
