"""The server: its socket, its folder, its end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import signal
import socket
import ssl
import time
import webbrowser
from collections.abc import Callable, Iterator

import uvicorn

from linkrisk.data.opening import check_readable, reason
from linkrisk.engine import interrupt
from linkrisk.errors import SettingsError
from linkrisk.printable import file_name
from linkrisk.web.application import make_application
from linkrisk.web.options import Serving
from linkrisk.web.security.address import Address
from linkrisk.web.security.keys import Keys
from linkrisk.web.site import Site
from linkrisk.web.storage.folders import private_folder
from linkrisk.web.work.queue import Queue

SECONDS_BETWEEN = 10.0
"""Least time between two start addresses that are shown because a browser without the key has asked."""

LAST_SECONDS = 2
"""What answers that are being sent have at the end."""

Say = Callable[[str], None]


def serve(asked: Serving, say: Say) -> None:
    """Serve the page until the process is told to end; then remove every file.

    Parameters
    ----------
    asked
        Where, and to whom.
    say
        Shows a sentence to the user.
    """
    _check_certificate(asked)
    logging.getLogger("uvicorn").addHandler(logging.NullHandler())  # it would print tracebacks with names
    logging.getLogger("uvicorn").propagate = False
    with contextlib.closing(_socket(asked)) as listener, private_folder() as folder:
        address = Address(asked.address, listener.getsockname()[1], f"/{secrets.token_urlsafe(9)}", asked.is_secure)
        site = Site(folder, address, Keys(), Queue(folder), asked.upload_limit)
        asyncio.run(_serve(site, asked, listener, say))
    say("The page is closed, and its files are removed.")


async def _serve(site: Site, asked: Serving, listener: socket.socket, say: Say) -> None:
    invitation = _Invitation(site, say)
    application = make_application(site, invitation.repeat, lambda place: say(f"linkrisk: a fault of ours: {place}."))
    server = _Server(
        uvicorn.Config(
            application,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=LAST_SECONDS,
            ssl_certfile=asked.certificate,
            ssl_keyfile=asked.key,
        )
    )
    loop = asyncio.get_running_loop()
    for number in interrupt.SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup does with SIGHUP
            with contextlib.suppress(NotImplementedError):  # where there are no such handlers
                loop.add_signal_handler(number, server.end)
    say(f"The page is at {invitation.address()}")
    say("Only the browser that opens this address can use it; end with Ctrl-C.")
    if asked.browser:
        loop.call_soon(webbrowser.open, invitation.address())
    await server.serve([listener])


class _Server(uvicorn.Server):
    """A server that is ended by us, not by signals that it takes for itself."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield

    def end(self) -> None:
        """End soon; at once if it is told so again."""
        self.force_exit = self.should_exit
        self.should_exit = True


class _Invitation:
    """The start address, shown once more when somebody asks without the key: the user may have closed his browser."""

    def __init__(self, site: Site, say: Say) -> None:
        self._site = site
        self._say = say
        self._last = time.monotonic()

    def address(self) -> str:
        """Return the start address."""
        return self._site.address.url(f"/enter?token={self._site.keys.token()}")

    def repeat(self) -> None:
        """Show it, but not too often."""
        now = time.monotonic()
        if now - self._last >= SECONDS_BETWEEN:
            self._last = now
            self._say(f"A browser without the key asked for the page. If it is yours, open {self.address()}")


def _socket(asked: Serving) -> socket.socket:
    """Return a socket that listens at the address; whoever asks for a name gets one of its addresses."""
    try:
        family, _, _, _, place = socket.getaddrinfo(asked.address, asked.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place[:2], family=family)
    except OSError as fault:
        remedy = reason(fault, "choose another --port or --address")
        raise SettingsError(f"the page cannot be served at {asked.address}, port {asked.port} {remedy}") from None


def _check_certificate(asked: Serving) -> None:
    """Refuse a certificate and a key that cannot be used, before anything listens."""
    if asked.certificate is None or asked.key is None:
        return
    for path in (asked.certificate, asked.key):
        check_readable(path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(asked.certificate, asked.key)
    except (OSError, ValueError):
        names = f"{file_name(asked.certificate)} and {file_name(asked.key)}"
        raise SettingsError(
            f"{names} are no certificate and its key; give two PEM files that belong together"
        ) from None
