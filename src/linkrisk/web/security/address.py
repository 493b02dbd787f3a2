"""The address under which the page is reached, as a browser writes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Address:
    """Host and port of the page, and the folder of the address below which everything is.

    Browsers send the cookies of a host to all of its ports, so to whatever else runs on this machine; but only to
    addresses below the ``folder`` for which a cookie was set. It is drawn anew for each server.

    >>> page = Address("127.0.0.1", 8000, "/x7")
    >>> page.origin, page.url("/case/1")
    ('http://127.0.0.1:8000', 'http://127.0.0.1:8000/x7/case/1')
    >>> Address("::1", 80, "/x7").hosts
    ('[::1]:80', '[::1]')
    """

    host: str
    port: int
    folder: str
    is_secure: bool = False

    @property
    def scheme(self) -> str:
        """What an address begins with."""
        return "https" if self.is_secure else "http"

    @property
    def hosts(self) -> tuple[str, ...]:
        """What a browser may call the host of this page; the usual port is left out by most."""
        host = f"[{self.host}]" if ":" in self.host else self.host.lower()
        usual = 443 if self.is_secure else 80
        return (f"{host}:{self.port}", *((host,) if self.port == usual else ()))

    @property
    def origins(self) -> tuple[str, ...]:
        """What a browser may say of where a request comes from, if it comes from this page."""
        return tuple(f"{self.scheme}://{host}" for host in self.hosts)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return self.origins[-1]

    def url(self, path: str) -> str:
        """Return the whole address of a view."""
        return f"{self.origin}{self.folder}{path}"
