"""The command ``study papers``: the experiments of the papers, listed, run, and laid beside what the papers print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from linkrisk.cli import output
from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.options import RESULTS
from linkrisk.cli.output import ResultFile, write_files
from linkrisk.engine import interrupt
from linkrisk.errors import SettingsError
from linkrisk.options import File, Flag, Options, option
from linkrisk.study.papers.options import PaperOptions

ALL = "all"
"""In place of a name: every experiment, one after the other."""


@dataclass(frozen=True, kw_only=True)
class PapersFiles(Options):
    """What is written besides what is shown."""

    title: ClassVar[str] = RESULTS

    page: Path | None = option(None, File(), "Write the tables of the papers beside ours as a page in Markdown.")
    json: Path | None = option(None, File(), "Write all figures as JSON; nothing in it is about a single record.")
    overwrite: bool = option(False, Flag(), "Replace result files that exist.")


@dataclass(frozen=True, kw_only=True)
class PapersCommand(PaperOptions, PapersFiles):
    """How the experiments are run, and what is written."""


@with_options(PapersCommand)
def papers(
    given: Given,
    name: Annotated[
        str | None, typer.Argument(help="An experiment, or all of them; without a name they are listed.")
    ] = None,
) -> None:
    """Repeat the experiments of the five papers, and lay their tables beside what comes out."""
    from linkrisk.data.writing import check_results  # noqa: PLC0415
    from linkrisk.study.papers.experiments import EXPERIMENTS  # noqa: PLC0415
    from linkrisk.study.papers.running import find_experiment  # noqa: PLC0415

    asked = PapersCommand.of(given)
    if name is None:
        _list()
        return
    names = list(EXPERIMENTS) if name == ALL else [find_experiment(name).name]
    if name == ALL and asked.store is not None:
        raise SettingsError("all experiments cannot be kept in one store; leave out store (--store)")
    check_results([asked.json, asked.page], [asked.census], overwrite=asked.overwrite)
    _run(names, asked)


def _list() -> None:
    """Print what there is."""
    from linkrisk.report.papers import experiment_table  # noqa: PLC0415
    from linkrisk.report.text import blocks_as_text  # noqa: PLC0415

    for line in blocks_as_text([experiment_table()]).splitlines():
        output.say(line)


def _run(names: Sequence[str], asked: PapersCommand) -> None:
    """Run experiments one after the other; what is finished is shown and written also after Ctrl-C."""
    from linkrisk.cli.progress import reporting  # noqa: PLC0415
    from linkrisk.data.writing import write_json, write_text  # noqa: PLC0415
    from linkrisk.report.papers import as_page  # noqa: PLC0415
    from linkrisk.study.papers.running import compare  # noqa: PLC0415
    from linkrisk.study.papers.running import run as run_experiment  # noqa: PLC0415

    found, is_complete = [], True
    for name in names:
        with reporting() as reporter:
            done = run_experiment(name, reporter=reporter, **asked.part(PaperOptions).keywords())
        output.show(done)
        found.append(compare(name, done.store))
        output.show(found[-1])
        is_complete = done.is_complete
        if not is_complete:
            break
    page, json, again = asked.page, asked.json, asked.overwrite
    files = []
    if page is not None:
        files += ResultFile.among(page, lambda: write_text(page, as_page(found), confidential=False, overwrite=again))
    if json is not None:
        contents = {"experiments": [each.to_dict() for each in found]}
        files += ResultFile.among(json, lambda: write_json(json, contents, overwrite=again))
    write_files(files)
    if not is_complete:
        raise typer.Exit(interrupt.exit_code())
