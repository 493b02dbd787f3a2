"""The start: the key, two files or the demo, and the work that is there already."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from linkrisk.errors import FileError
from linkrisk.web.cases.asking import ask_look
from linkrisk.web.cases.case import Case, Release
from linkrisk.web.cases.columns import ColumnChoice, Said
from linkrisk.web.pages import page
from linkrisk.web.site import Site
from linkrisk.web.storage.names import NamedFile
from linkrisk.web.storage.uploads import Sent, receive
from linkrisk.web.views.route import Entry, see

DEMO_FILES = ("original.csv", "protected.csv")
DEMO_RECORDS = ("microaggregation.json", "noise.json")
DEMO_CONFIDENTIAL = "education"


def routes(site: Site) -> list[Entry]:
    """Return the views of this module."""

    async def enter(request: Request) -> Response:
        """Exchange the token of the start address for the key, and leave the token behind."""
        if not site.keys.redeem(request.query_params.get("token", "")):
            raise HTTPException(403, "this address was used already; open the one that linkrisk serve has shown last")
        answer = see(site, "/")
        answer.set_cookie(
            f"linkrisk-{site.address.port}",
            site.keys.key,
            path=f"{site.address.folder}/",
            secure=site.address.is_secure,
            httponly=True,
            samesite="strict",
        )
        return answer

    async def start(request: Request) -> Response:
        """Show the form for files, and what was begun before."""
        del request
        return _start(site)

    async def make_case(request: Request) -> Response:
        """Take two files."""
        try:
            with site.new_folder() as (number, folder):
                case = _case_of(number, folder, await receive(request, folder, site.most_bytes))
        except FileError as problem:
            return _start(site, str(problem))
        site.cases[number] = case
        ask_look(site.queue, case)
        return see(site, f"/case/{number}/columns")

    async def make_demo(request: Request) -> Response:
        """Take the files of the demo, which are made when they are looked at."""
        del request
        with site.new_folder() as (number, folder):
            site.cases[number] = case = _demo(number, folder)
        ask_look(site.queue, case)
        return see(site, f"/case/{number}/columns")

    async def remove(request: Request) -> Response:
        """Remove a case with all its files."""
        await site.remove(site.case_of(request))
        return see(site, "/")

    return [
        ("GET", "/enter", enter),
        ("GET", "/", start),
        ("POST", "/case", make_case),
        ("POST", "/demo", make_demo),
        ("POST", "/case/{case:int}/remove", remove),
    ]


def _start(site: Site, mistake: str = "") -> Response:
    endings = (site.queue.catalogue or {}).get("endings", [])
    return page(
        site.address,
        "start",
        400 if mistake else 200,
        cases=list(site.cases.values()),
        endings=endings,
        upload_limit=site.upload_limit,
        mistake=mistake,
    )


def _case_of(number: int, folder: Path, sent: Sent) -> Case:
    """Return the case that two files make."""
    original, protected = sent.files.get("original"), sent.files.get("protected")
    if not original or not protected:
        raise FileError("two files are needed: the original and its protected version; choose both")
    release = Release(1, protected[0], tuple(sent.files.get("published", ())))
    return Case(number, folder, original[0], {1: release})


def _demo(number: int, folder: Path) -> Case:
    """Return the case of the demo; education is what its intruders are after."""
    original, protected = (NamedFile(folder / name, name) for name in DEMO_FILES)
    records = tuple(NamedFile(folder / name, name) for name in DEMO_RECORDS)
    columns = ColumnChoice({DEMO_CONFIDENTIAL: Said(role="confidential")})
    return Case(number, folder, original, {1: Release(1, protected, records)}, columns, is_demo=True)
