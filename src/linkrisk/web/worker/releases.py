"""Protected versions that are made here: read from what was chosen for each column, and written with their secret."""

from __future__ import annotations

import re
from typing import Any

from linkrisk.data.raw_file import RawColumn, RawFile
from linkrisk.data.writing import json_file, write_together
from linkrisk.errors import ParameterError
from linkrisk.protection.planning.plan import Plan, Step, read_plan
from linkrisk.protection.protection import Protection
from linkrisk.web.worker.outputs import FORMULA_SIGNS
from linkrisk.web.worker.request import Request

_FIGURE = re.compile(r"[+-]?[\d.,]+([eE][+-]?\d+)?")
"""What begins with a sign and is a number, not a formula."""

STAND_IN = "column"
"""A name without any sign that means something in a plan."""


def plan_of(request: Request) -> Plan:
    """Return the plan that was written, or the one that is made of what was chosen for each column."""
    if request.values["plan"]:
        return read_plan(request.values["plan"])
    return Plan(tuple(_step(chosen) for chosen in request.values["treatments"]))


def _step(chosen: dict[str, Any]) -> Step:
    """Return one step: the method and its parameters are written as in a plan, the columns are names as they are."""
    try:
        (step,) = read_plan(f"{STAND_IN}: {chosen['method']} {chosen['strength']}").steps
    except (ParameterError, ValueError) as problem:
        columns = ", ".join(chosen["columns"])
        raise ParameterError(f"{columns}: {str(problem).removeprefix('plan (--plan): ')}") from None
    return Step(tuple(chosen["columns"]), step.method, step.parameters)


def write_release(request: Request, protection: Protection) -> None:
    """Write the protected file, its secret, and the record of what was done, which may be published."""
    protection.write(request.path("release"))
    names = {what: request.values[file]["name"] for what, file in (("original", "original"), ("protected", "release"))}
    write_together([json_file(request.path("record"), {**protection.to_dict(), **names})])


def formula_columns(protection: Protection) -> list[str]:
    """Return the columns with cells, or names, that a spreadsheet would take for formulas.

    The protected file is not changed for that: it is the one that was attacked, byte for byte.
    """
    table: RawFile = protection.data
    return [column.name for column in table.columns if _holds_formulas(column)]


def _holds_formulas(column: RawColumn) -> bool:
    texts = {column.name, *(column.cells.tolist() if column.cells.dtype == object else ())}
    suspects = [text for text in texts if isinstance(text, str) and text.startswith(FORMULA_SIGNS)]
    return any(_FIGURE.fullmatch(text) is None for text in suspects)
