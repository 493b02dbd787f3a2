"""Figures that a paper prints, and where ours stand in the store of a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PERCENT = 100.0
"""What a share is multiplied by where a paper prints percentages."""


COMPUTED = "computed"
"""In place of a measure: the figure is not in a store, it is computed where it is shown."""


@dataclass(frozen=True)
class Where:
    """Where a figure of ours stands: a measure, the coordinates of its cells, and the name of the figure.

    ``figure``: by default the one that stands for the measure. ``parameter`` is one of the parameters that were
    learned, by the name of an attribute, a position from 1, or the digits of a subset; then there is no figure.
    ``factor`` brings ours into the unit of the paper.
    """

    measure: str
    at: Mapping[str, Any] = field(default_factory=dict)
    figure: str | None = None
    parameter: str | None = None
    factor: float = 1.0


@dataclass(frozen=True)
class Claim:
    """One figure: its row and column, as printed (None: the paper prints none), and with which deviation, if any."""

    row: str
    column: str
    printed: float | None
    where: Where
    deviation: float | None = None


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper.

    ``n_runs``: how many samples each printed figure is a mean of. ``average`` are printed averages by column. ``note``
    tells what the paper leaves open, and what is known about differences. ``is_judged``: whether chance can be held
    against differences: not of parameters, of which others link as many records, nor of times, of counts, or of figures
    on another scale.
    """

    source: str
    title: str
    claims: tuple[Claim, ...]
    unit: str = "%"
    n_runs: int = 1
    decimals: int = 2
    average: Mapping[str, float] = field(default_factory=dict)
    note: str = ""
    is_judged: bool = True


def columns_of(
    rows: Sequence[str], columns: Mapping[str, tuple[Sequence[float | None], Iterable[Where]]]
) -> tuple[Claim, ...]:
    """Return the claims of a table from its columns, row by row.

    >>> claims = columns_of(["a", "b"], {"DBRL": ([1.0, 2.0], [Where("links"), Where("loss")])})
    >>> [(claim.row, claim.printed, claim.where.measure) for claim in claims]
    [('a', 1.0, 'links'), ('b', 2.0, 'loss')]
    """
    filled = {name: list(zip(printed, wheres, strict=True)) for name, (printed, wheres) in columns.items()}
    return tuple(Claim(row, name, *cells[place]) for place, row in enumerate(rows) for name, cells in filled.items())


def links(protection: str, attacker: str, factor: float = PERCENT, **at: Any) -> Where:
    """Return where the share linked by an attacker stands."""
    return Where("links", {"protection": protection, "attacker": attacker, **at}, factor=factor)


def parameter(protection: str, attacker: str, name: str, **at: Any) -> Where:
    """Return where a learned parameter stands."""
    return Where("links", {"protection": protection, "attacker": attacker, **at}, parameter=name)
