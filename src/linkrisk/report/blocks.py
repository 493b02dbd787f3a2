"""What a report is made of; which of them, and in which order, the module of each result decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from linkrisk.report.tables import Table


class Weight(Enum):
    """How much a sentence is to be noticed: a ``MAIN`` one opens a paragraph of its own, an ``ALARM`` is a warning."""

    USUAL = "usual"
    MAIN = "main"
    ALARM = "alarm"


@dataclass(frozen=True)
class Sentence:
    """One or several sentences; each line of the text is a line of the report."""

    text: str
    weight: Weight = Weight.USUAL


@dataclass(frozen=True)
class Fault:
    """What has to be mended before anything else."""

    text: str


@dataclass(frozen=True)
class Note:
    """What a reader should know besides."""

    text: str


@dataclass(frozen=True)
class Drawing:
    """A chart in plain characters, a line of the chart per line."""

    lines: tuple[str, ...]


Line = Sentence | Fault | Note
Block = Line | Table | Drawing

INTERRUPTED = Sentence("Interrupted: what is shown was found until then.", Weight.ALARM)


def opens_paragraph(block: Block) -> bool:
    """Whether an empty line stands before a block."""
    return isinstance(block, Table | Drawing) or (isinstance(block, Sentence) and block.weight is Weight.MAIN)
