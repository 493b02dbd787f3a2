"""Release rules on the command line: said, and told by the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from linkrisk.cli import output
from linkrisk.cli.endings import RULE_BROKEN
from linkrisk.engine import interrupt

if TYPE_CHECKING:
    from linkrisk.advice.releases import Releases
    from linkrisk.assessment.result import Assessment


def end_by_rules(found: Assessment | Releases) -> None:
    """Say which rules are broken, or that all are kept, and end with the exit code for that.

    A run that was interrupted ends with the code of the signal, because what it did not come to could break a rule.
    """
    sentences = found.broken()
    for sentence in sentences:
        output.warn(f"linkrisk: {sentence}.")
    if not found.is_complete:
        raise typer.Exit(interrupt.exit_code())
    if sentences:
        raise typer.Exit(RULE_BROKEN)
    kept = found.rules.kept()
    if kept is not None:
        output.say(kept)
