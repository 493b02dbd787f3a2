"""The files of a version that are sent back: which there are, what they are called, and who may have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linkrisk.web.cases.case import Release
from linkrisk.web.storage.names import NamedFile
from linkrisk.web.work.job import Job


@dataclass(frozen=True)
class ResultFile:
    """One file: its word in addresses, what it is, where it is, and whether it stays with the owner of the original."""

    word: str
    told: str
    file: NamedFile
    is_confidential: bool


_OF_JOB = {
    "assess": (
        ("report", "report.html", "-report.html", "Report to hand on", False),
        ("internal", "report-confidential.html", "-report-confidential.html", "Internal report", True),
        ("json", "result.json", "-assessment.json", "All figures, as JSON", True),
        ("records", "records.csv", "-records.csv", "Risk of each record, as CSV", True),
    ),
    "tune": (
        ("tuning", "tuning.json", "-tuning.json", "Everything that was tried, as JSON", False),
        ("tuning-report", "report.html", "-tuning-report.html", "Report on the search", False),
    ),
    "compare": (
        ("comparison", "comparison.json", "-comparison.json", "Before and after, as JSON", False),
        ("comparison-report", "report.html", "-comparison-report.html", "Report on before and after", False),
    ),
}
"""For each kind of job: word, file in its folder, ending of the name it is given, what it is, whether confidential."""


def result_files(release: Release) -> list[ResultFile]:
    """Return the files there are of a version, those to hand on first."""
    found = [
        file
        for job in (release.made_by, release.assessed_by, release.compared_by)
        if job is not None and job.has_result
        for file in (*_of_job(job, release), *_made(job, release))
    ]
    return sorted((file for file in found if file.file.path.is_file()), key=lambda file: file.is_confidential)


def _of_job(job: Job, release: Release) -> Iterator[ResultFile]:
    for word, place, ending, told, is_confidential in _OF_JOB.get(job.kind, ()):
        name = f"{release.file.stem}{ending}"
        yield ResultFile(word, told, NamedFile(job.folder / place, name), is_confidential)
    for path in sorted((job.folder / "certificates").glob("*.certificate.json.gz")):
        word = f"certificate.{path.name}"
        yield ResultFile(word, f"Certificate {path.name.split('.certificate')[0]}", NamedFile(path, path.name), True)


def _made(job: Job, release: Release) -> Iterator[ResultFile]:
    """Yield the files of a release that a job has made."""
    if job is not release.made_by:
        return
    path = release.file.path
    secret = NamedFile(Path(f"{path}.secret"), f"{release.name}.secret")
    yield ResultFile("protected", "The protected file", release.file, False)
    yield ResultFile("record", "Record of how it was made", release.published[0], False)
    yield ResultFile("secret", "Its secret, by which the protection can be undone", secret, True)
