"""Attributes that were microaggregated: in which groups, and by which algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from linkrisk.informed.description import Treatment
from linkrisk.informed.known import NUMBERS
from linkrisk.informed.recognise.groups import (
    classes_of,
    find_groups,
    joint_classes,
    lies_among_neighbours,
    looks_aggregated,
)
from linkrisk.informed.recognise.reruns import rerun_group, rerun_ranking
from linkrisk.informed.recognise.true_pairs import LABELS, TruePairs

BY_GROUP = ("groups", "k")
"""Parameters that are lists with one entry for each group."""


def explain_groups(pairs: TruePairs, names: Sequence[str], left: Sequence[str]) -> list[Treatment]:
    """Return the microaggregation of attributes that nothing else explains.

    ``left`` are attributes that did not change: a group may hold one whose clusters were all alike in it. Categories
    belong to a group of numbers whose clusters they keep whole; those that do so nowhere are tried together and alone.
    """
    ranked = [treatment for name in names if (treatment := rerun_ranking(pairs, name))]
    rest = without(names, ranked)
    numbers = [name for name in rest if pairs.kind(name) in NUMBERS and looks_aggregated(pairs, name)]
    labels = [name for name in rest if pairs.kind(name) in LABELS and not pairs.has_holes(name)]
    found = [
        treatment
        for group in find_groups(pairs, [*numbers, *(labels if numbers else ())])
        if any(name in numbers for name in group) and (treatment := _explain_group(pairs, group, left))
    ]
    labels = without(labels, found)
    for group in dict.fromkeys([tuple(labels), *((name,) for name in labels)]):
        if group and len(without(group, found)) == len(group):
            treatment = rerun_group(pairs, group, ["mdav"])
            found += [treatment] if treatment else []
    return merged_groups([*ranked, *found])


def merged_groups(treatments: Iterable[Treatment]) -> list[Treatment]:
    """Return treatments by the same method with the same scale as one, with the groups of all."""
    result: dict[tuple[Any, ...], Treatment] = {}
    for part in treatments:
        key = (part.method, part.parameters.get("raw"), part.parameters.get("variant"), "k" in part.parameters)
        result[key] = _joined(result[key], part) if key in result else part
    return list(result.values())


def without(names: Iterable[str], treatments: Iterable[Treatment]) -> list[str]:
    """Return the attributes that no treatment is about."""
    treated = {name for part in treatments for name in part.attributes}
    return [name for name in names if name not in treated]


def _explain_group(pairs: TruePairs, group: Sequence[str], left: Sequence[str]) -> Treatment | None:
    """Return the method that gives the release of a group; MDAV without k, which nobody can run again, if none does.

    None for a single attribute that was clustered together with others, which are not in the files.
    """
    found = rerun_group(pairs, group)
    if found is None and pairs.is_whole:
        shared = joint_classes(pairs, group)
        more = [name for name in left if _is_divided(pairs, name) and shared.refines(classes_of(pairs, name))]
        names = [name for name in pairs.names if name in group or name in more]
        found = rerun_group(pairs, names) if more else None
    if found is not None:
        return found
    if len(group) == 1 and not lies_among_neighbours(pairs, group[0]):
        return None
    k = {} if pairs.is_whole else {"k": (joint_classes(pairs, group).smallest,)}
    return Treatment("mdav", tuple(group), {"groups": (tuple(group),), **k})


def _is_divided(pairs: TruePairs, name: str) -> bool:
    """Whether an attribute has several values, and is of a kind that is microaggregated."""
    return pairs.kind(name) in (*NUMBERS, *LABELS) and classes_of(pairs, name).sizes.size > 1


def _joined(first: Treatment, second: Treatment) -> Treatment:
    parameters = dict(first.parameters)
    for name, value in second.parameters.items():
        if isinstance(value, dict):
            parameters[name] = {**parameters.get(name, {}), **value}
        elif name in BY_GROUP:
            parameters[name] = (*parameters[name], *value)
    return Treatment(first.method, (*first.attributes, *second.attributes), parameters)
