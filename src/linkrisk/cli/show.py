"""An assessment on the terminal: faults first, then the headline, then the tables."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from linkrisk.attack.interval import INTERVAL_MEANING
from linkrisk.assessment.interval_disclosure import WIDTHS
from linkrisk.assessment.result import Assessment, AttackResult, Disclosure
from linkrisk.assessment.text import (
    anonymity_text,
    explanations,
    footnotes,
    headline,
    holdout_text,
    interval_text,
    links_text,
    opening,
)
from linkrisk.linkage.linkage import Ties


def show_assessment(assessment: Assessment, console: Console) -> None:
    """Print everything a reader of the terminal needs."""
    _say(console, opening(assessment))
    for fault in assessment.faults:
        console.print(f"FAULT: {fault.message}", style="bold red", highlight=False, markup=False, soft_wrap=True)
    if not assessment.faults:
        _say(console, "No plain faults: no identifier, no unprotected near-unique attribute, no untouched record.")
    console.print()
    console.print(headline(assessment), style="bold", highlight=False, markup=False, soft_wrap=True)
    console.print()
    console.print(_attack_table(assessment.attacks, assessment.ties, "Links by attacker and scale"))
    _say(console, f"Interval: {INTERVAL_MEANING}; none for attackers fitted to the records they attack.")
    for line in (*footnotes(assessment), *explanations(assessment)):
        _say(console, line)
    best = assessment.strongest
    if best is not None:
        console.print()
        console.print(_claim_table(best))
        claimed = f"{best.label} on scale {best.scale}; ratio of the nearest to the second-nearest (squared) distance."
        _say(console, f"Links claimed by {claimed}")
    if assessment.attributes:
        console.print()
        console.print(_attribute_table(assessment))
    if assessment.intervals:
        console.print()
        console.print(_interval_table(assessment))
    _say(console, anonymity_text(assessment))
    if assessment.scenarios:
        console.print()
        console.print(_scenario_table(assessment))
    for note in assessment.notes:
        _say(console, f"note: {note}")
    if not assessment.is_complete:
        console.print("Interrupted: what is shown was found until then.", style="bold red")


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _table(title: str, names: list[str], numbers: list[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    for name in names:
        table.add_column(escape(name))
    for number in numbers:
        table.add_column(escape(number), justify="right")
    return table


def _add_row(table: Table, *cells: str) -> None:
    """Add a row of plain text: names of columns and scenarios may hold what rich takes for markup."""
    table.add_row(*(escape(cell) for cell in cells))


def _attack_table(attacks: tuple[AttackResult, ...], ties: Ties, title: str) -> Table:
    has_one_to_one = any(attack.one_to_one is not None for attack in attacks)
    confidential = [d.attribute for d in attacks[0].disclosures] if attacks else []
    has_learned = any(attack.bound is not None for attack in attacks)
    has_holdout = any(attack.holdout is not None for attack in attacks)
    heads = ["unique", "class", "expected", f"rate ({ties})", "95 % interval"]
    if has_learned:
        heads += ["bound", "status"]
    if has_holdout:
        heads += ["held out"]
    if has_one_to_one:
        heads += ["one-to-one", "gap"]
    heads += [f"{name} disclosed" for name in confidential]
    table = _table(title, ["attacker", "scale"], [*heads, "seconds"])
    for attack in attacks:
        row = [attack.label, attack.scale, *(links_text(attack.links[rule]) for rule in Ties)]
        row += [f"{attack.rate(ties):.1%}", interval_text(attack.interval)]
        if has_learned:
            row += _bound_and_status(attack)
        if has_holdout:
            row += [holdout_text(attack.holdout)]
        if attack.one_to_one is not None:
            row += [links_text(attack.one_to_one.links[ties]), f"{attack.one_to_one.gap:.1%}"]
        row += [_disclosed(disclosure) for disclosure in attack.disclosures]
        _add_row(table, *row, f"{attack.seconds:.2f}")
    return table


def _bound_and_status(attack: AttackResult) -> list[str]:
    return ["" if attack.bound is None else links_text(attack.bound), attack.status]


def _disclosed(disclosure: Disclosure) -> str:
    """Values seen through links, and how many of them are the true ones, where that is known."""
    return str(disclosure.values) if disclosure.exact is None else f"{disclosure.values}, true {disclosure.exact}"


def _claim_table(attack: AttackResult) -> Table:
    table = _table("How sure would the intruder be?", ["ratio at most"], ["claimed", "correct", "precision", "recall"])
    for claim in attack.claims:
        precision = "-" if claim.precision is None else f"{claim.precision:.1%}"
        _add_row(
            table,
            "strictly nearest" if claim.ratio == 1.0 else f"{claim.ratio:g}",
            str(claim.claimed),
            str(claim.correct),
            precision,
            f"{claim.recall:.1%}",
        )
    return table


def _attribute_table(assessment: Assessment) -> Table:
    title = f"Attributes: {assessment.ties} links by the attacker mean on scale {assessment.attribute_scale}"
    heads = ["distinct original", "distinct protected", "unchanged", "alone", "all but this"]
    table = _table(title, ["attribute", "kind"], heads)
    for risk in assessment.attributes:
        _add_row(
            table,
            risk.name,
            risk.kind,
            str(risk.distinct_original),
            str(risk.distinct_protected),
            f"{risk.unchanged:.1%}",
            _links(risk.alone, assessment.ties),
            "-" if risk.without is None else _links(risk.without, assessment.ties),
        )
    return table


def _interval_table(assessment: Assessment) -> Table:
    title = "Interval disclosure: original values within so much of the protected one"
    heads = [f"{width:.0%} of the {unit}" for unit in ("deviation", "ranks") for width in WIDTHS]
    table = _table(title, ["attribute"], heads)
    for row in assessment.intervals:
        _add_row(table, row.name, *(f"{share:.1%}" for share in (*row.by_deviation, *row.by_rank)))
    return table


def _scenario_table(assessment: Assessment) -> Table:
    title = "Scenarios: the strongest attack of intruders who know less (all attacks: --json)"
    attacks = [attack for scenario in assessment.scenarios for attack in scenario.attacks]
    has_learned = any(attack.bound is not None for attack in attacks)
    heads = ["people", "in both files", "unique", "expected", f"rate ({assessment.ties})"]
    heads += ["bound", "status"] if has_learned else []
    table = _table(title, ["scenario", "knows", "strongest attack"], heads)
    for scenario in assessment.scenarios:
        best = max(scenario.attacks, key=lambda attack: attack.links[assessment.ties], default=None)
        row = [scenario.name, ", ".join(scenario.attributes), "-" if best is None else f"{best.label}, {best.scale}"]
        row += [str(scenario.n_people), str(scenario.n_pairs)]
        if best is None:
            row += ["-"] * (len(heads) - 2)
        else:
            row += [links_text(best.links[rule]) for rule in (Ties.UNIQUE, Ties.EXPECTED)]
            row += [f"{best.rate(assessment.ties):.1%}", *(_bound_and_status(best) if has_learned else [])]
        _add_row(table, *row)
    return table


def _links(links: Mapping[Ties, float], ties: Ties) -> str:
    return links_text(links[ties])
