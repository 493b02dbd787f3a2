"""Parameters of microaggregation that are not published: the release shows its groups and k, a rerun the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkrisk.data.attributes import Kind
from linkrisk.informed.description import Treatment
from linkrisk.informed.known import NUMBERS
from linkrisk.informed.recognise.groups import (
    classes_of,
    find_groups,
    joint_classes,
    lies_among_neighbours,
    unusual_centroids,
)
from linkrisk.informed.recognise.microaggregation import merged_groups
from linkrisk.informed.recognise.numeric import noise_percentage
from linkrisk.informed.recognise.reruns import rerun_group, rerun_ranking
from linkrisk.informed.recognise.true_pairs import LABELS, TruePairs
from linkrisk.informed.recognise.wording import by_attribute

SETTLED = {"mdav": ("raw", "centroid", "variant")}
"""Parameters besides groups and k that a rerun settles; of the projections only the centroid."""


@dataclass(frozen=True)
class _Part:
    """The treatment of one group, the k that the release shows (None if it is published), and how it was settled.

    ``is_rerun``: the method gives the release when it is run again. ``is_torn``: the clusters are not those of the one
    attribute that is left of its group, so that it counts as noise.
    """

    treatment: Treatment
    k: int | None
    is_rerun: bool
    is_torn: bool = False


def complete_ranking(treatment: Treatment, pairs: TruePairs) -> tuple[list[Treatment], list[str]]:
    """Complete k and centroid of individual ranking, attribute by attribute."""
    parts = [_complete_attribute(treatment, pairs, name) for name in treatment.attributes]
    return _gathered(treatment, pairs, parts)


def complete_groups(treatment: Treatment, pairs: TruePairs) -> tuple[list[Treatment], list[str]]:
    """Complete groups, k, centroid and, for MDAV, raw and variant, group by group."""
    groups = _groups(treatment, pairs)
    sizes = _given_sizes(treatment, len(groups))
    if treatment.parameters.get("groups") and None not in sizes and not _unsettled(treatment):
        return [treatment], []
    parts = [_complete_group(treatment, pairs, group, k) for group, k in zip(groups, sizes, strict=True)]
    found, notes = _gathered(treatment, pairs, parts)
    if not treatment.parameters.get("groups"):
        notes.insert(0, _said_of_groups(treatment.method, groups))
    return found, notes


def _complete_attribute(treatment: Treatment, pairs: TruePairs, name: str) -> _Part:
    given = {key: treatment.value(key, name) for key in ("k", "centroid")}
    parameters = {key: {name: value} for key, value in given.items() if value is not None}
    if given["centroid"] is None and (centroid := unusual_centroids(pairs, [name])):
        parameters["centroid"] = centroid
    part = Treatment(treatment.method, (name,), parameters)
    if given["k"] is not None:
        return _settled(pairs, part, None)
    rerun = rerun_ranking(pairs, name)
    if rerun is None:
        return _settled(pairs, part, {"k": {name: classes_of(pairs, name).smallest}})
    return _Part(Treatment(part.method, (name,), {**rerun.parameters, **parameters}), rerun.value("k", name), True)


def _complete_group(treatment: Treatment, pairs: TruePairs, group: tuple[str, ...], k: int | None) -> _Part:
    given: dict[str, Any] = {key: treatment.parameters.get(key) for key in ("raw", "variant")}
    given |= {"k": k, "centroid": _restricted(treatment.parameters.get("centroid"), group)}
    rerun = rerun_group(pairs, group, [treatment.method], given)
    if rerun is not None:
        return _Part(rerun, None if k else rerun.parameters["k"][0], True)
    parameters = {key: value for key, value in given.items() if value is not None and key != "k"}
    published = {} if k is None else {"k": (k,)}
    part = Treatment(treatment.method, group, {"groups": (group,), **published, **parameters})
    return _settled(pairs, part, None if k else {"k": (joint_classes(pairs, group).smallest,)})


def _settled(pairs: TruePairs, part: Treatment, shown: Mapping[str, Any] | None) -> _Part:
    """Return a part that was not run again: with the k that is shown only if nobody can run it."""
    k = None if shown is None else int(next(iter(_values(shown["k"]))))
    if _is_torn(part, pairs):
        name = part.attributes[0]
        return _Part(Treatment("noise", (name,), {"p": {name: noise_percentage(pairs, name)}}), k, False, True)
    if shown is None or pairs.is_whole or (k or 0) < 2:
        return _Part(part, k, False)
    return _Part(Treatment(part.method, part.attributes, {**part.parameters, **shown}), k, False)


def _is_torn(part: Treatment, pairs: TruePairs) -> bool:
    """Whether a single attribute was clustered together with others."""
    name = part.attributes[0]
    if len(part.attributes) > 1 or pairs.kind(name) not in NUMBERS:
        return False
    return not lies_among_neighbours(pairs, name) and noise_percentage(pairs, name) is not None


def _gathered(treatment: Treatment, pairs: TruePairs, parts: Sequence[_Part]) -> tuple[list[Treatment], list[str]]:
    """Return all parts as treatments, and what is to be said about them."""
    found = merged_groups(part.treatment for part in parts)
    seen: dict[str, int] = {}
    unused: dict[str, int] = {}
    for part in parts:
        if part.k is not None and not part.is_torn:
            is_used = part.is_rerun or not pairs.is_whole
            (seen if is_used else unused)[", ".join(part.treatment.attributes)] = part.k
    torn = [part.treatment.attributes[0] for part in parts if part.is_torn]
    notes = [*_said_of_k(treatment.method, seen, unused), *_said_of_settled(treatment, found)]
    return found, [*notes, *([_said_of_torn(treatment.method, torn)] if torn else [])]


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


def _values(given: Any) -> Any:
    return given.values() if isinstance(given, Mapping) else given


def _restricted(centroid: Any, group: Sequence[str]) -> Any:
    if not isinstance(centroid, Mapping):
        return centroid
    return {name: centroid[name] for name in group if name in centroid} or None


def _said_of_groups(method: str, groups: Sequence[Sequence[str]]) -> str:
    told = "; ".join(", ".join(group) for group in groups)
    return f"groups of {method} are not published; the release shows them: {told}."


def _said_of_torn(method: str, names: Sequence[str]) -> str:
    return (
        f"the clusters of {method} are not those of {', '.join(names)} alone; the rest of the group is not there, and "
        "the distance to the centroid counts as noise."
    )


def _said_of_k(method: str, seen: Mapping[str, int], unused: Mapping[str, int]) -> list[str]:
    notes = []
    if seen:
        notes.append(f"k of {method} is not published; the release shows it: {by_attribute(seen)}.")
    if unused:
        notes.append(
            f"k of {method} is not published; the smallest classes of equal released records have "
            f"{by_attribute(unused)}, but {method} was not found to give the release when run again: the intruder "
            f"takes distances to centroids ({'; '.join(unused)})."
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
