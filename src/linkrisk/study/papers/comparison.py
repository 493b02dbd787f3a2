"""The papers' figures beside ours: taken from the store of an experiment, none of them typed."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkrisk.data.writing import write_json
from linkrisk.result import Result
from linkrisk.study.papers.claims import COMPUTED, Claim, PublishedTable, Where
from linkrisk.study.papers.experiments import Experiment
from linkrisk.study.result import StudyResult
from linkrisk.study.summary import Group, Spread

LIKELY = 2.0
"""Standard errors of the difference of two means within which they agree."""


@dataclass(frozen=True)
class ComparedFigure:
    """A figure of a paper beside ours: the mean over the repeats, and how it is spread.

    ``n_learned`` and ``n_optimal``: in how many repeats something was learned, and the optimum was proven.
    """

    claim: Claim
    ours: Spread
    n_runs: int
    n_learned: int = 0
    n_optimal: int = 0

    @property
    def difference(self) -> float:
        """Ours less the paper's; not a number where either is missing."""
        return math.nan if self.claim.printed is None else self.ours.mean - self.claim.printed

    @property
    def is_alike(self) -> bool | None:
        """Whether the paper's figure can be the mean of as many runs as it rests on, by the spread of ours.

        The difference must be within `LIKELY` standard errors, where runs of both vary as ours do, or as the paper says
        if that is more. None where the paper prints no figure, or the spread is not known.
        """
        if self.claim.printed is None or math.isnan(self.ours.deviation):
            return None
        deviation = max(self.ours.deviation, self.claim.deviation or 0.0)
        error = deviation * math.sqrt(1.0 / self.n_runs + 1.0 / self.ours.n)
        return abs(self.difference) <= LIKELY * error + 1e-9 * abs(self.claim.printed)


@dataclass(frozen=True)
class ComparedTable:
    """A table of a paper with all its figures beside ours."""

    published: PublishedTable
    figures: tuple[ComparedFigure, ...]

    @property
    def n_alike(self) -> int:
        """Figures that agree within what chance explains."""
        return sum(figure.is_alike is True for figure in self.figures) if self.published.is_judged else 0

    @property
    def n_judged(self) -> int:
        """Figures of which that can be said."""
        return sum(figure.is_alike is not None for figure in self.figures) if self.published.is_judged else 0

    @property
    def averages(self) -> dict[str, tuple[float, float]]:
        """The paper's averages by column, and ours."""
        return {
            column: (printed, Spread.of([each.ours.mean for each in self.figures if each.claim.column == column]).mean)
            for column, printed in self.published.average.items()
        }


@dataclass(frozen=True, repr=False)
class PaperComparison(Result):
    """The tables of a paper beside what an experiment found; made by `linkrisk.study.papers.compare`.

    ``study`` holds the cells behind them.
    """

    name: str
    paper: str
    tables: tuple[ComparedTable, ...]
    study: StudyResult

    def write(self, json: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write all figures as JSON, which may be shared.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        if json is not None:
            write_json(json, self.to_dict(), overwrite=overwrite)


def compare_with(experiment: Experiment, study: StudyResult) -> PaperComparison:
    """Return the tables of an experiment beside the figures of a study."""
    index = _Index(study.groups, experiment.computed())
    tables = tuple(
        ComparedTable(table, tuple(index.figure(claim, table.n_runs) for claim in table.claims))
        for table in experiment.tables()
    )
    return PaperComparison(experiment.name, experiment.paper, tables, study)


class _Index:
    """Groups by measure, so that thousands of figures are found quickly."""

    def __init__(self, groups: Iterable[Group], computed: Mapping[str, float]) -> None:
        self._computed = computed
        self._by_measure: dict[str, list[Group]] = {}
        for group in groups:
            self._by_measure.setdefault(group.measure, []).append(group)

    def figure(self, claim: Claim, n_runs: int) -> ComparedFigure:
        """Return a claim beside the figure of ours; of a cell that is not there yet nothing is known."""
        where = claim.where
        if where.measure == COMPUTED:
            return ComparedFigure(claim, Spread.of([self._computed[str(where.figure)]]), n_runs)
        found = [group for group in self._by_measure.get(where.measure, ()) if group.has(where.at)]
        if where.figure is not None:
            found = [group for group in found if group.figure(where.figure).n]
        if len(found) != 1:
            return ComparedFigure(claim, Spread.of([]), n_runs)
        (group,) = found
        return ComparedFigure(claim, Spread.of(list(_values(group, where))), n_runs, group.n_learned, group.n_optimal)


def _values(group: Group, where: Where) -> Iterator[float]:
    if where.parameter is not None:
        for row in group.rows:
            value = parameter_of(row.details.get("meaning", {}), where.parameter)
            if value is not None:
                yield value
        return
    values = group.values(where.figure) if where.figure else group.main_values
    yield from (value * where.factor for value in values)


def parameter_of(meaning: Mapping[str, Any], name: str) -> float | None:
    """Return a learned parameter: by the name of an attribute, by position from 1, or by the digits of a subset.

    >>> parameter_of({"weights": {"age": 0.25}}, "age"), parameter_of({"weights": [0.25, 0.75]}, "2")
    (0.25, 0.75)
    >>> parameter_of({"subsets": [{"label": "01", "measure": 0.5}]}, "01")
    0.5
    """
    weights = meaning.get("weights")
    if isinstance(weights, Mapping):
        return weights.get(name)
    if isinstance(weights, Sequence):
        return weights[int(name) - 1] if int(name) <= len(weights) else None
    return next((each["measure"] for each in meaning.get("subsets", ()) if each["label"] == name), None)
