"""The result of judging matches; only `MatchTable` holds anything of a single record."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.writing import column_file, json_file, write_together
from linkrisk.result import DEFAULT_FRAME, ReportedResult, make_frame
from linkrisk.tables.posterior.posterior import Posterior
from linkrisk.tables.truth import Judgement


@dataclass(frozen=True)
class Effect:
    """What the intruder gains from some evidence.

    ``confident`` counts the matches from each probability on, ``expected_correct`` is the expected number of correct
    matches. ``spearman`` is the rank correlation with the true probabilities, where the truth is known.
    """

    n_matches: int
    confident: Mapping[float, int]
    expected_correct: float
    spearman: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "matches": self.n_matches,
            "confident": {f"{level:g}": count for level, count in self.confident.items()},
            "expected_correct": self.expected_correct,
            "spearman": self.spearman,
        }


@dataclass(frozen=True)
class TableRole:
    """One table: what it is, what it is used for, and what it gives away.

    ``enters`` is ``posterior``, ``bounds`` (it only narrows these) or ``nothing``. ``effect`` is what the intruder
    gains without this table, or, for a candidate, with it.
    """

    name: str
    mechanism: str
    attributes: tuple[str, ...]
    n_cells: int
    enters: str
    effect: Effect | None = None


@dataclass(frozen=True, eq=False, repr=False)
class MatchTable:
    """Every unique match; confidential, because it names records. Rows of the samples are counted from 1."""

    records: Mapping[str, IntArray]
    naive_low: IntArray
    naive_high: IntArray
    exact_low: IntArray | None
    exact_high: IntArray | None
    probability: FloatArray
    expected_count: FloatArray
    true_count: IntArray | None
    posteriors: tuple[Posterior, ...]
    frame_kind: str = DEFAULT_FRAME

    def __repr__(self) -> str:
        return f"<MatchTable of {len(self.probability)} matches, confidential>"

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """Return one column per figure, the most probable match first, as ``--matches`` writes them."""
        order = np.argsort(-self.probability, kind="stable")
        columns: dict[str, NDArray[np.generic] | None] = {
            "rank": np.arange(1, len(order) + 1),
            **{f"record in {name}": rows[order] for name, rows in self.records.items()},
            "probability": self.probability[order],
            "expected_count": self.expected_count[order],
            "naive_low": self.naive_low[order],
            "naive_high": self.naive_high[order],
            "exact_low": None if self.exact_low is None else self.exact_low[order],
            "exact_high": None if self.exact_high is None else self.exact_high[order],
            "true_count": None if self.true_count is None else self.true_count[order],
        }
        return {name: values for name, values in columns.items() if values is not None}

    def to_frame(self) -> Any:
        """Return the columns as a frame of the kind the first sample was given in (confidential)."""
        return make_frame(self.columns(), self.frame_kind)


@dataclass(frozen=True, repr=False)
class MatchReport(ReportedResult):
    """How sure an intruder may be of the matches between samples, and what each table gives away.

    ``posterior`` is the one used, ``worth`` says how far it can be trusted.

    Printed, it lists the most probable matches by their rows, which is confidential; a notebook does not show them.
    Its frame has one row per table; that of its ``matches`` one per match (confidential).
    """

    population: int
    overlap: tuple[str, ...]
    samples: Mapping[str, int]
    posterior: str
    bounds: str
    worth: str
    effect: Effect
    tables: tuple[TableRole, ...]
    candidate: TableRole | None
    judgement: Judgement | None
    matches: MatchTable
    notes: tuple[str, ...] = ()
    frame_kind: str = DEFAULT_FRAME

    @property
    def n_matches(self) -> int:
        """Number of unique matches."""
        return self.effect.n_matches

    def write(
        self,
        json: str | os.PathLike[str] | None = None,
        matches: str | os.PathLike[str] | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        """Write the report as JSON, which may be shared, and every match as .csv or .parquet, which is confidential.

        Raises
        ------
        FileError
            If a file exists already (it is kept as it is, unless ``overwrite``) or cannot be written; then none is.
        """
        files = [] if json is None else [json_file(json, self.to_dict())]
        files += [] if matches is None else [column_file(matches, self.matches.columns(), confidential=True)]
        write_together(files, overwrite=overwrite)
