"""A report on an assessment: what it says of a file to everybody, and what its owner alone may read."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.assessment.result import Assessment
from linkrisk.report.assessment.sentences import STATUS_MEANING
from linkrisk.report.blocks import Fault, Note, Sentence, Weight, left_out_blocks
from linkrisk.report.handout.contents import Facts, Handout, Heading, Kind, Part, Picture, Section, optional
from linkrisk.report.handout.method import linking_parts
from linkrisk.report.handout.own_assessment import own_sections
from linkrisk.report.handout.settings import made_on, version_facts
from linkrisk.report.shareable.assessment import SharedAssessment
from linkrisk.report.tables import Table, make_columns

NO_FAULTS = "No identifier, no unprotected near-unique attribute, no untouched record, nothing restored by rounding."

PLACES = {"attackers": ("attackers",), "attributes": ("attributes",), "loss": ("loss", "value_changes")}
"""Which charts stand in which section; all others are about people."""


def handout(result: Assessment, kind: Kind) -> Handout:
    """Return the report on an assessment."""
    shared = SharedAssessment.of(result)
    own = own_sections(result) if kind is Kind.INTERNAL else []
    return Handout(
        title=f"Who can be found in {shared.protected_name}?",
        about=shared.opening,
        kind=kind,
        verdict=shared.verdict,
        sections=(*_sections(shared), *own),
        timings=_timings(shared),
        is_complete=shared.is_complete,
    )


def _sections(shared: SharedAssessment) -> list[Section]:
    """Return the sections that everybody may read."""
    names = [attack.label for attack in shared.attacks]
    is_learned = any(attack.is_learned for attack in shared.attacks)
    return [
        *Section.among("faults", "Faults to be mended first", _faults(shared)),
        *Section.among("attackers", "Who finds how many", _attackers(shared)),
        *Section.among("attributes", "What gives people away", _pictures(shared, "attributes")),
        *Section.among("people", "Which people", _people(shared)),
        *Section.among("loss", "What users of the data lose", [*_pictures(shared, "loss"), shared.loss]),
        *Section.among("notes", "What else to know", map(Note, shared.notes)),
        *Section.among("method", "How this was found", linking_parts(names, is_learned=is_learned)),
        *Section.among("settings", "Settings and versions", _settings(shared)),
    ]


def _timings(shared: SharedAssessment) -> Section:
    """Return what differs from one run to the next."""
    rows = tuple((attack.label, attack.scale, f"{attack.seconds:.2f}") for attack in shared.attacks)
    table = Table(make_columns(("attacker", "scale"), ("seconds",)), rows)
    parts = (made_on(), table, optional(shared.course))
    return Section("timings", "Timings of this run", tuple(part for part in parts if part is not None))


def _pictures(shared: SharedAssessment, place: str) -> Iterator[Part]:
    yield from (Picture(figure) for figure in shared.figures if figure.name in PLACES[place])


def _faults(shared: SharedAssessment) -> Iterator[Part]:
    if shared.untouched:
        yield Sentence(shared.untouched, Weight.ALARM)
    yield from map(Fault, shared.faults)
    if not shared.faults:
        yield Sentence(NO_FAULTS)


def _attackers(shared: SharedAssessment) -> Iterator[Part]:
    """Yield who finds how many, who could not attack, how searches ended, and intruders who know less."""
    yield from left_out_blocks(shared.left_out)
    yield from _pictures(shared, "attackers")
    ended = dict.fromkeys(attack.status for attack in shared.attacks if attack.is_learned)
    if ended:
        yield Heading("How the searches for the best attackers ended")
        yield Facts(tuple(_search(shared, status) for status in ended))
    if shared.scenarios:
        yield Heading("Intruders who know less")
        rows = tuple((s.name, ", ".join(s.knows), s.attack, s.n_people, s.share) for s in shared.scenarios)
        yield Table(make_columns(("scenario", "knows", "strongest attack"), ("people", "found")), rows)


def _search(shared: SharedAssessment, status: str) -> tuple[str, str]:
    """Return a status with its meaning, and whose searches ended so."""
    whose = [f"{a.label} ({a.scale})" for a in shared.attacks if a.is_learned and a.status == status]
    return status.replace("_", " "), f"{STATUS_MEANING.get(status, '')}: {', '.join(whose)}"


def _people(shared: SharedAssessment) -> Iterator[Part]:
    placed = {name for names in PLACES.values() for name in names}
    yield from (Picture(figure) for figure in shared.figures if figure.name not in placed)
    if shared.disclosures:
        yield Heading("What links tell of confidential attributes")
        heads = ("true values known before", "true values after")
        rows = tuple((d.attribute, d.attack, d.before, d.true) for d in shared.disclosures)
        yield Table(make_columns(("attribute", "attack that tells most"), heads), rows)
        yield Sentence(
            "Shares of the people whose value is known. Before: by guessing the most frequent value; after: by the "
            "records that a person is linked to. That a value is true does not show of whom."
        )


def _settings(shared: SharedAssessment) -> Iterator[Part]:
    yield Facts(
        (
            ("original", shared.original_name),
            ("protected file", shared.protected_name),
            ("SHA-256 of the protected file", shared.protected_digest or "made from a frame, not from a file"),
            *shared.settings,
            *version_facts(),
        )
    )
