"""The report on an assessment: faults first, then the headline, then the tables."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.assessment.result import Assessment
from linkrisk.attack.interval import INTERVAL_MEANING
from linkrisk.report.assessment.sentences import anonymity_text, explanations, footnotes, headline, opening
from linkrisk.report.assessment.survey import survey_blocks
from linkrisk.report.assessment.tables import (
    attack_table,
    attribute_table,
    claim_table,
    interval_table,
    scenario_table,
)
from linkrisk.report.blocks import INTERRUPTED, Block, Fault, Note, Sentence, Weight
from linkrisk.report.plain import sentences

NO_FAULTS = "No plain faults: no identifier, no unprotected near-unique attribute, no untouched record."


def blocks(assessment: Assessment) -> list[Block]:
    """Return everything a reader needs; parameters and single records are not in it."""
    faults: list[Block] = [Fault(fault.message) for fault in assessment.faults]
    return [
        Sentence(opening(assessment)),
        *(faults or [Sentence(NO_FAULTS)]),
        Sentence(headline(assessment), Weight.MAIN),
        *_attacks(assessment),
        *([attribute_table(assessment)] if assessment.attributes else []),
        *([interval_table(assessment)] if assessment.intervals else []),
        Sentence(anonymity_text(assessment)),
        *([scenario_table(assessment)] if assessment.scenarios else []),
        *survey_blocks(assessment),
        *map(Note, sentences(assessment.notes)),
        *([] if assessment.is_complete else [INTERRUPTED]),
    ]


def _attacks(assessment: Assessment) -> Iterator[Block]:
    yield attack_table(assessment)
    yield Sentence(f"Interval: {INTERVAL_MEANING}; none for attackers fitted to the records they attack.")
    for line in (*footnotes(assessment), *explanations(assessment)):
        yield Sentence(line)
    best = assessment.strongest
    if best is not None:
        yield claim_table(best)
        by_whom = best.label if best.certain is not None else f"{best.label} on scale {best.scale}"
        what = "-log probability" if best.certain is not None else "(squared) distance"
        yield Sentence(f"Links claimed by {by_whom}; ratio of the nearest to the second-nearest {what}.")
