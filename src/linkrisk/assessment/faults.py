"""Plain faults: no attacker is needed to see them, and they have to be mended first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.assessment.restored import restored_attributes
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.same_values import is_missing, n_distinct, unchanged_records, unchanged_values
from linkrisk.differences.comparison import make_comparison
from linkrisk.differences.coordinates import Coordinates, DifferenceRule
from linkrisk.differences.scale import Scale

MOSTLY_UNCHANGED = 0.9
"""An attribute counts as left unprotected if at least this share of the true pairs have the same value."""

ALIKE = 0.8
"""The pairing is doubted if paired records differ by at least this share of the difference of strangers."""

NEARLY_UNIQUE = 0.9
"""An attribute is as good as a name if its distinct values are at least this share of the records."""


@dataclass(frozen=True)
class Fault:
    """One plain fault of a protected file.

    ``kind`` is ``"pairing"``, ``"identifier"``, ``"unprotected attribute"``, ``"unprotected records"`` or
    ``"restored by rounding"``; ``records`` counts the records concerned.
    """

    kind: str
    message: str
    attribute: str | None
    records: int

    def to_dict(self) -> dict[str, object]:
        """Return it as plain values."""
        return {"kind": self.kind, "message": self.message, "attribute": self.attribute, "records": self.records}


def find_faults(files: FilePair) -> tuple[Fault, ...]:
    """List the plain faults of a protected file, the gravest first.

    There are five: records paired by row order or by a list that differ as much as strangers do; an identifier column
    in the file; an attribute that kept (nearly) all its values and is (nearly) unique; records that kept all their
    values; an attribute whose values rounding gives back (`linkrisk.assessment.restored`). Attributes with a single
    value are not used to judge the order, and where all protected records are equal no record counts as unprotected.
    Cost: a few passes over the true pairs.
    """
    return (
        *_doubtful_pairing(files),
        *_identifiers(files),
        *_unprotected_attributes(files),
        *_unprotected_records(files),
        *_restored_attributes(files),
    )


def _doubtful_pairing(files: FilePair) -> tuple[Fault, ...]:
    """Tell when paired records resemble each other no more than strangers do: a file with shuffled rows looks safe."""
    telling = np.array([min(n_distinct(c.original), n_distinct(c.protected)) > 1 for c in files.columns])
    if files.paired_by not in _DOUBTS or not telling.any():
        return ()
    coordinates = make_comparison(files, Scale.RANKS).coordinates
    paired = np.flatnonzero(files.own >= 0)
    counterparts = files.own[paired]
    strangers = np.roll(counterparts, max(1, len(paired) // 3))
    own, other = (_mean_resemblance(coordinates, paired, rows, telling) for rows in (counterparts, strangers))
    if own < ALIKE * other:
        return ()
    message = f"records paired by {files.paired_by} resemble each other no more than strangers do: "
    message += _DOUBTS[files.paired_by]
    return (Fault("pairing", message, None, files.n_pairs),)


_DOUBTS = {
    "row order": (
        "if the rows of one file were shuffled, every figure here is too low; pair by id (--id) or by "
        "pairs (--pairs), or make sure that the order is the same"
    ),
    "list of pairs": (
        "if the list is that of another file, every figure here is too low; make sure that it belongs to this one"
    ),
}


def _mean_resemblance(
    coordinates: Coordinates, originals: IntArray, rows: IntArray, telling: NDArray[np.bool_]
) -> float:
    """Return the mean difference over the ``telling`` attributes: squared for numbers, 0 or 1 for labels."""
    x, y = coordinates.original[originals], coordinates.protected[rows]
    is_label = coordinates.rules != DifferenceRule.SQUARED
    differences = np.where(is_label, _are_unlike(coordinates, x, y), 0.5 * (x - y) ** 2)
    known = ~np.isnan(differences)
    means = np.where(known, differences, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return float(means[telling].mean())


def _are_unlike(coordinates: Coordinates, x: FloatArray, y: FloatArray) -> FloatArray:
    """Tell where codes differ; text has a list of codes per file, so its strings are compared."""
    unlike = (x != y).astype(np.float64)
    unlike[np.isnan(x) | np.isnan(y)] = np.nan
    for k, text in enumerate(coordinates.texts):
        if text is not None:
            place = {string: code for code, string in enumerate(text.original)}
            codes = np.array([float(place.get(string, -1)) for string in text.protected])
            known = ~np.isnan(y[:, k])
            mapped = np.full(len(y), np.nan)
            mapped[known] = codes[y[known, k].astype(int)]
            unlike[:, k] = np.where(np.isnan(mapped) | np.isnan(x[:, k]), np.nan, mapped != x[:, k])
    return np.asarray(unlike)


def _identifiers(files: FilePair) -> tuple[Fault, ...]:
    what = dict.fromkeys(files.identifiers_released, "the identifier column")
    if files.id_column is not None:
        what[files.id_column] = "the column its records are paired by,"
    return tuple(
        Fault(
            "identifier",
            f"{files.protected_name} holds {text} {name}; remove it before release",
            name,
            files.n_protected,
        )
        for name, text in what.items()
    )


def _unprotected_attributes(files: FilePair) -> list[Fault]:
    faults = []
    for column in files.columns:
        kept = unchanged_values(column, files.own)
        known = ~is_missing(column.protected[files.own[files.own >= 0]])
        n_known = int(known.sum())
        n_kept = int((kept & known).sum())
        if not n_known or n_kept < MOSTLY_UNCHANGED * n_known or not _is_nearly_unique(column):
            continue
        name = column.attribute.name
        message = (
            f"{name} is left unprotected in {n_kept:,} of {files.n_pairs:,} records and is nearly unique: it "
            "identifies people as a name would; protect it or leave it out"
        )
        faults.append(Fault("unprotected attribute", message, name, n_kept))
    return faults


def _is_nearly_unique(column: ColumnPair) -> bool:
    n_known = int((~is_missing(column.protected)).sum())
    return n_distinct(column.protected) >= NEARLY_UNIQUE * n_known


def _unprotected_records(files: FilePair) -> tuple[Fault, ...]:
    if all(n_distinct(c.protected) + is_missing(c.protected).any() <= 1 for c in files.columns):
        return ()
    unchanged = unchanged_records(files)
    count = int(np.count_nonzero(unchanged))
    if not count:
        return ()
    message = (
        f"{count:,} of {files.n_pairs:,} records are released as they were: every attribute used for linking kept its "
        "value, by chance or because it was not protected; protect more strongly, or state that they may be released so"
    )
    return (Fault("unprotected records", message, None, count),)


def _restored_attributes(files: FilePair) -> tuple[Fault, ...]:
    return tuple(
        Fault(
            "restored by rounding",
            f"{found.attribute} is restored by rounding to {found.by.to}: that gives back {found.by.restored} of the "
            f"{found.by.changed} values that were changed; protect it as categories (by pram or generalise), or change "
            "it by more than rounding takes back",
            found.attribute,
            found.by.restored,
        )
        for found in restored_attributes(files)
    )


def untouched_attributes(files: FilePair) -> tuple[str, ...]:
    """Name the attributes used for linking that kept every value: no fault alone, but the first thing to know."""
    return tuple(column.attribute.name for column in files.columns if bool(unchanged_values(column, files.own).all()))
