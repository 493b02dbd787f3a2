"""Searches end: by themselves where there are few records, and when their time is over."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.data import pair_files
from linkrisk.differences import Scale, make_comparison
from linkrisk.learning import learn as learning
from linkrisk.learning.counting import Counter
from linkrisk.learning.cover.feasibility import Feasibility
from linkrisk.learning.learn import learn
from linkrisk.learning.problem.problem import make_problem
from linkrisk.learning.proof.margins import Margins
from linkrisk.learning.search import Clock, Progression, Status
from tests.learning.families import FAMILIES, noisy

LATE = 2.0
"""Seconds a search may take beyond its limit on a busy machine; without a limit these take far longer."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["weighted_mean", "owa"])
def test_few_records_with_a_margin_come_to_an_end(name: str) -> None:
    """Whole numbers that meet the margin exactly: boxes around such points never settle, covers do."""
    for seed in range(12):
        random = np.random.default_rng(seed)
        original = random.integers(-4, 5, (12, 4)).astype(float)
        protected = original + random.integers(-1, 2, original.shape)
        learned = learn(FAMILIES[name], make_comparison(pair_files(original, protected)), ties="class", margin=0.75)
        assert learned.status is Status.OPTIMAL
        assert learned.seconds < 20.0


@pytest.mark.slow
def test_boxes_that_stay_unsettled_hand_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where boxes are searched, the answer is that of covers alone."""
    links = []
    for few in (24, 0):
        monkeypatch.setattr(learning, "FEW_RECORDS", few)
        monkeypatch.setattr(learning, "LEAST_CORES", 100 if few else 0)
        monkeypatch.setattr(learning, "CORES_FIRST", 0.5 if few else 0)
        for seed in range(8):
            random = np.random.default_rng(seed)
            original = random.integers(-4, 5, (10, 3)).astype(float)
            protected = original + random.integers(-1, 2, original.shape)
            comparison = make_comparison(pair_files(original, protected))
            learned = learn(FAMILIES["weighted_mean"], comparison, ties="class", margin=0.75, time_limit=20.0)
            assert learned.status is Status.OPTIMAL
            links.append(learned.links)
    assert links[:8] == links[8:]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FAMILIES))
@pytest.mark.parametrize("limit", [0.0, 0.1])
def test_a_limit_is_kept(name: str, limit: float) -> None:
    """Comparing, searching, checking and counting all end with the time; what is said still holds."""
    comparison = noisy(5, 400, 6, 1.2)
    learn(FAMILIES[name], noisy(5, 12, 6, 1.2))  # compiled
    learned = learn(FAMILIES[name], comparison, time_limit=limit)
    assert learned.seconds < 1.1 * limit + 0.5 + LATE
    assert 0.0 <= learned.links <= learned.bound <= 400.0
    assert learned.links == learned.is_linked.sum()


def test_a_search_with_enough_cores_and_no_time_says_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """More time would help: that the stage also had as many cores as it wanted does not matter."""
    clock = Clock()
    learner = learning._Learner(make_problem(FAMILIES["choquet"], noisy(5, 60, 4, 1.5)), clock, 0, None)
    search = learner._make_search()
    search.max_cores = 0
    assert search.run().status is Status.UNSETTLED
    make = search._checking_clock

    def make_when_time_is_up() -> Clock:
        clock.limit = 0.0
        return make()

    monkeypatch.setattr(search, "_checking_clock", make_when_time_is_up)
    assert search.run().status is Status.TIME_LIMIT


def test_no_time_to_compare_leaves_a_bound() -> None:
    """Records that nobody looked at count as linkable, and twins of those linked are counted all the same."""
    original = np.repeat(np.arange(40.0), 2)[:, None]
    comparison = make_comparison(pair_files(original, original + 0.01))
    stopped = learn(FAMILIES["weighted_mean"], comparison, ties="expected", time_limit=0.0)
    done = learn(FAMILIES["weighted_mean"], comparison, ties="expected")
    assert stopped.problem.n_unseen == 80
    assert (stopped.status, stopped.bound) == (Status.TIME_LIMIT, 80.0)
    assert stopped.links == done.links == 40.0


@given(st.integers(0, 2**32 - 1), st.sampled_from(["weighted_mean", "owa"]))
def test_twins_are_those_a_linkage_counts(seed: int, name: str) -> None:
    """Without time their number is taken from the linkage; it is that of comparing each record with all."""
    random = np.random.default_rng(seed)
    original = random.integers(0, 3, (30, 3)).astype(float)
    protected = original + random.integers(0, 2, original.shape)
    comparison = make_comparison(pair_files(original, protected), Scale.ORIGINAL)
    stopped = learn(FAMILIES[name], comparison, ties="expected", time_limit=0.0)
    feasibility = Feasibility(stopped.problem.source, stopped.problem.parameters, is_nonnegative=True)
    counter = Counter(stopped.problem, feasibility, Margins(stopped.problem), None)
    counted = counter.count(stopped.theta)
    assert counted is not None
    assert counted.linkage is not None
    assert counted.links == counter._worth(counted.linked)
    assert float(stopped.problem.worths.value(counted.links)) == stopped.links


class _Told(Clock):
    """A clock that stands where it is put."""

    now = 0.0

    @property
    def seconds(self) -> float:
        """Where it was put."""
        return self.now


@pytest.mark.parametrize(
    ("seconds", "foresees", "expected"), [(0.5, True, True), (0.1, True, False), (0.5, False, False)]
)
def test_work_in_vain_is_given_up(seconds: float, foresees: bool, expected: bool) -> None:
    """A hundredth in half a second is fifty seconds in all; the first parts, which load and compile, do not count."""
    clock = _Told(limit=9.0, foresees=foresees)
    progression = Progression(clock, 1_000)
    assert not progression.is_in_vain(1)
    clock.now = 5.0
    assert not progression.is_in_vain(8)
    clock.now = 5.0 + seconds
    assert progression.is_in_vain(18) is expected


def test_who_foresees_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no time to look at all people, links and parameters are those of the best start either way."""
    comparison = noisy(5, 400, 6, 1.2)
    monkeypatch.setattr(Progression, "is_in_vain", lambda self, n_done: self.clock.foresees and n_done > 10)
    quick = learn(FAMILIES["weighted_mean"], comparison, time_limit=60.0, foresees=True)
    late = learn(FAMILIES["weighted_mean"], comparison, time_limit=0.0)
    assert quick.problem.n_unseen > 0
    assert (quick.links, quick.theta.tolist(), quick.status) == (late.links, late.theta.tolist(), late.status)
    assert quick.links <= quick.bound <= late.bound
