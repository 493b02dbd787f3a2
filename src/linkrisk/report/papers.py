"""How the tables of a paper are shown beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from linkrisk.report.blocks import Block, Detail, Note, Sentence, Weight
from linkrisk.report.handout.markdown import plain, table_lines
from linkrisk.report.tables import Column, Table, make_columns
from linkrisk.study.papers.comparison import ComparedFigure, ComparedTable, PaperComparison
from linkrisk.study.papers.experiments import EXPERIMENTS

SIDE_BY_SIDE = 2
"""Columns of a paper's table up to which its figures and ours stand in one line; with more they stand in lines below
each other."""

MARK = "*"
"""Beside a difference that chance does not explain."""

INTRODUCTION = (
    "Tables of the five papers beside what linkrisk finds, written by `linkrisk study papers` from the stores of its "
    "runs: no figure of ours was typed. Papers are named by their files: torra2010-owa.txt (Torra, Navarro-Arribas, "
    "Abril: Supervised learning for record linkage through weighted means and OWA operators, 2010), "
    "abril2012-weights.txt (Abril, Navarro-Arribas, Torra: Improving record linkage with supervised learning for "
    "disclosure risk assessment, 2012), abril2012-choquet.txt (the same: Choquet integral for record linkage, 2012), "
    "abril-bilinear.txt (Abril, Torra, Navarro-Arribas: Supervised learning using a symmetric bilinear form for record "
    "linkage), smith-elliot-bayesian.txt (Smith, Elliot: matches between samples in the presence of published tables)."
)

LEGEND = (
    "*paper*: as printed. *ours*: the mean over the repeats, with their standard deviation (*sd*) and the standard "
    "error of the mean. A difference with a star is more than two standard errors, where as many runs stand behind the "
    "paper's figure as it says. *proven*: in how many repeats it is proven that no other parameters link more."
)

PARAMETERS = ("weight", "measure")
"""Units of tables of parameters: long ones, which are details."""


def experiment_table() -> Table:
    """Return the experiments that there are."""
    rows = tuple((each.name, each.paper, each.repeats, f"{each.minutes:g}") for each in EXPERIMENTS.values())
    heads = (Column("experiment"), Column("paper", optional=1), Column("repeats"), Column("minutes", is_number=True))
    return Table(heads, rows, "Experiments of the papers: linkrisk study papers NAME")


def blocks(result: PaperComparison) -> list[Block | Detail]:
    """Return each table with its note, those of parameters as details, and how many figures agree."""
    found: list[Block | Detail] = []
    notes = [table.published.note for table in result.tables]
    for place, table in enumerate(result.tables):
        note = notes[place] if notes[place] not in notes[place + 1 :] else ""
        shown: list[Block] = [as_table(table), *([Note(note)] if note else [])]
        found += map(Detail, shown) if table.published.unit in PARAMETERS else shown
    return [*found, *_failures(result), Sentence(headline(result), Weight.MAIN)]


def headline(result: PaperComparison) -> str:
    """Return how many figures agree, and how many optima were proven."""
    n_judged = sum(table.n_judged for table in result.tables)
    n_alike = sum(table.n_alike for table in result.tables)
    groups = [group for group in result.study.groups if group.n_learned]
    n_learned, n_optimal = sum(group.n_learned for group in groups), sum(group.n_optimal for group in groups)
    told = [f"{result.paper}: {len(result.study.rows):,} cells."]
    if n_judged:
        told.append(
            f"{n_alike} of {n_judged} figures that the paper prints agree with ours within two standard errors."
        )
    if n_learned:
        told.append(f"{n_optimal:,} of {n_learned:,} optima are proven.")
    return " ".join(told)


def as_table(table: ComparedTable) -> Table:
    """Return a compared table in the layout that fits it."""
    columns = list(dict.fromkeys(figure.claim.column for figure in table.figures))
    rows = list(dict.fromkeys(figure.claim.row for figure in table.figures))
    cells = {(figure.claim.row, figure.claim.column): figure for figure in table.figures}
    make = _side_by_side if len(columns) <= SIDE_BY_SIDE else _stacked
    heads, lines = make(table, rows, columns, cells)
    unit = f" ({table.published.unit})" if table.published.unit else ""
    return Table(heads, tuple(lines), f"{table.published.source}: {table.published.title}{unit}")


_Cells = dict[tuple[str, str], ComparedFigure]


def _side_by_side(
    table: ComparedTable, rows: Sequence[str], columns: Sequence[str], cells: _Cells
) -> tuple[tuple[Column, ...], list[tuple[str, ...]]]:
    has_printed = any(figure.claim.printed is not None for figure in table.figures)
    heads = [Column("")]
    for column in columns:
        own = [cells[row, column] for row in rows]
        heads += [Column(f"{column}, paper", is_number=True)] if has_printed else []
        heads += [Column(f"{column}, sd paper", is_number=True, optional=3)] if _has_deviation(own) else []
        heads += [Column(f"{column}, ours", is_number=True), Column("sd", is_number=True, optional=2)]
        heads += [Column("error", is_number=True, optional=5)] if _has_deviation(own) else []
        heads += [Column("difference", is_number=True, optional=1)] if has_printed else []
        heads += [Column("proven", is_number=True, optional=4)] if any(each.n_learned for each in own) else []
    lines = []
    for row in rows:
        line = [row]
        for column in columns:
            own, figure = [cells[each, column] for each in rows], cells[row, column]
            line += [_number(figure.claim.printed, table)] if has_printed else []
            line += [_number(figure.claim.deviation, table)] if _has_deviation(own) else []
            line += [_number(figure.ours.mean, table), _number(figure.ours.deviation, table)]
            line += [_number(figure.ours.error, table)] if _has_deviation(own) else []
            line += [_difference(figure, table)] if has_printed else []
            line += [_proven(figure)] if any(each.n_learned for each in own) else []
        lines.append(tuple(line))
    return tuple(heads), [*lines, *_average(table, columns, [head.head for head in heads])]


def _average(table: ComparedTable, columns: Sequence[str], heads: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the paper's line of averages, where it has one."""
    if not table.averages:
        return
    line = ["average", *[""] * (len(heads) - 1)]
    for column in columns:
        printed, ours = table.averages[column]
        line[heads.index(f"{column}, paper")] = _number(printed, table)
        place = heads.index(f"{column}, ours")
        line[place] = _number(ours, table)
        line[heads.index("difference", place)] = _signed(ours - printed, table)
    yield tuple(line)


