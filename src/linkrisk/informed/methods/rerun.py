"""Deterministic methods: the intruder runs them on the people he knows, and looks for what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.data.attributes import Kind
from linkrisk.data.date_cells import days_of
from linkrisk.data.raw_file import RawColumn, RawFile
from linkrisk.errors import LinkriskError
from linkrisk.informed.description import Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList, joined_codes
from linkrisk.protection.registry import METHODS
from linkrisk.protection.values.dates import DateSpelling
from linkrisk.protection.values.digits import decimals_of

LEAST_RERUN = 0.95
"""Share of the released records that a method must give again to be taken for the one that made them."""

BY_RECORD = ("rounding", "generalise")
"""Methods whose outcome for a record depends on that record alone."""


def add_rerun_terms(treatment: Treatment, known: Known, terms: TermList) -> bool:
    """Say that a released record must be what the method makes of the person; tell whether that could be said.

    Where the outcome depends on the whole file, it must be known; then everybody's cluster is known, too. Nothing is
    said where the method cannot be run, or gives another release: it was made by another programme, or not like this.
    """
    try:
        outcome = _outcome(treatment, known)
    except LinkriskError:
        return False
    if known.is_whole and not _is_release(outcome, known):
        return False
    for name in treatment.attributes:
        terms.add_equal(outcome[name], known.column(name).protected)
    return True


def gives_the_release(treatment: Treatment, known: Known) -> bool:
    """Whether the method, run on the people who are known, gives just what was released."""
    try:
        outcome = _outcome(treatment, known)
    except LinkriskError:
        return False
    made, released = _classes(outcome, known)
    return np.array_equal(np.sort(made), np.sort(released))


def _is_release(outcome: dict[str, Any], known: Known) -> bool:
    """Whether nearly all released records are among what comes out."""
    made, released = _classes(outcome, known)
    return float(np.isin(released, made).mean()) >= LEAST_RERUN


def _classes(outcome: dict[str, Any], known: Known) -> tuple[IntArray, IntArray]:
    """Return a number for each record that comes out and for each released one, the same for equal ones."""
    columns = [np.concatenate([outcome[name], known.column(name).protected]) for name in outcome]
    codes = joined_codes(columns, known.n_original + known.n_protected)
    return codes[: known.n_original], codes[known.n_original :]


def _outcome(treatment: Treatment, known: Known) -> dict[str, Any]:
    """Return what the method makes of the people who are known, by attribute."""
    columns = tuple(RawColumn(name, _cells(known, name)) for name in treatment.attributes)
    people = RawFile("original", columns, known.n_original, digest="")
    kinds = {name: _schema_of(known, name, treatment.method) for name in treatment.attributes}
    parameters = {name: value for name, value in treatment.parameters.items() if value not in (None, {})}
    if "continuous" in METHODS[treatment.method].parameters:
        parameters.setdefault("continuous", _has_more_decimals(treatment, known))
    protection = METHODS[treatment.method].apply(people, **parameters, schema={"attributes": kinds})
    return {name: _values(protection.data.column(name), known.is_numeric(name)) for name in treatment.attributes}


def _has_more_decimals(treatment: Treatment, known: Known) -> bool:
    """Whether released numbers have more decimals than the originals, so that means were not rounded to these."""
    for name in treatment.attributes:
        if known.is_numeric(name):
            before, after = (decimals_of(side[~np.isnan(side)]) for side in known.numbers(name))
            if before is not None and (after is None or after > before):
                return True
    return False


def _cells(known: Known, name: str) -> Any:
    """Return the values of the people who are known, days as moments."""
    column = known.column(name)
    if column.attribute.kind is not Kind.DATE:
        return column.original
    return DateSpelling(None, "microsecond").moments(np.asarray(column.original, dtype=np.float64))


def _schema_of(known: Known, name: str, method: str) -> dict[str, Any]:
    """Return the schema of an attribute; codes for missing, where centroids keep off them.

    Other methods refuse to release a code. They are run without, for of the people who are known somebody who is not
    released may become one.
    """
    attribute = known.column(name).attribute
    order = {"order": list(attribute.order)} if attribute.kind is Kind.ORDINAL else {}
    codes = {"missing": list(attribute.codes)} if "centroid" in METHODS[method].parameters else {}
    return {"kind": str(attribute.kind), **order, **codes}


def _values(column: RawColumn, is_numeric: bool) -> Any:
    if column.holds_dates:
        return days_of(column.cells)
    return np.asarray(column.cells, dtype=np.float64) if is_numeric else column.cells
