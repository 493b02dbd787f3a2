"""The command ``loss``: what a protected file is worth less than the original."""

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
    check_results,
    delimiter_of,
    matches_of,
    names_of,
)

if TYPE_CHECKING:
    from linkrisk.loss.result import Loss


def loss(
    original: Original,
    protected: Annotated[Path, typer.Argument(help="Its protected version.")],
    attributes: Annotated[
        str | None, typer.Option(help="Attributes to measure: a,b,c. Default: all columns in both files.")
    ] = None,
    schema: SchemaFile = None,
    id: Annotated[  # noqa: A002  (the word users type)
        str | None, typer.Option(help="Column of both files that says which records belong together.")
    ] = None,
    pairs: Annotated[Path | None, typer.Option(help="File with two columns: the true pairs.")] = None,
    match: Annotated[
        list[str] | None,
        typer.Option(help="a=b: column a of the original is b in the protected file. Repeatable."),
    ] = None,
    missing: MissingCodes = None,
    delimiter: Delimiter = None,
    target: Annotated[
        str | None, typer.Option(help="Attribute explained in regressions. Default: each numeric one in turn.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON; nothing in it is of a record.")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Measure the information lost in a protected file: PIL, IL1s, moments, regression, pMSE, categories."""
    from linkrisk.loss.measure import measure  # noqa: PLC0415

    check_results([json], [original, protected, schema, pairs], overwrite=overwrite)
    found = measure(
        original,
        protected,
        attributes=names_of(attributes),
        schema=schema,
        id=id,
        pairs=pairs,
        match=matches_of(match or []),
        missing=names_of(missing),
        delimiter=delimiter_of(delimiter),
        target=target,
    )
    if json is not None:
        _write(found, json, overwrite)
    typer.echo(str(found))
    if json is not None:
        typer.echo(f"written: {json}")


def _write(found: Loss, path: Path, overwrite: bool) -> None:
    import json  # noqa: PLC0415  (an option of the command has its name)

    from linkrisk.data.writing import write_text  # noqa: PLC0415

    text = json.dumps(found.as_dict(), indent=1, allow_nan=False, ensure_ascii=False)
    write_text(path, f"{text}\n", confidential=False, overwrite=overwrite)
