"""The report on an assessment: faults first, then who finds how many and what carries it, the verdict last."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.assessment.result import Assessment
from linkrisk.attack.interval import INTERVAL_MEANING
from linkrisk.report.assessment.findings import verdict
from linkrisk.report.assessment.sentences import (
    DIVERSITY_MEANING,
    anonymity_text,
    claims_text,
    disclosure_text,
    explanations,
    footnotes,
    opening,
    sample_text,
    untouched_text,
)
from linkrisk.report.assessment.survey import survey_blocks
from linkrisk.report.assessment.tables import (
    attack_table,
    attribute_table,
    claim_table,
    disclosure_table,
    diversity_table,
    interval_table,
    scenario_table,
    summary_table,
)
from linkrisk.report.blocks import (
    INTERRUPTED,
    Block,
    Detail,
    Fault,
    Sentence,
    Weight,
    left_out_blocks,
    note_blocks,
    verdict_blocks,
)
from linkrisk.report.loss import loss_table

NO_FAULTS = "no identifier, no unprotected near-unique attribute, no untouched record, nothing restored by rounding."


def blocks(assessment: Assessment) -> list[Block | Detail]:
    """Return everything a reader needs; parameters and single records are not in it."""
    return [
        Sentence(opening(assessment)),
        *_faults(assessment),
        *left_out_blocks(assessment.left_out),
        *_summary(assessment),
        *map(Detail, _attacks(assessment)),
        *_attributes(assessment),
        *map(Sentence, explanations(assessment)),
        *([Detail(interval_table(assessment))] if assessment.intervals else []),
        Detail(Sentence(anonymity_text(assessment))),
        *map(Detail, _confidential(assessment)),
        *([scenario_table(assessment)] if assessment.scenarios else []),
        *survey_blocks(assessment),
        *([] if assessment.loss is None else [Detail(loss_table(assessment.loss, "Information loss"))]),
        *note_blocks(assessment.notes, (*assessment.attribute_names, *(attack.label for attack in assessment.attacks))),
        *([] if assessment.is_complete else [INTERRUPTED]),
        *verdict_blocks(verdict(assessment)),
    ]


def _faults(assessment: Assessment) -> Iterator[Block]:
    """Yield what was left as it is first of all, then the faults."""
    if assessment.untouched:
        yield Sentence(untouched_text(assessment), Weight.ALARM)
    for fault in assessment.faults:
        yield Fault(fault.message)
    if not assessment.faults:
        yield Sentence(f"No {'other ' if assessment.untouched else ''}plain faults: {NO_FAULTS}")


def _summary(assessment: Assessment) -> Iterator[Block]:
    """Yield who finds how many, and what the words in it mean."""
    if assessment.attacks:
        yield summary_table(assessment)
        if any(attack.has_true_pairs for attack in assessment.attacks):
            yield Sentence("Fitted: to the true pairs of these very people, so that there is no interval.")
        if any(attack.bound is not None for attack in assessment.attacks):
            yield Sentence("Bound, nearest: no parameters of that attacker link more people to their nearest records.")


def _attacks(assessment: Assessment) -> Iterator[Block]:
    yield attack_table(assessment)
    yield Sentence(f"Interval: {INTERVAL_MEANING}; none for attackers fitted to the records they attack.")
    for line in footnotes(assessment):
        yield Sentence(line)
    best = assessment.strongest
    if best is not None:
        yield claim_table(best)
        yield Sentence(claims_text(best))


def _attributes(assessment: Assessment) -> Iterator[Block]:
    """Yield what each attribute gives away, and whether everybody was counted."""
    if not assessment.attributes:
        return
    yield attribute_table(assessment)
    drawn = assessment.attributes[0].without_sample
    if drawn is not None:
        yield Sentence(sample_text(drawn))


def _confidential(assessment: Assessment) -> Iterator[Block]:
    """Yield what attacks and the file itself tell of confidential attributes, where there are any."""
    if not assessment.diversity:
        return
    if assessment.attacks:
        yield disclosure_table(assessment)
        yield Sentence(disclosure_text(assessment))
    yield diversity_table(assessment)
    yield Sentence(DIVERSITY_MEANING)
