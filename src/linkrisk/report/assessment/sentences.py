"""The sentences of an assessment: what was found, what tables mean, and what the figures say."""

from __future__ import annotations

from collections.abc import Sequence

from linkrisk.assessment.result import Assessment, SampledLinks
from linkrisk.attack.disclosure import WIDTH, Disclosure
from linkrisk.attack.result import AttackResult, Holdout
from linkrisk.learning.explanation.carriers import Carrier, Carrying
from linkrisk.linkage.ties import Ties


def opening(assessment: Assessment) -> str:
    """One sentence on the two files and how their records are paired."""
    return (
        f"{assessment.n_pairs:,} of {assessment.n_original:,} original records have a counterpart among "
        f"{assessment.n_protected:,} protected ones, paired by {assessment.paired_by}. "
        f"Attributes: {', '.join(assessment.attribute_names)}."
    )


def untouched_text(assessment: Assessment) -> str:
    """One sentence that names the attributes which kept every value."""
    names, n_attributes = assessment.untouched, len(assessment.attribute_names)
    verb = "is" if len(names) == 1 else "are"
    return f"{len(names)} of {n_attributes} attributes {verb} released as {_PRONOUN[verb]}: {', '.join(names)}."


_PRONOUN = {"is": "it was", "are": "they were"}


def anonymity_text(assessment: Assessment) -> str:
    """One sentence on records that share their combination of attributes with others."""
    before, after = assessment.anonymity
    return (
        f"Combinations of attributes: {after.n_unique:,} of {after.n_records:,} protected records are unique "
        f"({before.n_unique:,} of {before.n_records:,} original ones); the protected file is "
        f"{after.smallest}-anonymous."
    )


def claims_text(attack: AttackResult) -> str:
    """Say whose claims the table has, how people are linked in it, and what is right."""
    by_whom = attack.label if attack.certain is not None else f"{attack.label} on scale {attack.scale}"
    what = "-log probability" if attack.certain is not None else "(squared) distance"
    picks = {
        Ties.EXPECTED: "; of k equal records he picks one, which is right by 1 / k",
        Ties.CLASS: "; a claim is right if his own is among equal records",
        Ties.UNIQUE: "",
    }
    has_twins = attack.links[Ties.CLASS] != attack.links[Ties.UNIQUE]
    likeliest = "likeliest" if attack.certain is not None else "nearest"
    better = ", though he links more one to one" if attack.found() > attack.links[attack.ties] else ""
    return (
        f"Claims of {by_whom}, each person linked to the {likeliest} record{better}; ratio of the {what} to that of "
        f"the next record with other values{picks[attack.ties] if has_twins else ''}."
    )


def disclosure_text(assessment: Assessment) -> str:
    """Say what the table of confidential values counts; numbers only where there are some."""
    entries = [entry for attack in assessment.attacks for entry in attack.disclosures]
    within = (
        f" Numbers and dates are true within {WIDTH:.0%} of the standard deviation."
        if any(entry.width is not None for entry in entries)
        else ""
    )
    return (
        "Everybody is linked to the class of equally near records, by the attack that tells most. Class of one "
        "value: that of its records, whoever is who; alone: one record, which always has one, true or not. True "
        "values in expectation if he picks a record of the class, if he "
        f"guesses its most frequent value, and before: the most frequent value of the file, nobody linked.{within}"
    )


def most_telling(assessment: Assessment, place: int) -> tuple[AttackResult, Disclosure]:
    """Return the attack that tells most of a confidential attribute (true values, then certain ones), and what."""

    def told(attack: AttackResult) -> tuple[float, int]:
        found = attack.disclosures[place]
        return max(found.picked or 0.0, found.guessed or 0.0), found.certain

    attack = max(assessment.attacks, key=told)
    return attack, attack.disclosures[place]


DIVERSITY_MEANING = (
    "Classes: protected records whose attributes are all equal. Distinct and entropy l-diversity are those of the "
    "worst class; t is the largest earth mover's distance of a class from the file."
)
"""What the table of diversity counts."""


