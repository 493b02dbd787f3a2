"""A store: the results of a study on disk, in one file of SQLite.

Every cell is committed when it is finished. A cell is claimed by a run before it is begun, so that several runs share
the work; what a run has claimed that is no longer there is free again. Readers never wait for writers (WAL).
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from linkrisk.data.opening import check_readable, reason
from linkrisk.data.writing import CONFIDENTIAL_NOTICE, check_writable
from linkrisk.errors import FileError, SettingsError
from linkrisk.printable import file_name
from linkrisk.study.specification.cells import Cell
from linkrisk.study.specification.kinds import Parameters
from linkrisk.study.store.layout import APPLICATION, LAYOUT, TABLES
from linkrisk.study.store.runs import Run, is_alive, this_run
from linkrisk.study.work import Outcome
from linkrisk.version import __version__

SECONDS_TO_WAIT = 30.0
"""For another run that is writing."""

_FULL = ("full", "disk i/o")


@dataclass(frozen=True)
class Row:
    """One cell that is over, as the store keeps it."""

    key: bytes
    data: str
    protection: str
    parameters: Parameters
    measure: str
    attacker: str | None
    scale: str | None
    ties: str | None
    repeat: int
    problem: str | None
    figures: Mapping[str, Any]
    details: Mapping[str, Any]
    seconds: float
    finished: str


class Store:
    """An open store; use it in a ``with`` statement. Made by `Store.create` and `Store.open`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._run: Run | None = None

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make a new store, for its owner alone.

        Raises
        ------
        FileError
            If there is a file already, or none can be made.
        """
        check_writable(path)
        unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")  # nobody sees a store without its tables
        try:
            os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            with cls(unfinished, _connect(unfinished)) as store, store._told():
                store._connection.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {TABLES} COMMIT;")
                store._connection.execute(f"PRAGMA application_id = {APPLICATION}")
                store._connection.execute(f"PRAGMA user_version = {LAYOUT}")
                store.note({"CONFIDENTIAL": CONFIDENTIAL_NOTICE, "version": __version__})
            unfinished.rename(path) if os.name == "nt" else os.link(unfinished, path)  # never over another file
        except OSError as fault:
            raise FileError(f"{file_name(path)} cannot be written {reason(fault)}") from None
        finally:
            unfinished.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a store that is there.

        Raises
        ------
        FileError, SettingsError
            If the file cannot be read, is no store, or was written by a newer version.
        """
        check_readable(path)
        name = file_name(path)
        store = cls(path, _connect(path))
        try:
            with store._told():
                store._connection.execute("PRAGMA synchronous = NORMAL")
                mark = store._connection.execute("PRAGMA application_id").fetchone()[0]
                layout = store._connection.execute("PRAGMA user_version").fetchone()[0]
        except BaseException:
            store.close()
            raise
        if mark != APPLICATION:
            store.close()
            raise FileError(f"{name} is no store of a study; give the file that linkrisk study run has written")
        if layout > LAYOUT:
            written = store.about().get("version", "")
            store.close()
            raise SettingsError(f"{name} was written by a newer linkrisk ({written}); use that version or a later one")
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up what this run had claimed, and close the file."""
        with contextlib.suppress(sqlite3.Error, FileError):
            if self._run is not None:
                self._connection.execute("DELETE FROM claim WHERE run = ?", (self._run.number,))
                self._connection.execute("DELETE FROM run WHERE number = ?", (self._run.number,))
        self._run = None
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def about(self) -> dict[str, str]:
        """Return what is noted about the whole store."""
        with self._told():
            return dict(self._connection.execute("SELECT name, value FROM about"))

    def note(self, entries: Mapping[str, str]) -> None:
        """Note something about the whole store."""
        with self._told():
            self._connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", list(entries.items()))

    def settle_seed(self, seed: int) -> int:
        """Return the seed of the store; the first that is told stays."""
        with self._told():
            self._connection.execute("INSERT OR IGNORE INTO about VALUES ('seed', ?)", (str(seed),))
        return int(self.about()["seed"])

    def check_inputs(self, digests: Mapping[str, str]) -> list[str]:
        """Note the digests of data that are new here; return the names of those that have changed since."""
        with self._told():
            known = dict(self._connection.execute("SELECT data, digest FROM input"))
            self._connection.executemany("INSERT OR IGNORE INTO input VALUES (?, ?)", list(digests.items()))
        return [name for name, digest in digests.items() if known.get(name, digest) != digest]

    def finished(self) -> set[bytes]:
        """Return the keys of all cells that are over."""
        with self._told():
            return {key for (key,) in self._connection.execute("SELECT key FROM cell")}

    def n_finished(self) -> int:
        """Return how many cells are over."""
        with self._told():
            return int(self._connection.execute("SELECT count(*) FROM cell").fetchone()[0])

    def forget_failures(self) -> int:
        """Remove the cells that failed, so that they are run again; return how many."""
        with self._told():
            return self._connection.execute("DELETE FROM cell WHERE problem IS NOT NULL").rowcount

    def begin_run(self) -> None:
        """Take part in the work: what is claimed from here on is this run's."""
        run = this_run()
        with self._told():
            cursor = self._connection.execute(
                "INSERT INTO run (host, process, began, seen) VALUES (?, ?, ?, ?)",
                (run.host, run.process, run.began, run.seen),
            )
        self._run = Run(run.host, run.process, run.began, run.seen, cursor.lastrowid)

    def be_seen(self) -> None:
        """Tell other runs that this one is alive."""
        if self._run is not None:
            with self._told():
                self._connection.execute(
                    "UPDATE run SET seen = ? WHERE number = ?", (this_run().seen, self._run.number)
                )

    def claim(self, key: bytes) -> bool:
        """Claim a cell; False where it is over, or is another run's."""
        number = self._number()
        with self._told(), self._at_once():
            if self._connection.execute("SELECT 1 FROM cell WHERE key = ?", (key,)).fetchone():
                return False
            return self._connection.execute("INSERT OR IGNORE INTO claim VALUES (?, ?)", (key, number)).rowcount == 1

    def free_claims(self) -> int:
        """Free what was claimed by runs that are no longer there; return how many claims others still have."""
        own = self._number()
        with self._told(), self._at_once():
            runs = [Run(*row) for row in self._connection.execute("SELECT host, process, began, seen, number FROM run")]
            for run in runs:
                if run.number != own and not is_alive(run):
                    self._connection.execute("DELETE FROM claim WHERE run = ?", (run.number,))
                    self._connection.execute("DELETE FROM run WHERE number = ?", (run.number,))
            self._connection.execute("DELETE FROM claim WHERE run NOT IN (SELECT number FROM run)")
            count = self._connection.execute("SELECT count(*) FROM claim WHERE run <> ?", (own,)).fetchone()[0]
        return int(count)

    def finish(self, cell: Cell, outcome: Outcome) -> None:
        """Keep the outcome of a cell; of a cell that is over already, the first outcome stays."""
        variant = cell.variant
        row = (
            cell.key,
            cell.data,
            cell.protection,
            json.dumps(cell.parameters),
            variant.measure,
            variant.attacker,
            variant.scale,
            variant.ties,
            cell.repeat,
            outcome.problem,
            json.dumps(outcome.figures),
            json.dumps(outcome.details),
            outcome.seconds,
            datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        with self._told(), self._at_once():
            self._connection.execute(f"INSERT OR IGNORE INTO cell VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608  (signs)
            self._connection.execute("DELETE FROM claim WHERE key = ?", (cell.key,))

    def rows(self) -> Iterator[Row]:
        """Yield all cells that are over, in no order."""
        with self._told():
            for row in self._connection.execute("SELECT * FROM cell"):
                key, data, protection, parameters, measure, attacker, scale, ties, repeat, problem, *rest = row
                figures, details, seconds, finished = rest
                yield Row(
                    key,
                    data,
                    protection,
                    tuple((name, value) for name, value in json.loads(parameters)),
                    measure,
                    attacker,
                    scale,
                    ties,
                    repeat,
                    problem,
                    json.loads(figures),
                    json.loads(details),
                    seconds,
                    finished,
                )

    def _number(self) -> int:
        if self._run is None or self._run.number is None:
            raise RuntimeError("the store takes part in no run; call begin_run first")
        return self._run.number

    @contextlib.contextmanager
    def _at_once(self) -> Iterator[None]:
        """Do several statements together, or none of them."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Tell faults of SQLite as what they are for a user."""
        name = file_name(self.path)
        try:
            yield
        except sqlite3.DatabaseError as fault:
            said = str(fault)
            if any(word in said for word in _FULL):
                full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                raise FileError(f"{name} cannot be written {reason(full)}; what was finished is kept") from None
            if "locked" in said:
                raise FileError(f"{name} is being written by another program; end it, or try again") from None
            if "readonly" in said:
                raise FileError(f"{name} may not be written; ask for the right to, or choose another") from None
            raise FileError(f"{name} is no store of a study, or is damaged ({said}); give another") from None


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=SECONDS_TO_WAIT, isolation_level=None)
