"""What every protection method must bring: a method that lacks something is told here, by name."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkrisk.protection
from linkrisk.cli.method_help import METHODS_HELP
from linkrisk.data.attributes import Kind
from linkrisk.options import Choice, option_of
from linkrisk.protection import METHODS, Method, Protection, Strength
from linkrisk.protection.ladders import Material
from linkrisk.protection.options import ProtectOptions
from linkrisk.protection.values.columns import Column
from tests.cli.command import linkrisk_command

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "guide" / "protect.md"
TESTS = Path(__file__).parent
SECTIONS = ("Parameters", "Returns", "Raises", "Notes", "References", "Examples")
ALIKE = ("data", "secret_seed", "groups", "centroid", "leave", "schema")
"""Parameters that mean the same in every method, and are described in the same words."""

FORMULA = re.compile(r"[\w)\]'] ?(=|\^|/|\+|->) ?[\w(\[-]")


def lacks(method: Method) -> list[str]:
    """Return what a method still needs, each as a sentence that says where."""
    function = method.function.__name__
    text = inspect.getdoc(method.function) or ""
    told = re.split(r"\nParameters\n-+\n", text)[0]
    sections = [name for name in SECTIONS if f"\n{name}\n{'-' * len(name)}\n" in text]
    documented = _described(text)
    needs = {
        f"its function in protection/methods/{method.name}.py": method.function.__module__
        == f"linkrisk.protection.methods.{method.name}",
        f"{function} in __all__ of protection/__init__.py": getattr(linkrisk.protection, function, None)
        is method.function,
        "a formula before the parameters in its docstring": FORMULA.search(told) is not None,
        **{f"a section {name} in its docstring": name in sections for name in SECTIONS},
        "a Guarantee or the cost in the notes of its docstring": "Cost" in text or "*Guarantee*" in text,
        "an example that runs": bool(doctest.DocTestParser().get_examples(text)),
        **{
            f"parameter {name} in its docstring": name in documented
            for name in inspect.signature(method.function).parameters
        },
        "parameters in Method that its function takes": {*method.parameters, *method.shared}
        <= {*inspect.signature(method.function).parameters},
        "a summary in Method": bool(method.summary) and not method.summary.endswith("."),
        f"tests of {function} in tests/protection": _is_tested(function),
        f"a row in {DOCS.relative_to(ROOT)}": _has_row(method.name),
        "its name in the help of linkrisk protect": method.name in _help(),
    }
    return [need for need, is_there in needs.items() if not is_there]


def _described(docstring: str) -> Mapping[str, str]:
    """Return the description of each parameter; that of several at once counts for each."""
    found = re.search(r"\nParameters\n-+\n(.*?)\n\n\w+\n---", docstring, re.DOTALL)
    parts = re.findall(r"^(\w.*)\n((?:    .*(?:\n|\Z)|\n)+)", f"{found[1]}\n" if found else "", re.MULTILINE)
    return {name.strip(): text for names, text in parts for name in names.split(",")}


def _is_tested(function: str) -> bool:
    used = re.compile(rf"\b{function}\(")
    return any(used.search(path.read_text()) for path in TESTS.glob("test_*.py") if path != Path(__file__))


def _has_row(name: str) -> bool:
    rows = [line for line in DOCS.read_text().splitlines() if line.startswith("| [`")]
    return any(f"`{name}`" in row.split("|")[1] for row in rows)


@cache
def _help() -> str:
    return linkrisk_command("protect", "--help").output


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_complete(name: str) -> None:
    """Function, formula, reference, example, tests, docs: nothing is forgotten in silence."""
    assert lacks(METHODS[name]) == []


def test_what_is_forgotten_is_named() -> None:
    """A method that is only a function lacks everything else."""

    def blur(data: Any, width: float) -> Protection:
        """Blur."""
        raise NotImplementedError

    lacking = lacks(Method("blur", blur, "", needed=("width",), shared=("colour",)))
    for need in (
        *(
            "protection/methods/blur.py",
            "__all__",
            "a formula",
            "a section References",
            "an example",
            "parameter width",
        ),
        *(
            "parameters in Method",
            "a summary in Method",
            "tests of blur",
            "a row in docs/guide/protect.md",
            "help of linkrisk protect",
        ),
    ):
        assert any(need in sentence for sentence in lacking), need


@pytest.mark.parametrize("parameter", ALIKE)
def test_parameters_that_methods_share_are_described_alike(parameter: str) -> None:
    """Two descriptions of one thing would contradict each other sooner or later."""
    described = {name: _described(inspect.getdoc(method.function) or "") for name, method in METHODS.items()}
    own = {name: texts[parameter] for name, texts in described.items() if parameter in texts}
    referring = {name for name, text in own.items() if text.strip().startswith("As for")}
    assert len({text for name, text in own.items() if name not in referring}) == 1


@pytest.mark.parametrize("name", METHODS)
def test_the_folder_is_the_list_of_methods(name: str) -> None:
    """One file per method, and no other."""
    folder = Path(linkrisk.protection.__file__).parent / "methods"
    assert name in {path.stem for path in folder.glob("*.py")}
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", *METHODS}


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.strength is not None])
def test_what_is_tuned_rises_and_is_a_parameter(name: str) -> None:
    """From weak to strong, for small files and large ones; the probability to keep a category falls."""
    method = METHODS[name]
    assert isinstance(method.strength, Strength)
    assert method.strength.parameter in method.parameters
    for n_records in (10, 1000, 10**5):
        column = Column("x", Kind.NUMERIC, np.arange(float(n_records)))
        ladder = method.strength.ladder(Material(n_records, (column,)))
        assert ladder
        assert list(ladder) == sorted(set(ladder), reverse=name == "pram")


def test_the_help_names_every_method() -> None:
    """With what it does; that of tune those that have a strength, with its name."""
    listed = {command: text().split("\n\n") for command, text in METHODS_HELP.items()}
    assert listed["protect"] == [f"{name}: {method.summary}." for name, method in METHODS.items()]
    assert [line.split()[0] for line in listed["tune"]] == [name for name in METHODS if METHODS[name].strength]
    assert listed["tune"][0].startswith("mdav (k is tuned): microaggregation")
    shown = " ".join(re.sub("[│╭╮╰╯─]", " ", linkrisk_command("tune", "--help").output).split())
    assert " ".join(listed["tune"]) in shown


def test_every_method_declares_its_variants() -> None:
    """Once, with the default first; the options of protect offer all of them and no others."""
    for name, method in METHODS.items():
        parameters = inspect.signature(method.function).parameters
        assert ("variant" in parameters) == bool(method.variants), name
        if method.variants:
            assert parameters["variant"].default == method.variants[0], name
    kind = option_of(next(field for field in fields(ProtectOptions) if field.name == "variant")).kind
    assert isinstance(kind, Choice)
    assert list(kind.words) == [word for method in METHODS.values() for word in method.variants]
