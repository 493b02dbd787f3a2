"""The command ``loss``: what a protected file is worth less than the original."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkrisk.cli.options import (
    Delimiter,
    IdColumn,
    Matches,
    MissingCodes,
    Original,
    Overwrite,
    PairsFile,
    Protected,
    SchemaFile,
    check_results,
    delimiter_of,
    matches_of,
    names_of,
)
from linkrisk.cli.show import show


def loss(
    original: Original,
    protected: Protected,
    attributes: Annotated[
        str | None, typer.Option(help="Attributes to measure: a,b,c. Default: all columns in both files.")
    ] = None,
    schema: SchemaFile = None,
    id: IdColumn = None,  # noqa: A002  (the word users type)
    pairs: PairsFile = None,
    match: Matches = None,
    missing: MissingCodes = None,
    delimiter: Delimiter = None,
    target: Annotated[
        str | None, typer.Option(help="Attribute explained in regressions. Default: each numeric one in turn.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON; nothing in it is of a record.")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Measure the information lost in a protected file: PIL, IL1s, moments, regression, pMSE, categories."""
    from linkrisk.losses.loss import measure  # noqa: PLC0415

    check_results([json], [original, protected, schema, pairs], overwrite=overwrite)
    found = measure(
        original,
        protected,
        attributes=names_of(attributes),
        schema=schema,
        id=id,
        pairs=pairs,
        match=matches_of(match),
        missing=names_of(missing),
        delimiter=delimiter_of(delimiter),
        target=target,
    )
    found.write(json, overwrite=overwrite)
    show(found)
    if json is not None:
        typer.echo(f"written: {json}")
