"""Progress in a notebook: shown where there is one and nobody else is told, and taken away at the end."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import linkrisk
from linkrisk.attack.notebook import NotebookReporter, reported
from linkrisk.attack.reporter import SilentReporter


class Cell:
    """The cell of a notebook: remembers what it was asked to show."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def display(self, shown: dict[str, str], *, raw: bool, display_id: bool) -> Cell:
        """Show something that can be changed later."""
        assert raw
        assert display_id
        self.shown.append(shown)
        return self

    def update(self, shown: dict[str, str], *, raw: bool) -> None:
        """Change it."""
        assert raw
        self.shown.append(shown)


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    """Run in what looks like a notebook, and show everything at once."""
    found, ipython = Cell(), ModuleType("IPython")
    namespace: Any = ipython
    namespace.get_ipython = lambda: SimpleNamespace(kernel=True)
    namespace.display = SimpleNamespace(display=found.display)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(NotebookReporter, "seconds_between", 0.0)
    return found


def test_a_bar_is_shown_and_goes(cell: Cell) -> None:
    """It grows, names are escaped, and at the end nothing is left; also after an error."""

    def work_breaks() -> None:
        with reported(None) as reporter:
            reporter.expect([0.0, 0.0])
            reporter.step("<b>mean</b>")
            reporter.progress(1, 2)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        work_breaks()
    first, second, last = (shown["text/html"] for shown in cell.shown)
    assert 'value="0.000"' in first
    assert 'value="0.250"' in second
    assert "step 1 of 2: &lt;b&gt;mean&lt;/b&gt;, 50%" in second
    assert last == ""


def test_verbs_show_it_where_nobody_else_is_told(cell: Cell) -> None:
    """A reporter of the user's own is the only one who is told."""
    people = linkrisk.datasets.census_like(30, seed=1)[["AGI", "FEDTAX"]]
    asked: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"]}
    linkrisk.assess(people, people, reporter=SilentReporter(), **asked)
    assert cell.shown == []
    linkrisk.assess(people, people, **asked)
    assert any("mean on scale ranks" in shown["text/plain"] for shown in cell.shown)
    assert cell.shown[-1]["text/plain"] == ""


def test_elsewhere_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in a script nor in a shell of IPython without a notebook."""
    with reported(None) as reporter:
        assert isinstance(reporter, SilentReporter)
    ipython: Any = ModuleType("IPython")
    ipython.get_ipython = lambda: None
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    with reported(None) as reporter:
        assert isinstance(reporter, SilentReporter)
