"""Running a study: the same results whoever does the work, in whatever order, with whatever interruptions."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import linkrisk
from linkrisk.errors import SettingsError
from linkrisk.study import make_specification, run, show
from linkrisk.study.inputs import open_inputs
from linkrisk.study.specification.cells import cells
from linkrisk.study.store.store import Store
from linkrisk.study.work import do_cell
from tests.examples import EXAMPLES
from tests.study.studies import N_CELLS, SMALL_TOML, TIMES, rows_of, small_study

N_KILLS = max(3, round(10 * EXAMPLES))
"""Studies that are killed: a hundred of them by ``make thorough``."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of the small study, run by one worker to its end."""
    store = tmp_path_factory.mktemp("undisturbed") / "small.study"
    done = run(small_study(), store=store, workers=1)
    assert (done.n_cells, done.n_done, done.n_failed, done.n_left, done.is_complete) == (N_CELLS, N_CELLS, 0, 0, True)
    return store


def test_each_cell_alone_gives_the_same(undisturbed: Path) -> None:
    """The obvious twin: every cell on its own, in reverse order, from nothing but the specification."""
    specification = make_specification(small_study())
    kept = {row.key: row for row in show(undisturbed).rows}
    for cell in reversed(list(cells(specification))):
        outcome = do_cell(open_inputs(specification), cell)
        row = kept[cell.key]
        assert outcome.problem is None
        for name, value in outcome.figures.items():
            if name not in TIMES:
                assert row.figures[name] == value, (cell, name)


def test_several_workers_give_the_same(undisturbed: Path, tmp_path: Path) -> None:
    """Whoever does which cell."""
    run(small_study(), store=tmp_path / "two.study", workers=2)
    assert rows_of(tmp_path / "two.study") == rows_of(undisturbed)


@pytest.mark.slow
def test_a_cluster_gives_the_same(undisturbed: Path, tmp_path: Path) -> None:
    """A Dask cluster on this machine, of two workers, starts for it and is gone at the end."""
    done = run(small_study(), store=tmp_path / "dask.study", engine="dask", workers=2)
    assert (done.n_done, done.n_failed) == (N_CELLS, 0)
    assert rows_of(tmp_path / "dask.study") == rows_of(undisturbed)


def test_links_are_those_of_an_assessment(tmp_path: Path) -> None:
    """A cell counts what `linkrisk.assess` counts of the same files."""
    people = linkrisk.datasets.census_like(50, seed=3)[["AGI", "FEDTAX", "PTOTVAL"]]
    people.to_csv(tmp_path / "people.csv", index=False)
    contents = small_study(
        data=[{"name": "people", "file": str(tmp_path / "people.csv")}],
        protection=[{"name": "clusters", "method": "mdav", "grid": {"k": [4]}}],
        scales=["ranks"],
        repeats=1,
        measures=["links", "loss"],
    )
    result = run(contents, store=tmp_path / "one.study", workers=1).result()
    protected = linkrisk.protect(people, "mdav", k=4)
    found = linkrisk.assess(people, protected.data, attackers=["mean", "weighted_mean"], scales=["ranks"])
    for attack in found.attacks:
        group = result.group("links", attacker=attack.label)
        assert group.main.mean == pytest.approx(attack.rate(found.ties))
        assert group.n_optimal == (attack.label == "weighted_mean")
    assert result.group("loss").main.mean == pytest.approx(linkrisk.loss(people, protected.data).pil)


def test_a_finished_study_does_nothing(undisturbed: Path) -> None:
    """No worker is started."""
    before = rows_of(undisturbed)
    done = run(small_study(), store=undisturbed, workers=1)
    assert (done.n_done, done.n_left) == (0, 0)
    assert rows_of(undisturbed) == before


def test_a_study_that_grows_does_what_is_new(undisturbed: Path, tmp_path: Path) -> None:
    """And keeps the rest, to the last bit."""
    store = tmp_path / "grown.study"
    run(small_study(repeats=1), store=store, workers=1)
    done = run(small_study(), store=store, workers=1)
    assert done.n_done == N_CELLS // 2
    assert rows_of(store) == rows_of(undisturbed)


