"""Advice: releases compared by risk and loss, and protections tuned to a target.

Names are loaded when they are first used, so that the command line can read the options alone.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkrisk.advice.average import AverageLinkage, average_linkage
    from linkrisk.advice.release import Release
    from linkrisk.advice.releases import Releases
    from linkrisk.advice.tuning import Trial, Tuning
    from linkrisk.advice.worst_case import Threat, WorstCase

__all__ = ["AverageLinkage", "Release", "Releases", "Threat", "Trial", "Tuning", "WorstCase", "average_linkage"]

_HOMES = {
    "AverageLinkage": "linkrisk.advice.average:AverageLinkage",
    "Release": "linkrisk.advice.release:Release",
    "Releases": "linkrisk.advice.releases:Releases",
    "Threat": "linkrisk.advice.worst_case:Threat",
    "Trial": "linkrisk.advice.tuning:Trial",
    "Tuning": "linkrisk.advice.tuning:Tuning",
    "WorstCase": "linkrisk.advice.worst_case:WorstCase",
    "average_linkage": "linkrisk.advice.average:average_linkage",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return resolve_name(_HOMES[name])
