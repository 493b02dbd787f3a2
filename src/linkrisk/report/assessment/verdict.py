"""The verdict on a protected file in plain words: who finds how many, how sure that is, what carries it, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.assessment.result import Assessment, AttributeRisk, SampledLinks
from linkrisk.attack.result import AttackResult
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.sentences import interval_text, links_text


def verdict(assessment: Assessment) -> list[str]:
    """Return the verdict, a sentence or two for each thing a reader has to know, the most important first."""
    best = assessment.strongest
    if best is None:
        return ["No attack was finished: nothing is known of the risk."]
    return [
        *_who_finds_how_many(assessment, best),
        *_how_sure(assessment),
        *_what_he_learns(assessment),
        *_what_carries_it(assessment),
        *_what_to_do(assessment, best),
    ]


def _who_finds_how_many(assessment: Assessment, best: AttackResult) -> Iterator[str]:
    """Tell what the strongest attack finds; if it was fitted to the true pairs, also the strongest that was not."""
    unfinished = "" if assessment.is_complete else " of those finished before the interrupt"
    unfitted = assessment.strongest_unfitted
    if not best.has_true_pairs:
        yield f"The strongest intruder{unfinished} {_finds(best)}."
    else:
        yield f"The strongest attack{unfinished}, by a distance fitted to the true pairs, {_finds(best)}."
        if unfitted is not None:
            yield f"Without the true pairs the strongest intruder {_finds(unfitted)}."
    yield f"Guessing blindly finds {best.chance:.3g}."


def _finds(attack: AttackResult) -> str:
    """Say how many people an attack finds, and how."""
    found, nearest = attack.found(), attack.links[attack.ties]
    text = f"finds {links_text(found)} of {attack.n_pairs} people ({attack.rate():.1%})"
    if attack.certain is not None:
        certain = f", {attack.certain} of them for certain" if attack.certain else ""
        return f"{text}{certain}, because he knows how the file was protected ({attack.label})"
    way = ", one to one" if found > nearest else ""
    return f"{text} by {attack.label} on scale {attack.scale}{way}{_among_twins(attack)}"


def _among_twins(attack: AttackResult) -> str:
    """Say what is counted where released records are equal; nothing where that makes no difference."""
    expected, unique = attack.links[Ties.EXPECTED], attack.links[Ties.UNIQUE]
    if attack.found() > attack.links[attack.ties] or expected == unique:
        return ""
    if attack.ties is Ties.EXPECTED:
        return f", picking at random among equal records; {links_text(unique)} have no equal"
    return f"; picking at random among equal records, {links_text(expected)} ({attack.rate(Ties.EXPECTED):.1%})"


def _how_sure(assessment: Assessment) -> Iterator[str]:
    """Tell what is proven, what is not ruled out, and what no intruder can expect."""
    yield from _proven(assessment)
    yield from _not_ruled_out(assessment)
    for attack in assessment.attacks:
        if attack.ceiling is None:
            continue
        ceiling = attack.ceiling
        error = f", Monte Carlo error {ceiling.error:.1f}" if ceiling.error else ""
        doubt = "" if ceiling.is_converged else "; not certain, for the chains do not agree"
        yield (
            f"If the release was made by {ceiling.methods}, no intruder without true pairs can expect more than "
            f"{links_text(round(ceiling.links, 1))}, {ceiling.links / attack.n_pairs:.1%} (bayes{error}{doubt})."
        )


def _proven(assessment: Assessment) -> Iterator[str]:
    """Tell of which attackers it is proven that none of their kind links more, and how many those are."""
    rule = assessment.ties
    proven = [attack for attack in assessment.attacks if attack.status == "optimal" and attack.bound is not None]
    for name in dict.fromkeys(attack.name for attack in proven):
        most = max((attack for attack in proven if attack.name == name), key=lambda attack: attack.links[rule])
        scales = {attack.scale for attack in proven if attack.name == name}
        asked = {attack.scale for attack in assessment.attacks if attack.name == name}
        where = f"on scale {', '.join(sorted(scales))}" if scales != asked or len(scales) == 1 else "on any scale tried"
        none = NONE_OF.get(name, f"no {name}")
        links = links_text(most.links[rule])
        yield f"Proven: {none}, {where}, links more than {links} people to their nearest records."


def _not_ruled_out(assessment: Assessment) -> Iterator[str]:
    """Tell how many links searches that left a gap cannot rule out, if that is more than were found.

    The bound of a repaired form is about forms before the repair: it is no gap of the attacker.
    """
    rule = assessment.ties
    bounded = [attack for attack in assessment.attacks if attack.bound and attack.status != "repaired"]
    most = max(bounded, key=lambda a: a.bound or 0.0, default=None)
    found = max((attack.found(rule) for attack in assessment.attacks), default=0.0)
    if most is None or most.bound is None or most.bound <= found * (1.0 + 1e-9):
        return
    remedies = {"unsettled": "more time does not help", "sampled": "a machine with more memory would tell"}
    remedy = remedies.get(most.status, "more time_limit (--time-limit) may tell")
    who = f"{most.label} on scale {most.scale}"
    yield f"Not proven: up to {links_text(most.bound)} links by {who} cannot be ruled out; {remedy}."


def _what_he_learns(assessment: Assessment) -> Iterator[str]:
    """Tell how many confidential values follow from links, beside those that were known before."""
    for place, measured in enumerate(assessment.diversity):
        found = [attack.disclosures[place] for attack in assessment.attacks]
        most = max(found, key=lambda each: max(each.picked or 0.0, each.guessed or 0.0), default=None)
        if most is not None:
            true = max(most.picked or 0.0, most.guessed or 0.0)
            before = "" if most.before is None else f"; without any link {links_text(most.before)}"
            yield f"He then knows {measured.attribute} of {links_text(true)} of {most.people} people{before}."


def _what_carries_it(assessment: Assessment) -> Iterator[str]:
    """Name the attribute without which a plain distance finds fewest, and a choice of attributes that finds more."""
    carrier, links = carrying(assessment)
    if carrier is not None:
        yield f"{carrier.name} carries most of it: without it the plain distance (mean) finds {links}."
    yield from _better_subsets(assessment)


def carrying(assessment: Assessment) -> tuple[AttributeRisk | None, str]:
    """Return the attribute without which fewest are linked, if fewer than with all, and how many beside all."""
    rule, scale = assessment.ties, assessment.attribute_scale
    whole = next((a.links[rule] for a in assessment.attacks if a.name == "mean" and a.scale == scale), None)
    known = [risk for risk in assessment.attributes if risk.without is not None or risk.without_sample is not None]
    if whole is None or not known:
        return None, ""
    carrier = min(known, key=lambda risk: _rate_without(risk, assessment))
    if _rate_without(carrier, assessment) >= whole / assessment.n_pairs:
        return None, ""
    if carrier.without is not None:
        return carrier, f"{links_text(carrier.without[rule])} instead of {links_text(whole)}"
    drawn = _rate_without(carrier, assessment)
    return carrier, f"{drawn:.1%} of the people instead of {whole / assessment.n_pairs:.1%}"


def _rate_without(risk: AttributeRisk, assessment: Assessment) -> float:
    if risk.without is not None:
        return risk.without[assessment.ties] / assessment.n_pairs
    return 1.0 if risk.without_sample is None else risk.without_sample.rate(assessment.ties)


def _what_to_do(assessment: Assessment, best: AttackResult) -> Iterator[str]:
    """Say what a reader can do next: mend faults, protect more, look for a protection that keeps a limit."""
    if assessment.faults:
        yield "What to do first: mend the faults above."
        return
    if best.found() <= 2.0 * best.chance:
        return
    carrier, _ = carrying(assessment)
    name = "the attributes" if carrier is None else carrier.name
    yield (
        f"What would change it: protect {name} more, or leave out what is not needed. linkrisk tune finds how "
        "strongly for the share you allow, and linkrisk compare sets releases side by side."
    )


def _better_subsets(assessment: Assessment) -> Iterator[str]:
    """Name the subset of attributes in the attribute table that beats every attacker who uses them all, if one does."""
    rule, unfitted, n_pairs = assessment.ties, assessment.strongest_unfitted, assessment.n_pairs
    found = [_subset(risk.alone[rule], n_pairs, f"with {risk.name} alone") for risk in assessment.attributes]
    found += [
        _subset(risk.without[rule], n_pairs, f"without {risk.name}")
        for risk in assessment.attributes
        if risk.without is not None
    ]
    found += [
        _drawn_subset(risk.without_sample, rule, f"without {risk.name}")
        for risk in assessment.attributes
        if risk.without_sample is not None
    ]
    rate, subset = max(found, default=(0.0, ""))
    if unfitted is None or rate * n_pairs <= unfitted.found(rule) * (1.0 + 1e-9):  # rounding makes nobody better
        return
    yield f"He does better with fewer attributes: mean {subset}."


def _subset(links: float, n_pairs: int, what: str) -> tuple[float, str]:
    rate = links / n_pairs
    return rate, f"{what} links {links_text(links)} ({rate:.1%})"


def _drawn_subset(drawn: SampledLinks, ties: Ties, what: str) -> tuple[float, str]:
    """Of a sample only what is nearly certain counts: the lower end of the interval."""
    interval = drawn.interval(ties)
    return interval[0], f"{what} links {interval_text(interval)} (95 % interval, {drawn.n_people} people drawn)"


NONE_OF = {
    "weighted_mean": "no weighting of the attributes",
    "weighted_mean_metric": "no weighting of the attributes without zeros",
    "owa": "no weighting by the size of the differences",
    "choquet": "no fuzzy measure on the attributes",
    "choquet_metric": "no submodular fuzzy measure on the attributes",
    "bilinear": "no bilinear form that is not negative on these files",
    "bilinear_free": "no bilinear form",
    "bilinear_psd": "no positive semidefinite form",
}
"""Of what a proven attacker is the worst case."""
