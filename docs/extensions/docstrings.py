"""Docstrings as the project writes them, turned into what Sphinx reads.

Headings are underlined; below them, entries are indented under their names, which reStructuredText shows as they are.
Bars, and lines below the end of a word, are mere signs. A constant is told by the text below its assignment.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx

_UNDERLINE = re.compile(r"\s*-{3,}\s*")
_CODE = re.compile(r"(``.*?``|`[^`]*`)")
_SIGN = re.compile(r"\||(?<=\w)_(?!\w)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Turn every docstring as it is read."""
    app.connect("autodoc-process-docstring", _turn)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _turn(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    del app, value, options
    if what == "data":
        package, _, constant = name.rpartition(".")
        lines[:] = constant_docstring(importlib.import_module(package), constant).split("\n")
    lines[:] = turned(lines)


def turned(lines: Sequence[str]) -> list[str]:
    r"""Return a docstring with its headings and signs as reStructuredText has them.

    >>> turned(["Return links_.", "", "Notes", "-----", "None."])
    ['Return links\\_.', '', '.. rubric:: Notes', '', 'None.']
    """
    return [new for line, following in itertools.pairwise([*_marked(lines), ""]) for new in _headed(line, following)]


def _headed(line: str, following: str) -> tuple[str, ...]:
    """Return a line, or what stands for a heading or its underline."""
    if _UNDERLINE.fullmatch(line):
        return ("",)
    return (f".. rubric:: {line}",) if line and _UNDERLINE.fullmatch(following) else (line,)


def _marked(lines: Sequence[str]) -> Iterator[str]:
    """Mark signs as mere signs, except in examples and in text that is shown as it is."""
    literal = False
    for line in lines:
        literal = literal and (line.startswith(" ") or not line)
        yield line if literal or line.lstrip().startswith((">>>", "...")) else _with_signs(line)
        literal = literal or line.endswith("::")


def _with_signs(line: str) -> str:
    return "".join(part if part.startswith("`") else _SIGN.sub(r"\\\g<0>", part) for part in _CODE.split(line))


def constant_docstring(module: ModuleType, name: str) -> str:
    """Return the text below the assignment of a public constant, in the module it comes from."""
    home = importlib.import_module(_origin(module, name))
    body = ast.parse(Path(str(home.__file__)).read_text(encoding="utf-8")).body
    for statement, following in itertools.pairwise(body):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        is_it = any(isinstance(target, ast.Name) and target.id == name for target in targets)
        if is_it and isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            return inspect.cleandoc(str(following.value.value))
    return inspect.getdoc(home) or ""


def _origin(module: ModuleType, name: str) -> str:
    """Return the module from which a package takes a name."""
    homes = getattr(module, "_HOMES", {})
    if name in homes:
        return str(homes[name]).split(":", maxsplit=1)[0]
    for statement in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and name in [alias.name for alias in statement.names]:
            return str(statement.module)
    return module.__name__
