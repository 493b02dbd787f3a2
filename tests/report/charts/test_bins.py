"""What bins tell others: nothing of few people, and nothing by subtraction."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.report.charts.bins import Bins, even_edges
from linkrisk.report.few import SMALLEST
from tests.oracle.frequencies import told_counts

counts = st.lists(st.integers(0, 30), min_size=2, max_size=8)


def spread(numbers: list[int]) -> tuple[FloatArray, list[float]]:
    """Return figures of which so many are in each bin, and the edges."""
    edges = even_edges(0.0, len(numbers))
    middles = [(low + high) / 2 for low, high in itertools.pairwise(edges)]
    return np.repeat(middles, numbers), edges


@given(numbers=counts)
def test_no_few_people_are_told(numbers: list[int]) -> None:
    """docs/mathematics.md#suppressed-bins: neither shown nor left over, unless all are few; what is shown is so."""
    figures, edges = spread(numbers)
    found = Bins.of(figures, edges, smallest=SMALLEST)
    hidden = [each.people is None for each in found.bins]
    assert all(each.people in {None, number} for each, number in zip(found.bins, numbers, strict=True))
    assert found.hidden == sum(number for number, is_hidden in zip(numbers, hidden, strict=True) if is_hidden)
    if sum(numbers) >= SMALLEST:
        assert not any(0 < count < SMALLEST for count in told_counts(numbers, hidden))
    elif any(numbers):
        assert all(hidden)
    assert sum(hidden) != 1
    if not any(0 < number < SMALLEST for number in numbers):
        assert not any(hidden)


@given(low=counts, high=counts)
def test_either_side_of_a_known_number_is_hidden_by_itself(low: list[int], high: list[int]) -> None:
    """docs/mathematics.md#suppressed-bins: how many are above 0 is known, so each side has a total of its own."""
    width = min(len(low), len(high))
    low, high = low[:width], high[:width]
    edges = even_edges(-1.0, 2 * width)
    figures = np.repeat([(a + b) / 2 for a, b in itertools.pairwise(edges)], [*low, *high])
    found = Bins.of(figures, edges, smallest=SMALLEST, parted_at=0.0)
    for numbers, bins in ((low, found.bins[:width]), (high, found.bins[width:])):
        hidden = [number for number, each in zip(numbers, bins, strict=True) if each.people is None]
        assert len(hidden) != 1 or width == 1
        assert not hidden or sum(hidden) >= SMALLEST or len(hidden) == width


@given(numbers=counts, seed=st.integers(0, 9))
def test_who_is_who_changes_nothing(numbers: list[int], seed: int) -> None:
    """Bins are those of the figures in any order, and a figure that is not known is not counted."""
    figures, edges = spread(numbers)
    mixed = np.random.default_rng(seed).permutation(np.append(figures, np.nan))
    assert Bins.of(mixed, edges, smallest=SMALLEST) == Bins.of(figures, edges, smallest=SMALLEST)
    assert Bins.telling(mixed, [edges, [0.0, 1.0]]) == Bins.telling(figures, [edges, [0.0, 1.0]])


@given(numbers=counts)
def test_all_bins_are_told_to_the_owner(numbers: list[int]) -> None:
    """Without a smallest number nothing is hidden; the last bin holds its upper end."""
    figures, edges = spread(numbers)
    assert [each.people for each in Bins.of(figures, edges).bins] == numbers
    assert Bins.of(np.array([0.0, 1.0]), [0.0, 0.5, 1.0]).bins[1].people == 1


@given(numbers=counts)
def test_as_fine_as_tells_of_most(numbers: list[int]) -> None:
    """The first edges that hide at most half of the people; the last ones where none do."""
    figures, edges = spread(numbers)
    found = Bins.telling(figures, [edges, [0.0, 1.0]])
    fine = Bins.of(figures, edges, smallest=SMALLEST)
    assert (found == fine) is (2 * fine.hidden <= len(figures) or found.bins == fine.bins)
