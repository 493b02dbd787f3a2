"""What is public about a release: which method was applied to which attributes, with which parameters."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from linkrisk.data.opening import read_json
from linkrisk.errors import FileError, SettingsError
from linkrisk.printable import file_name

if TYPE_CHECKING:
    from linkrisk.protection.protection import Protection

SECRET = ("secret", "secret_seed", "seed")
"""Parameters that are never part of a description."""


@dataclass(frozen=True)
class Treatment:
    """One method, the attributes it was applied to, and its parameters; one that is not there is unknown.

    Parameters are those of `linkrisk.protect`: one value for all attributes, or a mapping with one for each.
    ``is_partial`` says that the method was applied to further attributes, too, which are not looked at.

    >>> Treatment("noise", ("age", "income"), {"p": {"age": 5, "income": 10}}).value("p", "income")
    10
    """

    method: str
    attributes: tuple[str, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    is_partial: bool = False

    def value(self, parameter: str, attribute: str) -> Any:
        """Return a parameter for one attribute, None where it is unknown."""
        given = self.parameters.get(parameter)
        return given.get(attribute) if isinstance(given, Mapping) else given

    def __str__(self) -> str:
        given = {name: value for name, value in self.parameters.items() if value not in (None, False, {}, (), [])}
        told = ", ".join(f"{name} = {_told(value)}" for name, value in given.items())
        return f"{self.method} of {', '.join(self.attributes)}" + (f" ({told})" if told else "")


@dataclass(frozen=True)
class Description:
    """How a release was made, as its methodology tells: one treatment after the other, each of attributes of its own.

    ``left`` are attributes that were released as they are, ``dropped`` those that are not in the release. Attributes
    that are named nowhere tell the intruder nothing.
    """

    treatments: tuple[Treatment, ...]
    left: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = self.names
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise SettingsError(f"the description of the release treats {twice[0]!r} twice; name each attribute once")

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes about which something is said."""
        return (*(name for treatment in self.treatments for name in treatment.attributes), *self.left)

    def __str__(self) -> str:
        left = [f"{', '.join(self.left)} left as they are"] if self.left else []
        dropped = [f"{', '.join(self.dropped)} not released"] if self.dropped else []
        return "; ".join([*map(str, self.treatments), *left, *dropped])

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Description:
        """Return the public part of what ``protect --record`` writes, of one method or of a plan.

        >>> parameters, details = {"p": {"age": 5}, "leave": ["sex"]}, [{"attribute": "age"}]
        >>> print(Description.of_record({"method": "noise", "parameters": parameters, "details": details}))
        noise of age (p = 5); sex left as they are
        """
        try:
            records = record.get("steps") or [record]
            treatments = tuple(_treatment(part) for part in records)
            said = dict.fromkeys(name for part in (record, *records) for name in part["parameters"].get("leave", ()))
            dropped = tuple(str(name) for name in record.get("dropped", ()))
        except (KeyError, TypeError, AttributeError):
            raise SettingsError(
                "published is no record of a protection: method, parameters and details are lacking; give one that "
                "protect wrote"
            ) from None
        treated = {name for treatment in treatments for name in treatment.attributes}
        left = (str(name) for name in said if str(name) not in {*treated, *dropped})
        return cls(treatments, tuple(left), dropped)

    @classmethod
    def of_protection(cls, protection: Protection) -> Description:
        """Return what is public about a protection, by the names that its columns have as a file of an assessment."""
        from linkrisk.protection.values.frame import Frame  # noqa: PLC0415  (methods take a moment to load)

        frame = Frame.of(protection.data)
        return cls.of_record(protection.to_dict()).renamed({str(name): frame.told_name(name) for name in frame.names})

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Description:
        """Read the record of a release, as ``protect --record`` writes it."""
        try:
            return cls.of_record(read_json(path))
        except (SettingsError, AttributeError):
            raise FileError(f"{file_name(path)} is no record of a protection; give one that protect wrote") from None

    def renamed(self, names: Mapping[str, str]) -> Description:
        """Return the same with other names for attributes; those that are not named keep theirs.

        >>> print(Description((Treatment("noise", ("0",), {"p": {"0": 5}}),), ("1",)).renamed({"0": "V1"}))
        noise of V1 (p = 5); 1 left as they are
        """
        treatments = tuple(
            Treatment(
                part.method,
                tuple(names.get(name, name) for name in part.attributes),
                {parameter: _renamed(value, names) for parameter, value in part.parameters.items()},
                part.is_partial,
            )
            for part in self.treatments
        )
        left, dropped = (tuple(names.get(name, name) for name in each) for each in (self.left, self.dropped))
        return Description(treatments, left, dropped)

    def restricted(self, names: Iterable[str]) -> Description:
        """Return what is public about some attributes."""
        known = set(names)
        kept = (
            _part_of(part, attributes, known)
            for part in self.treatments
            if (attributes := tuple(name for name in part.attributes if name in known))
        )
        return Description(tuple(kept), tuple(name for name in self.left if name in known), self.dropped)


def _part_of(treatment: Treatment, attributes: tuple[str, ...], known: set[str]) -> Treatment:
    """Return what a treatment did to some of its attributes."""
    parameters = {key: of_attributes(value, known) for key, value in treatment.parameters.items()}
    is_partial = treatment.is_partial or attributes != treatment.attributes
    return Treatment(treatment.method, attributes, parameters, is_partial)


def _treatment(record: Mapping[str, Any]) -> Treatment:
    names = [name for detail in record["details"] for name in (detail.get("attributes") or [detail["attribute"]])]
    parameters = {name: value for name, value in record["parameters"].items() if name != "leave" and name not in SECRET}
    return Treatment(str(record["method"]), tuple(map(str, names)), parameters)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a parameter with other names for attributes, in a mapping or in groups."""
    if isinstance(value, Mapping):
        return {names.get(str(name), str(name)): each for name, each in value.items()}
    if isinstance(value, Sequence) and any(isinstance(group, list | tuple) for group in value):
        return tuple(tuple(names.get(str(name), str(name)) for name in group) for group in value)
    return value


def of_attributes(value: Any, names: set[str]) -> Any:
    """Return a parameter for some attributes; groups stay as they were made."""
    return {name: each for name, each in value.items() if name in names} if isinstance(value, Mapping) else value


def _told(value: Any) -> str:
    """Write a parameter; of a number four digits."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        is_nested = any(isinstance(each, list | tuple) for each in value)
        return ("; " if is_nested else ", ").join(map(_told, value))
    if not isinstance(value, Mapping):
        return str(value)
    values = list(value.values())
    if all(each == values[0] for each in values):
        return _told(values[0])
    return ", ".join(f"{name}: {_told(each)}" for name, each in value.items())
