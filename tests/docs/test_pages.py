"""Each attacker, method and loss has a page, on which a reader finds everything that belongs there."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from latex2mathml.converter import convert

import linkrisk.losses
from docs.extensions.navigation import pages_of_folder
from linkrisk.attackers import ATTACKERS
from linkrisk.protection import METHODS
from tests.documents import ROOT, pages

DOCS = ROOT / "docs"

LOSSES = [
    name
    for name in linkrisk.losses.__all__
    if inspect.isfunction(getattr(linkrisk.losses, name)) and name != "loss_of_pair"
]
"""The losses: all public functions, except the one that computes them together."""

FOLDERS: Mapping[str, Sequence[str]] = {"attackers": [*ATTACKERS], "protection": [*METHODS], "losses": LOSSES}
"""Folders with a page for each part, and the parts."""

HEADINGS = {
    "attackers": (
        "Distance",
        "On an example",
        "Ties and missing values",
        "Cost",
        "Strengths and weaknesses",
        "References",
    ),
    "protection": (
        "What it does",
        "On an example",
        "What an intruder gets out of it who knows the method",
        "Ties and missing values",
        "Cost",
        "Strengths and weaknesses",
        "References",
    ),
    "losses": (
        "Formula",
        "By hand",
        "On an example",
        "Records and missing values",
        "Cost",
        "What it sees, and what it misses",
        "References",
    ),
}
"""What a reader looks for on each page."""

PARTS = [(folder, name) for folder, names in FOLDERS.items() for name in names]

_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_part_has_a_page(folder: str) -> None:
    """None is missing, none is left over, and the page of the folder links to all."""
    found = {page.stem for page in (DOCS / folder).glob("*.md")} - {"README"}
    assert found == {*FOLDERS[folder]}, f"write docs/{folder}/NAME.md for each, as the others are"
    text = (DOCS / folder / "README.md").read_text(encoding="utf-8")
    assert {*pages_of_folder(text)} == found, f"add a row to the table of docs/{folder}/README.md"


@pytest.mark.parametrize(("folder", "names"), [("attackers", [*ATTACKERS]), ("protection", [*METHODS])])
def test_pages_are_in_the_order_of_the_registry(folder: str, names: list[str]) -> None:
    """As everywhere else."""
    text = (DOCS / folder / "README.md").read_text(encoding="utf-8")
    assert list(pages_of_folder(text)) == names


@pytest.mark.parametrize(("folder", "name"), PARTS)
def test_a_page_has_what_a_reader_looks_for(folder: str, name: str) -> None:
    """Title, headings in one order, a formula, an example that runs, and the name in the code."""
    text = (DOCS / folder / f"{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# `{name}`: ")
    assert tuple(re.findall(r"^## (.+)$", text, re.MULTILINE)) == HEADINGS[folder]
    assert _FORMULA.search(_CODE.sub("", text))
    assert ">>>" in text
    assert f"`{in_the_code(folder, name)}`" in text


def in_the_code(folder: str, name: str) -> str:
    """Return the full name of a part."""
    if folder == "attackers":
        return f"linkrisk.attackers.{ATTACKERS[name].__name__}"
    if folder == "protection":
        return f"linkrisk.protection.{METHODS[name].function.__name__}"
    return f"linkrisk.losses.{name}"


def formulas(page: Path) -> list[str]:
    """Return the formulas of a page."""
    return [block or inline for block, inline in _FORMULA.findall(_CODE.sub("", page.read_text(encoding="utf-8")))]


@pytest.mark.parametrize("page", [page for page in pages() if formulas(page)], ids=lambda page: page.stem)
def test_formulas_are_shown(page: Path) -> None:
    """Each becomes MathML, and no command in it is left as it was written."""
    for formula in formulas(page):
        shown = "".join(ET.fromstring(convert(formula)).itertext())  # noqa: S314  (made here)
        assert "\\" not in shown, formula
