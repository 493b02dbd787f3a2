"""A fixed part of ``python -m benchmarks.odd_inputs``: no traceback, no hang, nothing left, one plain sentence."""

from __future__ import annotations

import pytest
from benchmarks.odd_inputs.cases import Case, all_cases
from benchmarks.odd_inputs.judge import faults_of
from benchmarks.odd_inputs.run import IN_PROCESS, Outcome, run_case

STRIDE = 43
"""Of the cases that need no process of their own, one of so many: kinds of files, places and options mix."""

CASES = [case for case in all_cases() if case.surroundings in IN_PROCESS][::STRIDE]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_odd_input(case: Case) -> None:
    """Every case ends as commands do."""
    assert not list(faults_of(case, run_case(case)))


PLANNED = [case for case in all_cases() if case.name.startswith(("plan", "columns"))]


@pytest.mark.parametrize(
    "case", [case for case in PLANNED if case.arguments[0] == "protect"][::9], ids=lambda case: case.name
)
def test_odd_plans(case: Case) -> None:
    """Plans, columns to drop and kinds, which are quick."""
    assert not list(faults_of(case, run_case(case)))


def test_there_are_enough_cases() -> None:
    """All commands, each case once."""
    cases = all_cases()
    assert len({case.name for case in cases}) == len(cases) >= 1500
    commands = {case.arguments[0] for case in cases}
    assert {"assess", "run", "protect", "loss", "compare", "tune", "match", "verify", "demo"} <= commands


def test_faults_are_found() -> None:
    """The judge can fail a case."""
    case = Case("x", ("assess",))
    outcomes = {
        "hang": Outcome(0, "", "", (), has_hung=True),
        "traceback": Outcome(1, "", "Traceback (most recent call last)", ()),
        "files left": Outcome(2, "", "linkrisk: no; give another.\n", ("a.csv.secret",)),
        "warning": Outcome(0, "", "x.py:3: RuntimeWarning: overflow", ()),
        "control character": Outcome(0, "\x1b[31m", "", ()),
        "exit code": Outcome(120, "", "", ()),
        "no sentence": Outcome(2, "", "Usage: linkrisk\n", ()),
        "no remedy": Outcome(2, "", "linkrisk: the file is odd.\n", ()),
    }
    assert [name for name, _ in faults_of(case, Outcome(1, "", "", ()))] == ["no sentence"]
    told = Case("x", ("assess",), surroundings="SIGTERM")
    for code, is_signalled, is_fault in ((0, True, True), (2, True, True), (143, True, False), (0, False, False)):
        outcome = Outcome(code, "", "linkrisk: no; give another.\n", (), is_signalled=is_signalled)
        assert ("exit code" in [name for name, _ in faults_of(told, outcome)]) == is_fault
    for fault, outcome in outcomes.items():
        assert fault in [name for name, _ in faults_of(case, outcome)]
    assert not list(faults_of(case, Outcome(2, "", "linkrisk: the file is odd; give another.\n", ())))
