"""Workers of a Dask cluster: one of its own on this machine, or one that runs elsewhere.

A port of Dask runs code for whoever reaches it, and what is sent are confidential files. So a cluster of its own speaks
TLS with keys made for it alone, and one that is named must speak TLS, or be on this machine.
"""

from __future__ import annotations

import contextlib
import ipaddress
import itertools
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from linkrisk.engine import interrupt
from linkrisk.engine.memory import share_memory
from linkrisk.engine.threads import default_threads, n_cores, share_cores
from linkrisk.engine.workers.channel import Answer
from linkrisk.engine.workers.interface import MOST_TRIES, Finished, Work, died, told
from linkrisk.errors import SettingsError

MISSING = (
    "Dask is not installed; install it with linkrisk: pip install 'linkrisk[dask]', or leave out engine (--engine dask)"
)

AHEAD = 2
"""Tasks that a worker is given at a time, so that it never waits for the next one."""

SECONDS_TOGETHER, MOST_TOGETHER = 0.5, 16
"""Tasks go to a worker together as long as they take no more than so many seconds, and there are no more of them."""

SECONDS_TO_CONNECT = 30


@dataclass(frozen=True)
class Keys:
    """Files of TLS: the certificate of who signed, and one's own certificate and key."""

    authority: Path
    certificate: Path
    key: Path


class DaskWorkers:
    """Workers of a Dask cluster; see `linkrisk.engine.workers.interface.Workers`.

    Without an ``address`` a cluster is started on this machine, with ``n_workers`` processes of one thread each; it has
    no dashboard, and its folder for spilling is readable by its owner alone and removed at the end.

    Raises
    ------
    SettingsError
        If Dask is not installed, the address is neither of this machine nor with TLS, or nobody answers there.
    """

    def __init__(self, address: str | None = None, n_workers: int | None = None, keys: Keys | None = None) -> None:
        if address is not None:
            check_address(address, keys)
        self._address = address
        self._keys = keys
        self.n_workers = n_workers or default_threads()
        self._ends = contextlib.ExitStack()
        self._client: Any = None
        self._shared: Any = None
        self._scattered: Any = None
        self._numbers = itertools.count()
        self._n_done, self._seconds = 0, 0.0

    def __enter__(self) -> Self:
        try:
            import distributed  # noqa: PLC0415  (an extra)
        except ImportError:
            raise SettingsError(MISSING) from None
        with contextlib.ExitStack() as ends:
            self._client = self._connect(distributed, ends)
            self._ends = ends.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._shared = self._scattered = None
        self._ends.close()

    def prepare(self, make_ready: Callable[[Any], None], shared: Any) -> None:
        """Call the function in one worker of each machine of the cluster."""
        self._share(shared)
        workers = self._client.scheduler_info(-1)["workers"]
        of_machine = {told["host"]: address for address, told in workers.items()}
        ready = [
            self._client.submit(_make_ready, make_ready, self._shared, workers=[address], pure=False)
            for address in of_machine.values()
        ]
        while not all(future.done() for future in ready):
            interrupt.check()
            time.sleep(interrupt.PATIENCE)

    def _share(self, shared: Any) -> None:
        if self._shared is None or self._scattered is not shared:
            self._shared = self._client.scatter(shared, broadcast=True, hash=False)
            self._scattered = shared

    def each(self, work: Work, shared: Any, next_task: Callable[[], Any]) -> Iterator[Finished | None]:
        """Do tasks; see `Workers.each`.

        Dask counts a death against all tasks that a worker was given, and loses what tasks share where all workers die.
        So a task that is over for such a reason is done once more, alone, and given up only where workers die then.
        """
        lost: list[Any] = []
        yield from self._several(work, shared, next_task, AHEAD * self.n_workers, lost)
        for task in lost:
            again = iter([task])
            last: list[Any] = []
            yield from self._several(work, shared, partial(next, again, None), 1, last)
            if last:
                self._shared = None
                yield Finished(task, problem=died(MOST_TRIES))

    def _several(
        self, work: Work, shared: Any, next_task: Callable[[], Any], at_once: int, lost: list[Any]
    ) -> Iterator[Finished | None]:
        """Do tasks, some at once; those that workers died over, or that were cancelled by that, are ``lost``."""
        inbox: SimpleQueue[Any] = SimpleQueue()
        at_work: dict[str, list[Any]] = {}
        futures: dict[str, Any] = {}
        try:
            while True:
                while len(at_work) < at_once and (tasks := list(islice(iter(next_task, None), self._n_together))):
                    self._share(shared)
                    key = f"linkrisk-{os.getpid()}-{next(self._numbers)}"
                    at_work[key] = tasks
                    futures[key] = self._client.submit(_do, work, self._shared, tasks, key=key, pure=False)
                    futures[key].add_done_callback(inbox.put)
                if not at_work:
                    return
                interrupt.check()
                try:
                    future = inbox.get(timeout=interrupt.PATIENCE)
                except Empty:
                    yield None
                    continue
                del futures[future.key]
                tasks, answers = at_work.pop(future.key), _answers(future)
                if answers is None:
                    self._shared = None if future.cancelled() else self._shared
                    lost += tasks
                    yield None
                    continue
                self._seconds += sum(seconds for _, seconds in answers)
                self._n_done += len(answers)
                for task, (answer, _) in zip(tasks, answers, strict=True):
                    yield Finished(task, answer.result, answer.problem)
        finally:
            self._client.cancel(list(futures.values()))

    @property
    def _n_together(self) -> int:
        """How many tasks go to a worker together: what Dask does for each takes some milliseconds."""
        if self._n_done < self.n_workers:
            return 1
        return max(1, min(MOST_TOGETHER, int(SECONDS_TOGETHER * self._n_done / max(self._seconds, 1e-9))))

    def _connect(self, distributed: Any, ends: contextlib.ExitStack) -> Any:
        """Connect to the cluster that is named, or start one; ``ends`` closes what was opened."""
        quiet = {
            "distributed.scheduler.allowed-failures": MOST_TRIES - 1,
            "distributed.worker.daemon": True,
            "distributed.admin.log-format": "%(message)s",
            # What watches a cluster takes time from who works in it.
            "distributed.worker.profile.enabled": False,
            "distributed.scheduler.work-stealing": False,
            "distributed.admin.system-monitor.interval": "10s",
            "distributed.admin.tick.interval": "500ms",
            "distributed.worker.memory.monitor-interval": "1s",
            # Each process has a server of HTTP even without a dashboard; it tells nothing here.
            "distributed.scheduler.http.routes": [],
            "distributed.worker.http.routes": [],
        }
        import dask  # noqa: PLC0415  (an extra)

        ends.enter_context(dask.config.set(quiet))
        if self._address is None:
            return ends.enter_context(distributed.Client(self._own_cluster(distributed, ends)))
        security = None if self._keys is None else _security(distributed, self._keys)
        try:
            client = ends.enter_context(
                distributed.Client(self._address, security=security, timeout=SECONDS_TO_CONNECT, set_as_default=False)
            )
        except (OSError, TimeoutError, ValueError):
            raise SettingsError(
                f"no Dask scheduler answers at {self._address}; check scheduler (--scheduler), and the keys if it "
                "speaks TLS"
            ) from None
        self.n_workers = max(1, sum(worker["nthreads"] for worker in client.scheduler_info(-1)["workers"].values()))
        return client

    def _own_cluster(self, distributed: Any, ends: contextlib.ExitStack) -> Any:
        folder = ends.enter_context(tempfile.TemporaryDirectory(prefix="linkrisk-dask-"))  # readable by its owner alone
        try:
            security = distributed.Security.temporary()
        except ImportError:
            raise SettingsError(MISSING) from None
        return ends.enter_context(
            distributed.LocalCluster(
                n_workers=self.n_workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                protocol="tls://",
                security=security,
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                worker_dashboard_address=None,
                local_directory=folder,
                silence_logs=50,
            )
        )