def _stacked(
    table: ComparedTable, rows: Sequence[str], columns: Sequence[str], cells: _Cells
) -> tuple[tuple[Column, ...], list[tuple[str, ...]]]:
    heads = (Column(""), Column(""), *(Column(column, is_number=True) for column in columns))
    lines: list[tuple[str, ...]] = []
    for row in rows:
        own = [cells[row, column] for column in columns if (row, column) in cells]
        if any(figure.claim.printed is not None for figure in own):
            lines.append((row, "paper", *(_number(figure.claim.printed, table) for figure in own)))
        lines.append((row, "ours", *(_number(figure.ours.mean, table) for figure in own)))
        if any(figure.ours.n > 1 for figure in own):
            lines.append((row, "sd", *(_number(figure.ours.deviation, table) for figure in own)))
        if any(figure.claim.printed is not None for figure in own):
            lines.append((row, "difference", *(_difference(figure, table) for figure in own)))
        if any(figure.n_learned for figure in own) and table.published.is_judged:
            lines.append((row, "proven", *map(_proven, own)))
    return heads, lines


def _has_deviation(figures: Sequence[ComparedFigure]) -> bool:
    return any(figure.claim.deviation is not None for figure in figures)


def _number(value: float | None, table: ComparedTable) -> str:
    if value is None or math.isnan(value):
        return ""
    if abs(value) >= 1e7:
        return f"{value:.2e}"
    return f"{value:,.{table.published.decimals}f}"


def _signed(value: float, table: ComparedTable) -> str:
    if math.isnan(value):
        return ""
    text = _number(value, table)
    return text if value < 0 else f"+{text}"


def _difference(figure: ComparedFigure, table: ComparedTable) -> str:
    text = _signed(figure.difference, table)
    return f"{text}{MARK}" if text and figure.is_alike is False and table.published.is_judged else text


def _proven(figure: ComparedFigure) -> str:
    return f"{figure.n_optimal} of {figure.n_learned}" if figure.n_learned else ""


def _failures(result: PaperComparison) -> Iterator[Note]:
    reasons = dict.fromkeys(str(row.problem) for row in result.study.failures)
    for reason in reasons:
        count = sum(row.problem == reason for row in result.study.failures)
        yield Note(f"{count:,} cells failed: {reason}")


