"""Attackers and time: who attacks, for how long, and how many people are too many."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from linkrisk.web.cases.asking import ask_assess
from linkrisk.web.cases.attacking import AttackForm, option_named
from linkrisk.web.cases.case import Case
from linkrisk.web.pages import page
from linkrisk.web.site import Site
from linkrisk.web.storage.forms import read_form
from linkrisk.web.views.route import Entry, see

LABELS = {
    "attackers": "Who attacks",
    "scales": "Scales",
    "ties": "Links that count",
    "time_limit": "Seconds for each who learns, on each scale",
    "max_rate": "How many are too many, in percent of the people",
    "holdout": "Held out while learning, in percent",
    "seed": "Seed",
}
"""What the fields of the form are called."""

TOLD = ("attackers", "scales", "ties", "time_limit", "max_rate", "holdout", "seed", "certificates")
"""Options whose sentence of help the form shows."""


def routes(site: Site) -> list[Entry]:
    """Return the views of this module."""

    async def show(request: Request) -> Response:
        """Show the form."""
        case = site.case_of(request)
        found = case.look()
        if found is None or site.queue.catalogue is None:
            return see(site, f"/case/{case.number}/columns")
        return _form(site, case, AttackForm(case.attack, {}))

    async def change(request: Request) -> Response:
        """Take the choice, and let the version that was given be attacked."""
        case = site.case_of(request)
        known = [attacker["name"] for attacker in (site.queue.catalogue or {}).get("attackers", [])]
        read = AttackForm.read(await read_form(request), known)
        if read.mistakes:
            return _form(site, case, read, 400)
        case.attack = read.choice
        job = ask_assess(site.queue, case, case.given)
        return see(site, f"/case/{case.number}/job/{job.number}")

    return [
        ("GET", "/case/{case:int}/attackers", show),
        ("POST", "/case/{case:int}/attackers", change),
    ]


def _form(site: Site, case: Case, form: AttackForm, status: int = 200) -> Response:
    catalogue = site.queue.catalogue or {"attackers": []}
    return page(
        site.address,
        "attackers",
        status,
        case=case,
        chosen=form.choice,
        mistakes=form.mistakes,
        labels=LABELS,
        attackers=catalogue["attackers"],
        kinds={name: option_named(name).kind for name in TOLD},
        helps={name: option_named(name).help for name in TOLD},
    )
