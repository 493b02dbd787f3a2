"""Jobs asked for: what was chosen, as the request of a job. What a command says is made of the same."""

from __future__ import annotations

from typing import Any

from linkrisk.web.cases.case import Case, Release
from linkrisk.web.cases.treatments import ProtectChoice
from linkrisk.web.storage.names import NamedFile, path_for
from linkrisk.web.work.job import Job
from linkrisk.web.work.queue import Queue

ASSESSED_BY = ("attackers", "scales", "ties", "time_limit", "max_rate", "holdout", "seed")
COMPARED_BY = ("attackers", "scales", "ties", "max_rate", "seed")
TUNED_BY = ("attackers", "scales", "ties", "seed")
"""What of the attack each verb takes."""

PARQUET, CSV, PLAIN = ".parquet", ".csv", ".json"
"""Endings of what is written."""


def ask_look(queue: Queue, case: Case) -> Job:
    """Have the columns looked at."""
    request = {
        **_files(case, case.given),
        "options": case.columns.reading(),
        "is_demo": case.is_demo and not case.original.path.exists(),
    }
    case.looked = queue.add("look", f"Look at {case.original.name}", request)
    case.jobs.append(case.looked)
    return case.looked


def ask_assess(queue: Queue, case: Case, release: Release, needs: Job | None = None) -> Job:
    """Have a version attacked."""
    request = {
        **_files(case, release),
        "about": release.number,
        "published": [file.plain() for file in release.published],
        "options": assess_options(case),
        "certificates": case.attack.certificates,
    }
    release.assessed_by = queue.add("assess", f"Attack {release.name}", request, needs)
    case.jobs.append(release.assessed_by)
    return release.assessed_by


def ask_release(queue: Queue, case: Case, choice: ProtectChoice, *, is_tuned: bool) -> Release:
    """Have a version made, attacked, and compared with the one that was given."""
    ending = PARQUET if case.original.name.lower().endswith(PARQUET) else CSV
    name, number = case.release_name(ending), max(case.releases) + 1
    file = NamedFile(path_for(case.folder, "protected", name), name)
    record = NamedFile(path_for(case.folder, "record", PLAIN), f"{name.removesuffix(ending)}.json")
    request = {
        "about": number,
        "original": case.original.plain(),
        "plan": choice.plan,
        "treatments": choice.steps(),
        "release": file.plain(),
        "record": record.plain(),
        "options": tune_options(case) if is_tuned else case.columns.meaning(),
        "target": choice.target,
    }
    job = queue.add("tune" if is_tuned else "protect", f"Make {name}", request)
    release = Release(number, file, (record,), job)
    case.releases[number] = release
    case.jobs.append(job)
    ask_assess(queue, case, release, needs=job)
    ask_compare(queue, case, release, needs=job)
    return release


def ask_compare(queue: Queue, case: Case, release: Release, needs: Job | None = None) -> Job:
    """Have a version compared with the one that was given."""
    both = [case.given, release]
    request = {
        "about": release.number,
        "original": case.original.plain(),
        "releases": [
            {"file": each.file.plain(), "published": [file.plain() for file in each.published]} for each in both
        ],
        "options": compare_options(case),
    }
    release.compared_by = queue.add("compare", f"Compare {release.name} with {case.given.name}", request, needs)
    case.jobs.append(release.compared_by)
    return release.compared_by


def assess_options(case: Case) -> dict[str, Any]:
    """Return the options of assess that were chosen; a report tells of the loss, so it is measured."""
    return case.columns.reading() | case.attack.options(ASSESSED_BY) | {"loss": True}


def compare_options(case: Case) -> dict[str, Any]:
    """Return the options of compare that were chosen."""
    return case.columns.reading() | case.attack.options(COMPARED_BY)


def tune_options(case: Case) -> dict[str, Any]:
    """Return the options of tune that were chosen."""
    return case.columns.meaning() | case.attack.options(TUNED_BY)


def _files(case: Case, release: Release) -> dict[str, Any]:
    return {"original": case.original.plain(), "protected": release.file.plain()}
