"""The report on the search for a protection."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.advice.tuning import Tuning
from linkrisk.report.blocks import Fault, Note, Sentence, left_out_blocks, note_blocks
from linkrisk.report.handout.contents import Facts, Handout, Items, Kind, Part, Picture, Section
from linkrisk.report.handout.method import advice_parts
from linkrisk.report.handout.settings import made_on, version_facts
from linkrisk.report.shareable.tuning import SharedTuning
from linkrisk.report.tuning import NO_FRONT, trial_table


def handout(result: Tuning, kind: Kind) -> Handout:
    """Return the report on the search for a protection."""
    shared = SharedTuning.of(result)
    own = _own_sections(result) if kind is Kind.INTERNAL else []
    return Handout(
        title=f"A release of which at most {result.target:.1%} of the people can be found",
        about=shared.opening,
        kind=kind,
        verdict=shared.verdict,
        sections=(*_sections(shared), *own),
        timings=Section("timings", "Timings of this run", (made_on(),)),
        is_complete=shared.is_complete,
    )


def _sections(shared: SharedTuning) -> list[Section]:
    """Return what everybody may read."""
    return [
        *Section.among("faults", "Faults to be mended first", map(Fault, shared.faults)),
        *Section.among("front", "Releases tried", _tried(shared)),
        *Section.among("protection", "How the proposed release is made", _made(shared)),
        *Section.among("notes", "What else to know", map(Note, shared.notes)),
        *Section.among("method", "How this was found", advice_parts(shared.attackers)),
        Section("settings", "File and versions", (Facts((("original", shared.original_name), *version_facts())),)),
    ]


def _tried(shared: SharedTuning) -> Iterator[Part]:
    yield from left_out_blocks(shared.left_out)
    yield from map(Picture, shared.figures)
    yield Sentence(NO_FRONT) if shared.front is None else shared.front
    yield from map(Sentence, shared.remarks)


def _made(shared: SharedTuning) -> Iterator[Part]:
    if shared.made:
        yield Items(shared.made)


def _own_sections(found: Tuning) -> list[Section]:
    """Return every release that was tried, and all notes."""
    table = trial_table(found)
    return [
        *Section.among("own-trials", "Every release tried", [table] if table.rows else []),
        *Section.among("own-notes", "All notes", note_blocks(found.notes)),
    ]
