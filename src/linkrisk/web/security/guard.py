"""The guard in front of all views: a request from elsewhere, or without the key, does not come through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from linkrisk.web.faults import place_of
from linkrisk.web.security.address import Address
from linkrisk.web.security.headers import HEADERS
from linkrisk.web.security.keys import Keys

METHODS = ("GET", "HEAD", "POST")
SAFE_METHODS = ("GET", "HEAD")

Refusal = Callable[[int, str], Response]
"""Makes the page that says in a sentence why a request is refused."""


@dataclass(frozen=True)
class Guard:
    """Lets through what the page itself asks for, with the key; adds the headers of safety to every answer.

    What is refused: another host than ours (an address that was made to lead here), a request that another page makes,
    a change that does not say where it comes from, and everything without the cookie but the start address and the
    style of the page. A fault of ours ends in one sentence; the browser sees no more of it.
    """

    app: ASGIApp
    address: Address
    keys: Keys
    refuse: Refusal
    on_stranger: Callable[[], None]
    on_fault: Callable[[str], None]

    @property
    def cookie(self) -> str:
        """The name of the cookie: each server on this machine has its own."""
        return f"linkrisk-{self.address.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        answer = self._refusal(scope) or self.app
        try:
            await answer(scope, receive, _with_headers(send))
        except Exception as fault:  # the application has answered that something went wrong
            self.on_fault(place_of(fault))

    def _refusal(self, scope: Scope) -> Response | None:
        """Return why a request does not come through, None where it does."""
        headers, method, path = Headers(scope=scope), scope["method"], scope["path"]
        is_entrance = path == f"{self.address.folder}/enter"
        if headers.get("host", "").lower() not in self.address.hosts:
            return self.refuse(403, f"This page is at {self.address.origin} only; open that address.")
        if method not in METHODS:
            return self.refuse(405, "The page is only read and sent; open it in a browser.")
        if not self._is_own(headers, method, may_be_linked=is_entrance):
            return self.refuse(403, "Another page asked for this; open the page of linkrisk itself.")
        if not path.startswith(f"{self.address.folder}/"):
            return self.refuse(404, "There is nothing at this address; open the one that linkrisk serve has shown.")
        is_open = is_entrance or path.startswith(f"{self.address.folder}/static/")
        return None if is_open or self.keys.opens(_cookie(headers, self.cookie)) else self._stranger()

    def _stranger(self) -> Response:
        """Refuse a browser that has no key; its user may have closed the one that had it."""
        self.on_stranger()
        told = "This browser has no key to the page; open the address that linkrisk serve has shown last."
        return self.refuse(403, told)

    def _is_own(self, headers: Headers, method: str, *, may_be_linked: bool) -> bool:
        """Whether a request comes from this page, or was typed by the user.

        Browsers say so in two headers. ``Origin`` is "null" where no referrer is sent, as we ask for; then, and always
        where something changes, at least one of the two must vouch for it.
        """
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin != "null" and origin.lower() not in self.address.origins:
            return False
        if method in SAFE_METHODS:
            return site in (None, "same-origin", "none") or may_be_linked
        is_vouched = site is not None or origin not in (None, "null")
        return is_vouched and site in (None, "same-origin")


def _with_headers(send: Send) -> Send:
    """Return what sends an answer with the headers of safety, unless it brings its own."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


def _cookie(headers: Headers, name: str) -> str | None:
    """Return the value of a cookie."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return None
    return None if found is None else found.value
