"""The report on a comparison of releases."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.advice.releases import Releases
from linkrisk.attack.result import AttackResult
from linkrisk.report.blocks import Fault, Note, Sentence, left_out_blocks, note_blocks
from linkrisk.report.handout.contents import Facts, Handout, Kind, Part, Picture, Section
from linkrisk.report.handout.method import advice_parts
from linkrisk.report.handout.settings import made_on, version_facts
from linkrisk.report.releases import CEILING_NOTE, RISK_NOTE
from linkrisk.report.shareable.releases import SharedReleases
from linkrisk.report.tables import Table, make_columns, share_text


def handout(result: Releases, kind: Kind) -> Handout:
    """Return the report on several releases."""
    shared = SharedReleases.of(result)
    own = _own_sections(result) if kind is Kind.INTERNAL else []
    return Handout(
        title="Which release risks least, and loses least?",
        about=shared.opening,
        kind=kind,
        verdict=shared.verdict,
        sections=(*_sections(shared), *own),
        timings=_timings(shared),
        is_complete=shared.is_complete,
    )


def _sections(shared: SharedReleases) -> list[Section]:
    """Return what everybody may read."""
    faults = [Fault(f"{release.name}: {fault}") for release in shared.releases for fault in release.faults]
    digests = tuple((f"SHA-256 of {release.name}", release.digest) for release in shared.releases if release.digest)
    return [
        *Section.among("faults", "Faults to be mended first", faults),
        *Section.among("releases", "Risk and loss of each release", _releases(shared)),
        *Section.among("notes", "What else to know", map(Note, shared.notes)),
        *Section.among("method", "How this was found", advice_parts(shared.attackers)),
        Section("settings", "Settings and versions", (Facts((*digests, *version_facts())),)),
    ]


def _timings(shared: SharedReleases) -> Section:
    """Return what differs from one run to the next."""
    told = Sentence(f"All attacks together took {shared.seconds:.1f} seconds.")
    return Section("timings", "Timings of this run", (made_on(), told))


def _releases(shared: SharedReleases) -> Iterator[Part]:
    yield from left_out_blocks(shared.left_out)
    yield from map(Picture, shared.figures)
    yield shared.table
    yield Sentence(RISK_NOTE)
    yield Sentence(CEILING_NOTE)


def _own_sections(found: Releases) -> list[Section]:
    """Return every attack on every release, and all notes."""
    rows = tuple(
        (release.name, attack.label, attack.scale, f"{attack.rate(found.ties):.1%}", _bound(attack), attack.status)
        for release in found.releases
        for attack in release.risk.attacks
    )
    columns = (*make_columns(("release", "attacker", "scale"), ("found", "bound")), *make_columns(("status",)))
    return [
        *Section.among("own-attacks", "Every attack", [Table(columns, rows)] if rows else []),
        *Section.among("own-notes", "All notes", note_blocks(found.notes)),
    ]


def _bound(attack: AttackResult) -> str:
    return share_text(None if attack.bound is None else attack.bound / attack.n_pairs)
