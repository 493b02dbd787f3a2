"""Every renderer: how a result reads as text, on a terminal, in a notebook, as JSON and as a frame.

One module per result, named in `_MODULES`, with three functions of the result:

- ``blocks``: the report, a list of sentences, faults, tables, drawings and notes (`linkrisk.report.blocks`), rendered
  by `linkrisk.report.text`, `linkrisk.report.terminal` and `linkrisk.report.html`: what they show is the same. What
  matters most comes last, where the eye is. A block that is a `Detail` is left out unless somebody asks for details;
- ``document``: the layout of its JSON document, except what all have: ``schema`` and ``version``;
- ``columns``: what one row of its frame holds.

A table is described once (`linkrisk.report.tables`) and rendered three ways; `linkrisk.report.layout` fits text and
tables into the lines there is room for. A chart is a block, too: one drawn in
characters is a `Drawing`, made in a module of its own as `linkrisk.report.risk_loss_map` does; one of another kind gets
a class in `linkrisk.report.blocks`, a module that makes it, and a line in each of the three renderers.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, cast

from linkrisk.report.blocks import Block, chosen
from linkrisk.report.plain import plain
from linkrisk.report.text import blocks_as_text
from linkrisk.result import Result
from linkrisk.version import __version__

if TYPE_CHECKING:
    from rich.console import Console

    from linkrisk.report.verdict import Verdict

__all__ = [
    "as_blocks",
    "as_columns",
    "as_dict",
    "as_html",
    "as_report",
    "as_text",
    "as_verdict",
    "plot",
    "show",
    "write_report",
]

SCHEMA = 2
"""The layout of the JSON documents: raised when a key is renamed or means something else."""

_MODULES = {
    "Assessment": "assessment",
    "Loss": "loss",
    "MatchReport": "matches",
    "PaperComparison": "papers",
    "Protection": "protection",
    "Releases": "releases",
    "StudyResult": "study",
    "StudyRun": "study_run",
    "Tuning": "tuning",
    "Verification": "verification",
}
"""The module of each result, loaded when the first of its kind is shown."""


def as_blocks(result: Result, *, details: bool) -> list[Block]:
    """Return the report on a result as blocks, in short or with all details; for who renders them in another way."""
    return chosen(_module(result).blocks(result), details=details)


def as_text(result: Result, *, confidential: bool = True, details: bool = False, width: int | None = None) -> str:
    """Return a result as plain text, in short or with all details.

    With ``confidential=False`` without tables of single records. Lines have at most ``width`` characters, by default as
    many as there is room for.
    """
    return blocks_as_text(as_blocks(result, details=details), confidential=confidential, width=width)


def as_html(result: Result) -> str:
    """Return a result as HTML for a notebook: complete in itself, without script, and without single records."""
    notebook = importlib.import_module("linkrisk.report.notebook")
    verdict = as_verdict(result)
    figures = [] if verdict is None else importlib.import_module("linkrisk.report.charts.catalogue").figures_of(result)
    html: str = notebook.as_notebook(as_blocks(result, details=False), verdict, figures)
    return html


def as_verdict(result: Result) -> Verdict | None:
    """Return the verdict on a result in sentences; None for a result that has none."""
    verdict = getattr(_module(result), "verdict", None)
    return None if verdict is None else cast("Verdict", verdict(result))


def as_dict(result: Result) -> dict[str, Any]:
    """Return the JSON document of a result: mappings, lists, texts and numbers; undefined numbers are None.

    Every document says by which layout (``schema``) and by which version of linkrisk it was made, first of all; only
    that it is ``confidential`` comes before.
    """
    contents: dict[str, Any] = plain(_module(result).document(result))
    notice = {"confidential": contents.pop("confidential")} if "confidential" in contents else {}
    return {**notice, "schema": SCHEMA, "version": __version__, **contents}


def as_columns(result: Result) -> dict[str, list[Any]]:
    """Return the figures of a result as columns of one length, by name."""
    columns: dict[str, list[Any]] = _module(result).columns(result)
    return columns


def plot(result: Result, name: str | None = None) -> Any:
    """Return the main chart of a result, or the one of a name."""
    return importlib.import_module("linkrisk.report.charts.catalogue").plot(result, name)


def as_report(result: Result, kind: str = "shareable", ending: str = ".html") -> str:
    """Return the report on a result, to be handed on (``shareable``) or not (``internal``), as HTML or Markdown."""
    text: str = _handout().report_text(result, kind, ending)
    return text


def write_report(result: Result, path: str | os.PathLike[str], kind: str = "shareable", *, overwrite: bool) -> None:
    """Write the report on a result to a file."""
    _handout().write_report(result, path, kind, overwrite=overwrite)


def _handout() -> Any:
    """Return the module that makes reports; it knows all results and is loaded when a report is made."""
    return importlib.import_module("linkrisk.report.handout.files")


def show(result: Result, console: Console, *, details: bool = False) -> None:
    """Print a result on a terminal, in short or with all details."""
    from linkrisk.report.terminal import show_blocks  # noqa: PLC0415  (imports rich)

    show_blocks(as_blocks(result, details=details), console)


def _module(result: Result) -> Any:
    names = [kind.__name__ for kind in type(result).__mro__]
    module = next((_MODULES[name] for name in names if name in _MODULES), None)
    if module is None:
        raise TypeError(f"{names[0]} has no renderer; name its module in linkrisk.report")
    return importlib.import_module(f"linkrisk.report.{module}")
