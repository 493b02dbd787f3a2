"""IL1s: how far values are from their originals, in standard deviations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from linkrisk.data.columns import FilePair
from linkrisk.losses.numeric import Numbers, left_out_note, numbers_of


@dataclass(frozen=True)
class ValueLoss:
    """Mean distance of values from their originals: ``il1s`` over all attributes, ``by_attribute`` for each."""

    il1s: float
    by_attribute: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"IL1s {self.il1s:.4f}"


def il1s(files: FilePair) -> ValueLoss:
    """Return IL1s of the numeric attributes and dates, divided by the numbers of records and of attributes.

    IL1s = 1/p sum_k 1/n_k sum_i |x_ik - x'_ik| / (sqrt(2) S_k), where x'_i is the protected version of record i and S_k
    the standard deviation (n - 1) of attribute k in the whole original file. It is 0 for an unchanged file, and 2 /
    sqrt(pi) / sqrt(2) = 0.80 where each normally distributed value is replaced by that of another person.

    Records: the pairs; records without a counterpart only count in S_k. Missing values: a pair with a missing value on
    either side is left out for that attribute; n_k counts the other pairs. An attribute that is constant in the
    original, or has no pair with both values, is left out, and a note says so (NaN where no attribute is left).
    Independent of the units of the attributes. Cost: linear.

    References
    ----------
    Yancey, Winkler, Creecy (2002), Disclosure risk assessment in perturbative microdata protection (IL1s, without the
    normalisation); Mateo-Sanz, Sebé, Domingo-Ferrer (2004), Outlier protection in continuous microdata masking.

    Examples
    --------
    Three records 1, 2, 3 become 1, 2, 6. S = 1, so IL1s = (0 + 0 + 3) / 3 / sqrt(2) = 0.7071.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> round(il1s(pair_files(np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [2.0], [6.0]]))).il1s, 4)
    0.7071
    """
    numbers = numbers_of(files)
    varying = numbers.varying()
    found = {name: _distance(varying, k) for k, name in enumerate(varying.names)}
    known = [value for value in found.values() if not math.isnan(value)]
    return ValueLoss(
        il1s=float(np.mean(known)) if known else math.nan,
        by_attribute=found,
        notes=left_out_note(numbers.constant_names, "IL1s"),
    )


def _distance(numbers: Numbers, attribute: int) -> float:
    before, after = numbers.pairs(attribute)
    if before.size == 0:
        return math.nan
    unit = numbers.units[attribute]
    return float(np.abs(after / unit - before / unit).mean()) / math.sqrt(2)
