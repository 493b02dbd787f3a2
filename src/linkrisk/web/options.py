"""Where the page is served, and to whom: the options of ``linkrisk serve``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from linkrisk.errors import SettingsError
from linkrisk.options import File, Flag, Options, Text, Whole, option

LOOPBACK = ("127.0.0.1", "::1")
"""The addresses that nobody but this machine can reach."""


@dataclass(frozen=True, kw_only=True)
class Serving(Options):
    """Where the page is served, and to whom.

    Raises
    ------
    SettingsError
        For an address that others can reach, unless that is allowed and the connection is encrypted.
    """

    title: ClassVar[str] = "Where the page is"

    port: int = option(0, Whole(0, 65535), "Port of the page; 0 takes one that is free.")
    browser: bool = option(True, Flag(), "Open the page in the browser.")
    upload_limit: int = option(1024, Whole(1, 1_000_000), "Most megabytes of the files given at once.")
    address: str = option("127.0.0.1", Text("ADDRESS"), "Address or name under which the page is reached.")
    certificate: Path | None = option(None, File(), "TLS certificate (PEM) for an address that others can reach.")
    key: Path | None = option(None, File(), "Key of that certificate (PEM).")
    allow_other_machines: bool = option(
        False, Flag(), "Let other machines reach the page; needs a certificate and its key."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.certificate is None) != (self.key is None):
            raise SettingsError("a certificate needs its key, and a key its certificate; give --certificate and --key")
        if self.address in LOOPBACK:
            return
        if not self.allow_other_machines:
            raise SettingsError(
                f"other machines could reach {self.address}; leave out --address, or allow them by "
                "--allow-other-machines with --certificate and --key"
            )
        if self.certificate is None:
            raise SettingsError(
                f"whoever listens could read what is sent to {self.address}; give --certificate and --key"
            )

    @property
    def is_secure(self) -> bool:
        """Whether the connection is encrypted."""
        return self.certificate is not None
