"""Values that rounding gives back: codes, whole numbers and multiples to which too little was added.

One rule for the notes of a protection and for the faults of an assessment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.protection.values.columns import Column
from linkrisk.protection.values.digits import decimals_of

FEW = 10
"""Values are few, and so known to anybody, if each belongs to this many records on average."""

MOST = 0.5
"""Values are restored if rounding gives back this share of the changed ones, and of those that chance does not."""

Rounding = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Restoration:
    """How many of the ``changed`` values are ``restored`` by rounding ``to`` what anybody knows."""

    restored: int
    changed: int
    to: str

    @property
    def share(self) -> float:
        """The share of the changed values that come back."""
        return self.restored / self.changed


def restored_by_rounding(known: FloatArray, original: FloatArray, protected: FloatArray) -> Restoration | None:
    """Return how the changed values of a column come back when they are rounded; None if most do not.

    Two ways of rounding are tried: to the nearest value the column has, where these are few (`FEW` records for each);
    and to the unit of which all its values are multiples, where they have fixed decimals (`digits.decimals_of`): the
    greatest common divisor of its values, or the last decimal if they have no other. Of the pairs whose value was
    changed, n in all, let s be the share that rounding gives back, and c the share it would give back if protected
    values belonged to anybody: the sum over v of the share of changed values rounded to v times the share that are v.
    They are restored if s >= `MOST` and s - c >= `MOST` (1 - c), and n >= `FEW`: noise of the size of a value's
    distance to the next gives back few, and two codes of which one is rare are not restored by saying the frequent one.

    Ties: a value halfway between two is rounded to the lower one of those the column has, and to the even multiple.
    Cost: a sort.

    Parameters
    ----------
    known
        The original values of the column that are not missing.
    original, protected
        Pairs of values of the same record; those that are missing on either side, or equal, do not count.

    Examples
    --------
    >>> ages = np.repeat([30.0, 50.0, 90.0], 10)
    >>> restored_by_rounding(ages, ages, ages + np.tile([4.0, -3.0], 15))
    Restoration(restored=30, changed=30, to='the 3 values the original has')
    >>> wages = 100.0 * np.arange(20.0)
    >>> restored_by_rounding(wages, wages, wages + np.tile([40.0, -30.0], 10))
    Restoration(restored=20, changed=20, to='multiples of 100')
    """
    is_changed = (original != protected) & ~np.isnan(original) & ~np.isnan(protected)
    n_changed = int(is_changed.sum())
    if n_changed < FEW:
        return None
    x, y = original[is_changed], protected[is_changed]
    with np.errstate(over="ignore"):  # the largest numbers there are
        for rounding, to in _roundings(known):
            true, rounded = rounding(x), rounding(y)
            n_restored = int((rounded == true).sum())
            if _is_most(n_restored / n_changed, _chance(rounded, true)):
                return Restoration(n_restored, n_changed, to)
    return None


def restoring_notes(column: Column, protected: FloatArray) -> list[str]:
    """Return a sentence if most changed values of a column come back by rounding, or most are as they were.

    >>> from linkrisk.data.attributes import Kind
    >>> wages = Column("wage", Kind.NUMERIC, 100.0 * np.arange(20.0))
    >>> restoring_notes(wages, wages.values + np.tile([40.0, -60.0, 30.0, 20.0], 5))
    ['75% of the changed values of wage come back by rounding to multiples of 100; choose a larger p.']
    """
    known, moved = column.values[~column.is_missing], protected[~column.is_missing]
    found = restored_by_rounding(known, known, moved)
    if found is not None:
        told = f"{found.share:.0%} of the changed values of {column.name} come back by rounding to {found.to}"
        return [f"{told}; choose a larger p."]
    same = float((moved == known).mean()) if known.size else 1.0
    if MOST < same < 1.0 and decimals_of(known) is not None:
        return [f"{same:.0%} of the values of {column.name} are as they were: noise is below their unit; raise p."]
    return []


def _roundings(known: FloatArray) -> Iterator[tuple[Rounding, str]]:
    """Yield the ways to round to what anybody knows of a column, and what that is."""
    values = np.unique(known)
    if len(values) * FEW <= len(known):
        yield (lambda each: _to_nearest(values, each)), f"the {len(values)} values the original has"
    decimals = decimals_of(values)
    if decimals is None:
        return
    factor = 10.0**decimals
    divisor = int(np.gcd.reduce(np.rint(values * factor).astype(np.int64)))
    if divisor > 0:
        yield (lambda each: np.rint(each * factor / divisor) * divisor), _unit_told(divisor, decimals)


def _unit_told(divisor: int, decimals: int) -> str:
    if divisor > 1:
        return f"multiples of {divisor / 10.0**decimals:g}"
    return "whole numbers" if decimals == 0 else f"{decimals} decimals"


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
