"""One way to end an error message, and one way to name an option.

A message is a sentence without a full stop, which the command line adds. An option is called ``pairs (--pairs)``: first
as in Python, then as on the command line.
"""

from __future__ import annotations

import ast
import re
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

SPEAKING = [module for module in MODULES if "cli" not in module.relative_to(PACKAGE).parts and module not in DECLARING]
"""Modules that speak to both Python and the command line."""


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_message_ends_in_a_full_stop(module: Path) -> None:
    """Every text an error is made with, where it stands in the code."""
    calls = [node for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    errors = [call for call in calls if ast.unparse(call.func).endswith("Error") and call.args]
    ended = [call.lineno for call in errors if _ending(call.args[0]).endswith(".")]
    assert not ended, f"lines {ended}: leave out the full stop"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_message_has_a_remedy(module: Path) -> None:
    """Every text that a mistake of the user is told with says what to do, or what it must be."""
    calls = [node for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    errors = [call for call in calls if ast.unparse(call.func) in MISTAKES and call.args and _text(call.args[0])]
    helpless = [call.lineno for call in errors if not REMEDY.search(_text(call.args[0]))]
    assert not helpless, f"lines {helpless}: say after a semicolon what to do"


def test_messages_without_a_remedy_are_found() -> None:
    """The check above can fail; a message that is put together elsewhere is left to the tests of that place."""
    assert not REMEDY.search(_text(ast.parse('f"{name} is empty"', mode="eval").body))
    assert REMEDY.search(_text(ast.parse('f"{name} is empty" + "; give another"', mode="eval").body))
    assert _text(ast.parse("sentence", mode="eval").body) == ""


@pytest.mark.parametrize("module", SPEAKING, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_options_are_named_as_in_python_too(module: Path) -> None:
    """Every text in the code, except docstrings, that names an option of the command line."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings]
    alone = [node.lineno for node in texts if isinstance(node.value, str) and _named_for_terminals_only(node.value)]
    assert not alone, f"lines {alone}: write pairs (--pairs)"


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
