"""The commands of ``study``: run a grid of experiments, show and export what its store keeps, repeat the papers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from linkrisk.cli import output
from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.options import RESULTS
from linkrisk.cli.output import ResultFile, deliver
from linkrisk.cli.papers import papers
from linkrisk.engine import interrupt
from linkrisk.options import File, Flag, Options, option
from linkrisk.study.options import RunOptions

Store = Annotated[Path, typer.Argument(help="The store that study run has written.")]


@dataclass(frozen=True, kw_only=True)
class ShowCommand(Options):
    """What is written besides what is shown."""

    title: ClassVar[str] = RESULTS

    json: Path | None = option(None, File(), "Write the means as JSON; nothing in it is about a single record.")
    overwrite: bool = option(False, Flag(), "Replace result files that exist.")


@dataclass(frozen=True, kw_only=True)
class ExportCommand(Options):
    """Where the table is written."""

    title: ClassVar[str] = RESULTS

    overwrite: bool = option(False, Flag(), "Replace the file if it exists.")


@with_options(RunOptions)
def run(
    specification: Annotated[Path, typer.Argument(help="What to run, as a TOML file.")],
    given: Given,
) -> None:
    """Run a study: data, protections in all strengths, attackers, scales, repeats. A run that was ended goes on."""
    from linkrisk.cli.progress import reporting  # noqa: PLC0415
    from linkrisk.study.running import run as run_study  # noqa: PLC0415

    asked = RunOptions.of(given)
    with reporting() as reporter:
        found = run_study(specification, reporter=reporter, **asked.keywords())
    output.show(found)
    if not found.is_complete:
        raise typer.Exit(interrupt.exit_code())


@with_options(ShowCommand)
def show(store: Store, given: Given) -> None:
    """Show the figures of a store: means over repeats, their spread, and what is proven."""
    from linkrisk.data.writing import check_results  # noqa: PLC0415
    from linkrisk.study.result import show as show_study  # noqa: PLC0415

    asked = ShowCommand.of(given)
    check_results([asked.json], [store], overwrite=asked.overwrite)
    found = show_study(store)
    deliver(found, ResultFile.among(asked.json, lambda: found.write(asked.json, overwrite=asked.overwrite)))


@with_options(ExportCommand)
def export(
    store: Store,
    out: Annotated[Path, typer.Argument(help="The table to be written, .parquet or .csv; it is confidential.")],
    given: Given,
) -> None:
    """Write every cell of a store as one table: a row for each cell, a column for each figure."""
    from linkrisk.data.writing import check_results  # noqa: PLC0415
    from linkrisk.study.result import export as export_study  # noqa: PLC0415

    asked = ExportCommand.of(given)
    check_results([out], [store], overwrite=asked.overwrite)
    export_study(store, out, overwrite=asked.overwrite)
    output.say(f"written, confidential: {out}")


COMMANDS = {"run": run, "show": show, "export": export, "papers": papers}
"""The commands by their names."""
