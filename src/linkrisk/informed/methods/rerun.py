"""Deterministic methods: the intruder runs them on the people he knows, and looks for what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkrisk.data.attributes import Kind
from linkrisk.errors import LinkriskError
from linkrisk.informed.description import Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList
from linkrisk.protection.registry import METHODS

BY_RECORD = ("rounding", "generalise")
"""Methods whose outcome for a record depends on that record alone."""


def add_rerun_terms(treatment: Treatment, known: Known, terms: TermList) -> bool:
    """Say that a released record must be what the method makes of the person; tell whether the method could be run.

    Where the outcome depends on the whole file, it must be known; then everybody's cluster is known, too.
    """
    try:
        outcome = _outcome(treatment, known)
    except LinkriskError:
        return False
    for name in treatment.attributes:
        terms.add_equal(outcome[name], known.column(name).protected)
    return True


def _outcome(treatment: Treatment, known: Known) -> dict[str, Any]:
    """Return what the method makes of the people who are known, by attribute."""
    import pandas as pd  # noqa: PLC0415  (slow to import)

    frame = pd.DataFrame({name: known.column(name).original for name in treatment.attributes})
    kinds = {name: _schema_of(known, name) for name in treatment.attributes}
    parameters = {name: value for name, value in treatment.parameters.items() if value not in (None, {})}
    protection = METHODS[treatment.method].apply(frame, **parameters, schema={"attributes": kinds})
    return {name: _values(protection.data[name], known.is_numeric(name)) for name in treatment.attributes}


def _schema_of(known: Known, name: str) -> dict[str, Any]:
    attribute = known.column(name).attribute
    order = {"order": list(attribute.order)} if attribute.kind is Kind.ORDINAL else {}
    return {"kind": str(attribute.kind), **order}


def _values(column: Any, is_numeric: bool) -> Any:
    if is_numeric:
        return column.to_numpy(dtype=np.float64)
    return np.array([str(value) if isinstance(value, str) else None for value in column], dtype=object)
