"""Learning never takes more memory than there is: the need is known before, and a sample is learned from if need be."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from linkrisk.attack.attack import make_attack
from linkrisk.attack.plan import AttackPlan
from linkrisk.attackers import DistanceStandardised, WeightedMean
from linkrisk.learning import learn as learning
from linkrisk.learning import memory
from linkrisk.learning.learn import learn
from linkrisk.learning.options import Learning
from linkrisk.learning.problem.problem import make_problem
from linkrisk.learning.problem.sources import ListedRows
from linkrisk.learning.search import Status
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties
from tests.learning.families import FAMILIES, noisy

LISTED = [name for name, family in FAMILIES.items() if not family.is_signed]


@pytest.mark.parametrize("name", LISTED)
def test_the_estimate_is_about_what_is_taken(name: str) -> None:
    """Bytes of the rows, as they are listed: at least 0.8 and at most 2.5 times what is said."""
    family, comparison = FAMILIES[name], noisy(1, 160, 5, 0.8)
    make_problem(family, noisy(1, 12, 5, 0.8))  # compiled
    tracemalloc.start()
    problem = make_problem(family, comparison, Ties.CLASS)
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    people = np.flatnonzero(comparison.coordinates.own >= 0)
    per_record = memory.rows_per_record(family, comparison, people, Ties.CLASS, family.tolerance)
    assert isinstance(problem.source, ListedRows)
    assert per_record * len(people) == pytest.approx(len(problem.source.lengths))
    said = per_record * len(people) * memory.row_bytes(family, 5)
    assert 0.8 * taken <= said <= 2.5 * taken


@pytest.mark.parametrize("name", ["weighted_mean", "owa", "choquet, additivity 2"])
def test_a_sample_is_learned_from_where_memory_is_short(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All people are counted, nothing is claimed to be proven, and a known attacker of the family is not lost."""
    comparison = noisy(2, 300, 3, 0.3)
    monkeypatch.setattr(memory, "available_memory", lambda: 20_000)
    learned = learn(FAMILIES[name], comparison, ties=Ties.UNIQUE, time_limit=0.3, threads=1)
    assert learned.status is Status.SAMPLED
    assert learned.sample is not None
    assert memory.LEAST_PEOPLE <= len(learned.sample.rows) < 300
    assert learned.links == nearest(learned.distance).links(Ties.UNIQUE) == learned.is_linked.sum()
    assert learned.bound == 300
    if name == "weighted_mean":
        given = DistanceStandardised().distance(comparison)
        assert learned.links >= nearest(given).links(Ties.UNIQUE)


def test_a_sample_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The note of the attack says how many, and why; its status says that nothing is proven."""
    monkeypatch.setattr(memory, "available_memory", lambda: 20_000)
    plan = AttackPlan(one_to_one=False, learning=Learning(time_limit=0.5), threads=1)
    result = make_attack(WeightedMean(), noisy(2, 300, 3, 0.3), plan).result
    assert result.status == "sampled"
    assert "weighted_mean: learned on a sample of" in result.notes[-1]
    assert "of 300 people" in result.notes[-1]


def test_boxes_are_left_out_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows fit, their copies for boxes do not: the answer is that of covers."""
    comparison = noisy(3, 60, 3, 0.5)
    usual = learn(FAMILIES["weighted_mean"], comparison, threads=1)
    monkeypatch.setattr(learning, "boxes_fit", lambda *_: False)
    monkeypatch.setattr(learning, "BoxSearch", None)
    assert learn(FAMILIES["weighted_mean"], comparison, threads=1).links == usual.links


def test_nothing_is_tried_where_all_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files, and forms, cost nothing before they are learned."""
    monkeypatch.setattr(memory, "rows_per_record", None)
    comparison = noisy(1, 150, 3, 0.5)
    for name in ("weighted_mean", "bilinear_psd"):
        family = FAMILIES[name]
        monkeypatch.setattr(memory, "available_memory", lambda: 1 << 33 if name == "weighted_mean" else 1)  # noqa: B023
        assert memory.sample_that_fits(family, comparison, Ties.UNIQUE, family.tolerance, 0) is None
