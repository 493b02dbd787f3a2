"""Attacks made side by side in copies of the process find the same as those made one after the other."""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.assessment.scenario import Scenario
from linkrisk.attack import strands
from linkrisk.attack.loop import Attacks
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.strands import make_side_by_side
from linkrisk.attackers.registry import make_attacker
from linkrisk.data import pair_files
from linkrisk.differences.comparison import make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.engine import copies, interrupt
from linkrisk.protection.protection import Protection

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux alone")

ATTACKERS = ["mean", "distance_standardised", "informed", "weighted_mean", "owa", "choquet"]


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a test copies may be made."""
    monkeypatch.setattr(copies._Allowed, "is_allowed", True)


def mixed_files() -> tuple[pd.DataFrame, Protection]:
    """Return a file with numbers and a category, and a release of it with noise."""
    people = linkrisk.datasets.census_like(60, seed=3)[["AGI", "FEDTAX", "PTOTVAL"]]
    people["region"] = np.random.default_rng(1).choice(["north", "south", "west"], 60)
    return people, linkrisk.protect(people, plan="AGI,FEDTAX,PTOTVAL: noise p=3; region: leave", secret_seed=1)


def run(tmp_path: Path, people: pd.DataFrame, release: Protection, *, threads: int) -> dict[str, Any]:
    """Return an assessment with a scenario and certificates, as it is written, without what differs by time."""
    folder = tmp_path / str(threads)
    result = linkrisk.assess(
        people,
        release,
        attackers=ATTACKERS,
        threads=threads,
        scenarios=[Scenario("office", ("AGI", "region"))],
        certificates=folder,
        holdout=0.3,
        repeats=2,
    )
    told = json.loads(json.dumps(result.to_dict(), default=str))
    for attack in [*told["attackers"], *(each for scenario in told["scenarios"] for each in scenario["attackers"])]:
        attack.pop("seconds")
        attack.pop("course")
    proofs = {path.name: path.read_bytes() for path in sorted(folder.glob("*.certificate.json.gz"))}
    records = result.records.to_frame().to_csv() if result.records is not None else ""
    return {"told": told, "proofs": proofs, "records": records}


@pytest.mark.usefixtures("allowed")
def test_the_same_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links, bounds, statuses, parameters, records, notes, scenarios and certificates."""
    people, release = mixed_files()
    made: list[int] = []

    def counted(tasks: Any, hear: Any, *, at_once: int) -> list[int]:
        made.append(len(tasks))
        return copies.work_side_by_side(tasks, hear, at_once=at_once)

    monkeypatch.setattr(strands, "work_side_by_side", counted)
    together = run(tmp_path, people, release, threads=2)
    assert made == [12]
    assert run(tmp_path, people, release, threads=1) == together
    assert made == [12]
    assert len(together["proofs"]) == 9


@pytest.mark.usefixtures("allowed")
def test_what_is_lost_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no copy can be made, or all are ended by others, nothing is missing."""
    people, release = mixed_files()
    monkeypatch.setattr(strands, "work_side_by_side", lambda tasks, *_, **__: list(range(len(tasks))))
    found = linkrisk.assess(people, release, attackers=["mean", "owa"], threads=2)
    assert len(found.attacks) == 7


def attacks(names: list[str], scales: list[Scale]) -> Attacks:
    """Return attacks on a mixed file, none of them made."""
    people, release = mixed_files()
    files = pair_files(people, release.data)
    comparisons = {scale: make_comparison(files, scale) for scale in scales}
    return Attacks([make_attacker(name) for name in names], comparisons, AttackPlan(), files)


def test_who_starts_from_whom_stays_together() -> None:
    """Families that contain each other, on one scale, and on scales that differ by factors."""
    parts = attacks(["owa", "mean", "weighted_mean", "choquet", "informed"], list(Scale)).strands()
    assert parts[0] == tuple(("mean", scale) for scale in Scale)
    assert parts[-1] == (("informed", None),)
    families = ["owa", "weighted_mean", "choquet"]
    learned = [set(part) for part in parts if part[0][0] in families]
    assert {(name, Scale.RANKS) for name in families} in learned
    assert all({name for name, _ in part} == {*families} for part in learned)
    assert sum(map(len, learned)) == 3 * len(Scale)


def test_a_start_that_was_missing_is_not_missed() -> None:
    """Who learned on another scale to look at categories alone hands that on: the other attack is made here."""
    scales = [Scale.SEPARATE, Scale.RANKS]
    run = attacks(["weighted_mean"], scales)
    places = [("weighted_mean", scale) for scale in scales]
    for theta, is_kept in (([0.3, 0.3, 0.3, 0.1], True), ([0.0, 0.0, 0.0, 1.0], False)):
        for place, made in list(run.made_in_turn(places)):
            assert made.learned is not None
            run.take(place, replace(made, learned=replace(made.learned, theta=np.array(theta))))
        run.check_taken()
        assert [(scale, "weighted_mean") in run._taken for scale in scales] == [True, is_kept]


def test_an_interrupt_loses_nothing_that_was_made_elsewhere() -> None:
    """Also what comes after somebody who was still at work: it is handed on before the run ends."""
    run, elsewhere = (attacks(["mean", "owa", "weighted_mean"], [Scale.SEPARATE]) for _ in range(2))
    for place, made in elsewhere.made_in_turn([("weighted_mean", Scale.SEPARATE)]):
        run.take(place, made)
    found: list[str] = []
    with interrupt.listening():
        with interrupt.deferred():
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            found.extend(attack.result.label for attack in run.run())
        interrupt.handled()
    assert found == ["weighted_mean"]
    assert [result.label for result in run.results] == ["weighted_mean"]


def test_the_first_breaker_in_order_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is heard of first: strands before him are awaited."""
    monkeypatch.setattr(copies._Allowed, "is_allowed", True)
    for _ in range(3):
        breakers = []
        for threads in (2, 3):
            run = attacks(["mean", "kernel", "median"], [Scale.SEPARATE, Scale.RANKS])
            run.plan = replace(run.plan, threads=threads)
            strands.make_until_enough(run, threads, 0.01)
            (found,) = run.run(0.01)
            breakers.append((found.result.label, found.result.scale))
            assert run.is_partial
        assert breakers == [("median", "separate")] * 2


def test_nothing_is_copied_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a notebook, and for large files, attacks are made where they are asked for."""

    def refuse(*_: Any, **__: Any) -> list[int]:
        raise AssertionError

    monkeypatch.setattr(strands, "work_side_by_side", refuse)
    run = attacks(["mean", "owa"], [Scale.RANKS])
    make_side_by_side([run], 2)
    monkeypatch.setattr(copies._Allowed, "is_allowed", True)
    make_side_by_side([run], 1)
    monkeypatch.setattr(strands, "MAX_RECORDS", 59)
    make_side_by_side([run], 2)
