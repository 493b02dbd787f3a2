"""Packages whose names are loaded when they are first used, so that importing them costs next to nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package; ``homes`` says where each name is found: a package, or ``module:name``.

    >>> lazily("shapes", {"sqrt": "math:sqrt"})("sqrt")(9.0)
    3.0
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return resolve_name(homes[name])

    return load
