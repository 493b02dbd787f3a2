"""What a protection of an array tells: its columns by the names that they have in an assessment and in files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from linkrisk.protection.protection import Protection
from linkrisk.protection.values.columns import Name
from linkrisk.protection.values.frame import Frame


def renamed(protection: Protection, table: Frame) -> Protection:
    """Return a protection that calls the columns of an array V1, V2, ...; any other is returned as it is.

    Examples
    --------
    >>> from linkrisk.protection import round_values
    >>> people = np.array([[11.0], [27.0]])
    >>> print(renamed(round_values(people, 10), Frame.of(people)))
    Protection by rounding of 2 records
      V1: multiples of 10, moved by at most 0.30 of it
      values changed: V1 100%
    """
    if not isinstance(table.frame, np.ndarray):
        return protection
    names = {name: table.told_name(name) for name in table.names}
    return replace(
        protection,
        parameters=_parameters(protection.parameters, names),
        details=tuple(_detail(detail, names) for detail in protection.details),
        changed=_by_name(protection.changed, names),
        steps=tuple(renamed(step, table) for step in protection.steps),
    )


def _parameters(parameters: Mapping[str, Any], names: Mapping[Name, str]) -> dict[str, Any]:
    """Return parameters with other names for columns: those with one value for each, groups, and columns left."""
    found = {name: _by_name(value, names) for name, value in parameters.items()}
    if "groups" in found:
        found["groups"] = tuple(tuple(names[name] for name in group) for group in parameters["groups"])
    return {**found, "leave": tuple(names[name] for name in parameters.get("leave", ()))}


def _by_name(value: Any, names: Mapping[Name, str]) -> Any:
    return {names.get(key, key): each for key, each in value.items()} if isinstance(value, Mapping) else value


def _detail(detail: Any, names: Mapping[Name, str]) -> Any:
    """Return what came of an attribute or a group with other names."""
    if not is_dataclass(detail) or isinstance(detail, type):
        return detail
    held = {field.name for field in fields(detail)}
    new: dict[str, Any] = {}
    if "attribute" in held:
        new["attribute"] = names[detail.attribute]  # type: ignore[attr-defined]  # as just seen
    if "attributes" in held:
        new["attributes"] = tuple(names[name] for name in detail.attributes)  # type: ignore[attr-defined]
    return replace(detail, **new)
