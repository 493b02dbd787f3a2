"""The command ``match``: how sure an intruder may be of matches between samples, given published tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.options import RESULTS, JsonResult, paths_among
from linkrisk.cli.output import ResultFile, deliver, report_file
from linkrisk.options import Choice, File, Options, Text, Whole, option
from linkrisk.printable import file_name
from linkrisk.tables.options import MECHANISMS, MatchOptions

if TYPE_CHECKING:
    from linkrisk.tables.evidence.publication import TableDescription


@dataclass(frozen=True, kw_only=True)
class CandidateOptions(Options):
    """How the candidate was made; in Python a `TableDescription` holds this."""

    title: ClassVar[str] = "The candidate"

    mechanism: str = option("exact", Choice(MECHANISMS), "How the counts of the candidate are made.")
    base: int | None = option(None, Whole(2, 10**9), "Base of the rounding of the candidate.")
    count: str = option("count", Text("COLUMN"), "The candidate's column of counts.")


@dataclass(frozen=True, kw_only=True)
class MatchResult(JsonResult):
    """The result as JSON, and every match as a table, which is confidential."""

    title: ClassVar[str] = RESULTS

    matches: Path | None = option(
        None, File((".csv", ".parquet")), "Write every match, .csv or .parquet (confidential)."
    )


@dataclass(frozen=True, kw_only=True)
class MatchCommand(MatchResult, CandidateOptions, MatchOptions):
    """What the command takes besides the files."""


@with_options(MatchCommand)
def match(
    samples: Annotated[list[Path], typer.Argument(help="Two or more samples of one population, one row per record.")],
    given: Given,
    tables: Annotated[Path | None, typer.Option(help="TOML file that names the published tables.")] = None,
) -> None:
    """Tell how likely matches between samples are right, and which published tables make them so."""
    from linkrisk.cli.progress import reporting  # noqa: PLC0415
    from linkrisk.data.writing import check_results  # noqa: PLC0415
    from linkrisk.tables.match import match as judge  # noqa: PLC0415

    asked = MatchCommand.of(given)
    inputs = [*samples, *paths_among(tables, asked.truth, asked.candidate)]
    check_results([asked.json, asked.matches, asked.report], inputs, overwrite=asked.overwrite)
    options = asked.part(MatchOptions).keywords()
    if asked.candidate is not None:
        options["candidate"] = _candidate(Path(asked.candidate), asked)
    with reporting() as reporter:
        reporter.expect([0.0])
        reporter.step("judging the evidence")
        report = judge(samples, tables, progress=reporter.progress, **options)
    json, matches, overwrite = asked.json, asked.matches, asked.overwrite
    files = [
        *ResultFile.among(json, lambda: report.write(json, overwrite=overwrite)),
        *ResultFile.among(matches, lambda: report.write(None, matches, overwrite=overwrite), confidential=True),
        *report_file(report, asked, overwrite=overwrite),
    ]
    deliver(report, files)


def _candidate(path: Path, asked: CandidateOptions) -> TableDescription:
    from linkrisk.tables.evidence.publication import make_table_description  # noqa: PLC0415

    described: dict[str, Any] = {"mechanism": asked.mechanism, "base": asked.base, "count": asked.count}
    return make_table_description(path, name=file_name(path), **described)
