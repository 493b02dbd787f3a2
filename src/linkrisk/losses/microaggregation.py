"""SSE / SST: the share of the variation that is lost, which microaggregation keeps small."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from linkrisk.data.columns import FilePair
from linkrisk.losses.numeric import Numbers, left_out_note, numbers_of


@dataclass(frozen=True)
class VariationLoss:
    """Sum of squares lost over the sum of squares in the original.

    In ``share`` every attribute is in standard deviations, in ``raw`` in its own unit. ``by_attribute`` holds the ratio
    of each attribute, in which the unit cancels.
    """

    share: float
    raw: float
    by_attribute: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"SSE/SST {self.share:.4f}"


def sse_over_sst(files: FilePair) -> VariationLoss:
    """Return the squared distances between the two files, divided by those within the original.

    With SSE_k = sum_i (x_ik - x'_ik)^2 and SST_k = sum_i (x_ik - mean x_k)^2 over the pairs i, and S_k the standard
    deviation (n - 1) in the whole original,

        share = sum_k (SSE_k / S_k^2) / sum_k (SST_k / S_k^2),  raw = sum_k SSE_k / sum_k SST_k.

    In ``raw`` the attribute with the largest numbers dominates. Replacing clusters by their means gives values from 0
    to 1; other methods can give more than 1.

    Records: the pairs. Missing values: a pair with a missing value on either side is left out of both sums for that
    attribute. An attribute that is constant in the original, or among the pairs, is left out of every sum. Cost:
    linear.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002), Practical data-oriented microaggregation for statistical disclosure control.

    Examples
    --------
    Three records 1, 3, 8 become 2, 2, 8. SSE = 1 + 1 + 0, SST = 9 + 1 + 16, so 2 / 26.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> round(sse_over_sst(pair_files(np.array([[1.0], [3.0], [8.0]]), np.array([[2.0], [2.0], [8.0]]))).share, 4)
    0.0769
    """
    numbers = numbers_of(files)
    varying = numbers.varying()
    squares = np.array([_squares(varying, k) for k in range(len(varying.names))]).reshape(-1, 2)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        ratios = np.where(squares[:, 1] > 0, squares[:, 0] / squares[:, 1], np.nan)
    counted = squares[:, 1] > 0
    # The largest unit is 1, so that no square overflows.
    weights = (varying.units / varying.units.max()) ** 2 if counted.any() else np.empty(0)
    return VariationLoss(
        share=_ratio(squares[counted].sum(axis=0)),
        raw=_ratio((squares * weights[:, None])[counted].sum(axis=0)) if counted.any() else math.nan,
        by_attribute=dict(zip(varying.names, ratios.tolist(), strict=True)),
        notes=left_out_note(numbers.constant_names, "SSE/SST"),
    )


def _squares(numbers: Numbers, attribute: int) -> tuple[float, float]:
    """Return SSE and SST of one attribute in standard deviations; both 0 where all pairs have the same value."""
    unit = numbers.units[attribute]
    before, after = (values / unit for values in numbers.pairs(attribute))
    if before.size == 0 or before.min() == before.max():
        return 0.0, 0.0
    return float(((after - before) ** 2).sum()), float(((before - before.mean()) ** 2).sum())


def _ratio(squares: object) -> float:
    sse, sst = np.asarray(squares, dtype=np.float64)
    return float(sse / sst) if sst > 0 else math.nan
