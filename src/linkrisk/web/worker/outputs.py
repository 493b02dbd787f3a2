"""What a job leaves in its folder: a summary for the views, pictures, reports, and the files to be sent back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk import report
from linkrisk.data.writing import make_folder, write_columns, write_text
from linkrisk.report import charts
from linkrisk.report.blocks import Block, Drawing, Fault, Line, Note, Sentence, verdict_blocks
from linkrisk.report.charts.figure import Figure
from linkrisk.report.tables import Table
from linkrisk.report.verdict import Verdict
from linkrisk.result import ReportedResult, Result
from linkrisk.web.worker.request import Request

SUMMARY = "summary.json"
CHARTS = "charts"
REPORT = "report.html"
INTERNAL_REPORT = "report-confidential.html"

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula."""


def write_summary(request: Request, found: Mapping[str, Any]) -> None:
    """Write what the views show; nothing of it is about a single record."""
    contents = json.dumps(request.told_values(found), ensure_ascii=True, allow_nan=False)
    write_text(request.folder / SUMMARY, contents, confidential=True)


def shown(request: Request, result: Result) -> dict[str, Any]:
    """Return a result as plain values, as it reads on a terminal, and make its pictures."""
    verdict = report.as_verdict(result) or Verdict(())
    short, full = (_besides(verdict, report.as_blocks(result, details=details)) for details in (False, True))
    return {
        "verdict": verdict.says,
        "to_do": verdict.to_do,
        "headline": None if verdict.headline is None else asdict(verdict.headline),
        "blocks": [_plain_block(block) for block in short],
        "details": [_plain_block(block) for block in full],
        "charts": [
            _picture(request.folder, figure, f"{figure.name}-{place}")
            for place, figure in enumerate(charts.figures_of(result), start=1)
        ],
    }


def write_reports(request: Request, result: ReportedResult) -> None:
    """Write the report to hand on, and the one that stays here."""
    result.report(request.folder / REPORT, kind="shareable")
    result.report(request.folder / INTERNAL_REPORT, kind="internal")


def write_records(path: Path, columns: Mapping[str, NDArray[np.generic]]) -> None:
    """Write a table of records that a spreadsheet shows, and does not compute: no text in it is a formula.

    Names of records and columns come from the files; a person who opens the table is not to run what is in them.
    """
    safe = {without_formula(name): _without_formulas(values) for name, values in columns.items()}
    write_columns(path, safe, confidential=True)


def without_formula(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would take it for a formula.

    >>> without_formula("=1+1"), without_formula("age")
    ("'=1+1", 'age')
    """
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def _without_formulas(values: NDArray[np.generic]) -> NDArray[np.generic]:
    if values.dtype != object:
        return values
    made = [without_formula(value) if isinstance(value, str) else value for value in values.tolist()]
    return np.array(made, dtype=object)


def _besides(verdict: Verdict, blocks: list[Block]) -> list[Table | Line]:
    """Return what is shown besides verdict and charts: nothing is said or drawn twice, nothing is on single records."""
    said = verdict_blocks(verdict)
    told = [block for block in blocks if not isinstance(block, Drawing) and block not in said]
    return [block for block in told if not (isinstance(block, Table) and block.is_confidential)]


def _plain_block(block: Table | Line) -> dict[str, Any]:
    match block:
        case Table():
            return {"type": "table", **_plain_table(block)}
        case Fault():
            return {"type": "fault", "text": block.text}
        case Note():
            return {"type": "note", "text": block.text}
        case Sentence():
            return {"type": "sentence", "text": block.text, "weight": block.weight.value}


def _plain_table(table: Table) -> dict[str, Any]:
    columns = [{"head": column.head, "is_number": column.is_number} for column in table.columns]
    return {"title": table.title, "columns": columns, "rows": table.rows}


def _picture(folder: Path, figure: Figure, name: str) -> dict[str, Any]:
    """Draw a figure into the folder, and return what belongs to it: its caption, and the data behind it."""
    make_folder(folder / CHARTS)
    write_text(folder / CHARTS / f"{name}.svg", charts.as_svg(figure, name), confidential=True)
    told = {"name": name, "title": figure.title, "caption": figure.caption}
    return {**told, "table": _plain_table(figure.table())}
