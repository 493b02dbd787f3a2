"""When, and with which versions, a report was made."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version

from linkrisk.report.handout.contents import Facts
from linkrisk.version import __version__

PACKAGES = ("numpy", "scipy", "numba", "highspy")
"""Packages that figures hang on."""


def made_on() -> Facts:
    """Return when a report is made: with the timings, because everything else is the same each time."""
    return Facts((("made on", datetime.now(tz=UTC).strftime("%Y-%m-%d %H:%M UTC")),))


def version_facts() -> tuple[tuple[str, str], ...]:
    """Return the versions of linkrisk, Python and the packages that figures hang on."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return ("linkrisk", __version__), ("Python", platform.python_version()), ("packages", packages)
