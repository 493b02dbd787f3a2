"""Packages whose names are loaded when they are first used, so that importing them costs next to nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: ``homes`` tells which module each of its names lives in.

    A home is ``"module"`` for a name that a module of the package holds, or ``"package.module:"`` with a colon for one
    that is that module itself.
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, is_module = homes[name].removesuffix(":"), homes[name].endswith(":")
        loaded = importlib.import_module(f"{package}.{module}")
        return loaded if is_module else getattr(loaded, name)

    return load
