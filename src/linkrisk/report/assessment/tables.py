"""The tables of an assessment."""

from __future__ import annotations

import math
from collections.abc import Callable

from linkrisk.assessment.interval_disclosure import WIDTHS
from linkrisk.assessment.result import Assessment, AttributeRisk, ScenarioResult
from linkrisk.attack.result import AttackResult, Way, strength, strongest_attack
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.sentences import holdout_text, interval_text, links_text, most_telling
from linkrisk.report.tables import Table, make_columns


def attack_table(assessment: Assessment, *, is_timed: bool = True) -> Table:
    """Return one row per attacker and scale; columns that would be empty are left out, and seconds if asked to."""
    attacks, ties = assessment.attacks, assessment.ties
    figures: dict[str, Callable[[AttackResult], str]] = {
        "unique": lambda attack: links_text(attack.links[Ties.UNIQUE]),
        "class": lambda attack: links_text(attack.links[Ties.CLASS]),
        "expected": lambda attack: links_text(attack.links[Ties.EXPECTED]),
        f"rate ({ties})": lambda attack: f"{attack.rate(ties):.1%}",
        "95 % interval": lambda attack: interval_text(attack.interval),
    }
    if any(attack.bound is not None for attack in attacks):
        figures |= {"bound": _bound, "status": lambda attack: attack.status}
    if any(attack.holdout is not None for attack in attacks):
        figures["held out"] = lambda attack: holdout_text(attack.holdout)
    if any(attack.one_to_one is not None for attack in attacks):
        figures |= {"one-to-one": lambda attack: _one_to_one_links(attack, ties), "by": _way}
    if any(attack.certain for attack in attacks):
        figures["certain"] = lambda attack: "" if attack.certain is None else f"{attack.certain:,}"
    if is_timed:
        figures["seconds"] = lambda attack: f"{attack.seconds:.2f}"
    rows = ((attack.label, attack.scale, *(figure(attack) for figure in figures.values())) for attack in attacks)
    optional = ("unique", "class", "expected", "95 % interval", "status", "held out", "by", "certain", "seconds")
    columns = make_columns(("attacker", "scale"), tuple(figures), optional)
    return Table(columns, tuple(rows), "Links by attacker and scale")


def summary_table(assessment: Assessment) -> Table:
    """Return one row per attacker, on the scale on which he finds most, the strongest first."""
    ties = assessment.ties
    best = {
        label: strongest_attack((attack for attack in assessment.attacks if attack.label == label), ties)
        for label in dict.fromkeys(attack.label for attack in assessment.attacks)
    }
    attacks = sorted((attack for attack in best.values() if attack), key=lambda a: strength(a, ties), reverse=True)
    figures: dict[str, Callable[[AttackResult], str]] = {
        "people found": lambda attack: links_text(attack.found(ties)),
        "share": lambda attack: f"{attack.rate(ties):.1%}",
        "95 % interval": lambda attack: interval_text(attack.interval),
    }
    if any(attack.bound is not None for attack in attacks):
        figures |= {"bound, nearest": _bound, "search": lambda attack: "" if attack.bound is None else attack.status}
    if any(attack.holdout is not None for attack in attacks):
        figures["held out"] = lambda attack: holdout_text(attack.holdout)
    if any(attack.certain for attack in attacks):
        figures["certain"] = lambda attack: "" if attack.certain is None else f"{attack.certain:,}"
    rows = ((attack.label, attack.scale, *(figure(attack) for figure in figures.values())) for attack in attacks)
    columns = make_columns(("attacker", "scale"), tuple(figures), {"search": 2, "95 % interval": 1})
    title = f"Who finds how many of {assessment.n_pairs:,} people, each attacker on his best scale"
    return Table(columns, tuple(rows), title)


def _bound(attack: AttackResult) -> str:
    return "" if attack.bound is None else links_text(attack.bound)


def _one_to_one_links(attack: AttackResult, ties: Ties) -> str:
    return "" if attack.one_to_one is None else links_text(attack.one_to_one.links[ties])


def _way(attack: AttackResult) -> str:
    """Return by which way one to one he links most; probabilities that were not found are said to be so."""
    if attack.one_to_one is None:
        return ""
    is_open = attack.one_to_one.way is Way.POSTERIOR and attack.one_to_one.status != "converged"
    return f"{attack.one_to_one.way}{' (open)' if is_open else ''}"


def disclosure_table(assessment: Assessment) -> Table:
    """Return what the attack that tells most of each confidential attribute gives away."""
    rows = []
    for place, measured in enumerate(assessment.diversity):
        attack, found = most_telling(assessment, place)
        told = (found.certain, found.certain_true, found.certain_alone, found.picked, found.guessed, found.before)
        who = f"{attack.label}, {attack.scale}"
        rows.append((measured.attribute, who, f"{found.people:,}", *(_count(figure) for figure in told)))
    of_one = ("class of one value", "of these true", "of these alone")
    heads = ("people", *of_one, "true, picked", "true, guessed", "true before")
    title = "Confidential values: what a link tells"
    return Table(make_columns(("attribute", "attack"), heads, (*of_one[1:], "true, guessed")), tuple(rows), title)


