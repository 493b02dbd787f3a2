"""The options of the papers' experiments."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from linkrisk.options import File, Flag, option
from linkrisk.study.options import RunKeywords, RunOptions


@dataclass(frozen=True, kw_only=True)
class PaperOptions(RunOptions):
    """How an experiment of the papers is run: as any study, on the papers' data."""

    title: ClassVar[str] = "How the work is done"

    census: Path | None = option(
        None, File(), "The papers' data, Census, as a CSV file; by default what LINKRISK_CENSUS names."
    )
    generated: bool = option(
        False, Flag(), "Generated data that look like Census, where there is no file; figures are not the papers'."
    )


class PaperKeywords(RunKeywords, total=False):
    """The options of `PaperOptions`, for type checkers."""

    census: Path | None
    generated: bool
