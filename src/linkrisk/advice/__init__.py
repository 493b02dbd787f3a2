"""Advice: releases compared by risk and loss, and protections tuned to a target.

Names are loaded when they are first used, so that the command line can read the options alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.advice.average import AverageLinkage as AverageLinkage
    from linkrisk.advice.average import average_linkage as average_linkage
    from linkrisk.advice.release import Release as Release
    from linkrisk.advice.releases import Releases as Releases
    from linkrisk.advice.risk import Risk as Risk
    from linkrisk.advice.risk import Threat as Threat
    from linkrisk.advice.tuning import Trial as Trial
    from linkrisk.advice.tuning import Tuning as Tuning

_HOMES = {
    "AverageLinkage": "linkrisk.advice.average:AverageLinkage",
    "Release": "linkrisk.advice.release:Release",
    "Releases": "linkrisk.advice.releases:Releases",
    "Risk": "linkrisk.advice.risk:Risk",
    "Threat": "linkrisk.advice.risk:Threat",
    "Trial": "linkrisk.advice.tuning:Trial",
    "Tuning": "linkrisk.advice.tuning:Tuning",
    "average_linkage": "linkrisk.advice.average:average_linkage",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
