"""The start of the command line: listens for Ctrl-C before anything that takes time is imported."""

from __future__ import annotations

import io
import sys

from linkrisk.cli.endings import INPUT_MISTAKE, INTERRUPTED_LINE
from linkrisk.engine import interrupt
from linkrisk.errors import InputError


def main() -> None:
    """Run the command line; mistakes of the user end in one sentence and exit code 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a character that the terminal lacks is replaced
        sys.stdout.reconfigure(errors="replace")
    try:
        with interrupt.listening():
            _run_command()
    except InputError as problem:
        _say(f"linkrisk: {_with_full_stops(str(problem))}")
        sys.exit(INPUT_MISTAKE)
    except KeyboardInterrupt:  # before a command began; a command handles it itself
        _say(INTERRUPTED_LINE)
        sys.exit(interrupt.INTERRUPTED)


def _run_command() -> None:
    from linkrisk.cli.commands import app  # noqa: PLC0415  (imports typer)

    try:
        app()
    finally:
        interrupt.check()  # typer ends silently if it is interrupted before the command


def _with_full_stops(text: str) -> str:
    """Return sentences, one per line, each with a full stop at its end.

    >>> _with_full_stops("--holdout: must be less than or equal to 0.9")
    '--holdout: must be less than or equal to 0.9.'
    """
    return "\n".join(line if line.endswith((".", "?", "!")) else f"{line}." for line in text.split("\n"))


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
