"""A report on matches between samples."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.report.blocks import Note, Sentence, note_blocks
from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.handout.contents import Facts, Handout, Kind, Part, Picture, Section
from linkrisk.report.handout.method import matching_parts
from linkrisk.report.handout.settings import made_on, version_facts
from linkrisk.report.matches import ranking_table
from linkrisk.report.shareable.matches import SharedMatches
from linkrisk.tables.result import MatchReport


def handout(result: MatchReport, kind: Kind) -> Handout:
    """Return the report on matches."""
    shared = SharedMatches.of(result)
    return Handout(
        title="Is a match the right person?",
        about=shared.opening,
        kind=kind,
        verdict=shared.verdict,
        sections=(*_sections(shared), *(_own_sections(result) if kind is Kind.INTERNAL else [])),
        timings=Section("timings", "Timings of this run", (made_on(),)),
    )


def _own_sections(result: MatchReport) -> list[Section]:
    """Return what the owner of the samples alone may read: the matches themselves, and all notes."""
    own = [Picture(figure) for figure in figures_of(result, confidential=True) if figure.is_confidential]
    return [
        Section("own-matches", "The most probable matches", (*own, ranking_table(result))),
        *Section.among("own-notes", "All notes", note_blocks(result.notes)),
    ]


def _sections(shared: SharedMatches) -> list[Section]:
    """Return what everybody may read."""
    return [
        *Section.among("matches", "How sure the intruder is", _matches(shared)),
        *Section.among("tables", "What each table gives away", [shared.tables]),
        *Section.among("notes", "What else to know", map(Note, shared.notes)),
        *Section.among("method", "How this was found", matching_parts()),
        Section("settings", "Versions", (Facts(version_facts()),)),
    ]


def _matches(shared: SharedMatches) -> Iterator[Part]:
    yield from map(Picture, shared.figures)
    if shared.truth:
        yield Sentence(shared.truth)
