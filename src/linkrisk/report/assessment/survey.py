"""How households, risk by region, rates for the population and categorical keys are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from linkrisk.assessment.result import Assessment
from linkrisk.assessment.survey.breakdown import AttackRate, Breakdown, Cell
from linkrisk.assessment.survey.groups import GroupAttack, GroupRisk
from linkrisk.assessment.survey.keys import FileKeys, KeyComparison
from linkrisk.assessment.survey.population import PopulationRisk
from linkrisk.attack.result import AttackResult
from linkrisk.frequencies.keys import SIZES
from linkrisk.report.assessment.sentences import links_text
from linkrisk.report.blocks import Block, Sentence
from linkrisk.report.tables import Table, make_columns, share_text


def survey_blocks(assessment: Assessment) -> Iterator[Block]:
    """Yield the tables of what was asked for about households, regions and the population."""
    survey, best = assessment.survey, assessment.strongest
    if survey.population is not None:
        yield from _population(survey.population)
    if survey.groups is not None:
        yield from _groups(survey.groups)
    if best is not None:
        for breakdown in survey.by:
            yield from _breakdown(breakdown, best, "people")
    if survey.keys is not None:
        yield from _keys(survey.keys, survey.population)


def _population(found: PopulationRisk) -> Iterator[Block]:
    rows = tuple(
        (attack.label, attack.scale, f"{attack.rate:.1%}", f"{attack.population_rate:.1%}") for attack in found.attacks
    )
    heads = ("rate", "rate in the population")
    yield Table(
        make_columns(("attacker", "scale"), heads), rows, f"Rates for the population, by weights {found.weights}"
    )
    yield Sentence(
        f"The weights add up to {found.size:,.0f} people; rates in the population are sums of weights of people found "
        f"over sums of weights (Hájek), worth {found.n_kish:,.0f} records of equal weight."
    )


def _groups(found: GroupRisk) -> Iterator[Block]:
    figures: dict[str, Callable[[GroupAttack], str]] = {
        "groups found": lambda attack: links_text(attack.found),
        "rate of groups": lambda attack: f"{attack.rate:.1%}",
    }
    if found.open_size is None:
        figures["people in them"] = lambda attack: share_text(attack.people_rate)
    if any(attack.population_rate is not None for attack in found.attacks):
        figures["in the population"] = lambda attack: f"{attack.population_rate:.1%}"
    rows = tuple(
        (attack.label, attack.scale, *(figure(attack) for figure in figures.values())) for attack in found.attacks
    )
    title = f"Groups by {found.column}: {found.n_groups:,} groups of {found.n_people:,} people could be found"
    yield Table(make_columns(("attacker", "scale"), tuple(figures)), rows, title)
    told = " People in them: the share of people whose group is found." if found.open_size is None else ""
    yield Sentence(f"A group is found as soon as one member is; members are taken as independent.{told}")
    if found.attacks:
        yield from _breakdown(found.sizes, max(found.attacks, key=lambda attack: attack.found), "groups")
    if found.open_size is not None:
        yield Sentence(
            f"Sizes that fewer than {found.sizes.smallest_cell} groups have are put together, with others by which "
            "they could be told; for the same reason it is not told how many people live in the groups found."
        )


def _breakdown(found: Breakdown, best: AttackResult | GroupAttack, what: str) -> Iterator[Block]:
    cells = (*found.cells, *([found.others] if found.others is not None else []))
    rates = [next(rate for rate in cell.attacks if _is_of(rate, best)) for cell in cells]
    has_weights = any(rate.population_rate is not None for rate in rates)
    rows = tuple(
        (
            cell.value if cell is not found.others else f"{found.n_hidden} others",
            f"{cell.n:,}",
            links_text(rate.found),
            f"{rate.rate:.1%}",
            *([f"{rate.population_rate:.1%}"] if has_weights else []),
        )
        for cell, rate in zip(cells, rates, strict=True)
    )
    heads = (what, "found", "rate", *(["rate in the population"] if has_weights else []))
    title = f"{what.capitalize()} found by {found.column}: {best.label} on scale {best.scale}"
    yield Table(make_columns((found.column,), heads), rows, title)
    if found.others is not None:
        yield Sentence(
            f"Values with fewer than {found.smallest_cell} {what} are put together, with others by which they could be "
            "told."
        )


def _is_of(rate: AttackRate, attack: AttackResult | GroupAttack) -> bool:
    return (rate.label, rate.scale) == (attack.label, attack.scale)


def _keys(found: KeyComparison, population: PopulationRisk | None) -> Iterator[Block]:
    figures: dict[str, Callable[[FileKeys], str]] = {
        "records": lambda keys: f"{keys.risk.n_records:,}",
        "different keys": lambda keys: f"{keys.risk.n_keys:,}",
        **{f"records whose key fewer than {size} have": _below(place) for place, size in enumerate(SIZES)},
        "expected re-identifications": lambda keys: f"{keys.risk.expected:.2f}",
        "over the records": lambda keys: f"{keys.risk.rate:.2%}",
        "largest individual risk": lambda keys: f"{keys.risk.largest:.3g}",
    }
    if population is not None:
        figures["expected uniques of the population"] = lambda keys: f"{keys.risk.population_uniques:.2f}"
        figures["a unique match is right"] = lambda keys: share_text(keys.risk.unique_match)
    if found.original.expected_groups is not None:
        figures["expected groups re-identified"] = lambda keys: f"{keys.expected_groups:.2f}"
        figures["people in them"] = lambda keys: f"{keys.expected_in_groups:.2f}"
    files = {"original": found.original, "protected": found.protected}
    if found.original_wildcard is not None and found.protected_wildcard is not None:
        files |= {"original, holes match": found.original_wildcard, "protected, holes match": found.protected_wildcard}
    rows = tuple((name, *(figure(keys) for keys in files.values())) for name, figure in figures.items())
    title = f"Keys: combinations of {', '.join(found.names)}"
    yield Table(make_columns(("figure",), tuple(files)), rows, title)
    sample = (
        "the population frequency of a key is estimated by the sum of its weights"
        if population is not None
        else "without weights the file is taken for the whole population"
    )
    yield Sentence(
        "Individual risk (Benedetti and Franconi): the intruder knows the key, knows that the person is in the file, "
        f"and picks among all of the population who have it; {sample}."
    )
    yield Sentence("The figures of keys count rare combinations, however few have them: they are for internal use.")
    if found.original_wildcard is not None:
        yield Sentence(
            "Missing values count as a category; holes match: they match every value, as in sdcMicro, which makes keys "
            "look less rare and is right only where values were suppressed."
        )


def _below(place: int) -> Callable[[FileKeys], str]:
    return lambda keys: f"{keys.risk.below[place]:,}"


def survey_document(assessment: Assessment) -> dict[str, Any]:
    """Return what the JSON document says: groups, by, population, keys; null, or empty, where it was not asked for."""
    survey = assessment.survey
    return {
        "groups": None if survey.groups is None else _groups_document(survey.groups),
        "by": [_breakdown_document(breakdown) for breakdown in survey.by],
        "population": None if survey.population is None else _population_document(survey.population),
        "keys": None if survey.keys is None else _keys_document(survey.keys),
    }


def _groups_document(found: GroupRisk) -> dict[str, Any]:
    return {
        "column": found.column,
        "n_groups": found.n_groups,
        "n_people": found.n_people,
        "n_alone": found.n_alone,
        "attackers": [
            {
                "label": attack.label,
                "scale": attack.scale,
                "found": attack.found,
                "rate": attack.rate,
                "people_rate": attack.people_rate,
                "population_rate": attack.population_rate,
            }
            for attack in found.attacks
        ],
        "by_size": _breakdown_document(found.sizes),
    }


def _breakdown_document(found: Breakdown) -> dict[str, Any]:
    return {
        "column": found.column,
        "smallest_cell": found.smallest_cell,
        "values": [_cell_document(cell) for cell in found.cells],
        "n_hidden": found.n_hidden,
        "others": None if found.others is None else {**_cell_document(found.others), "value": None},
    }


def _cell_document(cell: Cell) -> dict[str, Any]:
    return {"value": cell.value, "n": cell.n, "attackers": [_rate_document(rate) for rate in cell.attacks]}


def _rate_document(rate: AttackRate) -> dict[str, Any]:
    return {
        "label": rate.label,
        "scale": rate.scale,
        "found": rate.found,
        "rate": rate.rate,
        "population_rate": rate.population_rate,
    }


def _population_document(found: PopulationRisk) -> dict[str, Any]:
    return {
        "weights": found.weights,
        "size": found.size,
        "n_kish": found.n_kish,
        "attackers": [_rate_document(rate) for rate in found.attacks],
    }


def _keys_document(found: KeyComparison) -> dict[str, Any]:
    return {
        "attributes": list(found.names),
        "original": _file_document(found.original),
        "protected": _file_document(found.protected),
        "original_wildcard": None if found.original_wildcard is None else _file_document(found.original_wildcard),
        "protected_wildcard": None if found.protected_wildcard is None else _file_document(found.protected_wildcard),
    }


def _file_document(keys: FileKeys) -> dict[str, Any]:
    risk = keys.risk
    return {
        "missing": risk.missing,
        "n_records": risk.n_records,
        "n_keys": risk.n_keys,
        "below": dict(zip(SIZES, risk.below, strict=True)),
        "population": risk.population,
        "expected_reidentifications": risk.expected,
        "rate": risk.rate,
        "largest_individual_risk": risk.largest,
        "expected_population_uniques": risk.population_uniques,
        "unique_match": risk.unique_match,
        "expected_groups": keys.expected_groups,
        "expected_people_in_groups": keys.expected_in_groups,
    }
