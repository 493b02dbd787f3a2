"""Whole numbers that are no quantities: codes such as sex 1/2 or region 1 to 16, and ids of households or persons.

Noise and means take numbers for quantities. A sex of 0.97, or the mean of two household ids, protects nobody: rounding
to the values that the column can have brings the code back. Nothing in a file says which numbers are codes, so columns
that look like them are refused by methods that add to numbers or average them, unless the schema (or the file itself)
says that they are numeric; other methods point them out.

A column *looks like codes* if its known values are whole numbers, at most 20 different ones, with at least 3 records
for each on average. It *looks like an id* if its values are whole numbers and

- they start at 0 or 1, all or nearly all numbers up to the largest occur (nine tenths), equal ones stand together in
  the file, and there are at least 25 of them and one for every 5 records: 1, 2, 3, ..., or 1, 1, 1, 2, 2, 3, ...; or
- the name says so (id, hid, pid, person_id, householdID, id_no, ...; household alone, but not rent_household), and
  there is a number for at least every 10 records.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.data.attributes import Kind
from linkrisk.errors import ColumnError
from linkrisk.protection.values.columns import Column, Name

MOST_CODES = 20
"""Different whole numbers that codes have at most, as categories that are text have."""

RECORDS_PER_CODE = 3
"""Records for each code, on average, from which on few values are no chance."""

LEAST_IDS, RECORDS_PER_ID, RECORDS_PER_NAMED_ID, WITHOUT_GAPS = 25, 5, 10, 0.9

_ID_WORDS = frozenset({"id", "ids", "hid", "pid", "hhid", "uid", "idno", "idnr", "identifier"})
_ID_NAMES = frozenset({("household",), ("hh",)})
_NUMBER_WORDS = frozenset({"no", "nr", "number"})


def looks_like_codes(values: FloatArray) -> bool:
    """Whether known values are few different whole numbers, each of several records.

    >>> looks_like_codes(np.array([1.0, 2, 2, 1, 2, 1])), looks_like_codes(np.array([1.0, 9, 3, 7, 5, 5]))
    (True, False)
    """
    known = values[~np.isnan(values)]
    if not _are_whole(known):
        return False
    n_distinct = np.unique(known).size
    return 1 < n_distinct <= MOST_CODES and known.size >= RECORDS_PER_CODE * n_distinct


def looks_like_id(name: Name, values: FloatArray) -> bool:
    """Whether known values are those of an id, by what they are or by the column's name.

    >>> looks_like_id("x", np.repeat(np.arange(27.0), [1, 2, 3] * 9)), looks_like_id("x", np.arange(0.0, 1500.0, 50.0))
    (True, False)
    >>> looks_like_id("personID", np.arange(0.0, 600.0, 50.0))
    True
    """
    known = values[~np.isnan(values)]
    if not _are_whole(known):
        return False
    n_distinct = np.unique(known).size
    if _is_named_so(str(name)) and RECORDS_PER_NAMED_ID * n_distinct >= known.size and n_distinct > 1:
        return True
    n_runs = 1 + int((np.diff(known) != 0).sum())
    is_gapless = known.min() in (0.0, 1.0) and n_distinct >= WITHOUT_GAPS * (
        float(known.max()) - float(known.min()) + 1
    )
    return is_gapless and n_runs == n_distinct and n_distinct >= max(LEAST_IDS, known.size / RECORDS_PER_ID)


def check_quantities(columns: Iterable[Column], method: str, source: str) -> None:
    """Refuse numbers that look like codes or ids, all in one sentence, before they are added to or averaged.

    Raises
    ------
    ColumnError
        Naming the file, the columns, how many values they have, and what to do.

    Examples
    --------
    >>> sex = Column("sex", Kind.NUMERIC, np.array([1.0, 2, 2, 1, 2, 1]))
    >>> check_quantities([sex], "noise", "people.csv")
    Traceback (most recent call last):
    linkrisk.errors.ColumnError: people.csv: noise takes numbers for quantities, and 'sex' (2 different whole...
    """
    codes, ids = _suspects(columns)
    if not codes and not ids:
        return
    like_codes = [f"{_listed(codes)} look{_s(codes)} like codes"] if codes else []
    like_ids = [f"{_listed(ids)} look{_s(ids)} like an id of persons or households"] if ids else []
    remedies = ["declare codes nominal (--nominal) and protect them by pram"] if codes else []
    remedies += ["take ids out by drop (--drop)"] if ids else []
    raise ColumnError(
        f"{source}: {method} takes numbers for quantities, and {', and '.join(like_codes + like_ids)}; "
        f"{', '.join(remedies)}, or declare quantities numeric (--numeric)"
    )


def code_notes(columns: Iterable[Column]) -> list[str]:
    """Return a sentence about numbers that look like codes or ids and are protected as quantities all the same."""
    codes, ids = _suspects(columns)
    notes = []
    if codes:
        notes.append(
            f"{_listed(codes)} look{_s(codes)} like codes and {_are(codes)} taken for quantities; declare codes "
            "nominal (--nominal) and protect them by pram, or quantities numeric (--numeric)."
        )
    if ids:
        notes.append(
            f"{_listed(ids)} look{_s(ids)} like an id of persons or households; take ids out by drop (--drop), or "
            "declare quantities numeric (--numeric)."
        )
    return notes


def _suspects(columns: Iterable[Column]) -> tuple[list[Column], list[Column]]:
    """Return the columns that look like codes, and those that look like ids, of those nobody declared numeric."""
    numbers = [column for column in columns if column.kind is Kind.NUMERIC and not column.is_declared]
    codes = [column for column in numbers if looks_like_codes(column.values)]
    others = [column for column in numbers if not looks_like_codes(column.values)]
    ids = [column for column in others if looks_like_id(column.name, column.values)]
    return codes, ids


def _listed(columns: Iterable[Column]) -> str:
    counts = {column.name: np.unique(column.values[~column.is_missing]).size for column in columns}
    return ", ".join(f"{name!r} ({count:,} different whole numbers)" for name, count in counts.items())


def _s(columns: list[Column]) -> str:
    return "s" if len(columns) == 1 else ""


def _are(columns: list[Column]) -> str:
    return "is" if len(columns) == 1 else "are"


def _are_whole(known: FloatArray) -> bool:
    return bool(known.size and (np.abs(known) < 2.0**53).all() and (known == np.rint(known)).all())


def _is_named_so(name: str) -> bool:
    """Whether the last word of a name is one for ids, or the first two are id and number, or it is household alone.

    >>> [_is_named_so(name) for name in ("household_id", "HHID", "personId", "id_no", "household")]
    [True, True, True, True, True]
    >>> [_is_named_so(name) for name in ("idea", "household_size", "income_hh", "incomeHH", "id_score")]
    [False, False, False, False, False]
    """
    words = tuple(word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name))
    if not words:
        return False
    is_numbered = words[0] in {"idno", "idnr"} or (
        words[0] == "id" and words[1:2] in {(word,) for word in _NUMBER_WORDS}
    )
    return words[-1] in _ID_WORDS or words in _ID_NAMES or is_numbered
