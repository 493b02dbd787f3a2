"""The command ``match``: how sure an intruder may be of matches between samples, given published tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkrisk.cli.compare import write_json
from linkrisk.cli.options import (
    Delimiter,
    Overwrite,
    check_results,
    delimiter_of,
    names_of,
)
from linkrisk.errors import SettingsError

if TYPE_CHECKING:
    from linkrisk.tables.evidence.publication import TableDescription


def match(
    samples: Annotated[list[Path], typer.Argument(help="Two or more samples of one population, one row per record.")],
    tables: Annotated[Path | None, typer.Option(help="TOML file that names the published tables.")] = None,
    population: Annotated[int | None, typer.Option(help="Number of people, where no table tells it.")] = None,
    overlap: Annotated[
        str | None, typer.Option(help="Attributes to match by: a,b,c. Default: all that every sample has.")
    ] = None,
    id: Annotated[  # noqa: A002  (the word users type)
        str | None, typer.Option(help="Column of the samples that says who is who, to judge matches by.")
    ] = None,
    posterior: Annotated[
        str, typer.Option(help="paper (naive), sums (tables count as sums of cells, too) or exact (costly).")
    ] = "paper",
    bounds: Annotated[str, typer.Option(help="exact (all tables together) or naive (one by one).")] = "exact",
    truth: Annotated[Path | None, typer.Option(help="The population, one row per person, to compare with.")] = None,
    candidate: Annotated[Path | None, typer.Option(help="A table not published yet: may it be published too?")] = None,
    mechanism: Annotated[
        str, typer.Option(help="Of the candidate: exact, rounded, random_rounding, suppressed or sample.")
    ] = "exact",
    base: Annotated[int | None, typer.Option(help="Of the candidate: base of its rounding.")] = None,
    count: Annotated[str, typer.Option(help="Of the candidate: its column of counts.")] = "count",
    contributions: Annotated[
        bool, typer.Option("--contributions/--no-contributions", help="Leave out each table in turn.")
    ] = True,
    confident: Annotated[str, typer.Option(help="Probabilities that count as confident.")] = "0.5,0.9",
    time_limit: Annotated[
        float, typer.Option(help="Seconds for all exact bounds, and for all exact posteriors.")
    ] = 60.0,
    json: Annotated[Path | None, typer.Option(help="Write the report as JSON; nothing in it is of a record.")] = None,
    matches: Annotated[Path | None, typer.Option(help="Write every match, .csv or .parquet (confidential).")] = None,
    delimiter: Delimiter = None,
    seed: Annotated[int, typer.Option(help="Seed of Markov chains.")] = 0,
    overwrite: Overwrite = False,
) -> None:
    """Tell how likely matches between samples are the right people, and which published tables told it."""
    from rich.console import Console  # noqa: PLC0415

    from linkrisk.cli.progress import TerminalReporter  # noqa: PLC0415
    from linkrisk.data.writing import write_columns  # noqa: PLC0415
    from linkrisk.tables.match import match as judge  # noqa: PLC0415

    check_results([json, matches], [*samples, tables, truth, candidate], overwrite=overwrite)
    new = None if candidate is None else _candidate(candidate, mechanism, base, count)
    with TerminalReporter(Console(stderr=True)) as reporter:

        def tell(done: int, total: int) -> None:
            reporter.step(f"evidence judged {done} of {total} times")

        report = judge(
            samples,
            tables,
            population=population,
            overlap=names_of(overlap),
            id=id,
            posterior=posterior,
            bounds=bounds,
            truth=truth,
            candidate=new,
            contributions=contributions,
            confident=_levels(confident),
            seed=seed,
            time_limit=time_limit,
            delimiter=delimiter_of(delimiter),
            progress=tell,
        )
    if json is not None:
        write_json(json, report.as_dict(), overwrite=overwrite)
    if matches is not None:
        write_columns(matches, report.matches.columns(), confidential=True, overwrite=overwrite)
    typer.echo(str(report))
    if json is not None:
        typer.echo(f"written: {json}")
    if matches is not None:
        typer.echo(f"written, confidential: {matches}")


def _candidate(path: Path, mechanism: str, base: int | None, count: str) -> TableDescription:
    from linkrisk.tables.evidence.publication import make_table_description  # noqa: PLC0415

    options: dict[str, Any] = {"mechanism": mechanism, "base": base, "count": count, "name": path.name}
    return make_table_description(path, **options)


def _levels(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise SettingsError("--confident takes probabilities, such as 0.5,0.9") from None