def footnotes(assessment: Assessment) -> list[str]:
    """Say what bound, status and held-out rates in the tables mean, where there are any."""
    attacks = [*assessment.attacks, *(attack for scenario in assessment.scenarios for attack in scenario.attacks)]
    lines = []
    if any(attack.bound is not None for attack in attacks):
        ended = {attack.status for attack in attacks}
        meanings = "; ".join(f"{status}: {text}" for status, text in STATUS_MEANING.items() if status in ended)
        lines.append(f"Bound: no parameters of that attacker make more {assessment.ties} links. Status {meanings}.")
    if any(attack.one_to_one is not None for attack in attacks):
        lines.append(
            "One-to-one: each protected record is one person; by the least total distance (assignment) or by the "
            "probability of each pair over all matchings (posterior). The rate is that of the better way."
        )
    if any(attack.holdout is not None for attack in attacks):
        lines.append("Held out: rate among people the attacker was not fitted to, mean +- standard deviation.")
    return lines


def explanations(assessment: Assessment) -> list[str]:
    """Say of each attacker that was explained which attributes carry his links."""
    return [
        f"{attack.label} on scale {attack.scale}: {_carrier_text(attack.explanation.carriers)}."
        for attack in assessment.attacks
        if attack.explanation is not None
    ]


def _carrier_text(found: Sequence[Carrier]) -> str:
    """Name the attributes whose removal loses links, largest loss first, then those whose removal loses none."""
    carriers = sorted((c for c in found if c.verdict is Carrying.CARRIER), key=lambda c: c.bound_without)
    others = {
        "none is lost without": [c.attribute for c in found if c.verdict is Carrying.NOT_A_CARRIER],
        "not settled": [c.attribute for c in found if c.verdict is Carrying.OPEN],
    }
    losses = [f"{c.attribute} ({links_text(c.links - c.bound_without)} at least)" for c in carriers]
    parts = [f"links are lost without {', '.join(losses)}"] if losses else []
    return "; ".join([*parts, *(f"{what} {', '.join(names)}" for what, names in others.items() if names)])


def sample_text(drawn: SampledLinks) -> str:
    """Say that not everybody was counted without each attribute, how many were, and what that leaves open."""
    return (
        f"All except this: no count of the file, but the share of {drawn.n_people:,} people, of {drawn.n_pairs:,}, who "
        "are linked; drawn with the seed of this run, each compared with every protected record. In brackets the 95 % "
        "Wilson interval for the share among all. To count everybody, ask for it by exact (--exact)."
    )


STATUS_MEANING = {
    "optimal": "proven to reach the bound",
    "time_limit": "stopped when time was up, the bound holds",
    "interrupted": "stopped by Ctrl-C, the bound holds",
    "unsettled": "ended with a gap that rounding leaves, the bound holds",
    "repaired": "the best matrix was then made positive semidefinite",
    "bounded": "many people: the bound is proven by a partition of the weights, more time may lower it",
    "sampled": "memory was short: learned on a sample of the people, counted on all, nothing is proven",
    "evaluated": "nothing was learned",
}
"""What a status in the tables says."""


MANY = 1000
"""Links from which decimals are left out."""


def links_text(links: float) -> str:
    """Write a number of links: with one decimal where that says something, thousands apart.

    >>> links_text(12.0), links_text(3.25), links_text(30291.5)
    ('12', '3.2', '30,292')
    """
    is_whole = links == round(links) or links >= MANY
    return f"{links:,.0f}" if is_whole else f"{links:,.1f}"


def interval_text(interval: tuple[float, float] | None) -> str:
    """Interval in percent; for an attacker fitted to the records he attacks there is none.

    >>> interval_text((0.5, 0.625)), interval_text(None)
    ('50.0 - 62.5 %', 'fitted')
    """
    return "fitted" if interval is None else f"{100 * interval[0]:.1f} - {100 * interval[1]:.1f} %"


def holdout_text(holdout: Holdout | None) -> str:
    """Rate on held-out records with its spread, in percent; nothing for attackers that are not learned.

    >>> holdout_text(Holdout(0.5, "all", (0.9, 0.9), (0.75, 0.75)))
    '75.0 +- 0.0 %'
    """
    return "" if holdout is None else f"{100 * holdout.rate:.1f} +- {100 * holdout.spread:.1f} %"
