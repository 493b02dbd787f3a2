"""What the intruder holds: the people he knows, and the released file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.same_values import numbered_labels

NUMBERS = (Kind.NUMERIC, Kind.DATE)

MISSING = -1
"""Code of a missing label."""


@dataclass(frozen=True, eq=False, repr=False)
class Known:
    """Two files as the intruder sees them: he does not know who is who, and no attack looks at ``files.own``."""

    files: FilePair

    def __repr__(self) -> str:
        return f"<Known: {self.n_original} people, {self.n_protected} released records>"

    @property
    def n_original(self) -> int:
        """People he knows."""
        return self.files.n_original

    @property
    def n_protected(self) -> int:
        """Records released."""
        return self.files.n_protected

    @cached_property
    def is_whole(self) -> bool:
        """Whether he knows everybody who is in the release, and nobody else: then methods can be run again."""
        return self.files.n_original == self.files.n_protected == self.files.n_pairs

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes in both files."""
        return tuple(attribute.name for attribute in self.files.attributes)

    def column(self, name: str) -> ColumnPair:
        """Return an attribute in both files."""
        return self.files.columns[self.names.index(name)]

    def is_numeric(self, name: str) -> bool:
        """Whether an attribute holds numbers or dates."""
        return self.column(name).attribute.kind in NUMBERS

    def numbers(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Return the values of people and releases, of ordinal attributes the places in their order; NaN if missing."""
        column = self.column(name)
        if column.attribute.kind in NUMBERS:
            return np.asarray(column.original, dtype=np.float64), np.asarray(column.protected, dtype=np.float64)
        order = {label: float(place) for place, label in enumerate(column.attribute.order)}
        return _placed(column.original, order), _placed(column.protected, order)

    def codes(self, name: str) -> tuple[IntArray, IntArray, tuple[str, ...]]:
        """Return labels as places in a list of all that occur, and the list; `MISSING` if missing."""
        column = self.column(name)
        found = set(column.original.tolist()) | set(column.protected.tolist())
        labels = tuple(sorted({str(label) for label in found if label is not None}))
        place = {label: float(number) for number, label in enumerate(labels)}
        x, y = _placed(column.original, place), _placed(column.protected, place)
        return np.nan_to_num(x, nan=MISSING).astype(np.int64), np.nan_to_num(y, nan=MISSING).astype(np.int64), labels


def _placed(labels: Any, place: dict[str, float]) -> FloatArray:
    """Return the place of each label; NaN if it is missing, or has none."""
    held = labels.tolist()
    places = {label: np.nan if label is None else place.get(str(label), np.nan) for label in dict.fromkeys(held)}
    return numbered_labels(held, places)
