"""The JSON document of an assessment. Confidential: it holds the parameters of the attacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkrisk.assessment.anonymity import SIZES, Anonymity
from linkrisk.assessment.diversity import Diversity
from linkrisk.assessment.interval_disclosure import WIDTHS, IntervalDisclosure
from linkrisk.assessment.result import Assessment, AttributeRisk, SampledLinks
from linkrisk.attack.disclosure import Disclosure
from linkrisk.attack.interval import INTERVAL_MEANING
from linkrisk.attack.result import AttackResult, CeilingResult, Explanation, Holdout, OneToOne
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.findings import verdict
from linkrisk.report.assessment.survey import survey_document
from linkrisk.report.loss import document as loss_document
from linkrisk.report.plain import sentences

NOTICE = (
    "CONFIDENTIAL: holds parameters fitted to the original data and the hash of the original file; it stays with "
    "their owner."
)


def document(assessment: Assessment) -> dict[str, Any]:
    """Return an assessment as a document; its first key says that it is confidential.

    Keys: seed, status, n_original, n_protected, n_pairs, attributes, files (names and SHA-256), settings,
    untouched_attributes, attributes_not_known (released, and used by no attack), faults, verdict (sentences), left_out
    (attackers who could not attack), attackers (one entry per attacker and scale), attribute_table,
    interval_disclosure, anonymity, diversity, scenarios, groups, by, population, keys, loss, notes. Nothing in it is
    about a single record.
    """
    return {
        "confidential": NOTICE,
        "seed": assessment.seed,
        "status": "complete" if assessment.is_complete else "interrupted",
        "n_original": assessment.n_original,
        "n_protected": assessment.n_protected,
        "n_pairs": assessment.n_pairs,
        "attributes": list(assessment.attribute_names),
        "paired_by": assessment.paired_by,
        "files": {
            "original": {"name": assessment.original_name, "sha256": assessment.original_digest},
            "protected": {"name": assessment.protected_name, "sha256": assessment.protected_digest},
        },
        "settings": assessment.settings,
        "untouched_attributes": list(assessment.untouched),
        "attributes_not_known": list(assessment.not_known),
        "faults": [fault.to_dict() for fault in assessment.faults],
        "verdict": list(verdict(assessment)),
        "left_out": sentences(assessment.left_out),
        "attackers": [_attack(result, assessment.ties) for result in assessment.attacks],
        "attribute_table_scale": assessment.attribute_scale,
        "attribute_table": [_attribute(risk) for risk in assessment.attributes],
        "interval_disclosure": [_intervals(entry) for entry in assessment.intervals],
        "anonymity": dict(zip(("original", "protected"), map(_anonymity, assessment.anonymity), strict=True)),
        "diversity": [_diversity(found) for found in assessment.diversity],
        "scenarios": [
            {
                "name": scenario.name,
                "attributes": list(scenario.attributes),
                "n_people": scenario.n_people,
                "n_pairs": scenario.n_pairs,
                "attackers": [_attack(result, assessment.ties) for result in scenario.attacks],
            }
            for scenario in assessment.scenarios
        ],
        **survey_document(assessment),
        "loss": None if assessment.loss is None else loss_document(assessment.loss),
        "notes": sentences(assessment.notes),
    }


def _attack(result: AttackResult, ties: Ties) -> dict[str, Any]:
    interval = result.interval
    return {
        "name": result.name,
        "label": result.label,
        "scale": result.scale,
        "ties": str(ties),
        "links": result.links[ties],
        "found": result.found(ties),
        "rate": result.rate(ties),
        "bound": None if result.bound is None else whole_if_whole(result.bound),
        "status": result.status,
        "seconds": result.seconds,
        "parameters": result.parameters,
        "links_by_ties": _by_ties(result.links),
        "chance": result.chance,
        "has_true_pairs": result.has_true_pairs,
        "interval": None if interval is None else {"low": interval[0], "high": interval[1], "covers": INTERVAL_MEANING},
        "claims_by": "likeliest" if result.certain is not None else "nearest",
        "claims": [
            {
                "ratio": claim.ratio,
                "claimed": claim.claimed,
                "correct": claim.correct,
                "precision": claim.precision,
                "recall": claim.recall,
            }
            for claim in result.claims
        ],
        "confidential_values": [_disclosure(found) for found in result.disclosures],
        "meaning": result.meaning or None,
        "holdout": _holdout(result.holdout),
        "explanation": _explanation(result.explanation),
        "one_to_one": _one_to_one(result.one_to_one, ties),
        "certain": result.certain,
        "bayes": _ceiling(result.ceiling),
        "notes": sentences(result.notes),
        "course": [{"seconds": at.seconds, "best": at.best, "bound": at.bound} for at in result.course],
    }


def _disclosure(found: Disclosure) -> dict[str, Any]:
    return {
        "attribute": found.attribute,
        "people": found.people,
        "certain": found.certain,
        "certain_true": found.certain_true,
        "certain_alone": found.certain_alone,
        "true_picked": found.picked,
        "true_guessed": found.guessed,
        "true_before": found.before,
        "within": found.width,
    }


def _diversity(found: Diversity) -> dict[str, Any]:
    return {
        "attribute": found.attribute,
        "records": found.n_records,
        "classes": found.n_classes,
        "records_in_homogeneous_classes": found.n_homogeneous,
        "distinct_l": found.distinct,
        "entropy_l": found.entropy,
        "t": found.closeness,
    }


def _ceiling(ceiling: CeilingResult | None) -> dict[str, Any] | None:
    if ceiling is None:
        return None
    return {
        "links": ceiling.links,
        "lower": ceiling.lower,
        "standard_error": ceiling.error,
        "is_converged": ceiling.is_converged,
        "model": ceiling.model,
    }


def _intervals(disclosure: IntervalDisclosure) -> dict[str, Any]:
    return {
        "attribute": disclosure.name,
        "values": disclosure.n_values,
        "inside_by_deviation": {f"{w:g}": share for w, share in zip(WIDTHS, disclosure.by_deviation, strict=True)},
        "inside_by_rank": {f"{w:g}": share for w, share in zip(WIDTHS, disclosure.by_rank, strict=True)},
    }


def _anonymity(found: Anonymity) -> dict[str, Any]:
    return {
        "records": found.n_records,
        "classes": found.n_classes,
        "k": found.smallest,
        "records_in_classes_below": {str(size): n for size, n in zip(SIZES, found.below, strict=True)},
    }


def whole_if_whole(number: float) -> float:
    """Return a number, as an int where it is one.

    >>> whole_if_whole(28.0), whole_if_whole(2.5)
    (28, 2.5)
    """
    return int(number) if float(number).is_integer() else number


def _explanation(explanation: Explanation | None) -> dict[str, Any] | None:
    if explanation is None:
        return None
    return {
        "ranges": {label: {"low": low, "high": high} for label, (low, high) in explanation.ranges.items()},
        "attributes": [carrier.to_dict() for carrier in explanation.carriers],
    }


def _holdout(holdout: Holdout | None) -> dict[str, Any] | None:
    if holdout is None:
        return None
    return {
        "share": holdout.share,
        "pool": holdout.pool,
        "rate": holdout.rate,
        "spread": holdout.spread,
        "training_rates": list(holdout.training),
        "testing_rates": list(holdout.testing),
    }


def _one_to_one(result: OneToOne | None, ties: Ties) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "links": result.links[ties],
        "links_by_ties": _by_ties(result.links),
        "way": str(result.way),
        "links_by_way": {str(way): links[ties] for way, links in result.by_way.items()},
        "gap": result.gap,
        "status": result.status,
    }


def _attribute(risk: AttributeRisk) -> dict[str, Any]:
    return {
        "name": risk.name,
        "kind": risk.kind,
        "distinct_original": risk.distinct_original,
        "distinct_protected": risk.distinct_protected,
        "unchanged": risk.unchanged,
        "links_alone": _by_ties(risk.alone),
        "links_without": None if risk.without is None else _by_ties(risk.without),
        "links_without_sample": None if risk.without_sample is None else _sampled(risk.without_sample),
    }


def _sampled(drawn: SampledLinks) -> dict[str, Any]:
    return {
        "people": drawn.n_people,
        "of": drawn.n_pairs,
        "links": _by_ties(drawn.links),
        "rate": {str(rule): drawn.rate(rule) for rule in drawn.links},
        "interval_95": {str(rule): list(drawn.interval(rule)) for rule in drawn.links},
    }


def _by_ties(links: Mapping[Ties, float]) -> dict[str, float]:
    return {str(rule): value for rule, value in links.items()}
