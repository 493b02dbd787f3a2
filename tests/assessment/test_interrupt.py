"""Ctrl-C loses nothing that is finished."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import linkrisk
from linkrisk.attack.reporter import SilentReporter
from linkrisk.cli.progress import TerminalReporter
from tests.assessment.samples import numeric_frames
from tests.cli.command import linkrisk_command


class Impatient(SilentReporter):
    """Interrupts at a step."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def step(self, label: str) -> None:
        """Count down, then press Ctrl-C."""
        del label
        if self.steps == 0:
            raise KeyboardInterrupt
        self.steps -= 1

    def progress(self, done: int, total: int) -> None:
        """Go on."""


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "attacks", "attributes", "scenarios"), [(0, 0, 0, 0), (4, 4, 0, 0), (7, 6, 4, 0)])
def test_what_is_finished_stands(steps: int, attacks: int, attributes: int, scenarios: int) -> None:
    """Finished attacks are those of the whole run; the result says that it is not complete, and prints."""
    original, protected = numeric_frames()

    def run(reporter: Impatient) -> linkrisk.Assessment:
        scenario = linkrisk.Scenario("s", ("AGI",))
        names = ["mean", "kernel"]
        return linkrisk.assess(original, protected, attackers=names, scenarios=[scenario], reporter=reporter)

    whole, part = run(Impatient(-1)), run(Impatient(steps))
    assert whole.is_complete
    assert not part.is_complete
    finished = {(attack.label, attack.scale): attack.links for attack in whole.attacks}
    assert all(finished[attack.label, attack.scale] == attack.links for attack in part.attacks)
    assert len(part.attacks) == attacks
    assert len(part.attributes) == attributes
    assert len(part.scenarios) == scenarios
    assert part.to_dict()["status"] == "interrupted"
    assert str(part)


@pytest.mark.parametrize("steps", [0, 2])
def test_command_line_writes_what_is_finished(tmp_path: Path, steps: int) -> None:
    """Exit code 130, both files written, and the screen says that it was interrupted."""
    original, protected = numeric_frames()
    original.to_csv(tmp_path / "o.csv", index=False)
    protected.to_csv(tmp_path / "p.csv", index=False)
    impatient = Impatient(steps)
    with patch.object(TerminalReporter, "step", lambda _, label: impatient.step(label)):
        outcome = linkrisk_command(
            "assess", tmp_path / "o.csv", tmp_path / "p.csv",
            "--json", tmp_path / "r.json", "--records", tmp_path / "r.csv",
        )  # fmt: skip
    assert outcome.code == 130
    assert "nterrupted" in outcome.output
    contents = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert contents["status"] == "interrupted"
    assert len(contents["attackers"]) == steps
    assert len((tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()) == 62


def test_interrupt_while_reading() -> None:
    """Nothing is finished then: exit code 130 and no traceback."""
    with patch("linkrisk.assessment.file.assess", side_effect=KeyboardInterrupt):
        outcome = linkrisk_command("assess", "o.csv", "p.csv")
    assert outcome.code == 130
    assert "Traceback" not in outcome.errors


def test_nothing_is_lost_while_the_result_is_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C inside what comes after the attacks: all of them stand, and the result says that it was interrupted."""
    original, protected = numeric_frames()

    def press(files: Any) -> tuple[()]:
        del files
        signal.raise_signal(signal.SIGINT)
        return ()

    monkeypatch.setattr("linkrisk.assessment.assess.diversity", press)
    found = linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"], one_to_one=False)
    assert not found.is_complete
    assert len(found.attacks) == 1
