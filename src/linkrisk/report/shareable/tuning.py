"""What the search for a protection may tell to others."""

from __future__ import annotations

from dataclasses import dataclass

from linkrisk.advice.tuning import Tuning
from linkrisk.report import protection, tuning
from linkrisk.report.blocks import likewise
from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.charts.figure import Figure
from linkrisk.report.few import tell_no_figures, without_few
from linkrisk.report.shareable.figures import checked
from linkrisk.report.tables import Table
from linkrisk.report.verdict import Verdict


@dataclass(frozen=True)
class SharedTuning:
    """What a report on the search for a protection is made of; the protected file and its secret are not in it."""

    original_name: str
    opening: str
    faults: tuple[str, ...]
    is_complete: bool
    verdict: Verdict
    front: Table | None
    remarks: tuple[str, ...]
    made: tuple[str, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    attackers: tuple[str, ...]
    figures: tuple[Figure, ...]

    @classmethod
    def of(cls, found: Tuning) -> SharedTuning:
        """Take from a search what may be told to others."""
        release = found.release
        names = [] if release is None else [str(each.column) for each in release.columns]
        return cls(
            original_name=found.original_name,
            opening=tuning.opening(found),
            faults=tuple(without_few(fault.message) for fault in found.faults),
            is_complete=found.is_complete,
            verdict=tuning.verdict(found),
            front=tuning.front_table(found) if found.front else None,
            remarks=tuple(tuning.remarks(found)),
            made=() if release is None else protection.done_to_columns(release),
            left_out=found.left_out,
            notes=tell_no_figures(likewise(found.notes, ()), names),
            attackers=found.attackers,
            figures=checked(figures_of(found)),
        )
