"""Results on a terminal, and in files and pipes."""

from __future__ import annotations

import io
import re

import pytest

from linkrisk.cli.output import prepare, show
from tests.report.samples import sample


class Terminal(io.StringIO):
    """A narrow terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


@pytest.mark.parametrize("width", [60, 80, 120])
def test_lines_fit_the_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """What is redirected reads as print shows it; on a terminal there are colours, and the same words."""
    monkeypatch.setenv("COLUMNS", str(width))
    result = sample("Assessment")
    for output, has_rules in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stdout", output)
        prepare()
        show(result, details=True)
        lines = re.sub("\x1b\\[[0-9;]*m", "", output.getvalue()).splitlines()
        assert any("───" in line for line in lines) == has_rules
        assert max(map(len, lines)) <= width
        text = [line for line in lines if "───" not in line]
        assert text == result.to_text().splitlines()
