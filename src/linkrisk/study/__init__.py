"""Studies: grids of data, protections, strengths, attackers and repeats, kept in a store and run by many workers.

`run` runs a specification and goes on where it stopped, `show` returns what a store keeps, `export` writes it as a
table. The papers that linkrisk repeats are specifications, too: `linkrisk.study.papers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.study import papers as papers
    from linkrisk.study.result import StudyResult as StudyResult
    from linkrisk.study.result import StudyRun as StudyRun
    from linkrisk.study.result import export as export
    from linkrisk.study.result import show as show
    from linkrisk.study.running import run as run
    from linkrisk.study.specification.reading import load_specification as load_specification
    from linkrisk.study.specification.reading import make_specification as make_specification
    from linkrisk.study.specification.specification import Specification as Specification
    from linkrisk.study.summary import Group as Group
    from linkrisk.study.summary import Spread as Spread

_HOMES = {
    "Group": "linkrisk.study.summary:Group",
    "Specification": "linkrisk.study.specification.specification:Specification",
    "Spread": "linkrisk.study.summary:Spread",
    "StudyResult": "linkrisk.study.result:StudyResult",
    "StudyRun": "linkrisk.study.result:StudyRun",
    "export": "linkrisk.study.result:export",
    "load_specification": "linkrisk.study.specification.reading:load_specification",
    "make_specification": "linkrisk.study.specification.reading:make_specification",
    "papers": "linkrisk.study.papers",
    "run": "linkrisk.study.running:run",
    "show": "linkrisk.study.result:show",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
