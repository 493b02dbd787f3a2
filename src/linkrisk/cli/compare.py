"""The command ``compare``: several releases of one file side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkrisk.cli.options import (
    Delimiter,
    IdColumn,
    KnownAttributes,
    Matches,
    MissingCodes,
    Original,
    Overwrite,
    PairsFile,
    RiskAttackers,
    RunSeed,
    Scales,
    SchemaFile,
    Threads,
    TieRule,
    check_results,
    delimiter_of,
    matches_of,
    names_of,
)
from linkrisk.cli.show import show
from linkrisk.engine import interrupt


def compare(
    original: Original,
    releases: Annotated[list[Path], typer.Argument(help="Its protected versions.")],
    attributes: KnownAttributes = None,
    schema: SchemaFile = None,
    id: IdColumn = None,  # noqa: A002  (the word users type)
    pairs: PairsFile = None,
    match: Matches = None,
    missing: MissingCodes = None,
    delimiter: Delimiter = None,
    attackers: RiskAttackers = None,
    scales: Scales = "separate,original,ranks",
    ties: TieRule = "expected",
    time_limit: Annotated[
        float, typer.Option(help="Seconds for learning each attacker on each scale of each release.")
    ] = 10.0,
    json: Annotated[
        Path | None, typer.Option(help="Write the comparison as JSON; nothing in it is of a record.")
    ] = None,
    seed: RunSeed = 0,
    threads: Threads = None,
    overwrite: Overwrite = False,
) -> None:
    """Compare protected versions of a file: worst case, average risk, information loss and score of each."""
    from rich.console import Console  # noqa: PLC0415

    from linkrisk.advice.releases import compare_releases  # noqa: PLC0415
    from linkrisk.advice.risk import ATTACKERS  # noqa: PLC0415
    from linkrisk.cli.progress import TerminalReporter  # noqa: PLC0415

    check_results([json], [original, *releases, schema, pairs], overwrite=overwrite)
    with TerminalReporter(Console(stderr=True)) as reporter:
        found = compare_releases(
            original,
            releases,
            attributes=names_of(attributes),
            schema=schema,
            id=id,
            pairs=pairs,
            match=matches_of(match),
            missing=names_of(missing),
            delimiter=delimiter_of(delimiter),
            attackers=names_of(attackers) or ATTACKERS,
            scales=names_of(scales) or [],
            ties=ties,
            time_limit=time_limit,
            seed=seed,
            threads=threads,
            reporter=reporter,
        )
    found.write(json, overwrite=overwrite)  # before anything is shown: a pipe that is closed must not cost the result
    show(found)
    if json is not None:
        typer.echo(f"written: {json}")
    if not found.is_complete:
        raise typer.Exit(interrupt.INTERRUPTED)
