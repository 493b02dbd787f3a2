"""What every report ends with on a terminal, and begins with on paper: the verdict, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Headline:
    """The number of a report: a share of the people, what it is the share of, and whether it is allowed.

    ``is_allowed`` is None where nobody said what is.
    """

    share: float
    told: str
    is_allowed: bool | None = None


@dataclass(frozen=True)
class Verdict:
    """What a reader has to know, and what he can do: the same sentences on terminal, report and page.

    ``says`` begins with the most important: who finds how many, how sure that is, what carries it.

    >>> list(Verdict(("He finds 3.",), ("Protect more.",)))
    ['He finds 3.', 'Protect more.']
    """

    says: tuple[str, ...]
    to_do: tuple[str, ...] = ()
    headline: Headline | None = None

    def __iter__(self) -> Iterator[str]:
        yield from (*self.says, *self.to_do)
