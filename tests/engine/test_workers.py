"""Workers: all tasks are done, once, whatever dies; the same on this machine and on a Dask cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from linkrisk.engine.threads import default_threads, n_cores
from linkrisk.engine.workers import dask
from linkrisk.engine.workers.dask import DaskWorkers, Keys, check_address
from linkrisk.engine.workers.interface import MOST_TRIES, Finished, Workers
from linkrisk.engine.workers.local import LocalWorkers
from linkrisk.errors import SettingsError

PAGES = ("/", "/health", "/status", "/info/main/workers.html", "/metrics", "/json/identity.json")
"""What servers of Dask tell to whoever asks, unless they are told not to."""

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _others_find_these_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name the folder in which workers look for what they do."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def square(shared: int, task: int) -> tuple[int, int]:
    """Return a result, and who found it."""
    return shared + task * task, os.getpid()


def threads_of(shared: object, task: object) -> int:
    """Return how many threads a task may use."""
    del shared, task
    return default_threads()


def fail(shared: object, task: int) -> int:
    """Raise an error that nobody foresaw, with a value in it."""
    del shared
    if task == 3:
        raise KeyError("a confidential value")
    return task


def die_once(shared: str, task: int) -> int:
    """End the process over one of the tasks, the first time it is tried."""
    mark = Path(shared) / f"tried-{task}"
    if task == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def always_die(shared: object, task: int) -> int:
    """End the process over one of the tasks, always."""
    del shared
    if task == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def done_by(workers: Workers, work: Any, shared: Any, tasks: Iterable[Any]) -> list[Finished]:
    """Do tasks; return them as they ended."""
    waiting: Iterator[Any] = iter(tasks)
    return [each for each in workers.each(work, shared, lambda: next(waiting, None)) if each is not None]


def check_all_tasks_are_done_once(workers: Workers, folder: Path) -> None:
    """Elsewhere, with what they share."""
    del folder
    found = done_by(workers, square, 100, range(1, 8))
    assert sorted(each.task for each in found) == list(range(1, 8))
    assert all(each.result[0] == 100 + each.task**2 and each.problem is None for each in found)
    assert os.getpid() not in {each.result[1] for each in found}
    assert len({each.result[1] for each in found}) <= 2


def check_cores_are_shared(workers: Workers, folder: Path) -> None:
    """Two workers of this machine use its cores once, however many tasks they have done."""
    del folder
    found = done_by(workers, threads_of, None, range(6))
    most = max(1, n_cores() // 2) if isinstance(workers, LocalWorkers) else 1
    assert {each.result for each in found} == {most}


def check_an_error_is_the_problem_of_its_task(workers: Workers, folder: Path) -> None:
    """Do the others; what is said of it quotes no value."""
    del folder
    found = {each.task: each for each in done_by(workers, fail, None, range(1, 6))}
    assert {task for task, each in found.items() if each.problem is None} == {1, 2, 4, 5}
    assert "KeyError" in str(found[3].problem)
    assert "confidential" not in str(found[3].problem)


def check_a_worker_that_dies_loses_nothing(workers: Workers, folder: Path) -> None:
    """Another one does its task."""
    found = done_by(workers, die_once, str(folder), range(1, 6))
    assert sorted((each.result, each.problem) for each in found) == [(task, None) for task in range(1, 6)]


def check_a_task_that_kills_is_given_up(workers: Workers, folder: Path) -> None:
    """After some workers; the others are done all the same."""
    del folder
    found = {each.task: each for each in done_by(workers, always_die, None, range(1, 4))}
    assert f"{MOST_TRIES} times" in str(found[1].problem)
    assert [found[task].result for task in (2, 3)] == [2, 3]


CHECKS = (
    check_all_tasks_are_done_once,
    check_cores_are_shared,
    check_an_error_is_the_problem_of_its_task,
    check_a_worker_that_dies_loses_nothing,
    check_a_task_that_kills_is_given_up,
)
"""What holds of workers, wherever they are."""


@pytest.mark.parametrize("check", CHECKS)
def test_on_this_machine(check: Callable[[Workers, Path], None], tmp_path: Path) -> None:
    """Processes, as many as it has cores."""
    with LocalWorkers(2) as workers:
        check(workers, tmp_path)


@pytest.mark.slow
def test_on_a_cluster(tmp_path: Path) -> None:
    """The same on a Dask cluster, one for all checks, which takes seconds to start; and it is private."""
    with DaskWorkers(None, 2) as workers:
        private = check_it_is_private(workers)
        for check in CHECKS:
            check(workers, tmp_path)
    assert not any(folder.exists() for folder in private)


def test_workers_end_with_the_block() -> None:
    """Whatever they are doing."""
    with LocalWorkers(2) as workers:
        waiting = iter(range(4))
        for _ in workers.each(square, 1, lambda: next(waiting, None)):
            break
        pids = workers.pids
    end = time.monotonic() + 10
    while any(_is_there(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.02)
    assert not [pid for pid in pids if _is_there(pid)]


def _is_there(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def check_it_is_private(workers: DaskWorkers) -> list[Path]:
    """Look that it speaks TLS on this machine alone and tells nothing by HTTP; return its folders, private ones."""
    scheduler = workers._client.scheduler_info(-1)
    addresses = [scheduler["address"], *scheduler["workers"]]
    assert all(address.startswith("tls://127.0.0.1:") for address in addresses)
    served = [scheduler["services"], *(worker["services"] for worker in scheduler["workers"].values())]
    pages = [services["dashboard"] for services in served]
    assert {httpx.get(f"http://127.0.0.1:{port}{path}").status_code for port in pages for path in PAGES} == {404}
    folders = [Path(told["local_directory"]) for told in scheduler["workers"].values()]
    private = [next(p for p in folder.parents if p.name.startswith("linkrisk-dask-")) for folder in folders]
    assert all(folder.stat().st_mode & 0o077 == 0 for folder in private)
    return private


@pytest.mark.parametrize(
    ("address", "has_keys", "is_fine"),
    [
        ("tcp://127.0.0.1:8786", False, True),
        ("127.0.0.1:8786", False, True),
        ("localhost:8786", False, True),
        ("tcp://[::1]:8786", False, True),
        ("tcp://10.0.0.7:8786", False, False),
        ("tcp://127.0.0.1.example.org:8786", False, False),
        ("10.0.0.7:8786", True, False),
        ("tcp://0.0.0.0:8786", False, False),
        ("tls://10.0.0.7:8786", True, True),
        ("tls://10.0.0.7:8786", False, False),
        ("ws://10.0.0.7:8786", True, False),
    ],
)
def test_addresses(address: str, has_keys: bool, is_fine: bool) -> None:
    """Those of this machine are fine, others with TLS and keys."""
    keys = Keys(Path("ca"), Path("cert"), Path("key")) if has_keys else None
    if is_fine:
        check_address(address, keys)
    else:
        with pytest.raises(SettingsError):
            check_address(address, keys)


def test_without_dask_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SettingsError, match=r"pip install 'linkrisk\[dask\]'"), DaskWorkers(None, 1):
        pass


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler that is not there is told, with the option to check."""
    monkeypatch.setattr(dask, "SECONDS_TO_CONNECT", 0.5)
    with (
        pytest.raises(SettingsError, match=r"no Dask scheduler answers.*--scheduler"),
        DaskWorkers("tcp://127.0.0.1:9"),
    ):
        pass


@pytest.mark.slow
def test_a_cluster_that_runs_already(tmp_path: Path) -> None:
    """A scheduler and a worker that somebody else started, on this machine."""
    file = tmp_path / "scheduler.json"
    common = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(file))
    start = [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", *common]
    scheduler = subprocess.Popen(start, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # noqa: S603  (our own command)
    work = [sys.executable, "-m", "dask", "worker", "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", *common]
    worker = None
    try:
        end = time.monotonic() + 30
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.05)
        worker = subprocess.Popen(  # noqa: S603  (our own command)
            work, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=tmp_path
        )
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        with DaskWorkers(address) as workers:
            found = done_by(workers, square, 5, range(1, 4))
        assert sorted(each.result[0] for each in found) == [6, 9, 14]
    finally:
        for process in (worker, scheduler):
            if process is not None:
                process.terminate()
                process.wait(20)
