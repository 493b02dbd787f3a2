"""The commands. Heavy modules are imported inside them: ``linkrisk --help`` is quick."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from linkrisk.cli.compare import compare
from linkrisk.cli.loss import loss
from linkrisk.cli.main import INTERRUPTED_LINE
from linkrisk.cli.match import match
from linkrisk.cli.options import (
    Delimiter,
    IdColumn,
    KnownAttributes,
    Matches,
    MissingCodes,
    Original,
    Overwrite,
    PairsFile,
    Protected,
    RunSeed,
    Scales,
    SchemaFile,
    Threads,
    TieRule,
    assignment_of,
    delimiter_of,
    matches_of,
    names_of,
)
from linkrisk.cli.protect import protect
from linkrisk.cli.tune import tune
from linkrisk.engine import interrupt

if TYPE_CHECKING:
    from linkrisk.assessment.result import Assessment
    from linkrisk.assessment.settings import Settings

REJECTED = 1
"""Exit code where a certificate does not hold."""

MIN_WIDTH = 110
"""A narrower terminal wraps the tables; cutting numbers short would be worse."""


class Commands(TyperGroup):
    """All commands; where the user or the reader of the output has had enough, they end in one sentence or silently."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            interrupt.check()
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of our output has gone (for instance `| head`): nothing is left to say to it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except (KeyboardInterrupt, Exception) as problem:
            # An import that Ctrl-C cut short may fail in its own words.
            if interrupt.is_pending() or isinstance(problem, KeyboardInterrupt):
                interrupt.handled()
                typer.echo(INTERRUPTED_LINE, err=True)
                raise typer.Exit(interrupt.INTERRUPTED) from None
            raise


app = typer.Typer(
    name="linkrisk",
    cls=Commands,
    help="How many people could an intruder find again in a protected microdata file?",
    no_args_is_help=True,
    add_completion=False,
    # Tracebacks with local variables would print confidential values.
    pretty_exceptions_enable=False,
)


@app.command()
@with_options(AssessmentFile, without=("original", "protected"))
def assess(
    original: Original,
    protected: Protected,
    parameters: Annotated[
        Path | None,
        typer.Option(help="JSON or TOML file with parameters of attackers.", rich_help_panel="Who attacks"),
    ] = None,
    given: Given = MappingProxyType({}),
) -> None:
    """Attack a protected file with every attacker asked for, and tell what they find."""
    from linkrisk.assessment.file import AssessmentFile, load_parameters  # noqa: PLC0415

    asked = dict(given)
    if parameters is not None:
        asked["attackers"] = _attackers(asked.get("attackers", []), load_parameters(parameters))
    schema = given.get("schema")
    settings = AssessmentFile.of({**asked, "original": original, "protected": protected})
    settings.check([Path(path) for path in (schema, parameters) if path is not None])
    _carry_out(settings)


app.command()(protect)


app.command()(loss)
app.command()(compare)
app.command()(tune)
app.command()(match)


@app.command()
def run(file: Annotated[Path, typer.Argument(help="Assessment file (TOML).")]) -> None:
    """Run the assessment described in a TOML file."""
    from linkrisk.assessment.file import load_assessment_file  # noqa: PLC0415

    _carry_out(load_assessment_file(file))


@app.command()
def verify(
    certificate: Annotated[Path, typer.Argument(help="Certificate written by assess --certificates.")],
    original: Original,
    protected: Protected,
    pairs: Annotated[
        Path | None, typer.Option(help="File with the true pairs, if the assessment was given one.")
    ] = None,
) -> None:
    """Check a certificate: recount its links and recheck its proof, with code of its own and exact arithmetic."""
    from rich.console import Console  # noqa: PLC0415

    from linkrisk.cli.progress import TerminalReporter  # noqa: PLC0415
    from linkrisk.verifier.files import verify_files  # noqa: PLC0415

    with TerminalReporter(Console(stderr=True)) as reporter:
        reporter.step(f"checking {certificate.name}")
        verdict = verify_files(certificate, original, protected, pairs=pairs, progress=reporter.progress)
    typer.echo(str(verdict))
    if not verdict.is_valid:
        raise typer.Exit(REJECTED)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the files of the demo.")] = Path("demo-output"),
    n_records: Annotated[int, typer.Option("--records", min=50, help="Records to generate.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the generated data.")] = 1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the files of an earlier demo.")] = False,
) -> None:
    """Generate a file, protect it, assess it, and write everything to a folder."""
    from linkrisk.cli.demo import make_demo  # noqa: PLC0415

    _carry_out(make_demo(out, n_records, seed, overwrite=overwrite))


@app.command()
def version() -> None:
    """Print the version."""
    from linkrisk.version import __version__  # noqa: PLC0415

    typer.echo(__version__)


def _carry_out(settings: Settings) -> None:
    from rich.console import Console  # noqa: PLC0415

    from linkrisk.cli.progress import TerminalReporter  # noqa: PLC0415
    from linkrisk.data.writing import check_writable  # noqa: PLC0415

    for path in (settings.json_file, settings.records):
        if path is not None:
            check_writable(path, settings.overwrite)
    interrupt.check()
    with TerminalReporter(Console(stderr=True)) as reporter:
        assessment = settings.run(reporter)
    try:
        _deliver(assessment, settings)
    except KeyboardInterrupt:
        interrupt.handled()
        typer.echo("linkrisk: interrupted while the result was written and shown", err=True)
        raise typer.Exit(interrupt.INTERRUPTED) from None


def _deliver(assessment: Assessment, settings: Settings) -> None:
    """Write the files asked for, then show the assessment."""
    from rich.console import Console  # noqa: PLC0415

    from linkrisk.assessment.json_file import to_json  # noqa: PLC0415
    from linkrisk.cli.show import show_assessment  # noqa: PLC0415
    from linkrisk.data.writing import write_columns, write_text  # noqa: PLC0415

    if settings.json_file is not None:
        write_text(settings.json_file, to_json(assessment), confidential=True, overwrite=settings.overwrite)
    if settings.records is not None and assessment.records is not None:
        columns = assessment.records.columns()
        write_columns(settings.records, columns, confidential=True, overwrite=settings.overwrite)
    output = Console(width=max(MIN_WIDTH, Console().width) if sys.stdout.isatty() else 140)
    show_assessment(assessment, output)
    for path in (settings.json_file, settings.records, settings.certificates):
        if path is not None:
            output.print(f"written, confidential: {path}", highlight=False, markup=False, soft_wrap=True)
    if not assessment.is_complete:
        raise typer.Exit(interrupt.INTERRUPTED)


def _scenario(text: str) -> dict[str, Any]:
    name, attributes = assignment_of(text, "scenario")
    return {"name": name, "attributes": names_of(attributes)}


def _attackers(names: list[str], given: dict[str, dict[str, Any]]) -> list[Any]:
    """Put parameters to their attackers; those only named in the parameters file are run too."""
    ordered = list(dict.fromkeys([*names, *given]))
    return [{"name": name, **given[name]} if name in given else name for name in ordered]
