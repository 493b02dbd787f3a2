"""The papers' experiments: shipped specifications, and the papers' tables beside what they find.

`EXPERIMENTS` lists them, `run` runs one, `compare` lays the figures of its paper beside those in its store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.study.papers.claims import Claim as Claim
    from linkrisk.study.papers.claims import PublishedTable as PublishedTable
    from linkrisk.study.papers.claims import Where as Where
    from linkrisk.study.papers.comparison import ComparedFigure as ComparedFigure
    from linkrisk.study.papers.comparison import ComparedTable as ComparedTable
    from linkrisk.study.papers.comparison import PaperComparison as PaperComparison
    from linkrisk.study.papers.experiments import EXPERIMENTS as EXPERIMENTS
    from linkrisk.study.papers.experiments import Experiment as Experiment
    from linkrisk.study.papers.running import compare as compare
    from linkrisk.study.papers.running import run as run
    from linkrisk.study.papers.running import specification as specification

_HOMES = {
    "Claim": "linkrisk.study.papers.claims:Claim",
    "ComparedFigure": "linkrisk.study.papers.comparison:ComparedFigure",
    "ComparedTable": "linkrisk.study.papers.comparison:ComparedTable",
    "EXPERIMENTS": "linkrisk.study.papers.experiments:EXPERIMENTS",
    "Experiment": "linkrisk.study.papers.experiments:Experiment",
    "PaperComparison": "linkrisk.study.papers.comparison:PaperComparison",
    "PublishedTable": "linkrisk.study.papers.claims:PublishedTable",
    "Where": "linkrisk.study.papers.claims:Where",
    "compare": "linkrisk.study.papers.running:compare",
    "run": "linkrisk.study.papers.running:run",
    "specification": "linkrisk.study.papers.running:specification",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
