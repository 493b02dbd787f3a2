"""From two paired files to numbers that can be subtracted: one comparison per scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray, LabelArray
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.coordinates import Coordinates, DifferenceRule, TextPair
from linkrisk.differences.limits import check_scaled, refuse_largest
from linkrisk.differences.missing import missing_costs
from linkrisk.differences.scale import Scale
from linkrisk.differences.scales import scale_values, scaled_means
from linkrisk.engine import interrupt

VECTOR_KINDS = (Kind.NUMERIC, Kind.DATE)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two files on one scale: the attributes, their coordinates, and what fills the holes of vectors.

    ``original_means`` and ``protected_means`` are the means of the files' columns, scaled as if they were values (0 on
    ranks, and for labels); of the whole files, whichever records are kept.

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
    def vector_names(self) -> tuple[str, ...]:
        """Names of the numeric and date attributes, in order."""
        return tuple(attribute.name for attribute in self.attributes if attribute.kind in VECTOR_KINDS)

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

        A missing value is filled with the mean of its (whole) file, scaled as a value would be.
        """
        numeric = self.select(self.vector_names)
        original = _filled(numeric.coordinates.original, numeric.original_means)
        return numeric, original, _filled(numeric.coordinates.protected, numeric.protected_means)


def make_comparison(files: FilePair, scale: Scale | str = Scale.SEPARATE) -> Comparison:
    """Bring the attributes of two paired files to one scale.

    Numbers and dates are scaled (see `Scale`); nominal, ordinal and text attributes become codes and are not
    touched by the scale. Cost: linear in the records, except for the sort of ``ranks``.

    Raises
    ------
    ColumnError
        Naming file, column and row, where a number is too far from the others, or too near to their mean, to be
        computed with (see `linkrisk.differences.limits`).
    SettingsError
        Where the cost of a missing value is out of its limits.
    """
    scale = Scale(scale)
    encoded = [_encode(column, files, scale) for column in files.columns]
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
    original_means, protected_means = np.array([e.means for e in encoded]).T.copy()
    return Comparison(files.attributes, scale, coordinates, original_means, protected_means)


@dataclass(frozen=True)
class _Encoded:
    rule: DifferenceRule
    original: FloatArray
    protected: FloatArray
    divisor: float = 1.0
    offset: float = 0.0
    text: TextPair | None = None
    means: tuple[float, float] = (0.0, 0.0)


def _encode(column: ColumnPair, files: FilePair, scale: Scale) -> _Encoded:
    interrupt.check()
    kind = column.attribute.kind
    if kind in VECTOR_KINDS:
        return _encode_numbers(column, files, scale)
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


def _encode_numbers(column: ColumnPair, files: FilePair, scale: Scale) -> _Encoded:
    try:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # what comes of it is refused
            scaled = scale_values(column.original, column.protected, scale)
    except OverflowError:
        refuse_largest(column, files)
    check_scaled(scaled, column, files, scale)
    means = scaled_means(column.original, column.protected, scale)
    return _Encoded(DifferenceRule.SQUARED, *scaled, means=means)


def _distinct(labels: LabelArray) -> tuple[str, ...]:
    return tuple(sorted({label for label in labels if label is not None}))


def _codes(labels: LabelArray, vocabulary: tuple[str, ...]) -> FloatArray:
    """Position of each label in the vocabulary, NaN where missing."""
    position: dict[str | None, float] = {label: float(k) for k, label in enumerate(vocabulary)}
    position[None] = np.nan
    return np.array([position[label] for label in labels], dtype=np.float64)


def _filled(values: FloatArray, means: FloatArray) -> FloatArray:
    """Holes filled with the mean of their column."""
    holes = np.isnan(values)
    return np.where(holes, means, values) if holes.any() else values
