"""What a study runs, with all names settled: data, protections in all their strengths, matchings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from linkrisk.study.specification.kinds import Parameters
from linkrisk.study.specification.options import DataOptions, MatchingOptions, Measuring

NO_METHOD = "none"
"""In place of a method: the original itself is released."""


@dataclass(frozen=True)
class ProtectionSpec:
    """A protection, the data that it is for, and what is measured of its releases.

    ``method`` or ``plan`` is given; ``parameters`` stay the same, those of ``grid`` take each of their values.
    """

    name: str
    data: tuple[str, ...]
    method: str | None
    plan: str | None
    parameters: Mapping[str, Any]
    grid: Mapping[str, tuple[Any, ...]]
    measuring: Measuring

    def options(self, chosen: Parameters) -> dict[str, Any]:
        """Return the options of `linkrisk.protect` for one strength.

        In a plan ``{k}`` stands for the k of the grid.
        """
        if self.plan is None:
            return {"method": self.method, **self.parameters, **dict(chosen)}
        text = self.plan
        for name, value in chosen:
            text = text.replace(f"{{{name}}}", str(value))
        return {"method": None, "plan": text}

    def plain(self) -> dict[str, Any]:
        """Return what makes the release, as plain values; what is measured of it does not belong to it."""
        return {
            "name": self.name,
            "method": self.method,
            "plan": self.plan,
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
        }


@dataclass(frozen=True)
class Specification:
    """A study: its data, protections and matchings, and the seed of all that is drawn (None: not chosen yet)."""

    name: str
    seed: int | None
    data: tuple[DataOptions, ...]
    protections: tuple[ProtectionSpec, ...]
    matchings: tuple[MatchingOptions, ...] = ()

    @cached_property
    def data_by_name(self) -> dict[str, DataOptions]:
        """The data by their names."""
        return {data.name: data for data in self.data}

    @cached_property
    def protections_by_name(self) -> dict[str, ProtectionSpec]:
        """The protections by their names."""
        return {protection.name: protection for protection in self.protections}

    @cached_property
    def matchings_by_name(self) -> dict[str, MatchingOptions]:
        """The matchings by their names."""
        return {matching.name: matching for matching in self.matchings}


def _plain(value: Any) -> Any:
    """Return a parameter as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
