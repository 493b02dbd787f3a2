"""What a report is made of. The module of each result decides which blocks it has, and in which order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from linkrisk.printable import ended
from linkrisk.report.tables import Table
from linkrisk.report.verdict import Verdict


class Weight(Enum):
    """How important a sentence is: a ``MAIN`` one opens a paragraph of its own, an ``ALARM`` is a warning."""

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
    """What a reader should also know."""

    text: str


@dataclass(frozen=True)
class Drawing:
    """A chart in plain characters, line by line."""

    lines: tuple[str, ...]


Line = Sentence | Fault | Note
Block = Line | Table | Drawing


@dataclass(frozen=True)
class Detail:
    """A block that is shown only to who asks for details."""

    block: Block


def chosen(blocks: Iterable[Block | Detail], *, details: bool) -> list[Block]:
    """Return the blocks that are shown, with details or without.

    >>> [block.text for block in chosen([Sentence("a"), Detail(Sentence("b"))], details=False)]
    ['a']
    """
    shown = (block for block in blocks if details or not isinstance(block, Detail))
    return [block.block if isinstance(block, Detail) else block for block in shown]


INTERRUPTED = Sentence("Interrupted: only what was found before is shown.", Weight.ALARM)


def likewise(sentences: Iterable[str], subjects: Iterable[str]) -> list[str]:
    """Return sentences as whole ones; those that say the same of several subjects as one that names the others.

    >>> likewise(["net income is odd", "mean: odd", "age is odd"], ["net income", "age", "mean"])
    ['net income is odd. Likewise: age.', 'mean: odd.']
    """
    known = sorted(subjects, key=len, reverse=True)
    alike: dict[str, list[tuple[str, str]]] = {}
    for sentence in dict.fromkeys(sentences):
        subject = next((name for name in known if sentence.startswith((f"{name} ", f"{name}: "))), "")
        said = sentence[len(subject) :]
        alike.setdefault(said if subject else sentence, []).append((subject, sentence))
    return [
        f"{ended(first)} Likewise: {', '.join(subject for subject, _ in others)}." if others else ended(first)
        for (_, first), *others in alike.values()
    ]


def left_out_blocks(reasons: Iterable[str]) -> list[Sentence]:
    """Return warnings on who could not attack; whoever could not for the same reason as another is only named.

    >>> left_out_blocks(["owa is for few", "choquet is for few"])[0].text
    'Left out: owa is for few. Likewise: choquet.'
    """
    told = list(reasons)
    attackers = {reason.partition(" ")[0].rstrip(":") for reason in told}  # their names are single words
    return [Sentence(f"Left out: {sentence}", Weight.ALARM) for sentence in likewise(told, attackers)]


def note_blocks(notes: Iterable[str], subjects: Iterable[str] = ()) -> list[Note]:
    """Return notes, one for each cause: subjects of whom the same is said are only named."""
    return [Note(note) for note in likewise(notes, subjects)]


def verdict_blocks(verdict: Verdict) -> list[Sentence]:
    """Return a verdict, its first sentence as what matters most.

    >>> [block.weight.value for block in verdict_blocks(Verdict(("He finds 3.", "1 by luck."), ("Protect more.",)))]
    ['main', 'usual']
    """
    first, *others = tuple(verdict) or ("",)
    return [Sentence(first, Weight.MAIN), *([Sentence("\n".join(others))] if others else [])]


def opens_paragraph(block: Block) -> bool:
    """Whether an empty line stands before a block."""
    return isinstance(block, Table | Drawing) or (isinstance(block, Sentence) and block.weight is Weight.MAIN)
