"""What studies return: how a run ended, and the figures of a store."""

from __future__ import annotations

import json as json_format
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from linkrisk.data.writing import write_columns, write_json
from linkrisk.result import Result
from linkrisk.study.specification.cells import told_parameters
from linkrisk.study.store.store import Row, Store
from linkrisk.study.summary import Group, grouped


@dataclass(frozen=True, repr=False)
class StudyResult(Result):
    """The cells of a study that are over; made by `linkrisk.study.show`.

    ``rows`` hold the figures of every cell, also the parameters that were learned: they are confidential, as the store
    is. What it prints, and `groups`, are means over repeats.
    """

    name: str
    rows: tuple[Row, ...]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Cells that differ in their repeats alone, put together."""
        return tuple(grouped(self.rows))

    @property
    def failures(self) -> tuple[Row, ...]:
        """The cells that could not be done."""
        return tuple(row for row in self.rows if row.problem is not None)

    def group(self, measure: str, **where: Any) -> Group:
        """Return the one group of a measure with these coordinates: ``attacker="mean"``, or ``k=5`` of the grid.

        Raises
        ------
        LookupError
            If there is none, or more than one.
        """
        found = [group for group in self.groups if group.measure == measure and group.has(where)]
        if len(found) != 1:
            raise LookupError(f"{len(found)} groups of {measure} have these coordinates; there must be one")
        return found[0]

    def write(self, json: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write the means as JSON, which may be shared.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        if json is not None:
            write_json(json, self.to_dict(), overwrite=overwrite)


@dataclass(frozen=True, repr=False)
class StudyRun(Result):
    """How a run of a study ended: made by `linkrisk.study.run`.

    Of ``n_cells`` cells this run did ``n_done``, of which ``n_failed`` could not be done, and ``n_left`` are still to
    be done: none, unless it was interrupted.
    """

    name: str
    store: Path
    n_cells: int
    n_done: int
    n_failed: int
    n_left: int
    is_complete: bool
    seconds: float

    def result(self) -> StudyResult:
        """Return the figures of all cells that are over."""
        return show(self.store)


def show(store: str | os.PathLike[str]) -> StudyResult:
    """Return the figures that a store keeps, whether or not the study is finished; a run may be going on.

    Parameters
    ----------
    store
        The file that `linkrisk.study.run` writes.

    Raises
    ------
    InputError
        If the file is no store, or was written by a newer version.
    """
    path = Path(store)
    with Store.open(path) as opened:
        return StudyResult(opened.about().get("name", path.stem), tuple(sorted(opened.rows(), key=_order)))


def _order(row: Row) -> tuple[Any, ...]:
    """Return what rows are put in order by: their coordinates, numbers by their size."""
    strength = tuple(
        (name, 0.0, value) if isinstance(value, str) else (name, float(value), "") for name, value in row.parameters
    )
    words = (row.measure, row.attacker, row.scale, row.ties)
    return row.data, row.protection, strength, *(word or "" for word in words), row.repeat


def export(store: str | os.PathLike[str], out: str | os.PathLike[str], *, overwrite: bool = False) -> StudyResult:
    """Write all cells of a store as one table, Parquet or CSV: a row for each, a column for each figure.

    Parameters
    ----------
    store
        The file that `linkrisk.study.run` writes.
    out
        The file to be written, ending in .parquet or .csv. It holds what attackers have learned: it is confidential,
        and only its owner may read it.
    overwrite
        Whether a file that exists may be replaced.

    Raises
    ------
    FileError
        If a file cannot be read or written.
    """
    found = show(store)
    write_columns(out, columns_of(found.rows), confidential=True, overwrite=overwrite)
    return found


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return rows as columns: coordinates, figures, the reason of a failure, and details as JSON."""
    grid = list(dict.fromkeys(name for row in rows for name, _ in row.parameters))
    figures = list(dict.fromkeys(name for row in rows for name in row.figures))
    coordinates = ("data", "protection", "measure", "attacker", "scale", "ties", "repeat")
    taken = {*coordinates, "parameters", "problem", "seconds", "details"}
    columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in coordinates}
    columns["parameters"] = [told_parameters(row.parameters) for row in rows]
    for name in grid:
        columns[f"grid_{name}"] = _uniform([dict(row.parameters).get(name) for row in rows])
    for name in figures:
        columns[f"figure_{name}" if name in taken else name] = _uniform([row.figures.get(name) for row in rows])
    columns["problem"] = [row.problem for row in rows]
    columns["seconds"] = [row.seconds for row in rows]
    columns["details"] = [json_format.dumps(row.details) for row in rows]
    return columns


def _uniform(values: list[Any]) -> list[Any]:
    """Return values of one kind: numbers as floats, and texts where they are mixed."""
    known = [value for value in values if value is not None]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
        return [None if value is None else float(value) for value in values]
    return [None if value is None else str(value) for value in values]
