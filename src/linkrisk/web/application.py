"""The application: which view answers which address, behind the guard."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from linkrisk.errors import InputError
from linkrisk.web.pages import page
from linkrisk.web.security.guard import Guard
from linkrisk.web.site import Site
from linkrisk.web.views import attackers, columns, jobs, protect, releases, start

STATIC = Path(__file__).parent / "static"


def make_application(site: Site, on_stranger: Callable[[], None], on_fault: Callable[[str], None]) -> ASGIApp:
    """Return the application of a server.

    Parameters
    ----------
    site
        What the views share.
    on_stranger
        Called when a browser without the key asks for a view: the user may have closed his own.
    on_fault
        Told what kind of fault of ours happened, and where.
    """

    def refuse(status: int, sentence: str) -> Response:
        return page(site.address, "refused", status, sentence=sentence)

    async def on_http(request: Request, problem: Exception) -> Response:
        del request
        assert isinstance(problem, HTTPException)  # noqa: S101  (it is registered for these)
        told = (
            problem.detail if problem.status_code != 404 or problem.detail != "Not Found" else "there is no such page"
        )
        return page(site.address, "problem", problem.status_code, sentence=told)

    async def on_input(request: Request, problem: Exception) -> Response:
        del request
        return page(site.address, "problem", 400, sentence=str(problem))

    async def on_fault_of_ours(request: Request, fault: Exception) -> Response:
        del request, fault  # the guard tells of it
        return refuse(500, "Something inside linkrisk went wrong; go back and try again.")

    @contextlib.asynccontextmanager
    async def working(_: Starlette) -> AsyncIterator[None]:
        async with site.queue.working():
            yield

    application = Starlette(
        routes=[Mount(site.address.folder, routes=routes(site))],
        exception_handlers={HTTPException: on_http, InputError: on_input, Exception: on_fault_of_ours},
        lifespan=working,
    )
    return Guard(application, site.address, site.keys, refuse, on_stranger, on_fault)


def routes(site: Site) -> list[BaseRoute]:
    """Return all addresses, below the folder of the page."""
    views = [
        *start.routes(site),
        *columns.routes(site),
        *attackers.routes(site),
        *jobs.routes(site),
        *releases.routes(site),
        *protect.routes(site),
    ]
    return [
        *(Route(path, view, methods=[method]) for method, path, view in views),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
