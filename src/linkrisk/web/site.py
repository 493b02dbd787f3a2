"""What all views share: the cases of this server, the queue, the address, the limits."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request

from linkrisk.web.cases.case import Case, Release
from linkrisk.web.security.address import Address
from linkrisk.web.security.keys import Keys
from linkrisk.web.storage.uploads import MEGABYTE
from linkrisk.web.work.job import Job
from linkrisk.web.work.queue import Queue

GONE = "this was removed, or belongs to a server that has ended; go back to the start"


@dataclass(eq=False)
class Site:
    """One server: its private folder, what is in it, and who may ask for it."""

    folder: Path
    address: Address
    keys: Keys
    queue: Queue
    upload_limit: int
    cases: dict[int, Case] = field(default_factory=dict)
    n_cases: int = 0

    @property
    def most_bytes(self) -> int:
        """Most bytes of the files that are sent up at once."""
        return self.upload_limit * MEGABYTE

    @contextlib.contextmanager
    def new_folder(self) -> Iterator[tuple[int, Path]]:
        """Make a folder for a case, which has a number; where no case comes of it, nothing stays."""
        self.n_cases += 1
        folder = self.folder / f"case-{self.n_cases}"
        folder.mkdir(mode=0o700)
        try:
            yield self.n_cases, folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def case_of(self, request: Request) -> Case:
        """Return the case that an address names."""
        case = self.cases.get(request.path_params["case"])
        if case is None:
            raise HTTPException(404, GONE)
        return case

    def release_of(self, request: Request) -> tuple[Case, Release]:
        """Return the version that an address names, and its case."""
        case = self.case_of(request)
        release = case.releases.get(request.path_params["release"])
        if release is None:
            raise HTTPException(404, GONE)
        return case, release

    def job_of(self, request: Request) -> tuple[Case, Job]:
        """Return the job that an address names, and its case."""
        case = self.case_of(request)
        job = next((job for job in case.jobs if job.number == request.path_params["job"]), None)
        if job is None:
            raise HTTPException(404, GONE)
        return case, job

    async def remove(self, case: Case) -> None:
        """End the jobs of a case, and remove all its files."""
        del self.cases[case.number]
        for job in reversed(case.jobs):
            await self.queue.forget(job)
        await asyncio.to_thread(shutil.rmtree, case.folder, ignore_errors=True)
