"""One way to end an error message: a sentence without a full stop, which the command line adds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import linkrisk

PACKAGE = Path(linkrisk.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_message_ends_in_a_full_stop(module: Path) -> None:
    """Every text an error is made with, where it stands in the code."""
    calls = [node for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    errors = [call for call in calls if ast.unparse(call.func).endswith("Error") and call.args]
    ended = [call.lineno for call in errors if _ending(call.args[0]).endswith(".")]
    assert not ended, f"lines {ended}: leave out the full stop"


def _ending(node: ast.expr) -> str:
    """Return the last piece of a text; nothing where it is not written in the code."""
    if isinstance(node, ast.JoinedStr):
        return _ending(node.values[-1])
    if isinstance(node, ast.BinOp):
        return _ending(node.right)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
