"""A column as the comparison sees it: numbers, or labels, one per record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from linkrisk.arrays import FloatArray, IntArray, LabelArray
from linkrisk.data.attributes import Attribute
from linkrisk.result import DEFAULT_FRAME


@dataclass(frozen=True, repr=False)
class ColumnPair:
    """One attribute in both files.

    ``original`` and ``protected`` hold float64 with NaN where missing for numeric attributes (values) and
    dates (days since 1970-01-01, with fractions); and arrays of dtype object holding str, or None where
    missing, for nominal, ordinal and text attributes.
    """

    attribute: Attribute
    original: FloatArray | LabelArray
    protected: FloatArray | LabelArray


@dataclass(frozen=True, repr=False)
class FilePair:
    """Two files, read, checked and paired: everything later steps need of the data.

    ``own[i]`` is the row in the protected file of the counterpart of original record ``i``, or -1 where it has
    none; ``paired_by`` is ``"row order"``, ``"id"`` or ``"list of pairs"``. ``columns`` holds the quasi-identifiers in
    the order they are used, ``confidential`` the confidential attributes found in the protected file (and in the
    original, where it has them; its side is all missing otherwise). ``not_known`` names columns of both files that are
    among neither, because others were asked for or because they are ignored. ``identifiers_released`` names the columns
    of the protected file that the schema calls identifiers; ``id_column`` the column of the protected file that pairs
    the records, if one does: it is part of that file too, and never used for linking. ``record_ids`` are the
    original's ids, ``frame_kind`` is that of its `RawFile`. ``first_rows`` are the rows, as a person counts them, of
    the first record of each file.
    """

    columns: tuple[ColumnPair, ...]
    own: IntArray
    n_original: int
    n_protected: int
    original_name: str = "original"
    protected_name: str = "protected"
    original_digest: str = ""
    protected_digest: str = ""
    confidential: tuple[ColumnPair, ...] = ()
    identifiers_released: tuple[str, ...] = ()
    record_ids: LabelArray | None = None
    notes: tuple[str, ...] = ()
    id_column: str | None = None
    paired_by: str = "row order"
    frame_kind: str = DEFAULT_FRAME
    first_rows: tuple[int, int] = (1, 1)
    not_known: tuple[str, ...] = ()

    def __repr__(self) -> str:
        names = ", ".join(attribute.name for attribute in self.attributes)
        return f"<FilePair: {self.n_original} original, {self.n_protected} protected records; {names}>"

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The quasi-identifiers, in order."""
        return tuple(column.attribute for column in self.columns)

    def restricted(self, names: Iterable[str], rows: IntArray | None = None) -> FilePair:
        """Keep some attributes, in the given order, and some original records (all by default)."""
        by_name = {column.attribute.name: column for column in self.columns}
        columns = tuple(by_name[name] for name in names)
        if rows is None:
            return replace(self, columns=columns)
        return replace(
            self,
            columns=tuple(replace(column, original=column.original[rows]) for column in columns),
            confidential=tuple(replace(column, original=column.original[rows]) for column in self.confidential),
            own=self.own[rows],
            n_original=len(rows),
            record_ids=None if self.record_ids is None else self.record_ids[rows],
        )

    @property
    def n_pairs(self) -> int:
        """Original records that have a counterpart in the protected file."""
        return int((self.own >= 0).sum())
