"""Running a study: the verb. What is finished is kept at once, and a study that was ended goes on where it stopped."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.engine import interrupt
from linkrisk.engine.workers.dask import DaskWorkers, Keys, check_address
from linkrisk.engine.workers.interface import Workers
from linkrisk.engine.workers.local import LocalWorkers
from linkrisk.errors import FileError, SettingsError
from linkrisk.options import takes
from linkrisk.printable import file_name
from linkrisk.study.inputs import digests_of, open_inputs
from linkrisk.study.options import RunKeywords, RunOptions
from linkrisk.study.release import Workload
from linkrisk.study.result import StudyRun
from linkrisk.study.specification.cells import Cell, cells, count_cells
from linkrisk.study.specification.reading import load_specification, make_specification
from linkrisk.study.specification.specification import Specification
from linkrisk.study.store.runs import SECONDS_BETWEEN
from linkrisk.study.store.store import Store
from linkrisk.study.work import Outcome, compile_for, do_cell

ENDING = ".study"
"""How the store of a specification ends, unless it is named."""

SECONDS_BETWEEN_LOOKS = 0.5
"""While others do the last cells."""


@takes(RunOptions)
def run(specification: Any, *, reporter: Reporter | None = None, **options: Unpack[RunKeywords]) -> StudyRun:
    """Run a study: every combination of data, protection, strength, attacker, scale, tie rule and repeat.

    Every finished cell is kept in the store at once. A study that was ended, however that came, goes on where it
    stopped: nothing is lost, and nothing is done twice. Several runs on one store share the work. A cell that cannot be
    done is kept with its reason.

    Parameters
    ----------
    specification
        The path of a TOML file, or a mapping laid out in the same way.
    @options
    reporter
        Told what is being done.

    Returns
    -------
    StudyRun
        How many cells there are and were done; `StudyRun.result` has the figures.

    Raises
    ------
    InputError
        If something in the specification cannot be used (all mistakes at once), the store belongs to another study,
        or its data have changed since it was begun.

    Notes
    -----
    What is drawn depends on the seed of the study, on the cell, and on nothing else, so any cell can be run alone. The
    results of learned attackers are the same on every machine where no time limit ends their search.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> study = {
    ...     "seed": 1,
    ...     "data": [{"name": "people", "generated": "census_like", "records": 60, "columns": ["AGI", "FEDTAX"]}],
    ...     "protection": [{"name": "noise", "method": "noise", "grid": {"p": [5, 50]}}],
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = run(study, store=Path(folder) / "noise.study", workers=1)
    ...     rates = [row.figures["rate"] for row in done.result().rows]
    >>> done.n_cells, done.n_failed, rates[0] > rates[1]
    (2, 0, True)
    """
    asked = RunOptions.of(options)
    found, path = _specification(specification), asked.store or _default_store(specification)
    make_workers = _workers(asked)
    told = reporter or SilentReporter()
    with _opened(path, found) as store:
        settled = replace(found, seed=_settled_seed(store, found))
        workload = open_inputs(settled)
        _check_unchanged(store, digests_of(workload))
        if asked.retry:
            store.forget_failures()
        return _Runner(store, path, workload, make_workers, told).run()


def _specification(given: Any) -> Specification:
    if isinstance(given, Specification):
        return given
    if isinstance(given, str | os.PathLike):
        return load_specification(given)
    if isinstance(given, Mapping):
        return make_specification(given)
    raise SettingsError(f"{type(given).__name__} is no specification; give the path of a TOML file, or a mapping")


def _default_store(given: Any) -> Path:
    if isinstance(given, str | os.PathLike):
        return Path(given).with_suffix(ENDING)
    raise SettingsError("nothing says where the results are kept; give store (--store)")


def _workers(asked: RunOptions) -> Callable[[], AbstractContextManager[Workers]]:
    """Return what makes the workers; what cannot be used is told before anything is opened."""
    given = {"tls_ca": asked.tls_ca, "tls_cert": asked.tls_cert, "tls_key": asked.tls_key}
    if asked.engine == "local":
        useless = [name for name, value in {"scheduler": asked.scheduler, **given}.items() if value is not None]
        if useless:
            raise SettingsError(f"{useless[0]} is for a Dask cluster; add engine (--engine dask), or leave it out")
        return lambda: LocalWorkers(asked.workers)
    keys = None
    if asked.tls_ca and asked.tls_cert and asked.tls_key:
        keys = Keys(asked.tls_ca, asked.tls_cert, asked.tls_key)
    if keys is None and any(given.values()):
        raise SettingsError("keys of a cluster are three files; give tls_ca, tls_cert and tls_key")
    if asked.scheduler is not None:
        check_address(asked.scheduler, keys)
    return lambda: DaskWorkers(asked.scheduler, asked.workers, keys)


@contextlib.contextmanager
def _opened(path: Path, specification: Specification) -> Iterator[Store]:
    """Open the store of a study, or make it."""
    with _store_at(path) as store:
        if "name" not in store.about():
            store.note({"name": specification.name})
        other = store.about().get("name", specification.name)
        if other != specification.name:
            raise SettingsError(
                f"{file_name(path)} keeps another study, {other!r}; choose another store (--store), or give this one "
                "that name"
            )
        yield store


def _store_at(path: Path) -> Store:
    """Open a store, or make it; another run may make it at the same moment."""
    if not path.exists():
        try:
            return Store.create(path)
        except FileError:
            if not path.exists():
                raise
    return Store.open(path)


def _settled_seed(store: Store, specification: Specification) -> int:
    """Return the seed of the store, drawn where neither it nor the study has one."""
    wanted = secrets.randbits(63) if specification.seed is None else specification.seed
    seed = store.settle_seed(wanted)
    if specification.seed is not None and seed != specification.seed:
        raise SettingsError(
            f"{file_name(store.path)} was begun with another seed; take the seed out of the specification, or choose "
            "another store (--store)"
        )
    return seed


def _check_unchanged(store: Store, digests: Mapping[str, str]) -> None:
    changed = store.check_inputs(digests)
    if changed:
        names = ", ".join(map(repr, changed))
        raise SettingsError(
            f"data {names} have changed since {file_name(store.path)} was begun; put the file back, or choose another "
            "store (--store)"
        )


@dataclass
class _Runner:
    """Gives the cells that are not done yet to workers, and keeps what comes back."""

    store: Store
    path: Path
    workload: Workload
    make_workers: Callable[[], AbstractContextManager[Workers]]
    reporter: Reporter
    n_done: int = 0
    n_failed: int = 0

    def run(self) -> StudyRun:
        """Do all cells; after Ctrl-C what is finished is kept, and told."""
        start = time.perf_counter()
        specification = self.workload.specification
        n_cells, is_complete = count_cells(specification), True
        todo = self._todo()
        try:
            if todo:
                self._do(todo, n_cells)
        except KeyboardInterrupt:
            interrupt.handled()
            is_complete = False
        return StudyRun(
            name=specification.name,
            store=self.path,
            n_cells=n_cells,
            n_done=self.n_done,
            n_failed=self.n_failed,
            n_left=len(self._todo()) if todo else 0,
            is_complete=is_complete,
            seconds=time.perf_counter() - start,
        )

    def _todo(self) -> list[Cell]:
        finished = self.store.finished()
        return [cell for cell in cells(self.workload.specification) if cell.key not in finished]

    def _do(self, todo: list[Cell], n_cells: int) -> None:
        self.store.begin_run()
        self.reporter.expect([0.0])
        self.reporter.step(f"study {self.workload.specification.name}, {n_cells:,} cells")
        with self.make_workers() as workers:
            workers.prepare(compile_for, self.workload)
            while todo:
                self._round(workers, todo, n_cells)
                todo = self._rest()

    def _round(self, workers: Workers, todo: list[Cell], n_cells: int) -> None:
        """Do all cells that no other run has claimed."""
        waiting = iter(todo)
        before, seen = n_cells - len(todo), time.monotonic()
        at_hand = self.n_done

        def next_task() -> Cell | None:
            return next((cell for cell in waiting if self.store.claim(cell.key)), None)

        for finished in workers.each(do_cell, self.workload, next_task):
            if finished is not None:
                outcome = finished.result or Outcome(problem=finished.problem)
                self.store.finish(finished.task, outcome)
                self.n_done += 1
                self.n_failed += outcome.problem is not None
                self.reporter.progress(before + self.n_done - at_hand, n_cells)
            if time.monotonic() - seen > SECONDS_BETWEEN:
                seen = time.monotonic()
                self.store.be_seen()

    def _rest(self) -> list[Cell]:
        """Wait for what other runs are doing; return the cells that they have left behind."""
        while True:
            n_others = self.store.free_claims()
            todo = self._todo()
            if not todo or n_others < len(todo):
                return todo
            self.reporter.aside(f"waiting for {n_others:,} cells that another run is doing")
            self.store.be_seen()
            interrupt.check()
            time.sleep(SECONDS_BETWEEN_LOOKS)
