"""Plain faults: what no attacker is needed to see, and what has to be mended first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.assessment.unchanged import is_missing, n_distinct, unchanged_records, unchanged_values
from linkrisk.data.columns import ColumnPair, FilePair

MOSTLY_UNCHANGED = 0.9
"""Share of true pairs with the same value from which an attribute counts as left unprotected."""

NEARLY_UNIQUE = 0.9
"""Distinct values as a share of the records from which an attribute is as good as a name."""


@dataclass(frozen=True)
class Fault:
    """One plain fault of a protected file.

    ``kind`` is ``"identifier"``, ``"unprotected attribute"`` or ``"unprotected records"``; ``records`` counts the
    records concerned.
    """

    kind: str
    message: str
    attribute: str | None
    records: int


def find_faults(files: FilePair) -> tuple[Fault, ...]:
    """List the plain faults of a protected file, the gravest first.

    An identifier column in it; an attribute that kept (nearly) all its values and is (nearly) unique; records
    that kept all their values. Cost: one pass over the true pairs.
    """
    return (*_identifiers(files), *_unprotected_attributes(files), *_unprotected_records(files))


def _identifiers(files: FilePair) -> tuple[Fault, ...]:
    names = list(files.identifiers_released)
    if files.id_column is not None and files.id_column not in names:
        names.append(files.id_column)
    return tuple(
        Fault(
            "identifier",
            f"{files.protected_name} holds the identifier column {name}; remove it before release",
            name,
            files.n_protected,
        )
        for name in names
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
            f"{name} is left unprotected in {n_kept} of {files.n_pairs} records and is nearly unique: it identifies "
            "people as a name would; protect it or leave it out"
        )
        faults.append(Fault("unprotected attribute", message, name, n_kept))
    return faults


def _is_nearly_unique(column: ColumnPair) -> bool:
    n_known = int((~is_missing(column.protected)).sum())
    return n_distinct(column.protected) >= NEARLY_UNIQUE * n_known


def _unprotected_records(files: FilePair) -> tuple[Fault, ...]:
    unchanged = unchanged_records(files)
    count = int(np.count_nonzero(unchanged))
    if not count:
        return ()
    message = (
        f"{count} of {files.n_pairs} records are not protected at all: every attribute used for linking kept its "
        "value; protect them, or state that they may be released as they are"
    )
    return (Fault("unprotected records", message, None, count),)


def unprotected_notes(files: FilePair) -> tuple[str, ...]:
    """Name attributes left wholly unprotected that are not unique: no fault alone, but worth knowing."""
    names = [
        column.attribute.name
        for column in files.columns
        if bool(unchanged_values(column, files.own).all()) and not _is_nearly_unique(column)
    ]
    return (f"left unprotected: {', '.join(names)}",) if names else ()
