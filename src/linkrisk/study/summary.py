"""Cells that differ in their repeats alone, put together: mean, spread and what was proven."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkrisk.study.specification.kinds import Parameters
from linkrisk.study.specification.measure_names import MEASURES
from linkrisk.study.store.store import Row


@dataclass(frozen=True)
class Spread:
    """Mean of some figures, and how far they are spread: standard deviation (n - 1) and error of the mean.

    >>> Spread.of([1.0, 3.0])
    Spread(n=2, mean=2.0, deviation=1.4142135623730951, error=1.0)
    """

    n: int
    mean: float
    deviation: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Return mean and spread; of a single figure the spread is not known (NaN), as is all of none."""
        n = len(values)
        mean = math.fsum(values) / n if n else math.nan
        deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1)) if n > 1 else math.nan
        return cls(n, mean, deviation, deviation / math.sqrt(n) if n > 1 else math.nan)


@dataclass(frozen=True)
class Group:
    """All repeats of one combination."""

    data: str
    protection: str
    parameters: Parameters
    measure: str
    attacker: str | None
    scale: str | None
    ties: str | None
    rows: tuple[Row, ...]

    @property
    def main(self) -> Spread:
        """The figure that stands for the measure."""
        return self.figure(MEASURES[self.measure].main)

    @property
    def main_values(self) -> list[float]:
        """The figure that stands for the measure, of each repeat."""
        return self.values(MEASURES[self.measure].main)

    def has(self, where: Mapping[str, Any]) -> bool:
        """Whether the group has these coordinates: ``{"attacker": "mean"}``, or ``{"k": 5}`` of the grid."""
        parameters = dict(self.parameters)
        return all(
            (parameters[name] if name in parameters else getattr(self, name, None)) == value
            for name, value in where.items()
        )

    def figure(self, name: str) -> Spread:
        """Return a figure over the repeats that have it."""
        return Spread.of(self.values(name))

    def values(self, name: str) -> list[float]:
        """Return a figure of each repeat that has it."""
        found = (row.figures.get(name) for row in self.rows)
        return [float(value) for value in found if isinstance(value, int | float) and not isinstance(value, bool)]

    @property
    def bound(self) -> Spread:
        """The proven bound, as a share of the people; of none where nothing was learned."""
        pairs = [(row.figures.get("bound"), row.figures.get("people")) for row in self.rows]
        return Spread.of([bound / people for bound, people in pairs if bound is not None and people])

    @property
    def n_learned(self) -> int:
        """Repeats in which something was learned."""
        return sum(row.figures.get("status") is not None for row in self.rows)

    @property
    def n_optimal(self) -> int:
        """Repeats whose optimum was proven."""
        return sum(row.figures.get("status") == "optimal" for row in self.rows)

    @property
    def attacker_label(self) -> str:
        """The attacker as a reader sees him."""
        return attacker_label(self.attacker)


def attacker_label(told: str | None) -> str:
    """Return an attacker, told by name or by JSON, as a reader sees him.

    >>> attacker_label('{"degree": 3, "name": "kernel"}')
    'kernel degree=3'
    """
    if told is None or not told.startswith("{"):
        return told or ""
    entries: Mapping[str, object] = json.loads(told)
    return " ".join([str(entries["name"]), *(f"{name}={value}" for name, value in entries.items() if name != "name")])


def grouped(rows: Iterable[Row]) -> list[Group]:
    """Put rows together that differ in their repeats alone; failures are left out."""
    found: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        if row.problem is None:
            key = (row.data, row.protection, row.parameters, row.measure, row.attacker, row.scale, row.ties)
            found.setdefault(key, []).append(row)
    return [
        Group(each[0].data, each[0].protection, each[0].parameters, each[0].measure, *_who(each[0]), tuple(each))
        for each in found.values()
    ]


def _who(row: Row) -> tuple[str | None, str | None, str | None]:
    return row.attacker, row.scale, row.ties
