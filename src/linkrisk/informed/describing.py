"""What a user tells about a release, as a description: records, a method with parameters, a plan."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from linkrisk.data.columns import FilePair
from linkrisk.errors import ParameterError, SettingsError
from linkrisk.informed.description import Description, Treatment, of_attributes
from linkrisk.protection.planning.plan import DROP, LEAVE, REST, Plan, Step
from linkrisk.protection.protection import Protection
from linkrisk.protection.registry import find_method
from linkrisk.protection.specification import is_paper_file, paper_groups, read_groups, read_parameter


def as_descriptions(given: Any) -> Description:
    """Return the description meant by a file, a record, a `linkrisk.protection.Protection`, or several of these.

    Several are the steps of one release, each of attributes of its own.
    """
    parts = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    described = [_as_description(part) for part in parts]
    if not described:
        raise SettingsError("nothing is published; give the record of a protection")
    treatments = tuple(treatment for part in described for treatment in part.treatments)
    treated = {name for treatment in treatments for name in treatment.attributes}
    dropped = tuple(dict.fromkeys(name for part in described for name in part.dropped))
    left = dict.fromkeys(name for part in described for name in part.left if name not in {*treated, *dropped})
    return Description(treatments, tuple(left), dropped)


def _as_description(given: Any) -> Description:
    if isinstance(given, Description):
        return given
    if isinstance(given, Mapping):
        return Description.of_record(given)
    if isinstance(given, str | os.PathLike):
        return Description.read(given)
    if isinstance(given, Protection):
        return Description.of_protection(given)
    raise SettingsError(f"{type(given).__name__} is no description of a release; give the record of a protection")


def describe(method: str, parameters: Mapping[str, Any], files: FilePair) -> Description:
    """Return the description of a method with parameters as ``protect`` takes them, for the attributes of two files.

    The method is taken to be applied to all attributes of the kinds it is for, or to those that a parameter names; the
    others count as left.
    """
    chosen = find_method(method)
    kinds = {attribute.name: attribute.kind for attribute in files.attributes}
    usual = [name for name, kind in kinds.items() if kind in chosen.by_default]
    settled: dict[str, Any] = {}
    for name, value in parameters.items():
        settled |= _settled(name, value, usual)
    named = _named(settled)
    unknown = [name for name in named if name not in kinds]
    if unknown:
        raise ParameterError(f"{method}: there is no attribute {unknown[0]!r} in both files; check its spelling")
    treated = tuple(name for name in kinds if name in named) or tuple(usual)
    if not treated:
        raise ParameterError(f"{method} treats none of these attributes; name the method that was applied")
    return Description((Treatment(method, treated, settled),), tuple(name for name in kinds if name not in treated))


def describe_plan(plan: Plan, files: FilePair) -> Description:
    """Return the description of a plan as ``protect`` takes it, for the attributes of two files.

    Columns of the plan that are not among these attributes tell nothing; ``rest`` stands for all that no step names. A
    strength that the plan leaves open is unknown.
    """
    names = tuple(attribute.name for attribute in files.attributes)
    named = {str(name) for step in plan.steps for name in step.columns}
    said: dict[str, list[str]] = {LEAVE: [], DROP: []}
    treatments = []
    for step in plan.steps:
        is_rest = REST in step.columns and REST not in names
        known = [name for name in names if (name not in named if is_rest else name in map(str, step.columns))]
        if not step.is_treatment:
            said[step.method] += known if step.method == LEAVE or is_rest else map(str, step.columns)
        elif known:
            is_partial = not is_rest and len(known) < len(step.columns)
            treatments.append(Treatment(step.method, tuple(known), _of_step(step, known), is_partial))
    if not treatments and not said[LEAVE]:
        raise ParameterError("plan (--plan) names none of the attributes that both files have; does it belong to them?")
    return Description(tuple(treatments), tuple(said[LEAVE]), tuple(said[DROP]))


def _of_step(step: Step, known: Sequence[str]) -> dict[str, Any]:
    """Return the parameters of a step for those of its attributes that are known; a group stays as it was made."""
    parameters = {name: _for_columns(value, step) for name, value in step.parameters.items()}
    if not step.chosen.takes_groups:
        return {name: of_attributes(value, set(known)) for name, value in parameters.items()}
    sizes = {"k": (step.parameters["k"],)} if "k" in step.parameters else {}
    return {**parameters, "groups": (tuple(map(str, step.columns)),), **sizes}


def _for_columns(value: Any, step: Step) -> Any:
    """Return a value that is itself a mapping, such as new names of categories, as one for each column."""
    columns = [str(name) for name in step.columns]
    is_own = isinstance(value, Mapping) and not all(str(key) in columns for key in value)
    return dict.fromkeys(columns, value) if is_own else value


def _settled(name: str, value: Any, usual: Sequence[str]) -> dict[str, Any]:
    """Return a parameter as a value: text is read as the command line means it; a variant is a word."""
    if name == "variant":
        return {name: value}
    if name != "groups":
        return {name: read_parameter(name, value)}
    found = paper_groups(value, usual) if isinstance(value, str) and is_paper_file(value) else read_groups(value)
    sizes = {} if found.k is None else {"k": found.k}
    return {"groups": found.names, **sizes}


def _named(parameters: Mapping[str, Any]) -> list[str]:
    """Return the attributes that parameters name."""
    groups = [str(name) for group in parameters.get("groups", ()) for name in group]
    return groups + [str(name) for value in parameters.values() if isinstance(value, Mapping) for name in value]
