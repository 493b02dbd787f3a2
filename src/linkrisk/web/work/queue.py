"""The queue of jobs: one at a time, in the order in which they were asked for, whatever becomes of any."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from linkrisk.data.opening import reason
from linkrisk.web.work.job import Job, State
from linkrisk.web.work.process import WorkProcess
from linkrisk.web.work.progress import Progress

KILLED = (
    "the system ended the work, most likely because the memory of this machine was not enough; close other programs, "
    "choose fewer attackers or attributes, or give fewer records, and start again"
)
CRASHED = "the work ended unexpectedly (exit code {code}); start it again, and report it if it happens once more"
NEEDED = "it needs what another job was to find, and that one has no result; start it again"


class Queue:
    """All jobs of a server, and the process that is kept ready for the next one.

    ``catalogue`` is what can be chosen from (attackers, methods), as a process tells when it is ready; None before.
    """

    def __init__(self, folder: Path) -> None:
        self.jobs: dict[int, Job] = {}
        self.catalogue: dict[str, Any] | None = None
        self._folder = folder
        self._waiting: asyncio.Queue[Job] = asyncio.Queue()
        self._spare: asyncio.Task[WorkProcess] | None = None
        self._running: tuple[Job, WorkProcess] | None = None

    def add(self, kind: str, title: str, request: Mapping[str, Any], needs: Job | None = None) -> Job:
        """Add a job, and return it."""
        number = len(self.jobs) + 1
        job = Job(number, kind, title, self._folder / f"job-{number}", request, needs)
        self.jobs[number] = job
        self._waiting.put_nowait(job)
        return job

    def place(self, job: Job) -> int:
        """Return how many jobs are done before this one."""
        return sum(other.number < job.number and not other.has_ended for other in self.jobs.values())

    def stop(self, job: Job) -> None:
        """Stop a job: what it has found is kept. A second time ends it at once, and keeps nothing."""
        if job.state is State.WAITING:
            job.state, job.sentence = State.STOPPED, "it was stopped before it began"
        elif self._running is not None and self._running[0] is job:
            process = self._running[1]
            if job.state is State.STOPPING:
                process.kill()
            else:
                job.state = State.STOPPING
                process.interrupt()

    async def forget(self, job: Job) -> None:
        """End a job and remove what it has written."""
        for _ in range(2):
            if not job.has_ended:
                self.stop(job)
        del self.jobs[job.number]
        await asyncio.to_thread(shutil.rmtree, job.folder, ignore_errors=True)

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Do jobs while the body runs; afterwards every process is ended."""
        self._make_spare()
        work = asyncio.create_task(self._work())
        try:
            yield
        finally:
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work
            await self._end_spare()

    async def _work(self) -> None:
        while True:
            job = await self._waiting.get()
            if job.state is State.WAITING:
                await self._do(job)

    async def _do(self, job: Job) -> None:
        """Do a job, and say how it ended."""
        if job.needs is not None and not job.needs.has_result:
            job.state, job.sentence = State.FAILED, NEEDED
            return
        process = await self._take_spare()
        self._running = (job, process)
        job.state, job.progress = State.RUNNING, Progress()
        try:
            job.write_request()
            await process.give(job.folder)
            async for message in process.messages():
                _hear(job, message)
            code = await process.ended()
            if not job.has_ended:
                _tell_death(job, code)
        except OSError as fault:
            job.state, job.sentence = State.FAILED, f"the work cannot be begun {reason(fault, 'start it again')}"
        finally:
            self._running = None
            await process.end()

    async def _take_spare(self) -> WorkProcess:
        """Return the process that is ready, or a new one if that has died meanwhile; start another for the next job."""
        assert self._spare is not None  # noqa: S101  (made when work begins, and whenever one is taken)
        process = await self._spare
        if process.has_ended:
            process = await self._ready_process()
        self._make_spare()
        return process

    def _make_spare(self) -> None:
        self._spare = asyncio.create_task(self._ready_process())

    async def _ready_process(self) -> WorkProcess:
        """Start a process, and wait until it has said what can be chosen from; one that dies before is found out."""
        process = await WorkProcess.start()
        try:
            async for message in process.messages():
                self.catalogue = message["catalogue"]
                break
        except BaseException:
            await process.end()
            raise
        return process

    async def _end_spare(self) -> None:
        if self._spare is not None:
            self._spare.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await (await self._spare).end()


def _hear(job: Job, message: Mapping[str, Any]) -> None:
    """Take in what a process tells of its job."""
    match message["say"]:
        case "done":
            job.state = State.DONE if message["is_complete"] else State.PARTIAL
        case "stopped":
            job.state, job.sentence = State.STOPPED, "it was stopped before anything was found"
        case "failed":
            job.state, job.sentence = State.FAILED, message["sentence"]
            job.mistakes = tuple((name, fault) for name, fault in message["mistakes"])
        case _:
            job.progress.hear(message)


def _tell_death(job: Job, code: int) -> None:
    """Say why a process has ended without a word."""
    if job.state is State.STOPPING:
        job.state, job.sentence = State.STOPPED, "it was ended at once, and nothing is kept"
    elif code == -signal.SIGKILL:
        job.state, job.sentence = State.FAILED, KILLED
    else:
        job.state, job.sentence = State.FAILED, CRASHED.format(code=code)
