"""Results on a terminal, and in files and pipes."""

from __future__ import annotations

import io

import pytest

from linkrisk.cli.output import MIN_WIDTH, prepare, show
from tests.report.samples import sample


class Terminal(io.StringIO):
    """A narrow terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def test_frames_on_a_terminal_plain_text_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is redirected reads as print shows it; a terminal has frames, and is taken to be wide enough."""
    monkeypatch.setenv("COLUMNS", "60")
    result = sample("Assessment")
    for output, has_frames in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stdout", output)
        prepare()
        show(result)
        lines = output.getvalue().splitlines()
        assert any("│" in line for line in lines) == has_frames
        if has_frames:
            assert 60 < max(len(line) for line in lines if "│" in line) <= MIN_WIDTH
        else:
            assert lines == str(result).splitlines()
