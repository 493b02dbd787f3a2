"""The report on a result: made of what may be shared, and for its owner of what may not."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from linkrisk.advice.releases import Releases
from linkrisk.advice.tuning import Tuning
from linkrisk.assessment.result import Assessment
from linkrisk.printable import printable
from linkrisk.report.handout import advice, assessment, internal, matches
from linkrisk.report.handout.contents import Handout, Kind, Section
from linkrisk.report.handout.html import as_page
from linkrisk.report.handout.markdown import as_markdown
from linkrisk.report.shared.advice import SharedReleases, SharedTuning
from linkrisk.report.shared.assessment import SharedAssessment
from linkrisk.report.shared.matches import SharedMatches
from linkrisk.result import Result
from linkrisk.tables.result import MatchReport

FORMS: dict[str, Callable[[Handout], str]] = {".html": as_page, ".md": as_markdown}
"""How a report is written, by the ending of its name."""


def report_text(result: Result, kind: Kind, ending: str) -> str:
    """Return the report on a result as the text of a file with some ending."""
    return FORMS[ending](make_handout(result, kind))


@singledispatch
def make_handout(result: Result, kind: Kind) -> Handout:
    """Return the report on a result; a shareable one is made of a type that holds nothing of any record."""
    raise TypeError(f"there is no report on a {type(result).__name__} (kind {kind})")


@make_handout.register
def _(result: Assessment, kind: Kind) -> Handout:
    shared = SharedAssessment.of(result)
    return Handout(
        title=f"Who can be found in {printable(shared.protected_name)}?",
        about=shared.opening,
        kind=kind,
        verdict=shared.verdict,
        sections=_all(assessment.sections(shared), kind, lambda: internal.assessment_sections(result)),
        timings=assessment.timings(shared),
        is_complete=shared.is_complete,
    )


@make_handout.register
def _(result: Releases, kind: Kind) -> Handout:
    shared = SharedReleases.of(result)
    return Handout(
        title="Which release risks least, and loses least?",
        about=shared.opening,
        kind=kind,
        verdict=shared.verdict,
        sections=_all(advice.release_sections(shared), kind, lambda: internal.release_sections(result)),
        timings=advice.release_timings(shared),
        is_complete=shared.is_complete,
    )


@make_handout.register
def _(result: Tuning, kind: Kind) -> Handout:
    shared = SharedTuning.of(result)
    return Handout(
        title=f"A release of which at most {result.target:.1%} of the people can be found",
        about=shared.opening,
        kind=kind,
        verdict=shared.verdict,
        sections=_all(advice.tuning_sections(shared), kind, lambda: internal.tuning_sections(result)),
        is_complete=shared.is_complete,
    )


@make_handout.register
def _(result: MatchReport, kind: Kind) -> Handout:
    shared = SharedMatches.of(result)
    return Handout(
        title="Is a match the right person?",
        about=shared.opening,
        kind=kind,
        verdict=shared.verdict,
        sections=_all(matches.sections(shared), kind, lambda: internal.match_sections(result)),
    )


def _all(shared: list[Section], kind: Kind, own: Callable[[], list[Section]]) -> tuple[Section, ...]:
    """Return the sections for everybody, and for the owner those that he alone may read."""
    return (*shared, *(own() if kind is Kind.INTERNAL else ()))
