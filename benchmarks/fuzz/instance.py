"""One instance: two small files, a family, and the rules by which links are counted, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.attackers import Family
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form, HighamFamily
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily

FAMILIES = (
    "weighted_mean",
    "weighted_mean_metric",
    "owa",
    "choquet",
    "choquet_metric",
    "choquet_additive",
    "bilinear",
    "bilinear_free",
    "bilinear_psd",
    "bilinear_higham",
)

FREE = ("bilinear_free", "bilinear_higham")
"""Families whose distances may be negative: ties are exact, and there are no margins."""

ORDER = ("never", "rarely", "often", "always")

Value = float | str | None


@dataclass(frozen=True)
class Column:
    """An attribute in both files: numbers or labels, None where missing."""

    kind: str
    original: tuple[Value, ...]
    protected: tuple[Value, ...]

    def pair(self, name: str) -> ColumnPair:
        """Return the column as linkrisk holds it."""
        kind = Kind(self.kind)
        attribute = Attribute(name, kind, order=ORDER if kind is Kind.ORDINAL else ())
        if kind is Kind.NUMERIC:
            sides = [np.array(side, dtype=np.float64) for side in (self.original, self.protected)]
        else:
            sides = [np.array(side, dtype=object) for side in (self.original, self.protected)]
        return ColumnPair(attribute, *sides)


@dataclass(frozen=True)
class Instance:
    """What is learned: ``own[i]`` is the protected version of original record i, -1 where it has none."""

    family: str
    kind: str
    columns: tuple[Column, ...]
    own: tuple[int, ...]
    scale: str = "separate"
    ties: str = "unique"
    margin: float = 0.0
    weights: tuple[float, ...] | None = None
    floor: float = 0.01
    additivity: int = 2

    @property
    def n_original(self) -> int:
        """Number of original records."""
        return len(self.own)

    @property
    def n_protected(self) -> int:
        """Number of protected records."""
        return len(self.columns[0].protected)

    def comparison(self) -> Comparison:
        """Return both files on their scale."""
        columns = tuple(column.pair(f"V{k + 1}") for k, column in enumerate(self.columns))
        own = np.array(self.own, dtype=np.int64)
        return make_comparison(FilePair(columns, own, self.n_original, self.n_protected), self.scale)

    def learned_family(self) -> Family:
        """Return the family of linkrisk."""
        families: dict[str, Family] = {
            "weighted_mean": WeightedMeanFamily(),
            "weighted_mean_metric": WeightedMeanFamily(self.floor),
            "owa": OWAFamily(),
            "choquet": ChoquetFamily(),
            "choquet_metric": ChoquetFamily(is_metric=True),
            "choquet_additive": AdditiveChoquetFamily(self.additivity),
            "bilinear": BilinearFamily(Form.NONNEGATIVE),
            "bilinear_free": BilinearFamily(Form.FREE),
            "bilinear_psd": BilinearFamily(Form.SEMIDEFINITE),
            "bilinear_higham": HighamFamily(),
        }
        return families[self.family]

    def keep_original(self, rows: list[int]) -> Instance:
        """Return the instance with some original records only."""
        columns = tuple(replace(c, original=tuple(c.original[i] for i in rows)) for c in self.columns)
        weights = None if self.weights is None else tuple(self.weights[i] for i in rows)
        return replace(self, columns=columns, own=tuple(self.own[i] for i in rows), weights=weights)

    def keep_protected(self, rows: list[int]) -> Instance:
        """Return the instance with some protected records only; who loses his own has none."""
        place = {row: k for k, row in enumerate(rows)}
        columns = tuple(replace(c, protected=tuple(c.protected[j] for j in rows)) for c in self.columns)
        return replace(self, columns=columns, own=tuple(place.get(j, -1) for j in self.own))

    def keep_columns(self, places: list[int]) -> Instance:
        """Return the instance with some attributes only, in this order."""
        return replace(self, columns=tuple(self.columns[k] for k in places))
