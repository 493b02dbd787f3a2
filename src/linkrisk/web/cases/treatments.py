"""What is to be done to each column of a release that is made here: from the form to the steps of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from linkrisk.data.attributes import Kind, Role
from linkrisk.options import Number
from linkrisk.web.storage.forms import Form

LEAVE, DROP = "leave", "drop"
"""What can be done with a column besides protecting it, in the words of a plan."""

USUAL: Mapping[str, tuple[str, str]] = {
    Kind.NUMERIC: ("mdav", "5"),
    Kind.DATE: ("mdav", "5"),
    Kind.ORDINAL: ("pram", "0.8"),
    Kind.NOMINAL: ("pram", "0.8"),
    Kind.TEXT: (DROP, ""),
}
"""What the form proposes for each kind of column that an intruder knows."""


@dataclass(frozen=True)
class Treatment:
    """What is done to one column, and how strongly."""

    method: str
    strength: str = ""


@dataclass(frozen=True)
class ProtectChoice:
    """The form: a treatment for each column, or a plan that was written; a target where strengths are searched.

    ``keeps``: only strengths that are not given are searched.
    """

    treatments: Mapping[str, Treatment] = field(default_factory=dict)
    plan: str = ""
    target: float = 0.05
    keeps: bool = False

    def opened(self, tuned: Sequence[str]) -> ProtectChoice:
        """Return the same with the strengths of some methods left open, so that they are searched."""
        opened = {
            name: Treatment(treatment.method) if treatment.method in tuned else treatment
            for name, treatment in self.treatments.items()
        }
        return replace(self, treatments=opened)

    def steps(self) -> list[dict[str, Any]]:
        """Return the steps of a plan: columns that are treated alike are treated together."""
        alike: dict[Treatment, list[str]] = {}
        for name, treatment in self.treatments.items():
            alike.setdefault(treatment, []).append(name)
        return [
            {"columns": names, "method": treatment.method, "strength": treatment.strength}
            for treatment, names in alike.items()
        ]


def usual_treatment(column: Mapping[str, Any]) -> Treatment:
    """Return what the form proposes for a column: intruders must not know it, or it is not released, or it is left."""
    if column["role"] == Role.IDENTIFIER:
        return Treatment(DROP)
    if column["role"] != Role.QUASI_IDENTIFIER:
        return Treatment(LEAVE)
    return Treatment(*USUAL.get(column["kind"], (LEAVE, "")))


def read_choice(
    form: Form, columns: Sequence[Mapping[str, Any]], methods: Sequence[str]
) -> tuple[ProtectChoice, dict[str, str]]:
    """Return the form as it was filled in, and what is wrong with it, by field."""
    mistakes: dict[str, str] = {}
    treatments: dict[str, Treatment] = {}
    for place, column in enumerate(columns):
        method, strength = form.text(f"method-{place}"), form.text(f"strength-{place}")
        if method not in (*methods, LEAVE, DROP):
            mistakes[f"method-{place}"] = "choose what is done to this column"
        elif method in (LEAVE, DROP):
            treatments[column["name"]] = Treatment(method)
        else:
            treatments[column["name"]] = Treatment(method, strength)
    target = _target(form.text("target"), mistakes)
    return ProtectChoice(treatments, form.text("plan"), target, form.is_set("keeps")), mistakes


def _target(text: str, mistakes: dict[str, str]) -> float:
    try:
        return Number(0.0, 1.0).check(float(text.replace(",", ".")) / 100.0)
    except ValueError:
        mistakes["target"] = "must be a number of percent, from 0 to 100"
        return 0.05
