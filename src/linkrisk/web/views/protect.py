"""A protection tried: a method for each column, or a plan, with strengths that are given or searched for a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from linkrisk.web.cases.asking import ask_release
from linkrisk.web.cases.case import Case
from linkrisk.web.cases.treatments import DROP, LEAVE, ProtectChoice, read_choice, usual_treatment
from linkrisk.web.pages import page
from linkrisk.web.site import Site
from linkrisk.web.storage.forms import read_form
from linkrisk.web.views.route import Entry, see

TARGET = "target"


def routes(site: Site) -> list[Entry]:
    """Return the views of this module."""

    async def show(request: Request) -> Response:
        """Show the form, as it was filled in last or as it is proposed."""
        case = site.case_of(request)
        found = case.look()
        if found is None or site.queue.catalogue is None:
            return see(site, f"/case/{case.number}/columns")
        chosen = case.protect or _proposed(case)
        return _form(site, case, chosen, {})

    async def make(request: Request) -> Response:
        """Make a version: protect by the strengths given, or search for those that reach the target."""
        case = site.case_of(request)
        form = await read_form(request)
        chosen, mistakes = read_choice(form, _columns(case), [each["name"] for each in _methods(site)])
        if mistakes:
            return _form(site, case, chosen, mistakes, 400)
        case.protect = chosen
        is_tuned = form.text("do") == "tune"
        if is_tuned and not chosen.keeps:
            chosen = chosen.opened([each["name"] for each in _methods(site) if each["is_tuned"]])
        release = ask_release(site.queue, case, chosen, is_tuned=is_tuned)
        return see(site, f"/case/{case.number}/release/{release.number}")

    return [
        ("GET", "/case/{case:int}/protect", show),
        ("POST", "/case/{case:int}/protect", make),
    ]


def _form(site: Site, case: Case, chosen: ProtectChoice, mistakes: Mapping[str, str], status: int = 200) -> Response:
    last = case.releases[max(case.releases)]
    failed = next((job for job in last.jobs if job.has_ended and not job.has_result), None)
    return page(
        site.address,
        "protect",
        status,
        case=case,
        columns=_columns(case),
        chosen=chosen,
        mistakes=mistakes,
        labels={TARGET: "Found at most, in percent of the people", **_named(_columns(case))},
        failed=failed if last.number > 1 else None,
        methods=_methods(site),
        words=(LEAVE, DROP),
    )


def _named(columns: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the fields of the methods by the columns that they are about."""
    return {f"method-{place}": str(column["name"]) for place, column in enumerate(columns)}


def _columns(case: Case) -> list[Mapping[str, Any]]:
    """Return the columns of the original."""
    found = case.look() or {"columns": [], "only_protected": []}
    return [column for column in found["columns"] if column["name"] not in found["only_protected"]]


def _methods(site: Site) -> list[dict[str, Any]]:
    methods: list[dict[str, Any]] = (site.queue.catalogue or {"methods": []})["methods"]
    return methods


def _proposed(case: Case) -> ProtectChoice:
    """Return what is proposed: as much as may be found at most, and a usual treatment for each kind of column."""
    treatments = {column["name"]: usual_treatment(column) for column in _columns(case)}
    return ProtectChoice(treatments, target=case.attack.max_rate or ProtectChoice().target)
