"""The charts of the papers' experiments."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.figures.correlations import Correlations
from linkrisk.report.charts.figures.kinds_of_distances import KindsOfDistances
from linkrisk.report.charts.figures.lattice import Lattice
from linkrisk.report.charts.figures.ranking import Ranking
from linkrisk.report.charts.figures.unlinked import IMPROVEMENT, PAIR, SECONDS, Unlinked
from linkrisk.report.charts.figures.value_pairs import ValuePairs
from linkrisk.report.charts.meanings import LearnedMeaning
from linkrisk.study.papers.comparison import PaperComparison

LATTICES = ("M4-28", "M6-385")
"""The files whose lattices abril2012-choquet.txt draws (Figures 1 and 2)."""


def figures(result: PaperComparison, *, confidential: bool) -> Iterator[Figure | None]:
    """Yield what the experiment's cells can show; values and parameters only if they are asked for."""
    study = result.study
    if result.name == "weights-figures":
        for kind in (IMPROVEMENT, SECONDS):
            yield Unlinked.of(study, kind)
            yield Unlinked.of(study, kind, PAIR, is_mean=True)
    yield from Ranking.of(study)
    if result.name == "bilinear":
        yield KindsOfDistances.of()
    yield Correlations.of(study)
    if confidential:
        yield from ValuePairs.of(study)
        for file in LATTICES if result.name == "choquet" else ():
            yield _lattice(result, file)


def _lattice(result: PaperComparison, file: str) -> Lattice | None:
    """Return the lattice of the measure that was learned on the first sample of a file."""
    where = ("links", file, "choquet", 0)
    for row in result.study.rows:
        if (row.measure, row.protection, row.attacker, row.repeat) == where and row.problem is None:
            return Lattice.of_meaning(LearnedMeaning(f"choquet on {file}", row.details["meaning"], {}))
    return None
