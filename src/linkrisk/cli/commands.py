"""The commands. Heavy modules are imported inside them: ``linkrisk --help`` is quick."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from linkrisk.cli.compare import compare
from linkrisk.cli.endings import INTERRUPTED_LINE
from linkrisk.cli.loss import loss
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
from linkrisk.cli.show import show
from linkrisk.cli.tune import tune
from linkrisk.engine import interrupt

if TYPE_CHECKING:
    from linkrisk.assessment.result import Assessment
    from linkrisk.assessment.settings import Settings

REJECTED = 1
"""Exit code where a certificate does not hold."""


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
def assess(
    original: Original,
    protected: Protected,
    attributes: KnownAttributes = None,
    schema: SchemaFile = None,
    id: IdColumn = None,  # noqa: A002  (the word users type)
    pairs: PairsFile = None,
    match: Matches = None,
    missing: MissingCodes = None,
    delimiter: Delimiter = None,
    attackers: Annotated[
        str | None,
        typer.Option(
            help="Names: mean,kernel,probabilistic,weighted_mean,owa,choquet,bilinear_psd. Default: all that need no "
            "parameters, but probabilistic; parameters that are not given are learned."
        ),
    ] = None,
    parameters: Annotated[Path | None, typer.Option(help="JSON or TOML file with parameters of attackers.")] = None,
    scales: Scales = "separate,original,ranks",
    ties: TieRule = "unique",
    scenario: Annotated[
        list[str] | None, typer.Option(help="NAME=a,b: also play an intruder who knows only a and b. Repeatable.")
    ] = None,
    one_to_one: Annotated[bool, typer.Option("--one-to-one", help="Also link one to one.")] = False,
    ranks: Annotated[bool, typer.Option("--ranks", help="Also rank each record's own version (slower).")] = False,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds for learning each attacker on each scale. Default: none.")
    ] = None,
    holdout: Annotated[
        float, typer.Option(help="Share of the true pairs held out while learning, for an honest rate: 0.5.")
    ] = 0.0,
    repeats: Annotated[int, typer.Option(help="How often pairs are held out.")] = 5,
    pool: Annotated[
        str, typer.Option(help="Candidates for those held out: all protected records, or those of the test records.")
    ] = "all",
    margin: Annotated[float, typer.Option(help="Learn links nearer by this share of the distance to the next.")] = 0.0,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Also tell which attributes carry the links, and ranges of the parameters."),
    ] = False,
    certificates: Annotated[
        Path | None, typer.Option(help="Folder for certificates of what was learned (confidential).")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON (confidential).")] = None,
    records: Annotated[
        Path | None, typer.Option(help="Write the risk of each record, .csv or .parquet (confidential).")
    ] = None,
    seed: RunSeed = 0,
    threads: Threads = None,
    overwrite: Overwrite = False,
) -> None:
    """Attack a protected file with every attacker asked for, and tell what they find."""
    from linkrisk.assessment.settings import load_parameters, make_settings  # noqa: PLC0415

    given = {} if parameters is None else load_parameters(parameters)
    contents: dict[str, Any] = {
        "original": original,
        "protected": protected,
        "attributes": names_of(attributes),
        "schema": schema,
        "id": id,
        "pairs": pairs,
        "match": matches_of(match),
        "missing": names_of(missing) or [],
        "delimiter": delimiter_of(delimiter),
        "scales": names_of(scales),
        "ties": ties,
        "scenario": [_scenario(text) for text in scenario or []],
        "one_to_one": one_to_one,
        "ranks": ranks,
        "time_limit": time_limit,
        "holdout": holdout,
        "repeats": repeats,
        "pool": pool,
        "margin": margin,
        "explain": explain,
        "certificates": certificates,
        "json": json,
        "records": records,
        "seed": seed,
        "threads": threads,
        "overwrite": overwrite,
    }
    named = names_of(attackers) or []
    if attackers is not None or given:
        contents["attackers"] = _attackers(named, given)
    inputs = [] if parameters is None else [parameters]
    settings = make_settings(contents, inputs=inputs)
    for name in dict.fromkeys(name for name in named if named.count(name) > 1):
        typer.echo(f"note: --attackers names {name} more than once; it is run once.", err=True)
    _carry_out(settings)


app.command()(protect)


app.command()(loss)
app.command()(compare)
app.command()(tune)
app.command()(match)


@app.command()
def run(file: Annotated[Path, typer.Argument(help="Assessment file (TOML).")]) -> None:
    """Run the assessment described in a TOML file."""
    from linkrisk.assessment.settings import load_settings  # noqa: PLC0415

    _carry_out(load_settings(file))


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
    from linkrisk.verifier.verify import verify  # noqa: PLC0415

    with TerminalReporter(Console(stderr=True)) as reporter:
        reporter.step(f"checking {certificate.name}")
        verdict = verify(certificate, original, protected, pairs=pairs, progress=reporter.progress)
    show(verdict)
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
    assessment.write(settings.json_file, settings.records, overwrite=settings.overwrite)
    show(assessment)
    for path in (settings.json_file, settings.records, settings.certificates):
        if path is not None:
            typer.echo(f"written, confidential: {path}")
    if not assessment.is_complete:
        raise typer.Exit(interrupt.INTERRUPTED)


def _scenario(text: str) -> dict[str, Any]:
    name, attributes = assignment_of(text, "scenario")
    return {"name": name, "attributes": names_of(attributes)}


def _attackers(names: list[str], given: dict[str, dict[str, Any]]) -> list[Any]:
    """Put parameters to their attackers; those only named in the parameters file are run too."""
    ordered = list(dict.fromkeys([*names, *given]))
    return [{"name": name, **given[name]} if name in given else name for name in ordered]
