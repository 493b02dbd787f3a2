"""What several commands take: the two files, and the results that are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from linkrisk.assessment.options import AssessOptions, ReportFile
from linkrisk.options import File, option, same_option

Original = Annotated[Path, typer.Argument(help="The original file (CSV, Parquet, SPSS, Stata, SAS, R).")]
Protected = Annotated[Path, typer.Argument(help="Its protected version.")]

RESULTS = "What is written"
"""The heading of options that name results."""


@dataclass(frozen=True, kw_only=True)
class JsonResult(ReportFile):
    """A result written as JSON that may be shown to others, and a report on it."""

    title: ClassVar[str] = RESULTS

    json: Path | None = option(None, File(), "Write the result as JSON; nothing in it is about a single record.")
    overwrite: bool = same_option(AssessOptions, "overwrite")


def paths_among(*values: Any) -> list[Path]:
    """Return those values that are given, as paths."""
    return [Path(value) for value in values if value is not None]


def plan_file(given: Mapping[str, Any]) -> Path | None:
    """Return the file that a plan is read from, None where it is given as text or not at all."""
    from linkrisk.protection.planning.plan import is_plan_file  # noqa: PLC0415  (imports all methods)

    return Path(given["plan"]) if is_plan_file(given.get("plan")) else None
