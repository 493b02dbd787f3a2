"""A case: one original, and the versions of it that were given or made here."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linkrisk.web.cases.attacking import AttackChoice
from linkrisk.web.cases.columns import ColumnChoice
from linkrisk.web.cases.treatments import ProtectChoice
from linkrisk.web.storage.names import NamedFile
from linkrisk.web.work.job import Job


@dataclass(frozen=True)
class Step:
    """One step of the way through a case; ``path`` is below the address of the case, empty before it can be taken."""

    word: str
    path: str


@dataclass(eq=False)
class Release:
    """A protected version of the original.

    ``file`` is there once ``made_by`` is done, or from the beginning for one that was given. ``published`` are the
    records of how it was made.
    """

    number: int
    file: NamedFile
    published: tuple[NamedFile, ...] = ()
    made_by: Job | None = None
    assessed_by: Job | None = None
    compared_by: Job | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        return self.file.name

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs that concern it, in their order."""
        return tuple(job for job in (self.made_by, self.assessed_by, self.compared_by) if job is not None)

    @property
    def unfinished(self) -> Job | None:
        """The first of its jobs that has not ended."""
        return next((job for job in self.jobs if not job.has_ended), None)


@dataclass(eq=False)
class Case:
    """What one person works on. ``jobs`` are all that were asked for, those included whose result was replaced."""

    number: int
    folder: Path
    original: NamedFile
    releases: dict[int, Release] = field(default_factory=dict)
    columns: ColumnChoice = field(default_factory=ColumnChoice)
    attack: AttackChoice = field(default_factory=AttackChoice.usual)
    protect: ProtectChoice | None = None
    looked: Job | None = None
    jobs: list[Job] = field(default_factory=list)
    is_demo: bool = False

    @property
    def given(self) -> Release:
        """The version that was given."""
        return self.releases[1]

    @property
    def title(self) -> str:
        """What it is called in lists."""
        return self.original.name

    def look(self) -> dict[str, Any] | None:
        """Return what was found in the columns; None before."""
        return self.looked.summary() if self.looked is not None and self.looked.has_result else None

    def steps(self) -> list[Step]:
        """Return the steps, those that can be taken with their addresses."""
        is_looked = self.looked is not None and self.looked.has_result
        given, last = self.given, self.releases[max(self.releases)]
        attacked, result = given.assessed_by, f"release/{given.number}"
        if attacked is not None and not attacked.has_result:
            result = f"job/{attacked.number}"
        return [
            Step("Columns", "columns"),
            Step("Attackers", "attackers" if is_looked else ""),
            Step("Result", result if attacked is not None else ""),
            Step("Protect", "protect" if is_looked else ""),
            Step("Before and after", f"release/{last.number}" if last is not given else ""),
            Step("Downloads", f"release/{last.number}/downloads" if last.jobs else ""),
        ]

    def furthest(self) -> str:
        """Return the address of the last step that shows what was found."""
        return next(step.path for step in reversed(self.steps()[:5]) if step.path and step.word != "Protect")

    def release_name(self, ending: str) -> str:
        """Return a name for the next version that is made here; no other has it."""
        taken = {self.original.name, *(release.name for release in self.releases.values())}
        number = len(self.releases)
        while (name := f"{self.original.stem}-protected-{number}{ending}") in taken:
            number += 1
        return name
