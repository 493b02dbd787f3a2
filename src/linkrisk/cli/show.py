"""A result on the terminal; where there is none, as plain text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from linkrisk.result import Result

MIN_WIDTH = 110
"""A narrower terminal wraps the tables; cutting numbers short would be worse."""


def show(result: Result) -> None:
    """Print a result: tables with frames on a terminal, into files and pipes what `print` shows."""
    if not sys.stdout.isatty():
        typer.echo(str(result))
        return
    from rich.console import Console  # noqa: PLC0415

    from linkrisk import report  # noqa: PLC0415

    report.show(result, Console(width=max(MIN_WIDTH, Console().width)))
