"""What a comparison of releases may tell to others."""

from __future__ import annotations

from dataclasses import dataclass

from linkrisk.advice.releases import Releases
from linkrisk.report import releases
from linkrisk.report.blocks import likewise
from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.charts.figure import Figure
from linkrisk.report.few import tell_no_figures, without_few
from linkrisk.report.shareable.figures import checked
from linkrisk.report.tables import Table
from linkrisk.report.verdict import Verdict


@dataclass(frozen=True)
class SharedRelease:
    """A protected file: its name, its hash, and what has to be mended in it first."""

    name: str
    digest: str
    faults: tuple[str, ...]


@dataclass(frozen=True)
class SharedReleases:
    """What a report on several releases is made of: sentences, rates and losses of whole files, and their chart."""

    opening: str
    is_complete: bool
    verdict: Verdict
    releases: tuple[SharedRelease, ...]
    table: Table
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    attackers: tuple[str, ...]
    figures: tuple[Figure, ...]
    seconds: float

    @classmethod
    def of(cls, found: Releases) -> SharedReleases:
        """Take from a comparison what may be told to others."""
        attacks = [attack for release in found.releases for attack in release.risk.attacks]
        return cls(
            opening=releases.opening(found),
            is_complete=found.is_complete,
            verdict=releases.verdict(found),
            releases=tuple(
                SharedRelease(
                    each.name, each.protected_digest, tuple(without_few(fault.message) for fault in each.faults)
                )
                for each in found.releases
            ),
            table=releases.table(found),
            left_out=found.left_out,
            notes=tell_no_figures(likewise(found.notes, ()), found.attribute_names),
            attackers=tuple(dict.fromkeys(attack.name for attack in attacks)),
            figures=checked(figures_of(found)),
            seconds=sum(attack.seconds for attack in attacks),
        )
