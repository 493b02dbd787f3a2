"""Linking: the nearest records, with ties, and the best one-to-one assignment.

`nearest` and `assign` are imported when they are first used: their kernels take a moment.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from linkrisk.linkage.linkage import DEFAULT_TIES, Linkage, Ties

if TYPE_CHECKING:
    from linkrisk.linkage.assignment import Assignment, assign
    from linkrisk.linkage.probabilistic import link_probabilistically
    from linkrisk.linkage.search import nearest

__all__ = [
    "DEFAULT_TIES",
    "Assignment",
    "Linkage",
    "Ties",
    "assign",
    "link_probabilistically",
    "nearest",
]

_HOMES = {
    "Assignment": "linkrisk.linkage.assignment:Assignment",
    "assign": "linkrisk.linkage.assignment:assign",
    "link_probabilistically": "linkrisk.linkage.probabilistic:link_probabilistically",
    "nearest": "linkrisk.linkage.search:nearest",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return resolve_name(_HOMES[name])
