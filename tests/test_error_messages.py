"""One way to end an error message, and one way to name an option.

A message is a sentence without a full stop, which the command line adds. An option is called ``pairs (--pairs)``: first
as in Python, then as on the command line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import linkrisk

PACKAGE = Path(linkrisk.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
DECLARING = {*PACKAGE.rglob("options.py"), PACKAGE / "data" / "reading.py"}
"""Modules that declare options, with texts for the help of the command line."""

MISTAKES = {"FileError", "ColumnError", "PairingError", "ParameterError", "NotApplicableError", "SettingsError"}
"""Errors that tell a user of his mistake in a sentence of their own."""

REMEDY = re.compile(r"; |\bmust\b|did you mean|\{.*(remedy|reason|fault|problem|why|_TOO_DEEP)")
"""What a remedy stands behind, or a part put in that holds one."""

SPEAKING = [
    module
    for module in MODULES
    if not {"cli", "web"} & set(module.relative_to(PACKAGE).parts) and module not in DECLARING
]
"""Modules that speak to both Python and the command line; the page speaks of commands alone."""


@cache
def _nodes(module: Path) -> list[ast.AST]:
    """Return all parts of a module's code."""
    return list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))


def _place(module: Path, node: ast.expr) -> str:
    return f"{module.relative_to(PACKAGE)}:{node.lineno}"


def _made() -> Iterator[tuple[Path, str, ast.expr]]:
    """Yield whatever is made with an argument: module, name of what is called, first argument."""
    for module in MODULES:
        for call in _nodes(module):
            if isinstance(call, ast.Call) and call.args:
                yield module, ast.unparse(call.func), call.args[0]


def test_no_message_ends_in_a_full_stop() -> None:
    """Every text an error is made with, where it stands in the code."""
    errors = [(module, text) for module, name, text in _made() if name.endswith("Error")]
    assert len(errors) > 300
    ended = [_place(*error) for error in errors if _ending(error[1]).endswith(".")]
    assert not ended, f"{ended}: leave out the full stop"


def test_every_message_has_a_remedy() -> None:
    """Every text that a mistake of the user is told with says what to do, or what it must be."""
    errors = [(module, text) for module, name, text in _made() if name in MISTAKES and _text(text)]
    assert len(errors) > 200
    helpless = [_place(*error) for error in errors if not REMEDY.search(_text(error[1]))]
    assert not helpless, f"{helpless}: say after a semicolon what to do"


def test_messages_without_a_remedy_are_found() -> None:
    """The check above can fail; a message that is put together elsewhere is left to the tests of that place."""
    assert not REMEDY.search(_text(ast.parse('f"{name} is empty"', mode="eval").body))
    assert REMEDY.search(_text(ast.parse('f"{name} is empty" + "; give another"', mode="eval").body))
    assert _text(ast.parse("sentence", mode="eval").body) == ""


def test_options_are_named_as_in_python_too() -> None:
    """Every text in the code, except docstrings, that names an option of the command line."""
    alone = []
    for module in SPEAKING:
        nodes = _nodes(module)
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        texts = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
        named = [node for node in texts if isinstance(node.value, str) and _named_for_terminals_only(node.value)]
        alone += [_place(module, node) for node in named]
    assert not alone, f"{alone}: write pairs (--pairs)"


@pytest.mark.parametrize("text", ["state it with --population", "a list of them (--pairs)", "top (--top-percent)"])
def test_options_named_for_terminals_only_are_found(text: str) -> None:
    """The check above can fail."""
    assert _named_for_terminals_only(text)
    assert not _named_for_terminals_only("give top_percent (--top-percent), or renamed (--renamed a=b)")


def _named_for_terminals_only(text: str) -> list[str]:
    """Return the options that do not stand in brackets behind their names."""
    found = re.finditer(r"--([a-z][a-z-]*)", text)
    return [each[0] for each in found if not text[: each.start()].endswith(f"{each[1].replace('-', '_')} (")]


def _ending(node: ast.expr) -> str:
    """Return the last piece of a text; nothing where it is not written in the code."""
    if isinstance(node, ast.JoinedStr):
        return _ending(node.values[-1])
    if isinstance(node, ast.BinOp):
        return _ending(node.right)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _text(node: ast.expr) -> str:
    """Return a text as it is written in the code, with what is put in; nothing for one that is made elsewhere."""
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else f"{{{ast.unparse(part)}}}" for part in node.values]
        return "".join(map(str, parts))
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
