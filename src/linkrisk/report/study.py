"""How a study is shown: a table of means for each measure, what failed and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from linkrisk.report.blocks import Block, Detail, Note, Sentence, Weight
from linkrisk.report.tables import Table, make_columns
from linkrisk.study.result import StudyResult, columns_of
from linkrisk.study.specification.cells import told_parameters
from linkrisk.study.specification.measure_names import MEASURES
from linkrisk.study.summary import Group, Spread

_COORDINATES: dict[str, Callable[[Group], str]] = {
    "data": lambda group: group.data,
    "protection": lambda group: group.protection,
    "strength": lambda group: told_parameters(group.parameters),
    "attacker": lambda group: group.attacker_label,
    "scale": lambda group: group.scale or "",
    "ties": lambda group: group.ties or "",
}


def blocks(result: StudyResult) -> list[Block | Detail]:
    """Return a table for each measure, with what is the same for all rows in its title, and how many cells are done."""
    found: list[Block | Detail] = []
    for measure in MEASURES:
        groups = [group for group in result.groups if group.measure == measure]
        if groups:
            found.append(_table(measure, groups))
    found += [Note(f"{count:,} cells failed: {problem}") for problem, count in _reasons(result)]
    n_done, n_failed = len(result.rows), len(result.failures)
    ending = f"; {n_failed:,} of them failed" if n_failed else ""
    return [*found, Sentence(f"Study {result.name}: {n_done:,} cells are done{ending}.", Weight.MAIN)]


def _table(measure: str, groups: Sequence[Group]) -> Table:
    words = {name: [cell(group) for group in groups] for name, cell in _COORDINATES.items()}
    same = {name: cells[0] for name, cells in words.items() if len(set(cells)) == 1}
    shown = [name for name in words if name not in same]
    has_bound = any(group.bound.n for group in groups)
    named = MEASURES[measure]
    numbers = ("repeats", "mean", "deviation", "error", *(("bound", "proven") if has_bound else ()), "seconds")
    rows = [
        (*(words[name][place] for name in shown), *_numbers(group, has_bound=has_bound))
        for place, group in enumerate(groups)
    ]
    of_all = ", ".join(f"{name} {text}" for name, text in same.items() if text)
    title = f"{measure}: {named.what}{f' ({of_all})' if of_all else ''}"
    columns = make_columns(tuple(shown), numbers, {"error": 3, "seconds": 2, "deviation": 1})
    return Table(columns, tuple(rows), title)


def _numbers(group: Group, *, has_bound: bool) -> tuple[str, ...]:
    main, is_share = group.main, MEASURES[group.measure].main not in ("PIL", "constraints", "mean")
    figures = [_figure(each, is_share) for each in (main.mean, main.deviation, main.error)]
    proven = f"{group.n_optimal} of {group.n_learned}" if group.n_learned else ""
    bound = (_figure(group.bound.mean, is_share), proven) if has_bound else ()
    seconds = Spread.of([row.seconds for row in group.rows]).mean
    return (str(len(group.rows)), *figures, *bound, f"{seconds:.2f}")


def _figure(value: float, is_share: bool) -> str:
    """Return a figure as a cell: shares with three digits behind the point.

    >>> _figure(0.12345, True), _figure(float("nan"), True), _figure(31.92, False)
    ('0.123', '', '31.92')
    """
    if math.isnan(value):
        return ""
    return f"{value:.3f}" if is_share else f"{value:,.2f}"


def _reasons(result: StudyResult) -> list[tuple[str, int]]:
    return Counter(str(row.problem) for row in result.failures).most_common()


def document(result: StudyResult) -> dict[str, Any]:
    """Return the means of all figures, and the reasons of what failed; nothing that was learned."""
    return {
        "study": result.name,
        "n_cells": len(result.rows),
        "failures": [{"reason": reason, "cells": count} for reason, count in _reasons(result)],
        "groups": [_group_document(group) for group in result.groups],
    }


def _group_document(group: Group) -> dict[str, Any]:
    names = dict.fromkeys(name for row in group.rows for name in row.figures)
    figures = {name: group.figure(name) for name in names}
    return {
        **{name: cell(group) for name, cell in _COORDINATES.items() if name != "strength"},
        "parameters": dict(group.parameters),
        "measure": group.measure,
        "repeats": len(group.rows),
        "optimal": group.n_optimal if group.n_learned else None,
        "figures": {
            name: {"mean": spread.mean, "deviation": spread.deviation, "error": spread.error}
            for name, spread in figures.items()
            if spread.n
        },
    }


def columns(result: StudyResult) -> dict[str, list[Any]]:
    """Return one row for each cell, without the parameters that were learned."""
    found = columns_of(result.rows)
    del found["details"]
    return found
