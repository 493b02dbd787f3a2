"""A job: how far it is, watched live or reloaded, and how it is stopped."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from linkrisk.web.cases.case import Case
from linkrisk.web.pages import page
from linkrisk.web.site import Site
from linkrisk.web.views.route import Entry, see
from linkrisk.web.work.job import Job, State


def routes(site: Site) -> list[Entry]:
    """Return the views of this module."""

    async def show(request: Request) -> Response:
        """Show how far a job is; one that is done leads on to what it found."""
        case, job = site.job_of(request)
        if job.has_result:
            return see(site, _result_of(case, job))
        return page(site.address, "job", case=case, job=job, told=_told(site, job), back=_back_from(job))

    async def tell(request: Request) -> Response:
        """Tell how far a job is, for the script of the view."""
        _, job = site.job_of(request)
        return JSONResponse(_told(site, job))

    async def stop(request: Request) -> Response:
        """Stop a job; what it has found is kept."""
        case, job = site.job_of(request)
        site.queue.stop(job)
        return see(site, f"/case/{case.number}/job/{job.number}")

    return [
        ("GET", "/case/{case:int}/job/{job:int}", show),
        ("GET", "/case/{case:int}/job/{job:int}/progress", tell),
        ("POST", "/case/{case:int}/job/{job:int}/stop", stop),
    ]


def _told(site: Site, job: Job) -> dict[str, Any]:
    """Return how far a job is."""
    waits = site.queue.place(job) if job.state is State.WAITING else 0
    return {"state": job.state.value, "waits_for": waits, **job.progress.plain()}


def _result_of(case: Case, job: Job) -> str:
    """Return the view of what a job found: of the columns, or of the version that it concerns."""
    if job.kind == "look":
        return f"/case/{case.number}/columns"
    return f"/case/{case.number}/release/{job.request['about']}"


def _back_from(job: Job) -> str:
    """Return the step in which what was asked for can be changed."""
    return {"look": "columns", "assess": "attackers", "compare": "attackers"}.get(job.kind, "protect")
