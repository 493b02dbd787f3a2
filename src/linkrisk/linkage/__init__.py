"""Linking: the nearest records, with ties, and the best one-to-one assignment.

Names are loaded when they are first used, because the kernels behind them take a moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.linkage.assignment import Assignment as Assignment
    from linkrisk.linkage.assignment import assign as assign
    from linkrisk.linkage.linkage import Linkage as Linkage
    from linkrisk.linkage.probabilistic import link_probabilistically as link_probabilistically
    from linkrisk.linkage.search import nearest as nearest
    from linkrisk.linkage.ties import DEFAULT_TIES as DEFAULT_TIES
    from linkrisk.linkage.ties import Ties as Ties

_HOMES = {
    "DEFAULT_TIES": "linkrisk.linkage.ties:DEFAULT_TIES",
    "Assignment": "linkrisk.linkage.assignment:Assignment",
    "Linkage": "linkrisk.linkage.linkage:Linkage",
    "Ties": "linkrisk.linkage.ties:Ties",
    "assign": "linkrisk.linkage.assignment:assign",
    "link_probabilistically": "linkrisk.linkage.probabilistic:link_probabilistically",
    "nearest": "linkrisk.linkage.search:nearest",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
