"""One case run: in this process where that is possible, in one of its own where the surroundings ask for it."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from unittest.mock import patch

import linkrisk
from benchmarks.odd_inputs.cases import USUAL, Case

SECONDS = 20.0
"""What takes longer on files of a few records hangs."""

IN_PROCESS = ("usual", "full disk")
START = "from linkrisk.cli.main import start; start()"
SOURCE = str(Path(linkrisk.__file__).resolve().parents[1])
"""What a process of its own imports linkrisk from, in whatever folder it begins."""

SIGNAL_AFTER = 2.5
"""Seconds after which a signal comes: while modules are loaded, or at work."""


@dataclass(frozen=True)
class Outcome:
    """What a case printed, how it ended, and which files are there that were not before."""

    code: int
    output: str
    errors: str
    new_files: tuple[str, ...]
    has_hung: bool = False
    traceback: str = ""
    is_signalled: bool = False
    """Whether a signal was sent while it ran."""


class Hung(BaseException):
    """The time is up; not an Exception, so that nothing swallows it."""


def run_case(case: Case, seconds: float = SECONDS) -> Outcome:
    """Run a case in a folder of its own, which is removed afterwards; it hangs if it takes longer than ``seconds``."""
    folder = Path(tempfile.mkdtemp(prefix="odd-"))
    inside = folder / "inside"
    inside.mkdir()
    before = Path.cwd()
    try:
        os.chdir(inside)
        for name, maker in {**USUAL, **case.makers}.items():
            maker(Path(name))
        old = _files(folder)
        found = _in_process(case, seconds) if case.surroundings in IN_PROCESS else _apart(case)
        return replace(found, new_files=tuple(sorted(_files(folder) - old)))
    finally:
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)


def _files(folder: Path) -> set[str]:
    return {str(Path(root, name).relative_to(folder)) for root, dirs, names in os.walk(folder) for name in names + dirs}


def _in_process(case: Case, seconds: float) -> Outcome:
    from linkrisk.cli.main import main  # noqa: PLC0415  (its modules are loaded once for all cases)

    output, errors = io.StringIO(), io.StringIO()
    code, trace, has_hung = 0, "", False
    with (
        patch("sys.argv", ["linkrisk", *case.arguments]),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        warnings.catch_warnings(),
        _full_disk(is_full=case.surroundings == "full disk"),
    ):
        warnings.simplefilter("default")  # as in a process of its own
        try:
            with _time_limit(seconds):
                main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        except Hung:
            has_hung = True
        except BaseException:
            trace = traceback.format_exc()
    return Outcome(code, output.getvalue(), errors.getvalue(), (), has_hung, trace)


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  (what signal calls)
        raise Hung

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _full_disk(*, is_full: bool) -> Iterator[None]:
    """Within, no file can grow beyond some bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if is_full:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _apart(case: Case) -> Outcome:
    """Run a case in a process of its own, with its surroundings."""
    typed = [sys.executable, "-c", START, *case.arguments]
    redirected = {
        "closed output": '"$@" >&-',
        "full output": '"$@" >/dev/full',
        "no reader": '("$@"; echo "$?" >../code) | true; exit $(cat ../code)',
        "closed errors": '"$@" 2>&-',
        "full errors": '"$@" 2>/dev/full',
    }.get(case.surroundings, 'exec "$@"')
    environment = {
        **os.environ,
        "PYTHONPATH": SOURCE,
        **({"PYTHONIOENCODING": "ascii"} if case.surroundings == "ascii" else {}),
    }
    process = subprocess.Popen(  # noqa: S603  (our own interpreter and code)
        ["/bin/sh", "-c", redirected, "sh", *typed],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    is_signalled = False
    with process:
        try:
            if case.surroundings.startswith("SIG"):
                time.sleep(SIGNAL_AFTER)
                is_signalled = process.poll() is None
                process.send_signal(getattr(signal, case.surroundings))
            output, errors = process.communicate(timeout=2.0 * SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return Outcome(-9, "", "", (), has_hung=True)
    Path("../code").unlink(missing_ok=True)
    return Outcome(process.returncode, output, errors, (), is_signalled=is_signalled)
