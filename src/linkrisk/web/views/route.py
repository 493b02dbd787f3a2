"""What a module of views offers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from linkrisk.web.site import Site

View: TypeAlias = Callable[[Request], Awaitable[Response]]
Entry: TypeAlias = tuple[str, str, View]
"""Method, address, and the function that answers."""


def see(site: Site, path: str) -> Response:
    """Send the browser to a view after a form was sent, so that reloading sends nothing again."""
    return RedirectResponse(f"{site.address.folder}{path}", 303)
