"""Boxes and covers take turns: neither gets stuck, and what is proven does not depend on whose turn it was."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from linkrisk.data import pair_files
from linkrisk.datasets import census_like
from linkrisk.differences import Comparison, make_comparison
from linkrisk.learning import learn as learning
from linkrisk.learning.boxes.search import BoxSearch
from linkrisk.learning.compiling import compile_learning
from linkrisk.learning.cover.search import CoverResult
from linkrisk.learning.learn import learn
from linkrisk.learning.search import Clock, Status
from linkrisk.protection.protect import protect
from linkrisk.verifier import check_certificate
from tests.learning.families import FAMILIES, noisy
from tests.learning.instances import draw_cloud
from tests.verifier.test_learned import certificate_of

NUMBERS = ("AGI", "FEDTAX", "PTOTVAL")


def with_region(n_records: int, noise: int, *, scale: str = "separate", changed: float = 0.0) -> Comparison:
    """Numbers with noise beside a category, which is left as it was but for a share of the records."""
    people = census_like(n_records, seed=3)[list(NUMBERS)]
    random = np.random.default_rng(1)
    people["region"] = random.choice(["north", "south", "west"], n_records)
    plan = f"{','.join(NUMBERS)}: noise p={noise}; region: leave"
    release = protect(people, plan=plan, secret_seed=1).data
    is_changed = random.random(n_records) < changed
    release.loc[is_changed, "region"] = random.choice(["north", "south", "west"], int(is_changed.sum()))
    return make_comparison(pair_files(people, release), scale)


@pytest.mark.parametrize("changed", [0.0, 0.1])
def test_boxes_that_get_stuck_hand_over(changed: float) -> None:
    """With all weight on a category that changed for a few, boxes never end; covers prove the optimum, and show it."""
    compile_learning(FAMILIES["weighted_mean"])
    learn(FAMILIES["weighted_mean"], with_region(30, 20, changed=changed))  # what compares categories is loaded, too
    comparison = with_region(60, 20, changed=changed)
    before = time.process_time()
    learned = learn(FAMILIES["weighted_mean"], comparison, time_limit=30.0, threads=1)
    assert time.process_time() - before < 2.0  # a third of a second on a machine with nothing else to do
    assert learned.status is Status.OPTIMAL
    assert learned.links == learned.bound
    certificate = certificate_of(learned)
    assert certificate["status"] == "optimal"
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    assert verdict.bound == learned.links


@pytest.mark.slow
@pytest.mark.parametrize("name", ["weighted_mean", "weighted_mean_metric", "owa"])
@pytest.mark.parametrize("seed", range(6))
def test_turns_change_nothing(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many short turns, covers alone and boxes alone link the same with the same bound, on any number of threads."""
    random = np.random.default_rng(seed)
    comparison = noisy(seed, int(random.integers(30, 60)), int(random.integers(2, 5)), float(random.uniform(0.3, 1.5)))
    family, found = FAMILIES[name], []
    for first, budget, more_cores, n_parameters, threads in (
        (100, 100_000_000, 4.0, 8, 1),  # as it is
        (0, 1, 1.1, 8, 1),  # short turns
        (0, 1, 1.1, 8, 2),
        (0, math.inf, 4.0, 8, 1),  # boxes alone
        (0, 1, 4.0, 0, 1),  # covers alone
    ):
        monkeypatch.setattr(learning, "LEAST_CORES", first)
        monkeypatch.setattr(learning, "CORES_FIRST", 0.5 if first else 0.0)
        monkeypatch.setattr(learning, "BOX_BUDGET", budget)
        monkeypatch.setattr(learning, "MORE_CORES", more_cores)
        monkeypatch.setattr(learning, "MAX_BOX_PARAMETERS", n_parameters)
        learned = learn(family, comparison, time_limit=60.0, threads=threads)
        assert learned.status is Status.OPTIMAL
        assert check_certificate(certificate_of(learned), comparison)
        found.append((learned.links, learned.bound, learned.theta.tolist()))
    assert len({(links, bound) for links, bound, _ in found}) == 1
    assert found[1] == found[2]


