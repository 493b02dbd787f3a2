"""Reports on a comparison of releases, and on the search for one."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.report.blocks import Fault, Note, Sentence, Weight
from linkrisk.report.handout.contents import Facts, Heading, Items, Part, Picture, Section
from linkrisk.report.handout.method import ADVICE, linking_parts, sentences
from linkrisk.report.handout.settings import version_facts
from linkrisk.report.releases import CEILING_NOTE, RISK_NOTE
from linkrisk.report.shared.advice import SharedReleases, SharedTuning
from linkrisk.report.tuning import NO_FRONT


def release_sections(shared: SharedReleases) -> list[Section]:
    """Return what a report on several releases says."""
    faults = [Fault(f"{release.name}: {fault}") for release in shared.releases for fault in release.faults]
    digests = tuple((f"SHA-256 of {release.name}", release.digest) for release in shared.releases if release.digest)
    return [
        *Section.among("faults", "Faults to be mended first", faults),
        *Section.among("releases", "Risk and loss of each release", _releases(shared)),
        *Section.among("notes", "What else to know", map(Note, shared.notes)),
        *Section.among("method", "How this was found", _method(shared.attackers)),
        Section("settings", "Settings and versions", (Facts((*digests, *version_facts())),)),
    ]


def release_timings(shared: SharedReleases) -> Section:
    """Return what differs from one run to the next."""
    told = Sentence(f"All attacks together took {shared.seconds:.1f} seconds.")
    return Section("timings", "Timings of this run", (told,))


def tuning_sections(shared: SharedTuning) -> list[Section]:
    """Return what a report on the search for a protection says."""
    return [
        *Section.among("front", "Releases tried", _tried(shared)),
        *Section.among("protection", "How the proposed release is made", _made(shared)),
        *Section.among("notes", "What else to know", map(Note, shared.notes)),
        *Section.among("method", "How this was found", _method(shared.attackers)),
        Section("settings", "Versions", (Facts(version_facts()),)),
    ]


def _releases(shared: SharedReleases) -> Iterator[Part]:
    yield from (Sentence(f"Left out: {reason}", Weight.ALARM) for reason in shared.left_out)
    yield from map(Picture, shared.figures)
    yield shared.table
    yield Sentence(RISK_NOTE)
    yield Sentence(CEILING_NOTE)


def _tried(shared: SharedTuning) -> Iterator[Part]:
    yield from (Sentence(f"Left out: {reason}", Weight.ALARM) for reason in shared.left_out)
    yield from map(Picture, shared.figures)
    yield Sentence(NO_FRONT) if shared.front is None else shared.front
    yield from map(Sentence, shared.remarks)


def _made(shared: SharedTuning) -> Iterator[Part]:
    if shared.made:
        yield Items(shared.made)
    if shared.columns is not None:
        yield shared.columns


def _method(attackers: tuple[str, ...]) -> Iterator[Part]:
    yield from sentences(ADVICE)
    yield Heading("Who attacks")
    yield from linking_parts(attackers, is_learned=True)
