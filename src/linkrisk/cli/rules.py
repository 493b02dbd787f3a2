"""Release rules on the command line: said, and told by the exit code."""

from __future__ import annotations

from collections.abc import Callable

import typer

from linkrisk.attack.rules import ReleaseRules
from linkrisk.cli import output
from linkrisk.cli.endings import RULE_BROKEN
from linkrisk.engine import interrupt


def end_by_rules(rules: ReleaseRules, broken: Callable[[ReleaseRules], list[str]], *, is_complete: bool) -> None:
    """Say which rules are broken, or that all are kept, and end with the exit code for that.

    A run that was interrupted ends with the code of the signal, because what it did not come to could break a rule.
    """
    sentences = broken(rules)
    for sentence in sentences:
        output.warn(f"linkrisk: {sentence}.")
    if not is_complete:
        raise typer.Exit(interrupt.exit_code())
    if sentences:
        raise typer.Exit(RULE_BROKEN)
    kept = rules.kept()
    if kept is not None:
        output.say(kept)