def test_a_cell_that_fails_is_a_row(tmp_path: Path) -> None:
    """With its reason; the others are done. It is tried again when asked, and only then."""
    contents = small_study(
        protection=[{"name": "clusters", "method": "mdav", "grid": {"k": [3, 500]}}], attackers=["mean"]
    )
    store = tmp_path / "failing.study"
    done = run(contents, store=store, workers=1)
    assert (done.n_done, done.n_failed) == (4, 2)
    assert all("500" in str(row.problem) for row in show(store).failures)
    assert run(contents, store=store, workers=1).n_done == 0
    assert run(contents, store=store, workers=1, retry=True).n_done == 2


def test_changed_data_are_refused(tmp_path: Path) -> None:
    """Cells of different data cannot be compared."""
    path = tmp_path / "people.csv"
    people = linkrisk.datasets.census_like(40, seed=1)[["AGI", "FEDTAX"]]
    people.to_csv(path, index=False)
    contents: dict[str, Any] = small_study(data=[{"name": "people", "file": str(path)}], attackers=["mean"], repeats=1)
    store = tmp_path / "one.study"
    run(contents, store=store, workers=1)
    pd.concat([people, people.head(1)]).to_csv(path, index=False)
    with pytest.raises(SettingsError, match="'people' have changed"):
        run(contents, store=store, workers=1)
    people.to_csv(path, index=False)
    assert run(contents, store=store, workers=1).n_left == 0


@pytest.mark.parametrize(("change", "word"), [({"seed": 8}, "another seed"), ({"name": "other"}, "another study")])
def test_a_store_belongs_to_one_study(undisturbed: Path, change: dict[str, Any], word: str) -> None:
    """Its name and its seed."""
    with pytest.raises(SettingsError, match=word):
        run(small_study(**change), store=undisturbed, workers=1)


def test_a_seed_that_was_drawn_stays(tmp_path: Path) -> None:
    """The second run goes on with the seed of the first."""
    contents = small_study(attackers=["mean"])
    del contents["seed"]
    store = tmp_path / "drawn.study"
    run({**contents, "repeats": 1}, store=store, workers=1)
    with Store.open(store) as opened:
        seed = int(opened.about()["seed"])
    run(contents, store=store, workers=1)
    run({**contents, "seed": seed}, store=tmp_path / "again.study", workers=1)
    assert rows_of(store) == rows_of(tmp_path / "again.study")


def begin(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Run the small study as a user does."""
    path = folder / "small.toml"
    path.write_text(SMALL_TOML, encoding="utf-8")
    command = [sys.executable, "-m", "linkrisk", "study", "run", str(path), *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # noqa: S603  (our own command)


def n_finished(store: Path) -> int:
    """Return how many cells are kept; a store that is being made has none."""
    try:
        with Store.open(store) as opened:
            return opened.n_finished()
    except (linkrisk.errors.InputError, OSError):
        return 0


@pytest.mark.slow
def test_killed_at_any_moment(undisturbed: Path, tmp_path: Path) -> None:
    """SIGKILL again and again; resumed, the rows are those of an undisturbed run: none lost, none twice."""
    moments = random.Random(5)  # noqa: S311  (no secret)
    store = tmp_path / "small.study"
    counts = []
    for _ in range(N_KILLS):
        process = begin(tmp_path, "--workers", "1")
        time.sleep(moments.uniform(0.3, 2.0))
        process.kill()
        process.communicate()
        counts.append(n_finished(store))
        if counts[-1] == N_CELLS:
            store.unlink()
    assert counts == sorted(counts) or N_CELLS in counts  # nothing that was kept is lost
    run(small_study(), store=store, workers=1)
    assert rows_of(store) == rows_of(undisturbed)


@pytest.mark.slow
def test_two_runs_share_the_work(undisturbed: Path, tmp_path: Path) -> None:
    """Both end well; every cell is done by one of them."""
    both = [begin(tmp_path, "--workers", "1") for _ in range(2)]
    for process in both:
        errors = process.communicate(timeout=120)[1]
        assert process.returncode == 0, errors.decode()
    assert rows_of(tmp_path / "small.study") == rows_of(undisturbed)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are those of other systems")
def test_an_interrupted_run_says_what_is_left(tmp_path: Path) -> None:
    """SIGTERM: what is finished is kept, the code is that of the signal, and the command goes on there."""
    process = begin(tmp_path, "--workers", "1")
    store = tmp_path / "small.study"
    end = time.monotonic() + 60
    while n_finished(store) == 0 and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode in (143, 0)  # 0: it was done before it heard
    assert run(small_study(), store=store, workers=1).n_left == 0
