"""Interval disclosure: how near protected values are to the original ones, without any linking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import VECTOR_KINDS
from linkrisk.differences.scales import careful_moments

WIDTHS = (0.01, 0.05, 0.1)
"""Half-widths of the intervals: shares of a standard deviation, and of the records for intervals of ranks."""

WHOLE_RECORDS = "all of a record"
"""The row of the table that counts the records with all their known values inside."""


@dataclass(frozen=True)
class IntervalDisclosure:
    """Share of original values inside an interval around their protected value, for each of `WIDTHS`.

    ``by_deviation``: |x - x'| <= w s, s the standard deviation (n - 1) of the attribute in the original file (0 for a
    constant one). ``by_rank``: x lies between the protected values whose ranks are w n below and above those of x'
    (equal values share their ranks). ``n_values`` counts the true pairs with a value on both sides.
    """

    name: str
    n_values: int
    by_deviation: tuple[float, ...]
    by_rank: tuple[float, ...]


def interval_disclosure(files: FilePair) -> tuple[IntervalDisclosure, ...]:
    """Measure the interval disclosure of each numeric or date attribute, and of whole records.

    The last entry, `WHOLE_RECORDS`, counts the records with all their known values inside. sdcMicro's dRisk (its
    source, ``dRiskWORK``, k = 0.05) is similar to ``by_deviation`` with w = 0.05. But it takes the deviation of the
    protected file, and it also counts a record if one of its values lies outside; so it is mostly larger. Values
    missing on either side do not count, nor do records without a known value. Other kinds of attribute have no
    intervals (see ``unchanged`` in the attribute table); a file without numbers or dates gets an empty tuple. Cost: a
    sort for each attribute.

    References
    ----------
    Domingo-Ferrer, Torra (2001), A quantitative comparison of disclosure control methods for microdata (rank
    intervals); Mateo-Sanz, Sebé, Domingo-Ferrer (2004), Outlier protection in continuous microdata masking
    (intervals of the standard deviation).

    Examples
    --------
    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> files = pair_files(np.array([[0.0], [10.0], [20.0]]), np.array([[0.4], [11.1], [20.0]]))
    >>> interval_disclosure(files)[0].by_deviation  # the deviation is 10
    (0.3333333333333333, 0.6666666666666666, 0.6666666666666666)
    """
    inside, known, names = [], [], []
    for column in files.columns:
        if column.attribute.kind in VECTOR_KINDS:
            paired = files.own >= 0
            x, y = column.original[paired], column.protected[files.own[paired]]
            known.append(~np.isnan(x) & ~np.isnan(y))
            deviation = _deviation(column.original)
            near = [np.abs(x - y) <= width * deviation for width in WIDTHS]
            inside.append(near + [_is_in_ranks(x, y, column.protected, width) for width in WIDTHS])
            names.append(column.attribute.name)
    if not names:
        return ()
    rows = [_shares(name, is_known, near) for name, is_known, near in zip(names, known, inside, strict=True)]
    return (*rows, _whole_records(np.array(known), np.array(inside)))


def _deviation(values: FloatArray) -> float:
    """Return the standard deviation of the known values, 0 for a constant: then only unchanged values are inside."""
    known = values[~np.isnan(values)]
    return careful_moments(known)[1] if known.size and known.min() < known.max() else 0.0


def _is_in_ranks(x: FloatArray, y: FloatArray, protected: FloatArray, width: float) -> NDArray[np.bool_]:
    """Tell which x lie within the ranks around their y; False for what is missing."""
    ordered = np.sort(protected[~np.isnan(protected)])
    reach = int(width * len(ordered))
    if not len(ordered):
        return np.zeros(len(x), dtype=bool)
    first = np.searchsorted(ordered, y, side="left") - reach
    last = np.searchsorted(ordered, y, side="right") - 1 + reach
    low, high = (ordered[np.clip(place, 0, len(ordered) - 1)] for place in (first, last))
    return np.asarray((x >= low) & (x <= high))


def _shares(name: str, known: NDArray[np.bool_], inside: list[NDArray[np.bool_]]) -> IntervalDisclosure:
    count = int(known.sum())
    shares = tuple(int((near & known).sum()) / max(count, 1) for near in inside)
    return IntervalDisclosure(name, count, shares[: len(WIDTHS)], shares[len(WIDTHS) :])


def _whole_records(known: NDArray[np.bool_], inside: NDArray[np.bool_]) -> IntervalDisclosure:
    """Require every known value of a record to be inside; axes of ``inside``: attribute, interval, record."""
    has_values = np.asarray(known.any(axis=0))
    all_inside = np.asarray((inside | ~known[:, None, :]).all(axis=0))
    return _shares(WHOLE_RECORDS, has_values, list(all_inside))
