"""Kernels compiled ahead, side by side, and remembered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from linkrisk.attack import compiling
from linkrisk.attack.reporter import COMPILING, _tasks
from linkrisk.attackers import BilinearFree, Choquet, Informed, Mean, WeightedMean
from linkrisk.engine import ahead, interrupt

TASK_MODULE = """
import sys
from pathlib import Path
folder = Path({folder!r})
(folder / sys.argv[1]).touch()
sys.exit(1 if sys.argv[1] == "fails" else 0)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep stamps in a folder of their own, and a module of tasks that leave a file each."""
    monkeypatch.setattr(ahead, "cache_place", lambda: tmp_path)
    monkeypatch.setattr(ahead, "default_threads", lambda: 2)
    (tmp_path / "task_module.py").write_text(TASK_MODULE.format(folder=str(tmp_path)), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def test_tasks_run_side_by_side_and_are_told(place: Path) -> None:
    """Each missing task runs once, in a process of its own; one that fails costs nothing."""
    told: list[str] = []
    ahead.run_ahead("task_module", ["a", "fails", "b"], told.append)
    assert all((place / task).exists() for task in ("a", "fails", "b"))
    assert [line.split(": ")[1] for line in told] == ["a (1 of 3)", "fails (2 of 3)", "b (3 of 3)"]


def test_what_is_done_is_not_done_again(place: Path) -> None:
    """A stamp keeps a task from being run; so one that is left alone is run, or it would be missing for ever."""
    assert ahead.missing(["a", "b", "c"]) == ["a", "b", "c"]
    ahead.done("a")
    assert ahead.missing(["a", "b", "c"]) == ["b", "c"]
    ahead.run_ahead("task_module", ["a", "b", "c"], lambda _: None)
    assert not (place / "a").exists()
    assert (place / "b").exists()
    ahead.done("b")
    (place / "c").unlink()
    ahead.run_ahead("task_module", ["a", "b", "c"], lambda _: None)
    assert (place / "c").exists()
    assert not (place / "a").exists()


def test_without_a_cache_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where machine code cannot be kept, another process would compile for nobody."""
    monkeypatch.setattr(ahead, "cache_place", lambda: None)
    assert ahead.missing(["a", "b"]) == []
    ahead.done("a")
    assert not ahead.are_done(["a"])


def test_shipped_code_counts_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel in a folder that is only read compiles nothing."""
    target = "x86_64", "any", ""
    monkeypatch.setattr(ahead, "cache_place", lambda: None)
    monkeypatch.setattr(ahead, "SHIPPED", tmp_path)
    monkeypatch.setattr(ahead, "shipped_target", lambda: target)
    ahead._stamp(tmp_path, "a", target).touch()
    assert ahead.are_done(["a"])
    assert not ahead.are_done(["a", "b"])


def test_an_interrupt_ends_the_processes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves no process behind."""
    (place / "task_module.py").write_text("import time\ntime.sleep(60)\n", encoding="utf-8")
    started: list[subprocess.Popen[bytes]] = []

    def start(module: str, task: str) -> subprocess.Popen[bytes]:
        started.append(process := real_start(module, task))
        return process

    def interrupted() -> None:
        if len(started) == 2:
            raise KeyboardInterrupt

    real_start = ahead._start
    monkeypatch.setattr(ahead, "_start", start)
    monkeypatch.setattr(interrupt, "check", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ahead.run_ahead("task_module", ["a", "b"], lambda _: None)
    assert [process.poll() is None for process in started] == [False, False]


def test_the_tasks_asked_for_are_those_there_are() -> None:
    """What an attacker needs is among the tasks of the module that compiles; who learns needs more."""
    everything = _tasks([Mean(), Informed(), WeightedMean()], is_mixed=True)
    assert everything == list(compiling.FIRST_TASKS)
    assert _tasks([Mean()], is_mixed=False) == ["linking"]
    assert {"cover", "forms"} < set(_tasks([BilinearFree()], is_mixed=False))
    assert {"boxes", "cover"} < set(_tasks([Choquet()], is_mixed=False)), "who starts from a weighted mean needs boxes"
    assert set(_tasks([BilinearFree(), WeightedMean(), Informed()], is_mixed=True)) <= set(compiling.TASKS)
    assert compiling.__name__ == COMPILING


FIRST_ASSESSMENT = """
import json
import linkrisk
import numpy as np
from numba.core import event
from linkrisk.attack import compiling
compiling.main([])
values, noise = np.random.default_rng(1).normal(size=(2, 60, 3))
with event.install_recorder("numba:compile") as recorder:
    linkrisk.assess(values, values + 0.3 * noise, time_limit=1.0)
print(json.dumps(sorted({found.data["dispatcher"].py_func.__name__ for _, found in recorder.buffer})))
"""


@pytest.mark.slow
def test_tasks_compile_what_an_assessment_needs() -> None:
    """After all tasks an assessment by the default attackers finds the kernels that take long compiled."""
    command = [sys.executable, "-W", "ignore", "-c", FIRST_ASSESSMENT]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (our own script)
    long = {"search_slice", "collect_cores", "search_tree", "search_all", "scan_costs", "search_lines", "minimal_rows"}
    assert not long & set(json.loads(done.stdout))
