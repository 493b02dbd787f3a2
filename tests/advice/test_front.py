"""Dominance and the map."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.advice.front import dominates, undominated
from linkrisk.report.risk_loss_map import HEIGHT, risk_loss_map

POINTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12)


@pytest.mark.slow
@given(POINTS)
def test_every_point_is_on_the_front_or_beaten_by_one_that_is(points: list[tuple[int, int]]) -> None:
    """Nothing on the front is beaten; everything else is beaten by something on it."""
    front = undominated(points)
    assert front
    for place, point in enumerate(points):
        is_beaten = any(dominates(points[other], point) for other in front)
        assert is_beaten != (place in front)


@given(POINTS)
def test_the_order_of_the_points_does_not_matter(points: list[tuple[int, int]]) -> None:
    """The same points in reverse have the same front."""
    front = sorted(points[place] for place in undominated(points))
    backwards = points[::-1]
    assert front == sorted(backwards[place] for place in undominated(backwards))


def test_the_map_puts_marks_where_they_belong() -> None:
    """Loss to the right, risk upwards, the target as a line."""
    lines = risk_loss_map([(0.0, 100.0), (100.0, 0.0)], "AB", target=50.0)
    assert lines[0] == "risk %"
    assert lines[1].endswith("|A")
    assert lines[HEIGHT].endswith(" B")
    assert sum(line.count("---") > 0 for line in lines[1 : HEIGHT + 1]) == 1
    assert risk_loss_map([], "AB") == []
