"""How the verification of a certificate is shown: in one sentence."""

from __future__ import annotations

from typing import Any

from linkrisk.report.blocks import Block, Sentence
from linkrisk.verifier.verification import Verification


def blocks(verification: Verification) -> list[Block]:
    """Return whether the certificate holds, why, and what was looked at."""
    checked = ", ".join(f"{count:,} {what}" for what, count in verification.n_checked.items() if count)
    word = "valid" if verification.is_valid else "REJECTED"
    text = f"{word}: {verification.reason} ({f'{checked} checked, ' if checked else ''}{verification.seconds:.1f} s)"
    return [Sentence(text)]


def document(verification: Verification) -> dict[str, Any]:
    """Return the verification by the names of its fields."""
    return {
        "is_valid": verification.is_valid,
        "reason": verification.reason,
        "links": verification.links,
        "bound": verification.bound,
        "n_checked": dict(verification.n_checked),
        "seconds": verification.seconds,
    }


def columns(verification: Verification) -> dict[str, list[Any]]:
    """Return one row."""
    return {
        "is_valid": [verification.is_valid],
        "reason": [verification.reason],
        "links": [verification.links],
        "bound": [verification.bound],
        **{f"checked_{what.replace(' ', '_')}": [count] for what, count in verification.n_checked.items()},
        "seconds": [verification.seconds],
    }
