"""Numbers on the bars of histograms: those there is room for."""

from __future__ import annotations

import itertools

from linkrisk.report.charts.bins import Bin, Bins
from linkrisk.report.charts.histogram import draw_bins


def numbers_on(*people: int | None) -> list[str]:
    """Return the numbers of a chart with these people in its bins, from the left."""
    edges = [place / len(people) for place in range(len(people) + 1)]
    pairs = zip(itertools.pairwise(edges), people, strict=True)
    bins = Bins(tuple(Bin(low, high, number) for (low, high), number in pairs))
    chart = draw_bins(bins, "title", "what").to_dict()
    (layer,) = (layer for layer in chart["layer"] if layer["mark"].get("baseline") == "bottom")
    rows = chart["datasets"][layer["data"]["name"]]
    return [row["said"] for row in sorted(rows, key=lambda row: row["low"])]


def test_numbers_of_wide_bars_are_all_there() -> None:
    """With commas, and 0 left out."""
    assert numbers_on(1_000, 30_000, 29_999, 0, 5) == ["1,000", "30,000", "29,999", "5"]


def test_of_numbers_that_would_lie_on_one_another_the_highest_is_there() -> None:
    """The others are in the table."""
    assert numbers_on(*[0] * 10, 12_000, 12_100, 12_200, *[0] * 10) == ["12,200"]


def test_a_number_does_not_lie_on_a_higher_bar() -> None:
    """Here its text is wider than its bar."""
    assert numbers_on(*[0] * 10, 30_000, 10_000, 29_000, *[0] * 10) == ["30,000", "29,000"]


def test_a_number_does_not_lie_on_what_is_hidden() -> None:
    """The narrow one fits on its own bar."""
    assert numbers_on(*[None] * 10, 10_000, 11, *[None] * 10) == ["11"]
