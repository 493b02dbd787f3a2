"""What does tasks side by side, whatever it is: processes of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

MOST_TRIES = 3
"""Workers that may die over one task before it is given up."""

Work = Callable[[Any, Any], Any]
"""Does one task, with what all tasks share: a function of a module, for it is sent to other processes."""


@dataclass(frozen=True)
class Finished:
    """A task that is over: what came of it, or why nothing did (``problem``)."""

    task: Any
    result: Any = None
    problem: str | None = None


class Workers(Protocol):
    """Processes that do tasks. Used in a ``with`` statement, at whose end they are gone.

    What is sent is pickled: ``work`` by its name, ``shared`` once to each worker, tasks and results one by one. A
    worker that dies is replaced, and its task done by another; after `MOST_TRIES` workers the task is over, with a
    problem. An error in ``work`` is a problem of its task, too.
    """

    @property
    def n_workers(self) -> int:
        """How many tasks are done at the same time."""

    def __enter__(self) -> Self:
        """Return itself."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers, whatever they are doing."""

    def prepare(self, make_ready: Callable[[Any], None], shared: Any) -> None:
        """Call a function once on each machine, before the tasks: to compile kernels there once, not in each worker."""

    def each(self, work: Work, shared: Any, next_task: Callable[[], Any]) -> Iterator[Finished | None]:
        """Do tasks until there is none left, and yield each when it is over, in the order of their ends.

        ``next_task`` is asked whenever a worker has nothing to do, and returns None where there is no task for now.
        Where none is being done either, this returns; the workers stay, and can be given more. None is yielded where
        nothing has ended for a moment (`linkrisk.engine.interrupt.PATIENCE`).
        """


def died(n_tries: int) -> str:
    """Return why a task is given up.

    >>> died(3)
    'the process that did it ended, 3 times: it was ended by somebody, or memory ran out'
    """
    return f"the process that did it ended, {n_tries} times: it was ended by somebody, or memory ran out"


def told(problem: BaseException) -> str:
    """Return an error nobody foresaw, by its kind and place: what it says could quote a cell.

    >>> told(KeyError("a name"))
    'an error of kind KeyError (please report it)'
    """
    trace = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    frame = None if trace is None else trace.tb_frame
    place = "" if frame is None or trace is None else f" in {frame.f_globals.get('__name__')}, line {trace.tb_lineno}"
    return f"an error of kind {type(problem).__name__}{place} (please report it)"
