"""The result of checking a certificate: a verdict, and the exception that leads to a rejection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class Rejection(Exception):  # noqa: N818  (not an error of the user: a certificate that proves nothing is an answer)
    """A check has failed; the sentence says which one. `check_certificate` catches it."""


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate proves what it claims.

    ``reason`` is one sentence: what is proven, or the first check that failed. ``links`` and ``bound`` are those that
    were checked; None where the certificate is rejected. ``n_checked`` counts what was checked: pairs of records, lost
    records, cores, leaves of a tree, boxes.
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
