"""A report on matches as plain text."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from linkrisk.engine.layout import aligned
from linkrisk.tables.result import Effect, MatchReport, TableRole
from linkrisk.tables.truth import Judgement

SHOWN = 10
"""Number of matches that the text lists."""

WIDTH = 40
"""Length, in characters, of a bar that stands for 1."""


def report_text(report: MatchReport) -> str:
    """Return the report: the matches and their ranking, what each table gives away, how good the probabilities are."""
    lines = [*_head(report), "", *_ranking(report)]
    if report.tables:
        lines += ["", *_tables(report)]
    if report.candidate is not None:
        lines += ["", _candidate(report.effect, report.candidate)]
    if report.judgement is not None:
        lines += ["", *_truth(report.judgement)]
    return "\n".join([*lines, *(f"note: {note}" for note in report.notes)])


def _head(report: MatchReport) -> list[str]:
    samples = ", ".join(f"{name} ({size} records)" for name, size in report.samples.items())
    confident = ", ".join(f"{count} with {level:.0%} or more" for level, count in report.effect.confident.items())
    found = (
        f"{_matches(report.n_matches, 'unique ')}: {confident}; {report.effect.expected_correct:.2f} expected right "
        f"(posterior {report.posterior}, bounds {report.bounds})."
    )
    return [f"Population of {report.population}; samples: {samples}; matched by {', '.join(report.overlap)}.", found]


def _ranking(report: MatchReport) -> list[str]:
    columns = report.matches.columns()
    has_exact = "exact_low" in columns
    names = [name for name in columns if name.startswith("record in ")]
    rows: list[tuple[str, ...]] = [
        (
            "rank",
            "records",
            "probability",
            "expected count",
            "naive bounds",
            *(["exact bounds"] if has_exact else []),
            *(["true count"] if "true_count" in columns else []),
        )
    ]
    for k in range(min(SHOWN, report.n_matches)):
        row = [
            str(k + 1),
            " = ".join(str(columns[name][k]) for name in names),
            f"{float(columns['probability'][k]):.2f}",
            f"{float(columns['expected_count'][k]):.1f}",
            f"{columns['naive_low'][k]} to {columns['naive_high'][k]}",
        ]
        row += [f"{columns['exact_low'][k]} to {columns['exact_high'][k]}"] if has_exact else []
        row += [str(columns["true_count"][k])] if "true_count" in columns else []
        rows.append(tuple(row))
    more = report.n_matches - SHOWN
    return [*aligned(rows), *([f"... and {more} more"] if more > 0 else [])]


def _tables(report: MatchReport) -> list[str]:
    levels = list(report.effect.confident)
    has_truth = report.effect.spearman is not None
    head = ("table", "mechanism", "attributes", "cells", "enters")
    effects = (*(f">= {level:.0%}" for level in levels), "expected right", *(["rank correlation"] if has_truth else []))
    rows: list[tuple[str, ...]] = [(*head, *effects)]
    rows.append(("all tables", "", "", "", "", *_cells(report.effect, levels)))
    for role in report.tables:
        cells = (role.mechanism, " x ".join(role.attributes), str(role.n_cells), role.enters)
        rows.append((f"without {role.name}", *cells, *(_cells(role.effect, levels) if role.effect else ())))
    width = len(rows[0])
    return ["What each table gives away:", *aligned([(*row, *[""] * (width - len(row))) for row in rows])]


def _cells(effect: Effect, levels: Sequence[float]) -> tuple[str, ...]:
    cells = [*(str(effect.confident[level]) for level in levels), f"{effect.expected_correct:.2f}"]
    return (*cells, *([_number(effect.spearman)] if effect.spearman is not None else []))


def _candidate(before: Effect, candidate: TableRole) -> str:
    assert candidate.effect is not None  # noqa: S101  (a candidate has one)
    after = candidate.effect
    changes = ", ".join(
        f"matches with {level:.0%} or more from {count} to {after.confident[level]}"
        for level, count in before.confident.items()
    )
    return (
        f"If {candidate.name} ({candidate.mechanism}) were published too: {changes}, expected right from "
        f"{before.expected_correct:.2f} to {after.expected_correct:.2f}; it enters the {candidate.enters}."
    )


def _truth(judgement: Judgement) -> list[str]:
    ranks = judgement.ranks
    head = (
        f"Against the truth: Spearman {_number(ranks.spearman)} (p {_number(ranks.spearman_p)}), Kendall "
        f"{_number(ranks.kendall)} (p {_number(ranks.kendall_p)}), Brier score {judgement.brier:.4f}; "
        f"{judgement.expected_correct:.2f} expected right, {judgement.true_correct:.2f} are"
        f"{'' if judgement.is_by_person else ' on average'}."
    )
    lines = [head, "Reliability (o said, x true):"]
    for entry in judgement.reliability:
        said, true = (min(WIDTH, round(share * WIDTH)) for share in (entry.said, entry.true))
        bar = np.full(WIDTH + 1, " ")
        bar[true], bar[said] = "x", "*" if said == true else "o"
        lines.append(f"{entry.low:4.0%} to {entry.high:4.0%} |{''.join(bar)}| {_matches(entry.n_matches)}")
    return lines


def _matches(count: int, kind: str = "") -> str:
    return f"{count} {kind}match" if count == 1 else f"{count} {kind}matches"


def _number(number: float | None) -> str:
    return "-" if number is None or math.isnan(number) else f"{number:.3g}"
