"""How a report on matches is shown: the ranking, what each table gives away, and how good the probabilities are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from linkrisk.report.blocks import Block, Drawing, Sentence, Weight, note_blocks, verdict_blocks
from linkrisk.report.plain import sentences
from linkrisk.report.tables import Table, make_columns
from linkrisk.report.verdict import Headline, Verdict
from linkrisk.tables.result import Effect, MatchReport, TableRole
from linkrisk.tables.truth import Judgement

SHOWN = 10
"""Number of matches that the text lists."""

WIDTH = 40
"""Length, in characters, of a bar that stands for 1."""


def blocks(report: MatchReport) -> list[Block]:
    """Return matches, their ranking (confidential), what tables give away, and how good the probabilities are."""
    return [
        Sentence(opening(report)),
        ranking_table(report),
        *([role_table(report)] if report.tables else []),
        *([] if report.judgement is None else _truth(report.judgement)),
        *note_blocks(report.notes),
        *verdict_blocks(verdict(report)),
    ]


def document(report: MatchReport) -> dict[str, Any]:
    """Return everything except the single matches."""
    return {
        "population": report.population,
        "overlap": list(report.overlap),
        "samples": dict(report.samples),
        "posterior": report.posterior,
        "bounds": report.bounds,
        "worth": report.worth,
        "effect": report.effect.to_dict(),
        "tables": [_role(role, "without_it") for role in report.tables],
        "candidate": None if report.candidate is None else _role(report.candidate, "with_it"),
        "truth": None if report.judgement is None else _judgement(report.judgement),
        "verdict": list(verdict(report)),
        "notes": sentences(report.notes),
    }


def columns(report: MatchReport) -> dict[str, list[Any]]:
    """Return one row per table: what it is, and the intruder's gain without it, or with it for a candidate."""
    roles = [*report.tables, *([] if report.candidate is None else [report.candidate])]
    effects = [role.effect for role in roles]
    return {
        "table": [role.name for role in roles],
        "is_candidate": [role is report.candidate for role in roles],
        "mechanism": [role.mechanism for role in roles],
        "attributes": [", ".join(role.attributes) for role in roles],
        "cells": [role.n_cells for role in roles],
        "enters": [role.enters for role in roles],
        **{
            f"confident_{level:g}": [None if effect is None else float(effect.confident[level]) for effect in effects]
            for level in report.effect.confident
        },
        "expected_correct": [None if effect is None else effect.expected_correct for effect in effects],
        "spearman": [None if effect is None else effect.spearman for effect in effects],
    }


def opening(report: MatchReport) -> str:
    """Say in a sentence what was matched."""
    samples = ", ".join(f"{name} ({size:,} records)" for name, size in report.samples.items())
    return f"Population of {report.population:,}; samples: {samples}; matched by {', '.join(report.overlap)}."


def verdict(report: MatchReport) -> Verdict:
    """Return how sure an intruder may be of his matches, what that is worth, and which table tells him most."""
    effect = report.effect
    if report.n_matches == 0:
        return Verdict(("No record of one sample matches one of another alone: there is nothing to be sure of.",))
    confident = ", ".join(f"{count} with {level:.0%} or more" for level, count in effect.confident.items())
    found = (
        f"{_matches(report.n_matches, 'unique ')}: {confident}; {effect.expected_correct:.2f} expected right "
        f"(posterior {report.posterior}, bounds {report.bounds})."
    )
    candidate = () if report.candidate is None else (_candidate(effect, report.candidate),)
    says = (found, report.worth, *candidate)
    told = f"of {report.n_matches:,} unique matches are expected to be the right person"
    return Verdict(says, tuple(_what_to_do(report)), Headline(effect.expected_correct / report.n_matches, told))


def _what_to_do(report: MatchReport) -> Iterator[str]:
    """Name the table without which the intruder is sure of fewest matches, if one makes a difference."""
    effects = {role.name: role.effect for role in report.tables if role.effect is not None}
    if not effects:
        return
    name, without = min(effects.items(), key=lambda named: _certainty(named[1]))
    if _certainty(without) < _certainty(report.effect):
        level = min(without.confident)
        yield (
            f"What would change it: without {name} {without.confident[level]} matches have {level:.0%} or more instead "
            f"of {report.effect.confident[level]}, and {without.expected_correct:.2f} are expected right instead of "
            f"{report.effect.expected_correct:.2f}; coarsen that table, or do not publish it."
        )
    else:
        yield "What would change it: no single table does; coarsen the attributes by which records are matched."


def _certainty(effect: Effect) -> tuple[float, ...]:
    """Return by what evidence is compared: matches of which he is rather sure, surer, and those expected right."""
    return (*(effect.confident[level] for level in sorted(effect.confident)), round(effect.expected_correct, 9))


