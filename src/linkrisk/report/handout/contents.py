"""What a report to hand on is made of: a verdict, and sections of blocks and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from linkrisk.report.blocks import Block
from linkrisk.report.charts.figure import Figure
from linkrisk.report.verdict import Verdict


class Kind(StrEnum):
    """Who may read a report: anybody (``shareable``), or the owner of the original alone (``internal``)."""

    SHAREABLE = "shareable"
    INTERNAL = "internal"


KINDS_TOLD = {
    Kind.SHAREABLE: "This report may be handed on: nothing in it is about a single record.",
    Kind.INTERNAL: "CONFIDENTIAL: records, values and parameters in it stay with the owner of the original.",
}
"""What a report says of itself."""


@dataclass(frozen=True)
class Picture:
    """A chart, with the data behind it."""

    figure: Figure


@dataclass(frozen=True)
class Heading:
    """The heading of a part of a section."""

    text: str


@dataclass(frozen=True)
class Facts:
    """Words, each with what there is to say of it."""

    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    texts: tuple[str, ...]


Part = Block | Picture | Heading | Facts | Items


@dataclass(frozen=True)
class Section:
    """A section with a heading; ``name`` is its address within the report."""

    name: str
    heading: str
    parts: tuple[Part, ...]

    @classmethod
    def among(cls, name: str, heading: str, parts: Iterable[Part | None]) -> list[Section]:
        """Return the section in a list, with the parts that there are; an empty list where there is none.

        >>> Section.among("people", "People", [None])
        []
        """
        kept = tuple(part for part in parts if part is not None)
        return [cls(name, heading, kept)] if kept else []


@dataclass(frozen=True)
class Handout:
    """A whole report: what it is about, its verdict, its sections, and what differs from one run to the next.

    ``timings`` is the only part that is not the same for the same files, settings and seed.
    """

    title: str
    about: str
    kind: Kind
    verdict: Verdict
    sections: tuple[Section, ...]
    timings: Section
    is_complete: bool = True

    @property
    def is_confidential(self) -> bool:
        """Whether it stays with the owner of the original."""
        return self.kind is Kind.INTERNAL


def optional(figure: Figure | None) -> Picture | None:
    """Return a figure as a part of a section, None where there is none."""
    return None if figure is None else Picture(figure)
