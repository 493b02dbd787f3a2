"""How a protection is shown: what was done to each attribute or group, and what was left as it is."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from typing import Any

from linkrisk.protection.planning.plan import DROP, LEAVE
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.columns import list_names
from linkrisk.report.blocks import Block, Sentence, note_blocks
from linkrisk.report.plain import sentences
from linkrisk.report.tables import Table, make_columns

DONE = {LEAVE: "left as it is", DROP: "not released"}
"""What the words of a plan mean in a report."""


def blocks(protection: Protection) -> list[Block]:
    """Return one line per attribute or group, for a plan also what came of each column; never the seed."""
    return [
        Sentence(f"Protection by {protection.title} of {protection.n_records:,} records"),
        *(Sentence(f"  {line}") for line in lines(protection)),
        *([column_table(protection)] if protection.steps and protection.columns else []),
        *note_blocks(protection.notes),
    ]


def lines(protection: Protection) -> list[str]:
    """Return what was done, a line for each attribute or group."""
    told = [str(detail) for detail in protection.details]
    if protection.changed and not protection.steps:
        shares = ", ".join(f"{name} {_percent(share)}" for name, share in protection.changed.items())
        told.append(f"values changed: {shares}")
    if protection.left and not protection.steps:
        told.append(f"left as they are: {list_names(protection.left)}")
    if protection.dropped and not protection.steps:
        told.append(f"not released: {list_names(protection.dropped)}")
    if protection.secret is not None:
        told.append("seed: kept apart, as a secret")
    return told


def done_to_columns(protection: Protection) -> tuple[str, ...]:
    """Return what was done to each column, without anything that was counted or found out on the way."""
    return tuple(f"{each.column}: {DONE.get(each.done, each.done)}" for each in protection.columns)


def column_table(protection: Protection) -> Table:
    """Return what was done to each column of the original, and the share of its values that changed."""
    rows = tuple(
        (
            str(each.column),
            DONE.get(each.done, each.done),
            "-" if each.share_changed is None else _percent(each.share_changed),
        )
        for each in protection.columns
    )
    return Table(make_columns(("column", "what was done"), ("values changed",)), rows)


def document(protection: Protection) -> dict[str, Any]:
    """Return what was done, and which columns were left; never the seed. A plan has the record of each method."""
    steps = {"steps": [_record(step) for step in protection.steps]} if protection.steps else {}
    return {
        **_record(protection),
        "left_as_they_are": protection.left,
        "dropped": protection.dropped,
        "columns": [asdict(each) for each in protection.columns],
        "is_random": protection.secret is not None,
        "notes": sentences(protection.notes),
        **steps,
    }


def _record(protection: Protection) -> dict[str, Any]:
    details = [
        asdict(detail) if is_dataclass(detail) and not isinstance(detail, type) else str(detail)
        for detail in protection.details
    ]
    return {
        "method": protection.method,
        "title": protection.title,
        "n_records": protection.n_records,
        "parameters": protection.parameters,
        "values_changed": {str(name): share for name, share in protection.changed.items()},
        "details": details,
    }


def columns(protection: Protection) -> dict[str, list[Any]]:
    """Return one row per attribute or group that was protected; for a plan one per column: what came of it."""
    rows = [_row(each) for each in (protection.columns if protection.steps else protection.details)]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _alike([row.get(name) for row in rows]) for name in names}


def _percent(share: float) -> str:
    """Write a share so that all and none mean just that.

    >>> [_percent(share) for share in (1.0, 0.9999, 0.091, 0.0001, 0.0)]
    ['100%', '>99.9%', '9.1%', '<0.1%', '0%']
    """
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return "<0.1%" if share < 0.0005 else ">99.9%" if share > 0.9995 else f"{share:.1%}"


def _alike(cells: list[Any]) -> list[Any]:
    """Return cells of one type: numbers among texts, such as the thresholds of two attributes, become texts."""
    has_texts = any(isinstance(cell, str) for cell in cells)
    return [None if cell is None else str(cell) for cell in cells] if has_texts else cells


def _row(detail: object) -> dict[str, Any]:
    if not is_dataclass(detail) or isinstance(detail, type):
        return {"detail": str(detail)}
    return {name: _cell(value) for name, value in asdict(detail).items()}


def _cell(value: Any) -> Any:
    """Return a number as it is, names as one text."""
    if isinstance(value, list | tuple):
        return ", ".join(str(entry) for entry in value)
    return value if value is None or isinstance(value, bool | int | float) else str(value)
