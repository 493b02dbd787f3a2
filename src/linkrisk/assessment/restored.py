"""Values that rounding gives back: codes and whole numbers to which too little was added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.comparison import VECTOR_KINDS

FEW = 10
"""Values are few, and so known to anybody, if each belongs to this many records on average."""

MAX_DECIMALS = 4
"""Values with more decimals than this have no resolution that anybody would round to."""

MOST = 0.5
"""An attribute is restored if rounding gives back this share of the changed values, and of those chance does not."""


@dataclass(frozen=True)
class Restored:
    """How many of the ``changed`` values of an attribute are ``restored`` by rounding ``to`` what anybody knows."""

    attribute: str
    restored: int
    changed: int
    to: str


def restored_values(files: FilePair) -> tuple[Restored, ...]:
    """Name the numeric and date attributes whose original values come back when the protected ones are rounded.

    Two ways of rounding are tried: to the nearest value the original column has, where these are few (`FEW` records
    for each); and to the decimals its values have, at most `MAX_DECIMALS`. Of the true pairs whose value was changed, n
    in all, let s be the share that rounding gives back, and c the share it would give back if protected values belonged
    to anybody: the sum over v of the share of changed values rounded to v times the share that are v. The attribute is
    restored if s >= `MOST` and s - c >= `MOST` (1 - c), and n >= `FEW`: noise of the size of a value's distance to the
    next gives back few, and two codes of which one is rare are not restored by saying the frequent one.

    Ties: a value halfway between two is rounded to the lower one of those the original has, and to the even one of
    decimals. Missing values on either side do not count. Cost: a sort for each attribute.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.data import pair_files
    >>> random = np.random.default_rng(1)
    >>> original = pd.DataFrame({"sex": np.repeat([1.0, 2.0], 50)})
    >>> restored_values(pair_files(original, original + random.normal(0, 0.1, (100, 1))))
    (Restored(attribute='sex', restored=100, changed=100, to='the 2 values the original has'),)
    """
    found = (_restored(column, files) for column in (*files.columns, *files.confidential))
    return tuple(each for each in found if each is not None)


def _restored(column: ColumnPair, files: FilePair) -> Restored | None:
    if column.attribute.kind not in VECTOR_KINDS:
        return None
    paired = files.own >= 0
    x, y = column.original[paired], column.protected[files.own[paired]]
    is_changed = (x != y) & ~np.isnan(x) & ~np.isnan(y)
    x, y = x[is_changed], y[is_changed]
    if len(x) < FEW:
        return None
    known = column.original[~np.isnan(column.original)]
    with np.errstate(over="ignore"):  # decimals of the largest numbers there are
        for rounded, to in _roundings(known, y):
            n_restored = int((rounded == x).sum())
            if _is_most(n_restored / len(x), _chance(rounded, x)):
                return Restored(column.attribute.name, n_restored, len(x), to)
    return None


def _roundings(known: FloatArray, y: FloatArray) -> Iterator[tuple[FloatArray, str]]:
    """Yield the protected values rounded to what anybody knows of the original ones, and what that is."""
    values = np.unique(known)
    if len(values) * FEW <= len(known):
        yield _to_nearest(values, y), f"the {len(values)} values the original has"
    decimals = next((d for d in range(MAX_DECIMALS + 1) if (np.round(known, d) == known).all()), None)
    if decimals is not None:
        yield np.round(y, decimals), "whole numbers" if decimals == 0 else f"{decimals} decimals"


def _to_nearest(values: FloatArray, y: FloatArray) -> FloatArray:
    """Return for each y the nearest of the ascending values, the lower one of two that are as near."""
    above = np.searchsorted(values, y).clip(0, len(values) - 1)
    below = (above - 1).clip(0)
    is_above = 0.5 * values[above] - 0.5 * y < 0.5 * y - 0.5 * values[below]  # halves do not overflow
    return np.asarray(np.where(is_above, values[above], values[below]))


def _chance(rounded: FloatArray, x: FloatArray) -> float:
    """Return the share of equal values if those of ``rounded`` belonged to anybody."""
    values, counts = np.unique(x, return_counts=True)
    place = np.searchsorted(values, rounded).clip(0, len(values) - 1)
    return float(counts[place][values[place] == rounded].sum()) / len(x) ** 2


def _is_most(share: float, chance: float) -> bool:
    return share >= MOST and share - chance >= MOST * (1.0 - chance) and share > chance