@pytest.mark.parametrize("limit", [0.5, 1.5])
def test_a_limit_is_kept_where_nothing_ends(limit: float) -> None:
    """Many rows are looked at again to settle a small box: lanes look at the clock in time all the same."""
    family, comparison = FAMILIES["weighted_mean"], with_region(400, 20, changed=0.1)
    compile_learning(family)
    learn(family, with_region(40, 20, changed=0.1))  # what compares categories is loaded, too
    before = time.process_time()
    learned = learn(family, comparison, time_limit=limit, threads=1)
    assert time.process_time() - before < 1.5 * limit + 0.3  # it took nearly five times as long
    assert learned.status is Status.TIME_LIMIT
    assert learned.links < learned.bound
    verdict = check_certificate(certificate_of(learned), comparison)
    assert verdict, verdict


def test_the_proof_is_that_of_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where boxes have no time to prove anything, the bound is that of the cores, and so is the proof."""
    monkeypatch.setattr(learning, "BOX_BUDGET", 1)
    learned = learn(FAMILIES["weighted_mean"], with_region(60, 20, changed=0.1), time_limit=30.0)
    assert isinstance(learned.proof, CoverResult)
    assert learned.problem.worths.value(learned.proof.bound) == learned.bound == learned.links


def test_a_search_of_boxes_goes_on() -> None:
    """A search with a budget that is raised again and again ends as one without."""
    rows = draw_cloud(5, 300, 5, 0.4)
    settings = {"incumbent_theta": np.ones(5), "incumbent_links": 0.0, "clock": Clock()}
    whole = BoxSearch(rows, **settings).run(1)  # type: ignore[arg-type]
    search, turns, budget = BoxSearch(rows, **settings), 1, 1  # type: ignore[arg-type]
    while not (result := search.run(1, budget=budget)).is_over:
        assert result.status is Status.UNSETTLED
        assert result.links <= whole.links <= result.bound
        assert search.spent >= budget
        turns, budget = turns + 1, search.spent + 1
    assert turns > 2
    assert (result.links, result.bound, result.status) == (whole.links, whole.bound, Status.OPTIMAL)


def test_a_search_of_boxes_takes_what_is_offered() -> None:
    """What links less is left alone; what links enough ends the search; what links all that can be proves it."""
    rows = draw_cloud(5, 120, 4, 0.6)
    settings = {"incumbent_theta": np.ones(4), "incumbent_links": 0.0, "clock": Clock()}
    whole = BoxSearch(rows, **settings).run(1)  # type: ignore[arg-type]
    search = BoxSearch(rows, **settings)  # type: ignore[arg-type]
    search.offer(3.0 * whole.theta)
    assert search.links == whole.links
    search.offer(np.ones(4))
    assert search.theta.tolist() == whole.theta.tolist()
    result = search.run(1, enough=whole.links)
    assert (result.boxes, result.status, result.is_over) == (0, Status.UNSETTLED, False)
    assert search.run(1).status is Status.OPTIMAL


def test_a_search_of_covers_with_enough_links_ends() -> None:
    """Who knows that no more can be linked says so, and the search goes on from there when it is asked to."""
    comparison = noisy(5, 60, 4, 1.5)
    best = learn(FAMILIES["weighted_mean"], comparison)
    learner = learning._Learner(best.problem, Clock(), 0, None)
    search = learner._make_search()
    search.offer(best.theta)
    search.enough = search.best
    assert search.run().status is Status.UNSETTLED
    search.enough, search.max_rounds = math.inf, 1
    assert search.run().status is Status.UNSETTLED
    search.max_rounds = math.inf
    assert search.run().status is Status.OPTIMAL