def as_page(results: Sequence[PaperComparison], pictures: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the tables of all experiments as a page in Markdown; ``pictures`` are lines to add, by experiment."""
    shown = pictures or {}
    lines = ["# The papers, repeated", "", INTRODUCTION, "", *_summary(results), "", LEGEND]
    return "\n".join([*lines, *(line for each in results for line in page_lines(each, shown.get(each.name, ()))), ""])


def _summary(results: Sequence[PaperComparison]) -> Iterator[str]:
    """Yield what agrees, table by table, and how long learning took them and us."""
    tables = [table for result in results for table in result.tables]
    judged = [table for table in tables if table.n_judged]
    columns = make_columns(("table",), ("figures", "agree", "largest difference"))
    yield "## What agrees"
    yield from table_lines(Table(columns, tuple(map(_summary_row, judged))))
    yield from ("", "## How long it took")
    timed = [table for table in tables if table.published.unit == "seconds"]
    columns = make_columns(("table", "learned"), ("they, hours", "we, seconds", "ratio"))
    yield from table_lines(Table(columns, tuple(row for table in timed for row in _time_rows(table))))


def _summary_row(table: ComparedTable) -> tuple[str, ...]:
    judged = [figure for figure in table.figures if figure.is_alike is not None]
    most = max(judged, key=lambda each: abs(each.difference))
    where = f"{_signed(most.difference, table)} {table.published.unit} ({most.claim.row}, {most.claim.column})"
    return (table.published.source, str(table.n_judged), str(table.n_alike), where)


def _time_rows(table: ComparedTable) -> Iterator[tuple[str, ...]]:
    """Yield what all files of a table took together, and the one that took longest, by what was learned."""
    for column in dict.fromkeys(figure.claim.column for figure in table.figures):
        own = [each for each in table.figures if each.claim.column == column and each.ours.n]
        told = [(each, each.claim.printed) for each in own if each.claim.printed is not None]
        if told:
            longest, printed = max(told, key=lambda pair: pair[1])
            theirs, ours = sum(value for _, value in told), sum(each.ours.mean for each, _ in told)
            yield _time_row(table, f"{column}, all files", theirs, ours)
            yield _time_row(table, f"{column}, {longest.claim.row}", printed, longest.ours.mean)


def _time_row(table: ComparedTable, what: str, theirs: float, ours: float) -> tuple[str, ...]:
    return (table.published.source, what, f"{theirs / 3600:,.2f}", f"{ours:,.2f}", f"{theirs / ours:,.0f}")


def page_lines(result: PaperComparison, pictures: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of one experiment; ``pictures`` are lines that follow its tables."""
    yield from ("", f"## {plain(result.paper)}", "", plain(headline(result)))
    notes = [table.published.note for table in result.tables]
    for place, table in enumerate(result.tables):
        shown = as_table(table)
        yield from ("", f"### {plain(shown.title)}", *table_lines(shown))
        if notes[place] and notes[place] not in notes[place + 1 :]:  # what is true of several stands below the last
            yield from ("", plain(notes[place]))
    yield from ("", *pictures) if pictures else ()
    yield from (line for note in _failures(result) for line in ("", f"> {plain(note.text)}"))


def document(result: PaperComparison) -> dict[str, Any]:
    """Return every figure, with its source."""
    return {
        "experiment": result.name,
        "paper": result.paper,
        "n_cells": len(result.study.rows),
        "tables": [
            {
                "source": table.published.source,
                "title": table.published.title,
                "unit": table.published.unit,
                "note": table.published.note,
                "figures": [_figure_document(figure) for figure in table.figures],
            }
            for table in result.tables
        ],
    }


def _figure_document(figure: ComparedFigure) -> dict[str, Any]:
    return {
        "row": figure.claim.row,
        "column": figure.claim.column,
        "paper": figure.claim.printed,
        "paper_deviation": figure.claim.deviation,
        "mean": figure.ours.mean,
        "deviation": figure.ours.deviation,
        "error": figure.ours.error,
        "repeats": figure.ours.n,
        "difference": figure.difference,
        "is_alike": figure.is_alike,
        "n_learned": figure.n_learned,
        "n_optimal": figure.n_optimal,
    }


def columns(result: PaperComparison) -> dict[str, list[Any]]:
    """Return one row per figure."""
    rows = [
        {"source": table.published.source, **_figure_document(figure)}
        for table in result.tables
        for figure in table.figures
    ]
    names = ["source", "row", "column", "paper", "mean", "deviation", "error", "repeats", "difference", "is_alike"]
    return {name: [row[name] for row in rows] for name in (*names, "n_learned", "n_optimal")}
