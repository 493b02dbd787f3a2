"""Mistakes in how a command is typed, in one sentence as all others."""

from __future__ import annotations

import re
from typing import Any

import typer

from linkrisk.printable import printable

UsageError: Any = typer.BadParameter.__mro__[1]
"""What typer raises where a command, option or argument is unknown, lacking or of the wrong kind."""

_GUESS = re.compile(r"[.;,]?\s*\(?(?:Did you mean|Possible options:)\s*(?P<names>[^?)]*)\??\)?\s*$")


def usage_sentence(problem: Any) -> str:
    """Return one sentence with the remedy; an empty one where typer has shown the help instead."""
    message = str(problem.format_message()).strip()
    if not message:
        return ""
    guess = _GUESS.search(message)
    if guess is not None:
        message = f"{message[: guess.start()]} (did you mean {guess['names'].strip()}?)"
    told = printable(f"{message[:1].lower()}{message[1:].rstrip('.')}")
    where = problem.ctx.command_path if problem.ctx is not None else "linkrisk"
    return f"{told}; see {where} --help"
