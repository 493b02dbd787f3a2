"""docs/mathematics.md and the code point at each other: every guarantee has a statement, every statement its code."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "mathematics.md"
SOURCE = ROOT / "src" / "linkrisk"
TESTS = ROOT / "tests"

PARTS = ("Statement", "Proof", "In the code", "Test")
"""What every numbered statement has."""

GUARANTEE = re.compile(r"\*?Guarantee\*?(?P<rest>[^\n]*(?:\n[^\n]*)?)")
POINTER = re.compile(r"^\s*\(docs/mathematics\.md#(?P<anchor>[a-z-]+)\)")


@dataclass(frozen=True)
class Statement:
    """A numbered statement: its title, its anchor and its parts by name."""

    title: str
    anchor: str
    parts: dict[str, str]


def read_statements(text: str) -> list[Statement]:
    """Return all statements of the page."""
    found = []
    for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        body = re.split(r"^(?:## |<a id=)", section, flags=re.MULTILINE)[0]
        heading = body.splitlines()[0]
        anchor = re.search(r'<a id="([a-z-]+)"></a>', heading)
        pieces = re.split(r"^\*\*([A-Z][a-z ]+)\.\*\*", body, flags=re.MULTILINE)
        parts = dict(zip(pieces[1::2], pieces[2::2], strict=True))
        found.append(Statement(heading.split(" <a")[0], anchor.group(1) if anchor else "", parts))
    return found


TEXT = PAGE.read_text(encoding="utf-8")
STATEMENTS = read_statements(TEXT)
ANCHORS = re.findall(r'<a id="([^"]+)"></a>', TEXT)


def resolve(name: str) -> Any:
    """Import what a dotted name means: a module, or something inside one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            value = getattr(value, part)
        return value
    raise ModuleNotFoundError(name)


def docstrings(path: Path) -> list[tuple[str, str]]:
    """Return the docstrings of a module, each with the name of what it describes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    return [(getattr(node, "name", "module"), ast.get_docstring(node, clean=False) or "") for node in nodes]


def guarantees() -> list[tuple[str, str]]:
    """Return place and beginning of every guarantee in the code."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for name, text in docstrings(path):
            place = f"{path.relative_to(SOURCE)}:{name}"
            found += [(place, match.group("rest")) for match in GUARANTEE.finditer(text)]
    return found


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.title)
def test_statements_are_complete(statement: Statement) -> None:
    """Each has an anchor of its own and all four parts; its code can be imported and its tests are there."""
    assert ANCHORS.count(statement.anchor) == 1, "every statement has an anchor of its own"
    for part in PARTS:
        assert statement.parts.get(part, "").strip(), f"{statement.title} lacks {part}"
    names = re.findall(r"`([^`]+)`", statement.parts["In the code"])
    assert names
    for name in names:
        assert resolve(name) is not None
    tests = re.findall(r"`([^`]+)`", statement.parts["Test"])
    assert tests
    for test in tests:
        module, function = test.split("::")
        files = list(TESTS.rglob(module))
        assert any(f"def {function}(" in file.read_text(encoding="utf-8") for file in files), f"there is no {test}"


def test_links_inside_the_page_lead_somewhere() -> None:
    """Every link to an anchor of this page has one."""
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= set(ANCHORS)


@pytest.mark.slow
def test_guarantees_name_their_statement() -> None:
    """Every guarantee in the code names a statement that is on the page."""
    known = {statement.anchor for statement in STATEMENTS}
    lacking, wrong = [], []
    for place, rest in guarantees():
        pointer = POINTER.match(rest)
        if pointer is None:
            lacking.append(place)
        elif pointer.group("anchor") not in known:
            wrong.append(f"{place} names {pointer.group('anchor')}")
    assert not wrong
    assert not lacking


def test_the_page_is_not_read_as_it_stands_by_chance() -> None:
    """The parser sees a missing part, a missing anchor and a name that leads nowhere."""
    (broken,) = read_statements("### 1.1 Title\n**Statement.** x\n")
    assert broken.anchor == ""
    assert set(broken.parts) == {"Statement"}
    with pytest.raises(AttributeError):
        resolve("linkrisk.arrays.NothingOfTheKind")
