"""What options mean that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkrisk.errors import SettingsError
from linkrisk.name_list import split_names

Original = Annotated[Path, typer.Argument(help="The original file (CSV, Parquet, SPSS, Stata, SAS, R).")]
Protected = Annotated[Path, typer.Argument(help="Its protected version.")]
KnownAttributes = Annotated[
    str | None, typer.Option(help='Attributes the intruder knows: a,b,"c, d". Default: all columns in both files.')
]
IdColumn = Annotated[str | None, typer.Option(help="Column of all files that says which records belong together.")]
PairsFile = Annotated[Path | None, typer.Option(help="File with two columns: the true pairs.")]
Matches = Annotated[
    list[str] | None, typer.Option(help="a=b: column a of the original is b in the protected file. Repeatable.")
]
RiskAttackers = Annotated[
    str | None, typer.Option(help="Who attacks; the strongest is the worst case. Default: quick ones, weighted_mean.")
]
RunSeed = Annotated[int, typer.Option(help="Seed of the run.")]
SchemaFile = Annotated[Path | None, typer.Option(help="TOML file with kinds, roles, orders, missing codes.")]
MissingCodes = Annotated[str | None, typer.Option(help="Codes that mean missing in every column: 99,-9.")]
Delimiter = Annotated[str | None, typer.Option(help="CSV delimiter, where it is not found out: , ; or tab.")]
Scales = Annotated[str, typer.Option(help="Scales to attack on.")]
TieRule = Annotated[str, typer.Option(help="Links that count: unique, class or expected.")]
Threads = Annotated[int | None, typer.Option(help="Cores to use. Default: all.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace result files that exist.")]
SecretSeed = Annotated[int | None, typer.Option(help="For tests: a fixed seed. Default: 128 secret bits.")]
SecretFile = Annotated[Path | None, typer.Option(help="File for the seed (confidential). Default: OUT.secret.")]


def names_of(text: str | None) -> list[str] | None:
    """Return the names in a text, None for no text.

    >>> names_of('age,"income, net"'), names_of(None)
    (['age', 'income, net'], None)
    """
    return None if text is None else split_names(text)


def delimiter_of(text: str | None) -> str | None:
    r"""Return the delimiter meant: a tab can be written as such, as ``\t``, or as ``tab``."""
    return "\t" if text in {"\\t", "tab"} else text


def matches_of(texts: list[str] | None) -> dict[str, str]:
    """Return which column of the original, named once, has which name in the protected file.

    >>> matches_of(["income=income_k"])
    {'income': 'income_k'}
    """
    pairs = [assignment_of(text, "match") for text in texts or []]
    matches = dict(pairs)
    if len(matches) < len(pairs):
        raise SettingsError("--match names one column of the original twice; match each once")
    return matches


def assignment_of(text: str, option: str) -> tuple[str, str]:
    """Return the two sides of ``NAME=VALUE``, as an option takes it."""
    left, sign, right = (part.strip() for part in text.partition("="))
    if not (left and sign and right):
        raise SettingsError(f"--{option} takes NAME=VALUE; one of its values has no = or an empty side")
    return left, right
