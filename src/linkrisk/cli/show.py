"""A result shown on the terminal, or as plain text where there is no terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from linkrisk.result import Result

MIN_WIDTH = 110
"""Least width of tables: a narrower terminal wraps them, because cutting numbers short would be worse."""


def show(result: Result) -> None:
    """Print a result: on a terminal with frames around tables, to files and pipes as `print` does."""
    if not sys.stdout.isatty():
        typer.echo(str(result))
        return
    from rich.console import Console  # noqa: PLC0415

    from linkrisk import report  # noqa: PLC0415

    report.show(result, Console(width=max(MIN_WIDTH, Console().width)))
