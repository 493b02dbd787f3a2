"""The result of judging matches; only `MatchTable` holds anything of a single record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.tables.posterior.posterior import Posterior
from linkrisk.tables.truth import Judgement
from linkrisk.version import __version__


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

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "matches": self.n_matches,
            "confident": {f"{level:g}": count for level, count in self.confident.items()},
            "expected_correct": self.expected_correct,
            "spearman": _plain(self.spearman),
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


@dataclass(frozen=True, repr=False)
class MatchReport:
    """How sure an intruder may be of the matches between samples, and what each table gives away. Print it."""

    population: int
    overlap: tuple[str, ...]
    samples: Mapping[str, int]
    posterior: str
    bounds: str
    effect: Effect
    tables: tuple[TableRole, ...]
    candidate: TableRole | None
    judgement: Judgement | None
    matches: MatchTable
    notes: tuple[str, ...] = ()

    @property
    def n_matches(self) -> int:
        """Number of unique matches."""
        return self.effect.n_matches

    def as_dict(self) -> dict[str, Any]:
        """Return everything except the single matches as plain values, for JSON."""
        return {
            "schema": 1,
            "version": __version__,
            "population": self.population,
            "overlap": list(self.overlap),
            "samples": dict(self.samples),
            "posterior": self.posterior,
            "bounds": self.bounds,
            "effect": self.effect.as_dict(),
            "tables": [_role(role, "without_it") for role in self.tables],
            "candidate": None if self.candidate is None else _role(self.candidate, "with_it"),
            "truth": None if self.judgement is None else _judgement(self.judgement),
            "warnings": list(self.notes),
        }

    def __str__(self) -> str:
        from linkrisk.tables.text import report_text  # noqa: PLC0415  (text knows reports, not the reverse)

        return report_text(self)

    __repr__ = __str__


def _role(role: TableRole, label: str) -> dict[str, Any]:
    return {
        "name": role.name,
        "mechanism": role.mechanism,
        "attributes": list(role.attributes),
        "cells": role.n_cells,
        "enters": role.enters,
        label: None if role.effect is None else role.effect.as_dict(),
    }


def _judgement(judgement: Judgement) -> dict[str, Any]:
    ranks = judgement.ranks
    return {
        "spearman": _plain(ranks.spearman),
        "spearman_p": _plain(ranks.spearman_p),
        "kendall": _plain(ranks.kendall),
        "kendall_p": _plain(ranks.kendall_p),
        "brier": judgement.brier,
        "expected_correct": judgement.expected_correct,
        "true_correct": judgement.true_correct,
        "outcomes": "by person" if judgement.is_by_person else "expected, from the true counts",
        "reliability": [
            {"from": bin_.low, "to": bin_.high, "said": bin_.said, "true": bin_.true, "matches": bin_.n_matches}
            for bin_ in judgement.reliability
        ],
    }


def _plain(number: float | None) -> float | None:
    return None if number is None or math.isnan(number) else number
