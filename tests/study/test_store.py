"""A store: what is finished is kept, once; others' claims are left alone; odd files are told in a sentence."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linkrisk.errors import FileError, InputError, SettingsError
from linkrisk.study import make_specification
from linkrisk.study.specification.cells import Cell, cells
from linkrisk.study.store import layout
from linkrisk.study.store.runs import Run, began, is_alive, this_run
from linkrisk.study.store.store import Store
from linkrisk.study.work import Outcome
from tests.study.studies import small_study

CELLS: list[Cell] = list(cells(make_specification(small_study())))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a new store that takes part in the work."""
    made = Store.create(tmp_path / "one.study")
    made.begin_run()
    return made


def test_an_outcome_is_kept_once(store: Store) -> None:
    """As it was given; a second one changes nothing."""
    cell = CELLS[0]
    assert store.claim(cell.key)
    store.finish(cell, Outcome({"rate": 0.5, "status": "optimal", "none": None}, {"names": ["a"]}, seconds=1.5))
    store.finish(cell, Outcome({"rate": 0.7}))
    (row,) = store.rows()
    assert (row.key, row.data, row.protection, row.parameters) == (cell.key, "people", "noise", (("p", 5),))
    assert (row.measure, row.attacker, row.scale, row.ties, row.repeat) == ("links", "mean", "separate", "expected", 0)
    assert row.figures == {"rate": 0.5, "status": "optimal", "none": None}
    assert row.details == {"names": ["a"]}
    assert (row.problem, row.seconds) == (None, 1.5)
    assert store.finished() == {cell.key}
    assert not store.claim(cell.key)


def test_claims_are_respected(store: Store) -> None:
    """What another run claims is left to it, until it is gone."""
    with Store.open(store.path) as other:
        other.begin_run()
        assert other.claim(CELLS[0].key)
        assert not store.claim(CELLS[0].key)
        assert store.free_claims() == 1  # it is alive
    assert store.free_claims() == 0
    assert store.claim(CELLS[0].key)


def test_claims_of_the_dead_are_free(store: Store) -> None:
    """A run that was killed has told nobody."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    run = Run(this_run().host, child.pid, began(child.pid) or "", this_run().seen)
    connection = sqlite3.connect(store.path)
    connection.execute(
        "INSERT INTO run (number, host, process, began, seen) VALUES (99, ?, ?, ?, ?)",
        (run.host, run.process, run.began, run.seen),
    )
    connection.execute("INSERT INTO claim VALUES (?, 99)", (CELLS[1].key,))
    connection.commit()
    assert store.free_claims() == 1
    child.kill()
    child.wait()
    assert not is_alive(run)
    assert store.free_claims() == 0
    assert store.claim(CELLS[1].key)


def test_who_has_the_number_of_a_dead_process_is_another() -> None:
    """Numbers are used again; when a process began tells them apart."""
    own = this_run()
    assert is_alive(own)
    assert not is_alive(Run(own.host, own.process, "1", own.seen)) or not Path("/proc/self/stat").exists()


def test_a_run_on_another_machine_is_gone_when_it_is_not_seen() -> None:
    """Nobody can ask for its process."""
    own = this_run()
    assert is_alive(Run("elsewhere", 1, "", own.seen))
    assert not is_alive(Run("elsewhere", 1, "", own.seen - 1000))


def test_only_its_owner_may_read_it(store: Store) -> None:
    """It holds what attackers have learned, and so do the files that SQLite puts beside it."""
    store.finish(CELLS[0], Outcome({}))
    for path in store.path.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
    assert "CONFIDENTIAL" in store.about()


def test_a_newer_store_is_refused(store: Store) -> None:
    """By the version that wrote it, and with what to do."""
    connection = sqlite3.connect(store.path)
    connection.execute(f"PRAGMA user_version = {layout.LAYOUT + 1}")
    connection.execute("UPDATE about SET value = '99.0' WHERE name = 'version'")
    connection.commit()
    with pytest.raises(SettingsError, match=r"written by a newer linkrisk \(99\.0\); use"):
        Store.open(store.path)


@pytest.mark.parametrize("contents", [b"", b"a,b\n1,2\n", b"SQLite format 3\0 and then nonsense" * 50])
def test_what_is_no_store_is_told(tmp_path: Path, contents: bytes) -> None:
    """Not as an error of SQLite."""
    path = tmp_path / "odd.study"
    path.write_bytes(contents)
    with pytest.raises(InputError, match=r"odd\.study"):
        Store.open(path)
    assert path.read_bytes() == contents


def test_other_databases_are_no_stores(tmp_path: Path) -> None:
    """They are left alone."""
    path = tmp_path / "other.db"
    sqlite3.connect(path).execute("CREATE TABLE cell (key BLOB)")
    with pytest.raises(FileError, match="no store of a study"):
        Store.open(path)


def test_an_existing_file_is_never_replaced(tmp_path: Path) -> None:
    """A store is made where there is nothing."""
    path = tmp_path / "mine.txt"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileError):
        Store.create(path)
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_full_disk_is_told(store: Store) -> None:
    """In the words that files are told in; what was finished before stays."""
    store.finish(CELLS[0], Outcome({"rate": 1.0}))
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(FileError, match=os.strerror(errno.ENOSPC)):
        store.finish(CELLS[1], Outcome(details={"much": "x" * 100_000}))
    with Store.open(store.path) as again:
        assert again.finished() == {CELLS[0].key}


def test_data_that_have_changed_are_named(store: Store) -> None:
    """New data are noted, known ones compared."""
    assert store.check_inputs({"a": "1", "b": "2"}) == []
    assert store.check_inputs({"a": "1", "b": "3", "c": "4"}) == ["b"]
    assert store.check_inputs({"c": "4"}) == []


def test_failures_are_forgotten_when_asked(store: Store) -> None:
    """And nothing else."""
    store.finish(CELLS[0], Outcome({"rate": 1.0}))
    store.finish(CELLS[1], Outcome(problem="no clusters of 500"))
    assert store.forget_failures() == 1
    assert store.finished() == {CELLS[0].key}
