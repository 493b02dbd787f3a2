"""The command ``compare``: several releases of one file side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from linkrisk.advice.options import CompareOptions
from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.options import JsonResult, Original, paths_among
from linkrisk.cli.output import ResultFile, deliver, report_file
from linkrisk.cli.rules import end_by_rules


@dataclass(frozen=True, kw_only=True)
class CompareCommand(JsonResult, CompareOptions):
    """What the command takes besides the files."""


@with_options(CompareCommand)
def compare(
    original: Original,
    releases: Annotated[list[Path], typer.Argument(help="Its protected versions.")],
    given: Given,
) -> None:
    """Compare protected versions of a file: strongest attack, average risk, information loss and score of each.

    Rules such as --max-rate hold for every one of them.
    """
    from linkrisk.advice.compare import compare as judge  # noqa: PLC0415
    from linkrisk.cli.progress import reporting  # noqa: PLC0415
    from linkrisk.data.writing import check_results  # noqa: PLC0415

    asked = CompareCommand.of(given)
    records = [file for files in given.get("published", {}).values() for file in files]
    inputs = [original, *releases, *paths_among(given.get("schema"), asked.pairs, *records)]
    check_results([asked.json, asked.report], inputs, overwrite=asked.overwrite)
    with reporting() as reporter:
        found = judge(original, releases, reporter=reporter, **asked.part(CompareOptions).keywords())
    written = ResultFile.among(asked.json, lambda: found.write(asked.json, overwrite=asked.overwrite))
    deliver(found, [*written, *report_file(found, asked, overwrite=asked.overwrite)])
    end_by_rules(found)
