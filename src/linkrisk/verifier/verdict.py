"""What checking a certificate comes to: a verdict, or the one check that failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class Rejection(Exception):  # noqa: N818  (no error of the user: a certificate that proves nothing is an answer)
    """A check has failed; the sentence says which. Caught by `linkrisk.verifier.check`."""


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate proves what it claims.

    ``reason`` is one sentence: what was proven, or the first check that failed. ``links`` and ``bound`` are what was
    checked, None where the certificate is rejected. ``n_checked`` counts what was looked at: pairs of records,
    records lost, cores, leaves of a tree, boxes.
    """

    is_valid: bool
    reason: str
    links: float | None = None
    bound: float | None = None
    n_checked: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def __bool__(self) -> bool:
        return self.is_valid

    def __str__(self) -> str:
        checked = ", ".join(f"{count:,} {what}" for what, count in self.n_checked.items() if count)
        word = "valid" if self.is_valid else "REJECTED"
        return f"{word}: {self.reason} ({f'{checked} checked, ' if checked else ''}{self.seconds:.1f} s)"
