"""How far a job is: the course of a search is thinned, never turned back, and its ends are those told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from linkrisk.web.work.progress import MOST_POINTS, Course, Progress

moments = st.lists(
    st.tuples(st.floats(0.001, 5.0), st.floats(0, 100), st.none() | st.floats(0, 100)), min_size=1, max_size=900
)


@given(moments)
def test_a_course_goes_one_way_and_keeps_its_ends(steps: list[tuple[float, float, float | None]]) -> None:
    """Best and bound are the extremes of all that was told until then; the first and last moment are always there."""
    course, now, told = Course(), 0.0, []
    for passed, best, bound in steps:
        now += passed
        course.add(now, best, bound)
        told.append((now, best, bound))
    points = course.points
    assert len(points) <= MOST_POINTS
    assert (points[0][0], points[-1][0]) == (told[0][0], told[-1][0])
    known = {moment: place for place, (moment, _, _) in enumerate(told)}
    for moment, best, bound in points:
        until = told[: known[moment] + 1]
        assert best == max(each for _, each, _ in until)
        assert bound == min((each for _, _, each in until if each is not None), default=None)
    assert [moment for moment, _, _ in points] == sorted(moment for moment, _, _ in points)


def test_a_clock_that_begins_anew_is_another_search() -> None:
    """What was found of other people is forgotten."""
    course = Course()
    course.add(1.0, 50.0, 60.0)
    course.add(0.2, 20.0, 30.0)
    assert course.points == [(0.2, 20.0, 30.0)]


def test_steps_are_counted_and_kept() -> None:
    """What is told of a step is put away when the next one begins."""
    progress = Progress()
    progress.hear({"say": "expect", "limits": [0.0, None, 2.0]})
    progress.hear({"say": "step", "label": "mean"})
    progress.hear({"say": "share", "share": 0.5})
    assert (progress.plain()["step"], progress.plain()["steps"], progress.plain()["share"]) == (1, 3, 0.5)
    progress.hear({"say": "step", "label": "owa"})
    progress.hear({"say": "search", "seconds": 0.1, "best": 3.0, "bound": None})
    progress.hear({"say": "step", "label": "attributes"})
    told = progress.plain()
    assert [(step["label"], step["best"]) for step in told["done"]] == [("mean", None), ("owa", 3.0)]
    assert (told["searched"], told["course"]) == ("owa", [(0.1, 3.0, None)])  # shown until another search begins
    assert told["label"] == "attributes"
    progress.hear({"say": "search", "seconds": 0.3, "best": 2.0, "bound": 5.0})
    assert (progress.plain()["searched"], progress.plain()["course"]) == ("attributes", [(0.3, 2.0, 5.0)])
    progress.hear({"say": "aside", "label": "writing the report"})
    assert progress.plain()["label"] == "writing the report"
    assert progress.plain()["step"] == 3
