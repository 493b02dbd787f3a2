"""From two paired files to numbers that can be subtracted: one comparison per scale."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray, LabelArray
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.coordinates import Coordinates, DifferenceRule, TextPair
from linkrisk.differences.missing import missing_costs
from linkrisk.differences.scale import Scale
from linkrisk.differences.scales import scale_values
from linkrisk.engine import interrupt

VECTOR_KINDS = (Kind.NUMERIC, Kind.DATE)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two files on one scale: the attributes, their coordinates, and the mean of each column.

    Made by `make_comparison`; attackers turn it into a distance, `linkrisk.linkage` finds the nearest records.
    """

    attributes: tuple[Attribute, ...]
    scale: Scale
    coordinates: Coordinates
    original_means: FloatArray
    protected_means: FloatArray

    def __repr__(self) -> str:
        sizes = len(self.coordinates.original), len(self.coordinates.protected)
        return f"<Comparison on scale {self.scale}: {sizes[0]} original, {sizes[1]} protected records>"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes, in order."""
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def n_attributes(self) -> int:
        """Number of attributes compared."""
        return len(self.attributes)

    def select(self, names: Iterable[str]) -> Comparison:
        """Keep some attributes, in the given order; scaled values stay as they are."""
        indices = [self.names.index(name) for name in names]
        return Comparison(
            attributes=tuple(self.attributes[k] for k in indices),
            scale=self.scale,
            coordinates=self.coordinates.select(indices),
            original_means=self.original_means[indices],
            protected_means=self.protected_means[indices],
        )

    def restrict(self, rows: IntArray) -> Comparison:
        """Keep some original records: the people the intruder knows."""
        return replace(self, coordinates=self.coordinates.restrict(rows))

    def among_own(self) -> Comparison:
        """Keep only the protected records that belong to one of the original ones as candidates."""
        return replace(self, coordinates=self.coordinates.among_own())

    def vectors(self) -> tuple[Comparison, FloatArray, FloatArray]:
        """Return the numeric and date attributes as vectors without holes.

        A missing value is filled with the mean of its (whole) file on this scale.
        """
        numeric = self.select(a.name for a in self.attributes if a.kind in VECTOR_KINDS)
        original = _filled(numeric.coordinates.original, numeric.original_means)
        return numeric, original, _filled(numeric.coordinates.protected, numeric.protected_means)


def make_comparison(files: FilePair, scale: Scale | str = Scale.SEPARATE) -> Comparison:
    """Bring the attributes of two paired files to one scale.

    Numbers and dates are scaled (see `Scale`); nominal, ordinal and text attributes become codes and are not
    touched by the scale. Cost: linear in the records, except for the sort of ``ranks``.
    """
    scale = Scale(scale)
    encoded = [_encode(column, scale) for column in files.columns]
    costs = [missing_costs(column.attribute) for column in files.columns]
    coordinates = Coordinates(
        original=np.column_stack([e.original for e in encoded]),
        protected=np.column_stack([e.protected for e in encoded]),
        own=files.own,
        rules=np.array([int(e.rule) for e in encoded], dtype=np.int64),
        divisor=np.array([e.divisor for e in encoded]),
        offset=np.array([e.offset for e in encoded]),
        missing_one=np.array([one for one, _ in costs]),
        missing_both=np.array([both for _, both in costs]),
        texts=tuple(e.text for e in encoded),
    )
    means = [_known_means(values) for values in (coordinates.original, coordinates.protected)]
    return Comparison(files.attributes, scale, coordinates, *means)


@dataclass(frozen=True)
class _Encoded:
    rule: DifferenceRule
    original: FloatArray
    protected: FloatArray
    divisor: float = 1.0
    offset: float = 0.0
    text: TextPair | None = None


def _encode(column: ColumnPair, scale: Scale) -> _Encoded:
    interrupt.check()
    kind = column.attribute.kind
    if kind in VECTOR_KINDS:
        original, protected = scale_values(column.original, column.protected, scale)
        return _Encoded(DifferenceRule.SQUARED, original, protected)
    if kind is Kind.ORDINAL:
        order = column.attribute.order
        original, protected = _codes(column.original, order), _codes(column.protected, order)
        offset = 1.0 if column.attribute.inclusive else 0.0
        return _Encoded(DifferenceRule.ORDERED, original, protected, divisor=float(len(order)), offset=offset)
    if kind is Kind.NOMINAL:
        vocabulary = _distinct(np.concatenate([column.original, column.protected]))
        return _Encoded(DifferenceRule.EQUAL, _codes(column.original, vocabulary), _codes(column.protected, vocabulary))
    text = TextPair(_distinct(column.original), _distinct(column.protected))
    return _Encoded(
        DifferenceRule.LOOKED_UP,
        _codes(column.original, text.original),
        _codes(column.protected, text.protected),
        text=text,
    )


def _distinct(labels: LabelArray) -> tuple[str, ...]:
    return tuple(sorted({label for label in labels if label is not None}))


def _codes(labels: LabelArray, vocabulary: tuple[str, ...]) -> FloatArray:
    """Position of each label in the vocabulary, NaN where missing."""
    position: dict[str | None, float] = {label: float(k) for k, label in enumerate(vocabulary)}
    position[None] = np.nan
    return np.array([position[label] for label in labels], dtype=np.float64)


def _known_means(values: FloatArray) -> FloatArray:
    """Mean of the known values of each column (0 where there are none)."""
    known = [column[~np.isnan(column)].tolist() for column in values.T]
    return np.array([math.fsum(column) / len(column) if column else 0.0 for column in known])


def _filled(values: FloatArray, means: FloatArray) -> FloatArray:
    """Holes filled with the mean of their column."""
    holes = np.isnan(values)
    return np.where(holes, means, values) if holes.any() else values
