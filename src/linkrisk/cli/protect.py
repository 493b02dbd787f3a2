"""The command ``protect``: a file in, its protected version, a record and a secret out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkrisk.cli.options import (
    Delimiter,
    MissingCodes,
    Original,
    Overwrite,
    SchemaFile,
    SecretFile,
    SecretSeed,
    delimiter_of,
)
from linkrisk.cli.show import show

if TYPE_CHECKING:
    from linkrisk.protection.protection import Protection
    from linkrisk.protection.release_files import ReleaseFiles

SEED_NOTICE = "linkrisk: --secret-seed is for tests; a seed that others can know or guess undoes the protection"


def protect(
    file: Original,
    method: Annotated[
        str,
        typer.Option(
            help="mdav, individual_ranking, z_scores, principal_components, rank_swap, noise, correlated_noise, pram, "
            "rounding, coding, generalise."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The protected file to write, .csv or .parquet.")],
    groups: Annotated[
        str | None,
        typer.Option(
            help="Attributes protected together and the k of each group: A,B:3;C,D:8. Or a file of the papers: M4-28, "
            "Mic553-2.8.5, B1. Default: all in one group."
        ),
    ] = None,
    k: Annotated[str | None, typer.Option(help="Records in a cluster at least: 5, or A:3,B:8.")] = None,
    p: Annotated[str | None, typer.Option(help="Percent of ranks or of the standard deviation: 4, or A:1,B:2.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="mdav: cluster raw values, not standardised ones.")] = False,
    variant: Annotated[str | None, typer.Option(help="mdav: classic, or fast for a million records.")] = None,
    centroid: Annotated[str | None, typer.Option(help="mean, median or mode, or A:median,B:mode.")] = None,
    keep: Annotated[str | None, typer.Option(help="pram: probability to keep a category: 0.8, or A:0.8,B:0.9.")] = None,
    base: Annotated[str | None, typer.Option(help="rounding: 1000, or A:1000,B:5.")] = None,
    random: Annotated[bool, typer.Option("--random", help="rounding: up or down at random, without bias.")] = False,
    top: Annotated[str | None, typer.Option(help="coding: largest value released: A:50000.")] = None,
    bottom: Annotated[str | None, typer.Option(help="coding: smallest value released.")] = None,
    top_percent: Annotated[str | None, typer.Option(help="coding: percent of the values to cut at the top.")] = None,
    bottom_percent: Annotated[str | None, typer.Option(help="coding: percent of the values to cut below.")] = None,
    into: Annotated[
        str | None, typer.Option(help="generalise: width of intervals, or categories in a run: AGI:1000,EDUCATION:2.")
    ] = None,
    attributes: Annotated[str | None, typer.Option(help="Attributes to protect: a,b,c.")] = None,
    leave: Annotated[str | None, typer.Option(help="Attributes to release as they are: a,b,c.")] = None,
    schema: SchemaFile = None,
    missing: MissingCodes = None,
    delimiter: Delimiter = None,
    secret_seed: SecretSeed = None,
    secret: SecretFile = None,
    record: Annotated[Path | None, typer.Option(help="Write what was done as JSON, without the seed.")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Protect a file by one method, and write its protected version."""
    from rich.console import Console  # noqa: PLC0415

    from linkrisk.cli.progress import TerminalReporter  # noqa: PLC0415
    from linkrisk.protection.protect import protect as run  # noqa: PLC0415
    from linkrisk.protection.registry import find_method  # noqa: PLC0415
    from linkrisk.protection.release_files import ReleaseFiles  # noqa: PLC0415

    files = ReleaseFiles.of(method, out, secret, record, draws=find_method(method).draws(random=random))
    files.check([file, schema], overwrite=overwrite)
    with TerminalReporter(Console(stderr=True)) as reporter:
        protection = run(
            file,
            method,
            groups=groups,
            k=k,
            p=p,
            raw=raw,
            variant=variant,
            centroid=centroid,
            keep=keep,
            base=base,
            random=random,
            top=top,
            bottom=bottom,
            top_percent=top_percent,
            bottom_percent=bottom_percent,
            into=into,
            attributes=attributes,
            leave=leave or (),
            schema=schema,
            missing=missing,
            delimiter=delimiter_of(delimiter),
            secret_seed=secret_seed,
            progress=lambda done, total: reporter.step(f"protecting {file.name}, {done / total:.0%}"),
        )
    if secret_seed is not None:
        typer.echo(SEED_NOTICE, err=True)
    protection.write(out, secret=secret, record=record, overwrite=overwrite)
    tell_release(protection, files)


def tell_release(protection: Protection, files: ReleaseFiles) -> None:
    """Tell what was done and which files were written."""
    show(protection)
    typer.echo(f"written: {files.out}")
    if files.secret is not None:
        typer.echo(f"written, confidential (the seed): {files.secret}")
    if files.record is not None:
        typer.echo(f"written: {files.record}")