def _answers(future: Any) -> list[tuple[Answer, float]] | None:
    """Return what came of tasks, each with its seconds; None where it is not known, because workers died."""
    from distributed import KilledWorker  # noqa: PLC0415  (an extra)

    try:
        found: list[tuple[Answer, float]] = future.result()
    except (KilledWorker, CancelledError):
        return None
    return found


def _do(work: Work, shared: Any, tasks: Sequence[Any]) -> list[tuple[Answer, float]]:
    """Do tasks on a worker of the cluster, one after the other; an error is the problem of its task."""
    share_cores(n_cores())
    share_memory(n_cores())
    found = []
    for task in tasks:
        start = time.perf_counter()
        try:
            answer = Answer(work(shared, task))
        except Exception as problem:
            answer = Answer(problem=told(problem))
        found.append((answer, time.perf_counter() - start))
    return found


def _make_ready(make_ready: Callable[[Any], None], shared: Any) -> None:
    """Prepare the machine of a worker."""
    make_ready(shared)


def check_address(address: str, keys: Keys | None) -> None:
    """Refuse an address that is neither of this machine nor spoken to by TLS.

    >>> check_address("tcp://127.0.0.1:8786", None)
    >>> check_address("tcp://10.0.0.7:8786", None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    linkrisk.errors.SettingsError: tcp://10.0.0.7:8786 would send files over the network unprotected; ...
    """
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme == "tls":
        if keys is None:
            raise SettingsError(
                f"{address} speaks TLS; give its keys: tls_ca (--tls-ca), tls_cert (--tls-cert), tls_key (--tls-key)"
            )
        return
    if not _is_here(parts.hostname):
        raise SettingsError(
            f"{address} would send files over the network unprotected; give a scheduler that speaks TLS (tls://...) "
            "and its keys, or one of this machine (tcp://127.0.0.1:...)"
        )


def _is_here(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def _security(distributed: Any, keys: Keys) -> Any:
    return distributed.Security(
        tls_ca_file=str(keys.authority),
        tls_client_cert=str(keys.certificate),
        tls_client_key=str(keys.key),
        require_encryption=True,
    )
