"""A worker of this machine, ``python -m linkrisk.engine.workers.process``: does the tasks that it reads, one by one."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import IO

from linkrisk.engine import interrupt
from linkrisk.engine.copies import end_with_parent
from linkrisk.engine.memory import share_memory
from linkrisk.engine.threads import share_cores
from linkrisk.engine.workers.channel import Answer, Beginning, receive, send
from linkrisk.engine.workers.interface import told


def main() -> None:
    """Do tasks until there are no more, or nobody listens.

    Signals are for the process that started this one, which ends it. Whatever is printed here is lost: standard output
    is the way back.
    """
    for number in interrupt.SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    end_with_parent()
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    with contextlib.suppress(EOFError, OSError):
        _work(tasks, answers)


def _work(tasks: IO[bytes], answers: IO[bytes]) -> None:
    beginning: Beginning = receive(tasks)
    share_memory(beginning.n_workers)
    share_cores(beginning.n_workers)
    while True:
        task = receive(tasks)
        try:
            answer = Answer(beginning.work(beginning.shared, task))
        except Exception as problem:
            answer = Answer(problem=told(problem))
        send(answers, answer)


if __name__ == "__main__":
    main()
