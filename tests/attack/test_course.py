"""How a search closed in is kept: short, from its first word to its end, and in links."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkrisk
from linkrisk.attack.course import MOST_POINTS, Course, CoursePoint, thinned
from linkrisk.learning.search import State

finite = st.floats(0.0, 100.0)


def learned(seconds: float, links: float, bound: float) -> Any:
    """Return what a course needs to know of what was learned."""
    return SimpleNamespace(seconds=seconds, links=links, bound=bound)


@given(n_points=st.integers(1, 900), most=st.integers(2, 200))
def test_first_and_last_are_kept(n_points: int, most: int) -> None:
    """And no more than asked for, in order, none twice."""
    points = [CoursePoint(float(place), 0.0, None) for place in range(n_points)]
    kept = thinned(points, most)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert len(kept) == min(n_points, most)
    assert list(kept) == sorted(set(kept), key=lambda point: point.seconds)


@given(states=st.lists(st.tuples(finite, st.floats(0.0, math.inf)), max_size=30))
def test_the_best_only_grows_and_the_bound_only_falls(states: list[tuple[float, float]]) -> None:
    """Whichever engine tells; everything is handed on as it was told."""
    heard: list[State] = []
    course = Course(heard.append)
    told = [State(best, bound, seconds=float(place)) for place, (best, bound) in enumerate(states)]
    for state in told:
        course.watch(state)
    points = course.points
    assert heard == told
    assert [point.best for point in points] == [max(best for best, _ in states[: k + 1]) for k in range(len(states))]
    for k, point in enumerate(points):
        least = min(bound for _, bound in states[: k + 1])
        assert point.bound == (None if math.isinf(least) else least)


def test_a_long_search_stays_short() -> None:
    """It begins with what was told first, and ends with what was learned."""
    course = Course(lambda _: None)
    for place in range(10_000):
        course.watch(State(float(place), 1e5, seconds=place / 5.0))
        assert len(course.points) <= 2 * MOST_POINTS
    told = course.up_to(learned(5_000.0, 20_000.0, 20_000.0))
    assert len(told) == MOST_POINTS
    assert told[0] == CoursePoint(0.0, 0.0, 1e5)
    assert told[-1] == CoursePoint(5_000.0, 20_000.0, 20_000.0)


def test_an_attack_tells_its_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """In links of people, whatever a link is worth to the search: where records have twins that is a part of one."""
    monkeypatch.setattr("linkrisk.learning.search.Clock.INTERVAL", 0.0)
    random = np.random.default_rng(2)
    people = random.normal(size=(60, 3))
    released = np.repeat((people + random.normal(0.0, 0.7, people.shape))[::2], 2, axis=0)
    found = linkrisk.assess(people, released, attackers=["mean", "weighted_mean"], scales=["ranks"], threads=1)
    plain, learner = found.attacks
    assert plain.course == ()
    assert learner.course[-1].best == learner.links[found.ties]
    assert learner.course[-1].bound == learner.bound
    assert len(learner.course) > 2
    for point in learner.course:
        assert point.best <= learner.links[found.ties]
        assert point.bound is None or point.bound >= (learner.bound or 0.0)
    attacker = found.to_dict()["attackers"][1]
    assert attacker["course"][-1] == {
        "seconds": learner.seconds,
        "best": learner.links[found.ties],
        "bound": learner.bound,
    }
