"""What a report on matches may tell to others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from linkrisk.report import matches
from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.charts.figure import Figure
from linkrisk.report.few import tell_no_figures
from linkrisk.report.shareable.figures import checked
from linkrisk.report.tables import Table
from linkrisk.report.verdict import Verdict
from linkrisk.tables.result import MatchReport


@dataclass(frozen=True)
class SharedMatches:
    """What a report on matches is made of; no match is in it, only how many there are and what tables tell of them."""

    opening: str
    verdict: Verdict
    tables: Table | None
    truth: str
    notes: tuple[str, ...]
    figures: tuple[Figure, ...]

    @classmethod
    def of(cls, found: MatchReport) -> SharedMatches:
        """Take from a report on matches what may be told to others."""
        return cls(
            opening=matches.opening(found),
            verdict=matches.verdict(found),
            tables=replace(matches.role_table(found), title="") if found.tables else None,
            truth="" if found.judgement is None else matches.truth_text(found.judgement),
            notes=tell_no_figures(found.notes, found.overlap),
            figures=checked(figures_of(found)),
        )
