"""The verdict on a protected file in plain words: who finds how many, how sure that is, what carries it, what to do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkrisk.assessment.result import Assessment, AttributeRisk, SampledLinks
from linkrisk.attack.disclosure import WIDTH
from linkrisk.attack.result import AttackResult, strongest_attack
from linkrisk.attack.rules import ReleaseRules
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.sentences import interval_text, links_text, most_telling
from linkrisk.report.few import is_told, share_of
from linkrisk.report.verdict import Headline, Verdict

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
"""What a proof of each attacker is about: none of these links more."""

MOST = 0.5
"""An attribute carries most of the risk if more than this share of the links is lost without it."""

MOST_NAMES = 8
"""Columns that a sentence names."""


def verdict(assessment: Assessment) -> Verdict:
    """Return the verdict, a sentence or two for each thing a reader has to know, the most important first."""
    best = assessment.strongest
    if best is None:
        return Verdict(("No attack was finished: nothing is known of the risk.",))
    broken = assessment.broken() if assessment.rules.is_set else []
    carrier = most_missed(assessment)
    says = (
        *_who_finds_how_many(assessment, best),
        *_allowed(assessment.rules, broken),
        *_how_sure(assessment),
        *_what_he_learns(assessment),
        *_who_knows_less(assessment),
        *_who_knows_more(assessment),
        *_what_carries_it(assessment, carrier),
        *_what_is_lost(assessment),
    )
    is_open = any("cannot be checked" in sentence for sentence in broken) or bool(assessment.faults and not broken)
    is_allowed = not broken if assessment.rules.is_set and not is_open else None
    told = f"of {best.n_pairs:,} people are found by the strongest attack"
    first = "; faults must be mended first" if assessment.faults and is_allowed is not False else ""
    headline = Headline(best.rate(), f"{told}{first}", is_allowed)
    return Verdict(says, tuple(_what_to_do(assessment, best, carrier)), headline)


def _who_finds_how_many(assessment: Assessment, best: AttackResult) -> Iterator[str]:
    """Tell what the strongest attack finds; if it was fitted to the true pairs, also the strongest that was not."""
    made = "" if assessment.is_complete else " of those made before the interrupt"
    unfitted = assessment.strongest_unfitted
    if not best.has_true_pairs:
        yield f"The strongest intruder{made} {_finds(best)}."
    else:
        yield f"The strongest attack{made}, by a distance fitted to the true pairs, {_finds(best)}."
        if best.holdout is not None:
            yield f"Among people it was not fitted to it finds {best.holdout.rate:.1%}."
        if unfitted is not None:
            yield f"Without the true pairs the strongest intruder {_finds(unfitted)}."
        else:
            yield "No attack without the true pairs was tried."
    if best.ties is not Ties.CLASS:
        yield f"Guessing blindly finds {best.chance:.3g}."


def _finds(attack: AttackResult) -> str:
    """Say how many people an attack finds, and how."""
    found, people = links_text(attack.found()), f"of {attack.n_pairs:,} people ({attack.rate():.1%})"
    picked = f"picking one of them at random finds {links_text(attack.found(Ties.EXPECTED))}"
    if attack.ties is Ties.CLASS and attack.found() > attack.found(Ties.EXPECTED):
        return f"narrows {found} {people} down to equal records with their own among them, {_by(attack)}; {picked}"
    if attack.ties is Ties.UNIQUE and attack.found(Ties.EXPECTED) > attack.found():
        return f"finds {found} {people} {_by(attack)}, counting nobody with an equal record; {picked}"
    certain = f", {attack.certain:,} of them for certain," if attack.certain else ""
    return f"finds {found} {people}{certain} {_by(attack)}"


def _by(attack: AttackResult) -> str:
    """Say who attacks, and by which way."""
    if attack.certain is not None:
        return f"by {attack.label}, who knows how the file was protected"
    way = ", one to one" if attack.found() > attack.links[attack.ties] else ""
    return f"by {attack.label} on scale {attack.scale}{way}"


def _allowed(rules: ReleaseRules, broken: Sequence[str]) -> Iterator[str]:
    """Say whether that is within what the user allows, if he said what that is."""
    if broken and all("cannot be checked" in sentence for sentence in broken):
        yield f"Whether that is within what you allow is not known: {'; '.join(broken)}."
    elif broken:
        yield f"That is more than you allow: {'; '.join(broken)}."
    elif rules.is_set:
        limits = {"found": rules.max_rate, "possible": rules.max_bound}
        told = [f"{limit:.1%} {what}" for what, limit in limits.items() if limit is not None]
        yield f"That is within what you allow: at most {', '.join(told)}."


def _how_sure(assessment: Assessment) -> Iterator[str]:
    """Tell what is proven, what is not ruled out, and what no intruder can expect."""
    yield from _proven(assessment)
    yield from _not_ruled_out(assessment)
    for attack in assessment.attacks:
        if attack.ceiling is not None:
            yield _ceiling(assessment, attack)


def _ceiling(assessment: Assessment, attack: AttackResult) -> str:
    """Tell what no intruder without true pairs exceeds on average, also where one was luckier in this file."""
    ceiling, unfitted = attack.ceiling, [each for each in assessment.attacks if not each.has_true_pairs]
    assert ceiling is not None  # noqa: S101  (for the type checker)
    error = f", Monte Carlo error {ceiling.error:.1f}" if ceiling.error >= 0.05 else ""
    doubt = "" if ceiling.is_converged else "; not certain, for the chains do not agree"
    most = max(each.found(Ties.EXPECTED) for each in unfitted)
    is_lucky = most > ceiling.links
    luck = f", on average over such releases; finding {links_text(most)} in this one is partly luck" if is_lucky else ""
    expected = f"{links_text(round(ceiling.links, 1))} people ({ceiling.links / attack.n_pairs:.1%}"
    return (
        f"If the release was made by {ceiling.methods}, no intruder without true pairs can expect more than "
        f"{expected}; bayes{error}{doubt}){luck}."
    )


def _proven(assessment: Assessment) -> Iterator[str]:
    """Tell of which attackers it is proven that none of their kind links more, and how many those are.

    That nobody links more than everybody is not worth a sentence.
    """
    rule = assessment.ties
    proven = [attack for attack in assessment.attacks if attack.status == "optimal" and attack.bound is not None]
    for name in dict.fromkeys(attack.name for attack in proven):
        own = [attack for attack in proven if attack.name == name]
        most = max(own, key=lambda attack: attack.links[rule])
        if most.links[rule] >= most.n_pairs:
            continue
        scales, asked = ({a.scale for a in some if a.name == name} for some in (proven, assessment.attacks))
        where = f"on scale {', '.join(sorted(scales))}" if scales != asked or len(scales) == 1 else "on any scale tried"
        links, more = most.links[rule], max(attack.found(rule) for attack in own)
        rest = f"; one to one, where no bound is proven, {links_text(more)} are found" if more > links else ""
        none = NONE_OF.get(name, f"no {name}")
        yield f"Proven: {none}, {where}, links more than {links_text(links)} people to nearest records{rest}."


def _not_ruled_out(assessment: Assessment) -> Iterator[str]:
    """Tell how many links a search that left a gap cannot rule out.

    The bound of a repaired form is about forms before the repair: it is no gap of the attacker.
    """
    rule = assessment.ties
    bounded = [attack for attack in assessment.attacks if attack.bound and attack.status != "repaired"]
    most = max(bounded, key=lambda a: a.bound or 0.0, default=None)
    if most is None or most.bound is None or most.bound <= most.links[rule] * (1.0 + 1e-9):
        return
    remedies = {
        "unsettled": "more time does not help",
        "sampled": "a machine with more memory would tell",
        "interrupted": "let it run to its end",
    }
    remedy = remedies.get(most.status, "a longer time_limit (--time-limit) may settle it")
    who = f"{most.label} on scale {most.scale}"
    yield f"Not proven: {who} may link up to {links_text(most.bound)} people to nearest records; {remedy}."


def _what_he_learns(assessment: Assessment) -> Iterator[str]:
    """Tell how many confidential values follow from links, beside those that were known before."""
    for place, measured in enumerate(assessment.diversity):
        if assessment.attacks:
            _, told = most_telling(assessment, place)
            true = share_of(max(told.picked or 0.0, told.guessed or 0.0), told.people)
            within = "" if told.width is None else f", within {WIDTH:.0%} of the standard deviation,"
            before = "" if told.before is None else f"; without any link {share_of(told.before, told.people)}"
            yield (
                f"The attack that tells most of {measured.attribute} gives the true value{within} of {true} of the "
                f"people, though it does not show of whom{before}."
            )


def _who_knows_less(assessment: Assessment) -> Iterator[str]:
    """Tell what the strongest attack of each scenario finds, unless few people are in it, or left out of it."""
    told = []
    for scenario in assessment.scenarios:
        best = strongest_attack(scenario.attacks, assessment.ties)
        if best is not None and is_told(scenario.n_pairs, assessment.n_pairs):
            told.append(f"{scenario.name} {share_of(best.found(assessment.ties), best.n_pairs)}")
    if told:
        yield f"Intruders who know less: {', '.join(told)}."


def _who_knows_more(assessment: Assessment) -> Iterator[str]:
    """Name the columns that are released and that no attack used: whoever knows them may find more."""
    if names := assessment.not_known:
        verb, pronoun = ("is", "it") if len(names) == 1 else ("are", "them")
        more = f" and {n_more} more" if (n_more := len(names) - MOST_NAMES) > 0 else ""
        told = ", ".join(names[:MOST_NAMES]) + more
        yield f"{told} {verb} released, too, and no attack used {pronoun}: who knows {pronoun} may find more."


@dataclass(frozen=True)
class MostMissed:
    """Attributes without each of which a plain distance links fewest, how many then, and how many with all.

    ``links`` and ``whole`` are texts: numbers of people, or shares of a sample. ``lost`` is the share of links lost.
    """

    names: tuple[str, ...]
    links: str
    whole: str
    lost: float

    @property
    def carries_most(self) -> bool:
        """Whether one attribute alone is what most links hang on."""
        return len(self.names) == 1 and self.lost > MOST


def most_missed(assessment: Assessment) -> MostMissed | None:
    """Return the attributes that are missed most; None where that is not known, or nobody is lost without any.

    None for classes of equal records, too, which grow with every attribute that is left out.
    """
    rule, scale = assessment.ties, assessment.attribute_scale
    whole = next((a.links[rule] for a in assessment.attacks if a.name == "mean" and a.scale == scale), 0.0)
    known = [risk for risk in assessment.attributes if risk.without is not None or risk.without_sample is not None]
    if not (whole and known) or rule is Ties.CLASS:
        return None
    rates = {risk.name: _rate_without(risk, assessment) for risk in known}
    least, rate = min(rates.values()), whole / assessment.n_pairs
    if least >= rate * (1.0 - 1e-9):
        return None
    names = tuple(name for name, other in rates.items() if other <= least * (1.0 + 1e-9))
    is_counted = known[0].without is not None
    links = links_text(least * assessment.n_pairs) if is_counted else f"{least:.1%}"
    return MostMissed(names, links, links_text(whole) if is_counted else f"{rate:.1%}", 1.0 - least / rate)


def _rate_without(risk: AttributeRisk, assessment: Assessment) -> float:
    if risk.without is not None:
        return risk.without[assessment.ties] / assessment.n_pairs
    return 1.0 if risk.without_sample is None else risk.without_sample.rate(assessment.ties)


def _what_carries_it(assessment: Assessment, carrier: MostMissed | None) -> Iterator[str]:
    """Name what a plain distance misses most, and a choice of attributes by which it finds more."""
    plain = f"the plain attack (mean, scale {assessment.attribute_scale}, nearest records)"
    if carrier is not None and carrier.carries_most:
        only = f"finds {carrier.links} instead of {carrier.whole}"
        yield f"{carrier.names[0]} carries most of it: without it {plain} {only}."
    elif carrier is not None and carrier.lost > MOST and len(carrier.names) < 4:
        names = " and ".join(carrier.names)
        only = f"finds {carrier.links} instead of {carrier.whole}"
        yield f"Each of {names} carries most of it: without one of them {plain} {only}."
    elif carrier is not None:
        names = " or ".join(carrier.names) if len(carrier.names) < 4 else "any one of several"
        still = f"still finds {carrier.links} instead of {carrier.whole}"
        yield f"No single attribute carries it: without {names} {plain} {still}."
    if assessment.ties is not Ties.CLASS:
        yield from _better_subsets(assessment)


def _what_is_lost(assessment: Assessment) -> Iterator[str]:
    """Tell what users of the data lose, if it was measured."""
    if assessment.loss is None:
        return
    told = []
    if not math.isnan(assessment.loss.pil):
        told.append(f"numbers lose {assessment.loss.pil:.0f} of 100 (PIL)")
    if assessment.loss.categories is not None and not math.isnan(assessment.loss.categories.entropy_share):
        told.append(f"categories {assessment.loss.categories.entropy_share:.0%} of what they tell (entropy)")
    if told:
        yield f"What users of the data lose: {', '.join(told)}."


def _what_to_do(assessment: Assessment, best: AttackResult, carrier: MostMissed | None) -> Iterator[str]:
    """Say what a reader can do next: mend faults, protect more, look for a protection that keeps a limit."""
    if assessment.faults:
        yield "What to do first: mend the faults that are named in this report."
        return
    if assessment.rules.is_set and not assessment.broken():
        yield "What to do: your limits are kept; keep the JSON document and the certificates as evidence."
        return
    if best.found(Ties.EXPECTED) <= 2.0 * best.chance:
        return
    what = carrier.names[0] if carrier is not None and carrier.carries_most else "the attributes"
    yield (
        f"What would change it: protect {what} more, or leave out what is not needed. linkrisk tune finds how "
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
    return interval[0], f"{what} links {interval_text(interval)} (95 % interval, {drawn.n_people:,} people drawn)"
