"""The columns: what was found in both files, and what is to be corrected."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from linkrisk.data.attributes import Kind, Role
from linkrisk.web.cases.asking import ask_look
from linkrisk.web.cases.case import Case
from linkrisk.web.cases.columns import ColumnChoice
from linkrisk.web.pages import page
from linkrisk.web.site import Site
from linkrisk.web.storage.forms import read_form
from linkrisk.web.views.route import Entry, see

ROLES = {
    Role.QUASI_IDENTIFIER: "an intruder knows it",
    Role.CONFIDENTIAL: "confidential: he is after it",
    Role.IDENTIFIER: "identifies people by itself",
    Role.IGNORED: "takes no part",
}
"""What each role means to who chooses it."""

DELIMITERS = {"": "found out", ",": "comma", ";": "semicolon", "\t": "tab"}


def routes(site: Site) -> list[Entry]:
    """Return the views of this module."""

    async def show(request: Request) -> Response:
        """Show the columns, or wait for them."""
        case = site.case_of(request)
        if case.looked is not None and not case.looked.has_ended:
            return page(site.address, "waiting", case=case, job=case.looked, place=site.queue.place(case.looked))
        return page(site.address, "columns", **_told(case))

    async def change(request: Request) -> Response:
        """Take what was corrected; look again where anything was, and go on where all is well."""
        case = site.case_of(request)
        found = case.look()
        chosen = ColumnChoice.of(await read_form(request), [] if found is None else found["columns"])
        is_changed = chosen != case.columns
        case.columns = chosen
        if is_changed or found is None or _is_faulty(found):
            ask_look(site.queue, case)
            return see(site, f"/case/{case.number}/columns")
        return see(site, f"/case/{case.number}/attackers")

    return [
        ("GET", "/case/{case:int}/columns", show),
        ("POST", "/case/{case:int}/columns", change),
    ]


def _told(case: Case) -> dict[str, Any]:
    """Return what the view shows."""
    found = case.look()
    sentence = "" if case.looked is None else case.looked.sentence
    return {
        "case": case,
        "found": found,
        "sentence": sentence,
        "kinds": list(map(str, Kind)),
        "roles": {role.value: ROLES[role] for role in Role},
        "delimiters": DELIMITERS,
        "is_ready": found is not None and not _is_faulty(found),
    }


def _is_faulty(found: dict[str, Any]) -> bool:
    return bool(found["error"]) or any(column["error"] for column in found["columns"])
