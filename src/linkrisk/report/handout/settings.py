"""With which versions a report was made."""

from __future__ import annotations

import platform
from importlib.metadata import version

from linkrisk.version import __version__

PACKAGES = ("numpy", "scipy", "numba", "highspy")
"""Packages that figures hang on."""


def version_facts() -> tuple[tuple[str, str], ...]:
    """Return the versions of linkrisk, Python and the packages that figures hang on."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return ("linkrisk", __version__), ("Python", platform.python_version()), ("packages", packages)
