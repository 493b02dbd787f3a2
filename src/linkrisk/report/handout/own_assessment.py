"""What the owner of the original alone may read of an assessment: records, values, pairs, parameters of attackers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkrisk.assessment.result import Assessment, RecordRisk
from linkrisk.attack.result import AttackResult
from linkrisk.report.assessment.tables import attack_table, attribute_table, claim_table, interval_table
from linkrisk.report.blocks import Drawing, Sentence, note_blocks
from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.handout.contents import Facts, Heading, Part, Picture, Section
from linkrisk.report.tables import Table, make_columns

MOST_RECORDS = 500
"""Records that are listed, those at the highest risk: a longer page is read by nobody."""


def own_sections(assessment: Assessment) -> list[Section]:
    """Return records, values, every attack, and what the learned attackers have learned."""
    own = [figure for figure in figures_of(assessment, confidential=True) if figure.is_confidential]
    return [
        *Section.among("own-attacks", "Every attack", _attacks(assessment)),
        *Section.among("own-charts", "Values and parameters", map(Picture, own)),
        *Section.among("own-parameters", "What was learned", _parameters(assessment)),
        *Section.among("own-records", "Records at the highest risk", _records(assessment.records)),
        *Section.among("own-notes", "All notes", note_blocks(assessment.notes)),
        Section("own-files", "Files and seed", (Facts(tuple(_facts(assessment))),)),
    ]


def _facts(assessment: Assessment) -> Iterator[tuple[str, str]]:
    """Yield what is needed to make the same run again."""
    yield "SHA-256 of the original", assessment.original_digest or "made from a frame, not from a file"
    yield "seed of the run", str(assessment.seed)
    published = assessment.settings.get("published")
    if published is not None:
        yield "what is published about the method", str(published)


def _attacks(assessment: Assessment) -> Iterator[Part]:
    if assessment.attacks:
        yield attack_table(assessment, is_timed=False)
    if assessment.strongest is not None and assessment.strongest.claims:
        yield claim_table(assessment.strongest)
    if assessment.attributes:
        yield attribute_table(assessment)
    if assessment.intervals:
        yield interval_table(assessment)


def _parameters(assessment: Assessment) -> Iterator[Part]:
    """Yield what the parameters of each learned attacker mean."""
    for attack in assessment.attacks:
        if attack.meaning:
            yield Heading(f"{attack.label} on scale {attack.scale}")
            yield Drawing(tuple(_meaning_lines(attack)))


def _meaning_lines(attack: AttackResult) -> Iterator[str]:
    """Yield figures by name, those of lists and tables indented."""
    for name, value in attack.meaning.items():
        yield from _entry_lines(str(name), value, "")


def _entry_lines(name: str, value: object, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield f"{indent}{name}"
        for key, entry in value.items():
            yield from _entry_lines(str(key), entry, f"{indent}  ")
    elif isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        yield f"{indent}{name}"
        for entry in value:
            yield f"{indent}  {', '.join(_figure(each) for each in entry.values())}"
    else:
        yield f"{indent}{name}  {_figure(value)}"


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return ", ".join(map(_figure, value)) if isinstance(value, list | tuple) else str(value)


def _records(records: RecordRisk) -> Iterator[Part]:
    """Yield the records that are found with the highest chance, each with its own protected record."""
    chance, found = records.highest_chance, records.has_counterpart
    order = np.argsort(-chance, kind="stable")
    order = order[found[order]][:MOST_RECORDS]
    best = max(records.attacks, key=lambda attack: float(attack.found.sum()), default=None)
    figures = {
        "chance to be found": [f"{chance[place]:.0%}" for place in order],
        "attackers who link it": [str(records.n_attackers[place]) for place in order],
    }
    if best is not None:
        figures["margin of the strongest"] = [f"{best.margin[place]:z.3f}" for place in order]
        figures["equal records"] = [str(best.twins[place]) for place in order]
    own = [str(row + 1) for row in records.own[order]]
    rows = tuple(zip([str(records.record[place]) for place in order], own, *figures.values(), strict=True))
    n_found = int(found.sum())
    some = (
        f"The {len(order):,} of {n_found:,} records that are found most easily" if len(order) < n_found else "Records"
    )
    title = f"{some}, each paired with its row in the protected file"
    yield Table(make_columns(("record", "protected row"), tuple(figures)), rows, title, is_confidential=True)
    yield Sentence("All records, with every attack: by records (--records), or result.records.to_frame().")
