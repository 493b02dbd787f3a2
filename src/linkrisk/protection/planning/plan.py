"""A plan of protection: each column of a file with the method that protects it, or dropped, or left as it is.

A plan is written on one line, in a TOML file, or in Python as a list of mappings::

    age,income: mdav k=5; sex,region: pram keep=0.8; birth: generalise year; id: drop; rest: leave

    [[step]]
    columns = ["age", "income"]
    method = "mdav"
    k = 5
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from linkrisk.data.opening import read_toml
from linkrisk.errors import FileError, ParameterError
from linkrisk.name_list import split_names
from linkrisk.printable import file_name
from linkrisk.protection.method import Method
from linkrisk.protection.registry import METHODS
from linkrisk.protection.specification import QUOTE, quoted, split_at, unquoted, written_number
from linkrisk.protection.values.columns import Name

DROP = "drop"
LEAVE = "leave"
WORDS = (DROP, LEAVE)
"""What can be done with columns besides protecting them."""

REST = "rest"
"""Stands for all columns that no other step names; those that are left by it must be words or categories."""

ELSEWHERE = ("groups", "leave", "schema", "secret_seed", "progress")
"""Parameters of methods that are no part of a step."""

LONGEST_NUMBER = 300
"""Signs of the longest number: more digits than that are no float."""

_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

FORM = "write each step as COLUMNS: METHOD PARAMETERS, such as age,income: mdav k=5; id: drop"


@dataclass(frozen=True)
class Step:
    """One method with its parameters on some columns, or the word ``drop`` or ``leave``.

    A parameter has one value for all columns of the step, or is a mapping with one for each.

    Examples
    --------
    >>> print(Step(("sex", "region"), "pram", {"keep": 0.8}))
    sex,region: pram keep=0.8
    """

    columns: tuple[Name, ...]
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.columns:
            raise ParameterError(f"plan (--plan): a step of {self.method} names no column; {FORM}")
        _check_method(self.method)
        unknown = [name for name in self.parameters if name not in self.allowed]
        if unknown:
            takes = f"it takes {', '.join(self.allowed)}" if self.allowed else "it takes none"
            raise ParameterError(f"plan (--plan): {self.method} takes no parameter {unknown[0]!r}; {takes}")
        vast = [name for name, value in self.parameters.items() if _is_vast(value)]
        if vast:
            raise ParameterError(
                f"plan (--plan): {vast[0]} of {self.method} has too many digits; give a smaller number"
            )

    @property
    def is_treatment(self) -> bool:
        """Whether a method is applied, so that the columns are neither dropped nor left."""
        return self.method not in WORDS

    @property
    def chosen(self) -> Method:
        """The method of a treatment."""
        return METHODS[self.method]

    @property
    def allowed(self) -> tuple[str, ...]:
        """The parameters that the step may have."""
        if not self.is_treatment:
            return ()
        return tuple(name for name in self.chosen.parameters if name not in ELSEWHERE)

    @property
    def is_open(self) -> bool:
        """Whether the strength of the method is left to `linkrisk.tune`."""
        if not self.is_treatment or self.chosen.strength is None:
            return False
        return self.chosen.strength.parameter not in self.parameters and "matrices" not in self.parameters

    @property
    def names(self) -> str:
        """The columns as a plan writes them."""
        return ",".join(quoted(str(name)) for name in self.columns)

    def __str__(self) -> str:
        flags = self.chosen.flags if self.is_treatment else ()
        told = [
            name if value is True and name in flags else f"{name}={_written_value(value)}"
            for name, value in self.parameters.items()
            if value is not None
        ]
        return " ".join([f"{self.names}: {self.method}", *told])

    def plain(self) -> dict[str, Any]:
        """Return the step as a list of steps, or a TOML file, has it."""
        given = {name: _plain(value) for name, value in self.parameters.items() if value is not None}
        return {"columns": list(self.columns), "method": self.method, **given}


@dataclass(frozen=True)
class Plan:
    """The steps of a protection, each on columns of its own.

    Examples
    --------
    >>> plan = read_plan('age,"income, net":mdav 5; sex: pram 0.8 ; id: drop')
    >>> print(plan)
    age,"income, net": mdav k=5; sex: pram keep=0.8; id: drop
    >>> read_plan(str(plan)) == plan
    True
    """

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        names = [name for step in self.steps for name in step.columns]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ParameterError(
                f"plan (--plan): column {twice[0]!r} is named in two steps, or twice; give it one method"
            )
        if not self.steps:
            raise ParameterError(f"plan (--plan): there is no step; {FORM}")

    @property
    def draws(self) -> bool:
        """Whether a step draws random numbers, so that there is a secret."""
        return any(
            step.is_treatment and step.chosen.draws(random=bool(step.parameters.get("random"))) for step in self.steps
        )

    @property
    def told(self) -> str | list[dict[str, Any]]:
        """The plan on one line where it can be read back from it; otherwise its steps, as `read_plan` takes them.

        Values that are lists or mappings inside mappings have no place on a line.

        >>> read_plan([{"columns": ["sex"], "method": "pram", "matrices": {"sex": {"f": {"m": 1}}}}]).told
        [{'columns': ['sex'], 'method': 'pram', 'matrices': {'sex': {'f': {'m': 1}}}}]
        """
        steps = [step.plain() for step in self.steps]
        try:
            is_read_back = [step.plain() for step in _parse(str(self)).steps] == steps
        except ParameterError:
            is_read_back = False
        return str(self) if is_read_back and not is_plan_file(str(self)) else steps

    def __str__(self) -> str:
        return "; ".join(map(str, self.steps))


def read_plan(given: Any) -> Plan:
    """Return the plan meant by a text, the path of a TOML file, or a list of mappings or of `Step`.

    In a text, steps are separated by ``;`` and columns by commas; a name that holds one of the signs , ; : or a
    quotation mark stands in quotation marks, those inside doubled. After the method comes the value of its main
    parameter (the k of mdav, the keep of pram, the width of generalise), or NAME=VALUE for each parameter. A value may
    be one for each column, ``p=age:5,income:10``, and a list of numbers ``into=0|18|65``; what stands in quotation
    marks is text, ``into="01"``.

    Raises
    ------
    ParameterError
        If a step cannot be read, a method or parameter is unknown, or a column is named twice.
    FileError
        If a file cannot be read, or is no plan.

    Examples
    --------
    >>> read_plan("age: generalise into=0|18|65; rest: leave").steps[0].parameters
    {'into': [0, 18, 65]}
    >>> read_plan([{"columns": ["age"], "method": "noise", "p": 5}]) == read_plan("age: noise 5")
    True
    """
    if isinstance(given, Plan):
        return given
    if is_plan_file(given):
        return _load(Path(given))
    if isinstance(given, str):
        return _parse(given)
    if not isinstance(given, Sequence) or not all(isinstance(step, Step | Mapping) for step in given):
        raise ParameterError("plan must be a text, the path of a TOML file, or a list of steps, each a mapping")
    return Plan(tuple(step if isinstance(step, Step) else _as_step(step) for step in given))


def is_plan_file(given: Any) -> bool:
    """Whether a plan is the path of a file: a path object, or a text that ends in .toml."""
    return isinstance(given, os.PathLike) or (isinstance(given, str) and given.strip().lower().endswith(".toml"))


def _load(path: Path) -> Plan:
    """Read a plan from a TOML file."""
    contents = read_toml(path)
    name = file_name(path)
    steps = contents.get("step")
    is_plan = set(contents) == {"step"} and isinstance(steps, list) and all(isinstance(step, dict) for step in steps)
    if not is_plan:
        raise FileError(f"{name} is no plan; give a list of [[step]], each with columns and method")
    try:
        return read_plan(steps)
    except ParameterError as problem:
        raise FileError(f"{name}: {str(problem).removeprefix('plan (--plan): ')}") from None


def _as_step(given: Mapping[str, Any]) -> Step:
    """Return a step from its fields."""
    columns, method = given.get("columns"), given.get("method")
    names = split_names(columns) if isinstance(columns, str) else columns
    is_list = isinstance(names, Sequence) and all(isinstance(name, str | int) for name in names)
    if not (is_list and names) or not isinstance(method, str):
        raise ParameterError(
            "plan (--plan): a step lacks something; give it columns (a list of names) and method (a word)"
        )
    parameters = {str(name): value for name, value in given.items() if name not in ("columns", "method")}
    return Step(tuple(names), method, parameters)


def _check_method(name: str) -> None:
    if name not in (*METHODS, *WORDS):
        known = ", ".join((*METHODS, *WORDS))
        raise ParameterError(f"plan (--plan): there is no protection method {name!r}; choose {known}")


def _parse(text: str) -> Plan:
    """Return the plan that is written on one line."""
    return Plan(tuple(_parse_step(part) for part in split_at(text, ";") if part.strip()))


def _parse_step(text: str) -> Step:
    names, *rest = split_at(text, ":")
    columns = tuple(split_names(names))
    words = _words(":".join(rest))
    if not columns or not words:
        raise ParameterError(f"plan (--plan): the step {text.strip()!r} cannot be read; {FORM}")
    method, *given = words
    _check_method(method)
    parameters: dict[str, Any] = {}
    for word in given:
        name, value = _parse_parameter(method, word)
        if name in parameters:
            raise ParameterError(f"plan (--plan): {name} of {method} is given twice; keep one")
        parameters[name] = value
    return Step(columns, method, parameters)


def _parse_parameter(method: str, word: str) -> tuple[str, Any]:
    """Return name and value of ``NAME=VALUE``, of a flag, or of the bare value of the main parameter."""
    name, *value = split_at(word, "=")
    if value:
        return name.strip(), _parse_value("=".join(value))
    if method in METHODS and word in METHODS[method].flags:
        return word, True
    main = METHODS[method].main if method in METHODS else None
    if main is None:
        raise ParameterError(
            f"plan (--plan): {method} takes no single value such as {word!r}; write NAME=VALUE for its parameters"
            if method in METHODS
            else f"plan (--plan): {method} is followed by {word!r}; {FORM}"
        )
    return main, _parse_value(word)


def _parse_value(text: str) -> Any:
    """Return one value, a list ``0|18|65``, or one value for each column ``age:5,income:10``."""
    parts = [split_at(part, ":") for part in split_at(text, ",")]
    if all(len(part) == 2 for part in parts):
        return {unquoted(name): _parse_value(value) for name, value in parts}
    if len(parts) > 1 or len(parts[0]) > 1:
        raise ParameterError(
            f"plan (--plan): {text!r} is neither one value nor one for each column; write it like p=age:5,income:10"
        )
    several = split_at(text, "|")
    return [_one_value(part) for part in several] if len(several) > 1 else _one_value(text)


def _one_value(text: str) -> Any:
    """Return a number or a truth value; what stands in quotation marks, and all else, is text."""
    word = unquoted(text)
    return word if text.strip().startswith(QUOTE) else _unquoted_value(word)


def _unquoted_value(word: str) -> Any:
    """Return what a word without quotation marks means.

    >>> [_unquoted_value(word) for word in ("5", "0.5", "true", "year", "1_2", "inf")]
    [5, 0.5, True, 'year', '1_2', 'inf']
    """
    if len(word) > LONGEST_NUMBER or not _NUMBER.fullmatch(word):
        return {"true": True, "false": False}.get(word, word)
    return int(word) if _WHOLE.fullmatch(word) else float(word)


def _words(text: str) -> list[str]:
    """Cut a text at blanks outside quotation marks; a comma or a sign = may have blanks around it."""
    words: list[str] = []
    for word in (word for word in split_at(text.replace("\t", " ").replace("\n", " "), " ") if word):
        is_joined = bool(words) and (words[-1][-1] in ",=|:" or word[0] in ",=|:")
        if is_joined:
            words[-1] += word
        else:
            words.append(word)
    return words


def _is_vast(value: Any) -> bool:
    """Whether a whole number somewhere in a value has no float near it."""
    if isinstance(value, Mapping):
        return any(_is_vast(each) for each in value.values())
    if isinstance(value, list | tuple):
        return any(_is_vast(each) for each in value)
    return isinstance(value, int) and abs(value) >= 10**LONGEST_NUMBER


def _plain(value: Any) -> Any:
    """Return a value made of lists and mappings."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _written_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{_word(str(key))}:{_written_value(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return "|".join(_written_value(each) for each in value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return written_number(value)
    return str(value) if isinstance(value, int | np.integer) else _word(str(value))


def _word(text: str) -> str:
    """Return a text as one word of a plan: in quotation marks where it would be read as something else."""
    needs_quotes = any(sign in text for sign in " =|\t\n") or not isinstance(_unquoted_value(text or "0"), str)
    return QUOTE + text.replace(QUOTE, QUOTE * 2) + QUOTE if needs_quotes else quoted(text)
