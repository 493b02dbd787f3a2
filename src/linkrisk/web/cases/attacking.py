"""Who attacks, for how long, and how many are too many: from the form to the options of assess, compare and tune."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, Field, dataclass, fields, replace
from typing import Any

from linkrisk.assessment.options import AssessmentFile
from linkrisk.options import Option, option_of
from linkrisk.web.storage.forms import Form

FIELDS: dict[str, Field[Any]] = {field.name: field for field in fields(AssessmentFile)}
"""The options of an assessment by name."""

ASKED = ("time_limit", "max_rate", "holdout", "seed")
"""Options with one value that the form asks for."""


def option_named(name: str) -> Option:
    """Return what is declared about an option of an assessment."""
    return option_of(FIELDS[name])


def default_of(name: str) -> Any:
    """Return the default of an option of an assessment."""
    default = FIELDS[name].default
    return None if default is MISSING else default


@dataclass(frozen=True)
class AttackChoice:
    """Who attacks and how; shares are shares here, and percentages in the form."""

    attackers: tuple[str, ...]
    scales: tuple[str, ...]
    ties: str
    time_limit: float
    max_rate: float | None = 0.05
    holdout: float = 0.0
    seed: int = 0
    certificates: bool = False

    @classmethod
    def usual(cls) -> AttackChoice:
        """Return the choice of linkrisk itself."""
        return cls(
            tuple(default_of("attackers")),
            tuple(map(str, default_of("scales"))),
            str(default_of("ties")),
            float(default_of("time_limit")),
        )

    def options(self, names: Sequence[str]) -> dict[str, Any]:
        """Return those of some options that are not what they are by default."""
        found = {name: getattr(self, name) for name in names}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
        return {name: value for name, value in plain.items() if value != _plain_default(name)}


@dataclass(frozen=True)
class AttackForm:
    """The form as it was filled in, and what is wrong with it, by field."""

    choice: AttackChoice
    mistakes: dict[str, str]

    @classmethod
    def read(cls, form: Form, known: Sequence[str]) -> AttackForm:
        """Read the form; ``known`` are the attackers there are."""
        mistakes: dict[str, str] = {}
        usual = AttackChoice.usual()
        attackers = tuple(name for name in known if name in form.texts("attackers"))
        if not attackers:
            mistakes["attackers"] = "choose at least one attacker"
        scales = tuple(name for name in map(str, default_of("scales")) if name in form.texts("scales"))
        if not scales:
            mistakes["scales"] = "choose at least one scale"
        choice = replace(
            usual, attackers=attackers, scales=scales, ties=form.text("ties"), certificates=form.is_set("certificates")
        )
        values: dict[str, Any] = {}
        for name in ("ties", *ASKED):
            try:
                values[name] = _value(name, form.text(name))
            except ValueError as problem:
                mistakes[name] = str(problem)
        return cls(replace(choice, **values), mistakes)


def _value(name: str, text: str) -> Any:
    """Return what a field of the form means; an empty one is the default, or no limit at all."""
    kind = option_named(name).kind
    if not text:
        return None if name == "max_rate" else default_of(name)
    if name in PERCENT:
        return _share(name, text)
    return kind.check(kind.from_text(text))


PERCENT = ("max_rate", "holdout")
"""Shares of people, which the form asks for in percent."""


def _share(name: str, text: str) -> float:
    try:
        percent = float(text.replace(",", "."))
        return float(option_named(name).kind.check(percent / 100.0))
    except ValueError:
        most = 100 if name == "max_rate" else 90
        raise ValueError(f"must be a number of percent, from 0 to {most}") from None


def _plain_default(name: str) -> Any:
    default = default_of(name)
    return [str(each) for each in default] if isinstance(default, tuple) else default