def ranking_table(report: MatchReport) -> Table:
    """Return the most probable matches, by their records: confidential."""
    found = report.matches.columns()
    names = [name for name in found if name.startswith("record in ")]
    figures = {
        "probability": [f"{float(p):.2f}" for p in found["probability"][:SHOWN]],
        "expected count": [f"{float(count):.1f}" for count in found["expected_count"][:SHOWN]],
        "naive bounds": _ranges(found["naive_low"], found["naive_high"]),
    }
    if "exact_low" in found:
        figures["exact bounds"] = _ranges(found["exact_low"], found["exact_high"])
    if "true_count" in found:
        figures["true count"] = [str(count) for count in found["true_count"][:SHOWN]]
    records = [" = ".join(str(found[name][k]) for name in names) for k in range(min(SHOWN, report.n_matches))]
    ranks = [str(rank) for rank in range(1, len(records) + 1)]
    rows = tuple(zip(ranks, records, *figures.values(), strict=True))
    title = "Matches, the most probable first"
    title += f" ({SHOWN} of {report.n_matches:,})" if report.n_matches > SHOWN else ""
    return Table(make_columns(("rank", "records"), tuple(figures)), rows, f"{title}:", is_confidential=True)


def _ranges(low: Any, high: Any) -> list[str]:
    return [f"{least} to {most}" for least, most in zip(low[:SHOWN], high[:SHOWN], strict=True)]


def role_table(report: MatchReport) -> Table:
    """Return what each table gives away: how sure the intruder is without it."""
    levels = list(report.effect.confident)
    has_truth = report.effect.spearman is not None
    effects = (*(f">= {level:.0%}" for level in levels), "expected right", *(["rank correlation"] if has_truth else []))
    rows: list[tuple[str, ...]] = [("all tables", "", "", "", "", *_cells(report.effect, levels))]
    for role in report.tables:
        cells = (role.mechanism, " x ".join(role.attributes), str(role.n_cells), role.enters)
        gains = _cells(role.effect, levels) if role.effect else ("",) * len(effects)
        rows.append((f"without {role.name}", *cells, *gains))
    columns = make_columns(("table", "mechanism", "attributes", "cells", "enters"), effects, ("cells", "enters"))
    return Table(columns, tuple(rows), "What each table gives away:")


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


def _truth(judgement: Judgement) -> Iterator[Block]:
    yield Sentence(truth_text(judgement), Weight.MAIN)
    lines = ["Reliability (o said, x true):"]
    for entry in judgement.reliability:
        said, true = (min(WIDTH, round(share * WIDTH)) for share in (entry.said, entry.true))
        bar = np.full(WIDTH + 1, " ")
        bar[true], bar[said] = "x", "*" if said == true else "o"
        lines.append(f"{entry.low:4.0%} to {entry.high:4.0%} |{''.join(bar)}| {_matches(entry.n_matches)}")
    yield Drawing(tuple(lines))


def truth_text(judgement: Judgement) -> str:
    """Say in a sentence how good the probabilities are."""
    ranks = judgement.ranks
    return (
        f"Against the truth: Spearman {_number(ranks.spearman)} (p {_number(ranks.spearman_p)}), Kendall "
        f"{_number(ranks.kendall)} (p {_number(ranks.kendall_p)}), Brier score {judgement.brier:.4f}; "
        f"{judgement.expected_correct:.2f} expected right, {judgement.true_correct:.2f} are"
        f"{'' if judgement.is_by_person else ' on average'}."
    )


def _matches(count: int, kind: str = "") -> str:
    return f"{count} {kind}match" if count == 1 else f"{count} {kind}matches"


def _number(number: float | None) -> str:
    return "-" if number is None or math.isnan(number) else f"{number:.3g}"


def _role(role: TableRole, label: str) -> dict[str, Any]:
    return {
        "name": role.name,
        "mechanism": role.mechanism,
        "attributes": list(role.attributes),
        "cells": role.n_cells,
        "enters": role.enters,
        label: None if role.effect is None else role.effect.to_dict(),
    }


def _judgement(judgement: Judgement) -> dict[str, Any]:
    ranks = judgement.ranks
    return {
        "spearman": ranks.spearman,
        "spearman_p": ranks.spearman_p,
        "kendall": ranks.kendall,
        "kendall_p": ranks.kendall_p,
        "brier": judgement.brier,
        "expected_correct": judgement.expected_correct,
        "true_correct": judgement.true_correct,
        "outcomes": "by person" if judgement.is_by_person else "expected, from the true counts",
        "reliability": [
            {"from": bin_.low, "to": bin_.high, "said": bin_.said, "true": bin_.true, "matches": bin_.n_matches}
            for bin_ in judgement.reliability
        ],
    }