def _count(number: float | None) -> str:
    return "-" if number is None else links_text(number)


def diversity_table(assessment: Assessment) -> Table:
    """Return how each confidential attribute is spread over the classes of the protected file."""
    rows = tuple(
        (
            found.attribute,
            f"{found.n_classes:,}",
            f"{found.n_homogeneous:,} of {found.n_records:,}",
            str(found.distinct),
            f"{found.entropy:.2f}",
            f"{found.closeness:.3f}",
        )
        for found in assessment.diversity
    )
    heads = ("classes", "records in classes of one value", "distinct l", "entropy l", "t")
    columns = make_columns(("attribute",), heads, ("classes", "entropy l"))
    return Table(columns, rows, "Confidential values: l-diversity and t-closeness")


def claim_table(attack: AttackResult) -> Table:
    """Return how many links the intruder would claim, and how many of them would be right, by how sure he is."""
    rows = tuple(
        (
            "any" if claim.ratio == 1.0 else f"{claim.ratio:g}",
            f"{claim.claimed:,}",
            links_text(claim.correct),
            "-" if claim.precision is None else f"{claim.precision:.1%}",
            f"{claim.recall:.1%}",
        )
        for claim in attack.claims
    )
    columns = make_columns(("ratio at most",), ("claimed", "correct", "precision", "recall"), ("recall",))
    return Table(columns, rows, "How sure would the intruder be?")


def attribute_table(assessment: Assessment) -> Table:
    """Return what each attribute gives away, alone and together with the others."""
    ties = assessment.ties
    rows = tuple(
        (
            risk.name,
            risk.kind,
            f"{risk.distinct_original:,}",
            f"{risk.distinct_protected:,}",
            "-" if math.isnan(risk.unchanged) else f"{risk.unchanged:.1%}",
            links_text(risk.alone[ties]),
            _without(risk, ties),
        )
        for risk in assessment.attributes
    )
    drawn = assessment.attributes[0].without_sample
    among = "" if drawn is None else f", share of {drawn.n_people:,} drawn"
    heads = ("distinct original", "distinct protected", "unchanged", "alone", f"all except this{among}")
    title = f"Attributes: {ties} links by the attacker mean on scale {assessment.attribute_scale}"
    optional = ("kind", "distinct original", "distinct protected")
    return Table(make_columns(("attribute", "kind"), heads, optional), rows, title)


def _without(risk: AttributeRisk, ties: Ties) -> str:
    """Return the links without an attribute; of a sample no count, which could be taken for that of the whole file."""
    if risk.without_sample is not None:
        drawn = risk.without_sample
        return f"{drawn.rate(ties):.1%} ({interval_text(drawn.interval(ties))})"
    return "-" if risk.without is None else links_text(risk.without[ties])


def interval_table(assessment: Assessment) -> Table:
    """Return how many original values lie near the protected ones."""
    heads = tuple(f"{width:.0%} of the {unit}" for unit in ("deviation", "ranks") for width in WIDTHS)
    rows = tuple(
        (found.name, *(f"{share:.1%}" for share in (*found.by_deviation, *found.by_rank)))
        for found in assessment.intervals
    )
    title = "Interval disclosure: original values this near to the protected one"
    optional = [head for head in heads if not head.startswith("5%")]
    return Table(make_columns(("attribute",), heads, optional), rows, title)


def scenario_table(assessment: Assessment) -> Table:
    """Return the strongest attack of each scenario; the bound where one of them is learned."""
    ties = assessment.ties
    best = [(scenario, strongest_attack(scenario.attacks, ties)) for scenario in assessment.scenarios]
    has_bound = any(attack is not None and attack.bound is not None for _, attack in best)
    heads = ("people", "found", "share", *(("bound, nearest",) if has_bound else ()))
    columns = make_columns(("scenario", "knows", "strongest attack"), heads, ("people",))
    rows = (_scenario_row(scenario, attack, ties, has_bound=has_bound) for scenario, attack in best)
    return Table(columns, tuple(rows), "Scenarios: intruders who know less")


def _scenario_row(
    scenario: ScenarioResult, best: AttackResult | None, ties: Ties, *, has_bound: bool
) -> tuple[str, ...]:
    knows, people = ", ".join(scenario.attributes), f"{scenario.n_pairs:,}"
    if best is None:
        return (scenario.name, knows, "-", people, *["-"] * (3 if has_bound else 2))
    bound = (_bound(best),) if has_bound else ()
    who = f"{best.label}, {best.scale}"
    return (scenario.name, knows, who, people, links_text(best.found(ties)), f"{best.rate(ties):.1%}", *bound)
