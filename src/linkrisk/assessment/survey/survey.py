"""Everything a survey adds to an assessment, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from linkrisk.assessment.survey.breakdown import Breakdown, Chances, break_down_all
from linkrisk.assessment.survey.columns import SurveyColumns, key_names
from linkrisk.assessment.survey.groups import GroupRisk, group_chances, group_risk
from linkrisk.assessment.survey.keys import KeyComparison, compare_keys
from linkrisk.assessment.survey.options import Surveying
from linkrisk.assessment.survey.population import PopulationRisk, population_risk
from linkrisk.attack.result import RecordAttack
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.frequencies.counts import MAX_PATTERNS

CATEGORICAL = (Kind.NOMINAL, Kind.ORDINAL)
"""Kinds of attributes that make up a key if none are named."""

TOO_MANY_PATTERNS = (
    f"keys: values are missing in more than {MAX_PATTERNS} different sets of attributes; how often keys occur if a "
    "missing value may be any is left out; name fewer attributes in keys (--keys)"
)


@dataclass(frozen=True)
class SurveyRisk:
    """What a survey adds to an assessment; nothing in it is about a single record.

    Tables of groups and by columns have no row about few people. The figures of keys count rare ones, however few they
    are: they are for internal use.

    ``groups``: households found. ``by``: the risk by the values of columns. ``population``: rates by sampling weights.
    ``keys``: frequencies and individual risk of categorical keys. None, or empty, where it was not asked for.
    """

    groups: GroupRisk | None = None
    by: tuple[Breakdown, ...] = ()
    population: PopulationRisk | None = None
    keys: KeyComparison | None = None


@dataclass(frozen=True)
class Surveyed:
    """A `SurveyRisk`, the figures of single records behind it (confidential), and notes for the reader."""

    risk: SurveyRisk
    records: Mapping[str, NDArray[Any]] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()


def check_keys(files: FilePair, asked: Surveying) -> tuple[str, ...]:
    """Return the attributes that make up the key, none if there is no key; refuse those that are not used."""
    used = tuple(attribute.name for attribute in files.attributes)
    categorical = tuple(attribute.name for attribute in files.attributes if attribute.kind in CATEGORICAL)
    return key_names(asked, used, categorical)


def survey_risk(files: FilePair, asked: Surveying, columns: SurveyColumns, attacks: Sequence[RecordAttack]) -> Surveyed:
    """Work out what was asked for about households, regions and the population, for every attack."""
    chances = [Chances(attack.label, attack.scale, attack.found) for attack in attacks]
    can_be_found = files.own >= 0
    names = check_keys(files, asked)
    keys, records = compare_keys(files, names, columns) if names else (None, {})
    groups = None
    if columns.group is not None and asked.group is not None:
        groups = group_risk(
            asked.group,
            columns.group,
            chances,
            can_be_found,
            n_alone=columns.n_alone,
            smallest_cell=asked.smallest_cell,
            weights=columns.weights,
        )
        for each in chances:
            name = f"{each.label}.{each.scale}.{asked.group}_found"
            records[name] = group_chances(each.chance, columns.group)[columns.group]
    by, left_out = break_down_all(
        columns.by, chances, can_be_found, smallest_cell=asked.smallest_cell, weights=columns.weights
    )
    population = None
    if columns.weights is not None and asked.weights is not None:
        population = population_risk(asked.weights, columns.weights, chances, can_be_found)
    many = (TOO_MANY_PATTERNS,) if keys is not None and keys.has_too_many_patterns else ()
    notes = (*left_out, *many, *_notes(files, asked, columns, names))
    return Surveyed(SurveyRisk(groups, by, population, keys), records, notes)


def _notes(files: FilePair, asked: Surveying, columns: SurveyColumns, names: tuple[str, ...]) -> list[str]:
    notes = []
    if columns.is_group_released:
        notes.append(
            f"{asked.group} is in {files.protected_name}, too: who finds one member there sees who the others are"
        )
    if columns.n_alone:
        is_few = columns.n_alone < asked.smallest_cell
        many = f"fewer than {asked.smallest_cell}" if is_few else str(columns.n_alone)
        notes.append(f"records without {asked.group}: {many}; each counts as a group alone")
    if columns.weights is not None and not names:
        notes.append("no attribute is categorical: name those that make up a key in keys (--keys)")
    if columns.weights is not None and float(columns.weights.min()) < 1.0:
        notes.append(f"some weights in {asked.weights} are below 1: nobody stands for less than a person; check them")
    if names and columns.weights is not None and files.n_pairs < files.n_protected:
        notes.append(
            f"keys of the protected file are those of the {files.n_pairs:,} records with a counterpart, because the "
            "others have no weight"
        )
    return notes
