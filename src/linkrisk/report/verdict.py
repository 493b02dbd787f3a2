"""How the verdict on a certificate is shown: in one sentence."""

from __future__ import annotations

from typing import Any

from linkrisk.report.blocks import Block, Sentence
from linkrisk.verifier.verdict import Verdict


def blocks(verdict: Verdict) -> list[Block]:
    """Return whether the certificate holds, why, and what was looked at."""
    checked = ", ".join(f"{count:,} {what}" for what, count in verdict.n_checked.items() if count)
    word = "valid" if verdict.is_valid else "REJECTED"
    text = f"{word}: {verdict.reason} ({f'{checked} checked, ' if checked else ''}{verdict.seconds:.1f} s)"
    return [Sentence(text)]


def document(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict by the names of its fields."""
    return {
        "is_valid": verdict.is_valid,
        "reason": verdict.reason,
        "links": verdict.links,
        "bound": verdict.bound,
        "n_checked": dict(verdict.n_checked),
        "seconds": verdict.seconds,
    }


def columns(verdict: Verdict) -> dict[str, list[Any]]:
    """Return one row."""
    return {
        "is_valid": [verdict.is_valid],
        "reason": [verdict.reason],
        "links": [verdict.links],
        "bound": [verdict.bound],
        **{f"checked_{what.replace(' ', '_')}": [count] for what, count in verdict.n_checked.items()},
        "seconds": [verdict.seconds],
    }
