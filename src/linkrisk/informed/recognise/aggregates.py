"""Parameters of microaggregation that are not published: the release shows its groups and k, a rerun the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkrisk.data.attributes import Kind
from linkrisk.informed.description import Treatment
from linkrisk.informed.recognise.groups import classes_of, find_groups, joint_classes, unusual_centroids
from linkrisk.informed.recognise.microaggregation import merged_groups
from linkrisk.informed.recognise.reruns import rerun_group, rerun_ranking
from linkrisk.informed.recognise.true_pairs import LABELS, TruePairs
from linkrisk.informed.recognise.wording import by_attribute

SETTLED = {"mdav": ("raw", "centroid", "variant")}
"""Parameters besides groups and k that a rerun settles; of the projections only the centroid."""


def complete_ranking(treatment: Treatment, pairs: TruePairs) -> tuple[list[Treatment], list[str]]:
    """Complete k and centroid of individual ranking, attribute by attribute."""
    found: list[Treatment] = []
    seen: dict[str, int] = {}
    open_: dict[str, int] = {}
    for name in treatment.attributes:
        given = {key: treatment.value(key, name) for key in ("k", "centroid")}
        rerun = rerun_ranking(pairs, name) if given["k"] is None else None
        parameters = {key: {name: value} for key, value in given.items() if value is not None}
        if rerun is not None:
            parameters = {**rerun.parameters, **parameters}
            seen[name] = rerun.value("k", name)
        elif given["k"] is None and not pairs.is_whole:
            seen[name] = classes_of(pairs, name).smallest
            parameters["k"] = {name: seen[name]}
        elif given["k"] is None:
            open_[name] = classes_of(pairs, name).smallest
        if given["centroid"] is None and (centroid := unusual_centroids(pairs, [name])):
            parameters["centroid"] = centroid
        found.append(Treatment(treatment.method, (name,), parameters))
    return merged_groups(found), _said_of_k(treatment.method, seen, open_)


def complete_groups(treatment: Treatment, pairs: TruePairs) -> tuple[list[Treatment], list[str]]:
    """Complete groups, k, centroid and, for MDAV, raw and variant, group by group."""
    groups = _groups(treatment, pairs)
    sizes = _given_sizes(treatment, len(groups))
    if treatment.parameters.get("groups") and None not in sizes and not _unsettled(treatment):
        return [treatment], []
    found: list[Treatment] = []
    seen: dict[str, int] = {}
    open_: dict[str, int] = {}
    for group, k in zip(groups, sizes, strict=True):
        part, is_rerun = _complete_group(treatment, pairs, group, k)
        found.append(part)
        if k is None:
            (open_ if pairs.is_whole and not is_rerun else seen)[", ".join(group)] = joint_classes(
                pairs, group
            ).smallest
    notes = [] if treatment.parameters.get("groups") else [_said_of_groups(treatment.method, groups)]
    parts = merged_groups(found)
    return parts, [*notes, *_said_of_k(treatment.method, seen, open_), *_said_of_settled(treatment, parts)]


def _complete_group(
    treatment: Treatment, pairs: TruePairs, group: Sequence[str], k: int | None
) -> tuple[Treatment, bool]:
    """Return the treatment of one group, and whether it was run again and gave the release."""
    given: dict[str, Any] = {key: treatment.parameters.get(key) for key in ("raw", "variant")}
    given["k"] = k
    given["centroid"] = _restricted(treatment.parameters.get("centroid"), group)
    rerun = rerun_group(pairs, group, [treatment.method], given)
    if rerun is not None:
        return rerun, True
    if k is None and not pairs.is_whole:
        k = joint_classes(pairs, group).smallest
    parameters = {key: value for key, value in given.items() if value is not None and key != "k"}
    sizes = {} if k is None else {"k": (k,)}
    return Treatment(treatment.method, tuple(group), {"groups": (tuple(group),), **sizes, **parameters}), False


def _groups(treatment: Treatment, pairs: TruePairs) -> list[tuple[str, ...]]:
    """Return the groups that are published, or those the release shows; categories that share no clusters form one."""
    given = treatment.parameters.get("groups")
    if given:
        kept = set(treatment.attributes)
        groups = [tuple(str(name) for name in group if str(name) in kept) for group in given]
        return [group for group in groups if group]
    treated = [name for name in treatment.attributes if pairs.kind(name) is not Kind.TEXT]
    found = find_groups(pairs, treated)
    labels = [group for group in found if all(pairs.kind(name) in LABELS for name in group)]
    together = tuple(name for group in labels for name in group)
    return [*(group for group in found if group not in labels), *([together] if together else [])]


def _given_sizes(treatment: Treatment, n_groups: int) -> list[int | None]:
    given: Any = treatment.parameters.get("k")
    if isinstance(given, (list, tuple)):
        return list(given) if len(given) == n_groups else [None] * n_groups
    return [given] * n_groups


def _unsettled(treatment: Treatment) -> list[str]:
    """Return the other parameters that are not published."""
    asked = SETTLED.get(treatment.method, ("centroid",))
    return [name for name in asked if treatment.parameters.get(name) is None]


def _restricted(centroid: Any, group: Sequence[str]) -> Any:
    if not isinstance(centroid, Mapping):
        return centroid
    return {name: centroid[name] for name in group if name in centroid} or None


def _said_of_groups(method: str, groups: Sequence[Sequence[str]]) -> str:
    told = "; ".join(", ".join(group) for group in groups)
    return f"groups of {method} are not published; the release shows them: {told}."


def _said_of_k(method: str, seen: Mapping[str, int], open_: Mapping[str, int]) -> list[str]:
    notes = []
    if seen:
        notes.append(f"k of {method} is not published; the release shows it: {by_attribute(seen)}.")
    if open_:
        notes.append(
            f"k of {method} is not published; the smallest classes of equal released records have "
            f"{by_attribute(open_)}, but {method} was not found to give the release when run again: the intruder "
            f"takes distances to centroids ({'; '.join(open_)})."
        )
    return notes


def _said_of_settled(treatment: Treatment, parts: Sequence[Treatment]) -> list[str]:
    """Say which parameters a rerun settled otherwise than the method's default."""
    notes = []
    for name in _unsettled(treatment):
        told = {", ".join(part.attributes): part.parameters.get(name) for part in parts}
        found = {attributes: value for attributes, value in told.items() if value}
        if found:
            shown = "; ".join(f"{_plain(value)} ({attributes})" for attributes, value in found.items())
            notes.append(
                f"{name} of {treatment.method} is not published; run again, the method gives the release with {shown}."
            )
    return notes


def _plain(value: Any) -> str:
    return ", ".join(dict.fromkeys(value.values())) if isinstance(value, Mapping) else str(value)
