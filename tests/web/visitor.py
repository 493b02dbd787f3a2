"""A browser in miniature: asks views of an application in this process, with or without the key; no job is done."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from linkrisk.web.application import make_application
from linkrisk.web.security.address import Address
from linkrisk.web.security.keys import Keys
from linkrisk.web.site import Site
from linkrisk.web.work.queue import Queue

ADDRESS = Address("127.0.0.1", 8000, "/folder")

CATALOGUE: dict[str, Any] = {
    "attackers": [
        {"name": "mean", "told": "He <b>counts</b>.", "is_learned": False, "is_default": True},
        {"name": "weighted_mean", "told": "He weighs.", "is_learned": True, "is_default": True},
    ],
    "methods": [
        {
            "name": "mdav",
            "told": "clusters",
            "kinds": ["numeric", "nominal"],
            "main": "k",
            "help": "Records: 5.",
            "is_tuned": True,
        }
    ],
    "endings": [".csv"],
}
"""What can be chosen from, as a process would tell it."""


class Client:
    """Sends requests to an application, one after the other, in a loop of its own for each."""

    def __init__(self, application: Any) -> None:
        self._transport = httpx.ASGITransport(application)
        self.headers: dict[str, str] = {}

    def request(self, method: str, path: str, *, headers: Any = None, **more: Any) -> httpx.Response:
        """Return the answer to a request; a path is one on the machine of the page."""

        async def send() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport, base_url=ADDRESS.origin) as client:
                return await client.request(method, path, headers={**self.headers, **(headers or {})}, **more)

        return asyncio.run(send())


@dataclass
class Visitor:
    """Somebody who asks, and what the application tells its own side."""

    site: Site
    client: Client
    strangers: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Path, *, upload_limit: int = 1, has_key: bool = True) -> Visitor:
        """Return a visitor of a site whose files are in a folder."""
        queue = Queue(folder)
        queue.catalogue = CATALOGUE
        site = Site(folder, ADDRESS, Keys(), queue, upload_limit)
        strangers: list[str] = []
        faults: list[str] = []
        application = make_application(site, lambda: strangers.append("asked"), faults.append)
        client = Client(application)
        visitor = cls(site, client, strangers, faults)
        if has_key:
            client.headers["cookie"] = f"linkrisk-8000={site.keys.key}"
        return visitor

    def get(self, path: str, **headers: str) -> Any:
        """Ask for a view."""
        return self.client.request("GET", f"{ADDRESS.folder}{path}", headers=_with_dashes(headers))

    def post(self, path: str, data: dict[str, Any] | None = None, **more: Any) -> Any:
        """Send a form, as the page does."""
        headers = {"sec-fetch-site": "same-origin", "origin": "null", **more.pop("headers", {})}
        return self.client.request("POST", f"{ADDRESS.folder}{path}", data=data, headers=headers, **more)


def _with_dashes(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
