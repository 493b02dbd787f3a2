"""A version: what attackers found, before and after, and the files to be sent back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from linkrisk.web.cases.asking import ask_assess
from linkrisk.web.cases.case import Case, Release
from linkrisk.web.cases.command_lines import SCHEMA, command_of, schema_text
from linkrisk.web.cases.result_files import ResultFile, result_files
from linkrisk.web.pages import page
from linkrisk.web.security.headers import DOCUMENT_POLICY
from linkrisk.web.site import GONE, Site
from linkrisk.web.storage.names import disposition
from linkrisk.web.views.route import Entry, see
from linkrisk.web.work.job import Job

CHARTS = "charts"
REPORTS = ("report", "internal", "tuning-report", "comparison-report")
"""Files that a browser can show."""


def routes(site: Site) -> list[Entry]:
    """Return the views of this module."""

    async def show(request: Request) -> Response:
        """Show a version."""
        case, release = site.release_of(request)
        return page(site.address, "release", **_told(case, release))

    async def attack(request: Request) -> Response:
        """Attack a version with the attackers that are chosen now."""
        case, release = site.release_of(request)
        job = ask_assess(site.queue, case, release)
        return see(site, f"/case/{case.number}/job/{job.number}")

    async def downloads(request: Request) -> Response:
        """Show the files to be sent back, and the commands that do the same."""
        case, release = site.release_of(request)
        return page(
            site.address,
            "downloads",
            case=case,
            release=release,
            files=result_files(release),
            reports=REPORTS,
            commands=_commands(release),
            schema=SCHEMA if _schema(release) else "",
            formulas=_summary(release.made_by).get("formulas", []),
        )

    async def file(request: Request) -> Response:
        """Send a file back, to be saved."""
        found = _file(site, request)
        return _sent(found.file.path, {"Content-Disposition": disposition(found.file.name)})

    async def report(request: Request) -> Response:
        """Show a report, which is a document of its own and may do nothing."""
        found = _file(site, request)
        if found.word not in REPORTS:
            raise HTTPException(404, GONE)
        return _sent(found.file.path, {"Content-Security-Policy": DOCUMENT_POLICY}, "text/html")

    async def schema(request: Request) -> Response:
        """Send the schema that goes with the commands."""
        _, release = site.release_of(request)
        return Response(
            _schema(release), media_type="application/toml", headers={"Content-Disposition": disposition(SCHEMA)}
        )

    async def chart(request: Request) -> Response:
        """Send a picture."""
        _, job = site.job_of(request)
        names = [chart["name"] for chart in _summary(job).get("charts", [])]
        if request.path_params["name"] not in names:
            raise HTTPException(404, GONE)
        return _sent(job.folder / CHARTS / f"{request.path_params['name']}.svg", {}, "image/svg+xml")

    release_path = "/case/{case:int}/release/{release:int}"
    return [
        ("GET", release_path, show),
        ("POST", f"{release_path}/attack", attack),
        ("GET", f"{release_path}/downloads", downloads),
        ("GET", f"{release_path}/file/{{word}}", file),
        ("GET", f"{release_path}/report/{{word}}", report),
        ("GET", f"{release_path}/schema", schema),
        ("GET", "/case/{case:int}/job/{job:int}/chart/{name}", chart),
    ]


def _told(case: Case, release: Release) -> dict[str, Any]:
    """Return what the view of a version shows: also of the one that was given, where it is another."""
    before = case.given if release is not case.given else None
    return {
        "case": case,
        "release": release,
        "before": before,
        "made": _summary(release.made_by),
        "found": _summary(release.assessed_by),
        "found_before": {} if before is None else _summary(before.assessed_by),
        "compared": _summary(release.compared_by),
        "running": release.unfinished,
        "failed": list({job.sentence: job for job in _failed(release)}.values()),
        "commands": _commands(release),
    }


def _failed(release: Release) -> list[Job]:
    """Return the jobs without a result, without those that only wanted the result of another of them."""
    failed = [job for job in release.jobs if job.has_ended and not job.has_result]
    return [job for job in failed if not any(job.needs is other for other in failed)]


def _summary(job: Job | None) -> dict[str, Any]:
    """Return what a job has found; nothing where it has not."""
    return job.summary() if job is not None and job.has_result else {}


def _commands(release: Release) -> list[tuple[str, str]]:
    """Return the commands that do the same, each with what it does."""
    found = []
    for job in release.jobs:
        if job.has_result:
            summary = _summary(job)
            found.append((job.title, command_of(job, summary.get("asked") or summary.get("plan", ""))))
    return found


def _schema(release: Release) -> str:
    """Return the schema that the commands of a version name; an empty text where they name none."""
    return next((text for job in release.jobs if (text := schema_text(job.request["options"]))), "")


def _file(site: Site, request: Request) -> ResultFile:
    """Return the file that an address names: one of those that are offered, and no other."""
    _, release = site.release_of(request)
    found = next((file for file in result_files(release) if file.word == request.path_params["word"]), None)
    if found is None:
        raise HTTPException(404, GONE)
    return found


def _sent(path: Path, headers: dict[str, str], media_type: str = "application/octet-stream") -> Response:
    return FileResponse(path, headers=headers, media_type=media_type)
