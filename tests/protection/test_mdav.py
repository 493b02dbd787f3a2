"""MDAV against its exact twin, its promises, and its bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import mdav_groups, microaggregate
from linkrisk.protection.microaggregation.clusters import MicroaggregatedGroup
from tests.census import needs_census, read_census
from tests.oracle.mdav import cluster_means, mdav
from tests.protection.declared import numeric_array

# Files of abril2012-choquet.txt, section 4: groups of the first attributes, and a k for each.
PAPER_FILES = {
    "M4-33": ([[0, 1], [2, 3]], [3, 3]),
    "M4-28": ([[0, 1], [2, 3]], [2, 8]),
    "M5-38": ([[0, 1, 2], [3, 4]], [3, 8]),
    "M7-999": ([[0, 1, 2], [3, 4, 5], [6]], [3, 3, 3]),
}


@st.composite
def files_with_ties(draw: st.DrawFn) -> tuple[NDArray[np.float64], int]:
    """Draw small whole numbers, so that ties and duplicates abound, and a k that fits."""
    n_records = draw(st.integers(4, 40))
    n_attributes = draw(st.integers(1, 3))
    largest = draw(st.integers(0, 6))
    values = draw(arrays.arrays(np.float64, (n_records, n_attributes), elements=st.integers(0, largest).map(float)))
    return values, draw(st.integers(2, n_records // 2))


def told(values: NDArray[np.float64]) -> dict[str, Any]:
    """Return a schema that says that few whole numbers are no codes."""
    return numeric_array(values.shape[1])


@pytest.mark.slow
@given(files_with_ties())
@settings(max_examples=200, deadline=None)
def test_clusters_are_those_of_the_exact_twin(file: tuple[NDArray[np.float64], int]) -> None:
    """Same clusters, ties and all, and the same means rounded once."""
    values, k = file
    labels = mdav_groups(values, k)
    assert labels.tolist() == mdav(values.tolist(), k)
    protection = microaggregate(
        values, [list(range(values.shape[1]))], k, raw=True, continuous=True, schema=told(values)
    )
    np.testing.assert_allclose(protection.data, cluster_means(values.tolist(), labels.tolist()), rtol=1e-15)


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(2, 9))
@settings(max_examples=20, deadline=None)
def test_clusters_of_real_numbers_are_those_of_the_exact_twin(seed: int, k: int) -> None:
    """Skewed numbers without ties (rounding may settle a tie about the mean of fractions)."""
    values = np.random.default_rng(seed).lognormal(size=(60, 3))
    assert mdav_groups(values, k).tolist() == mdav(values.tolist(), k)


@given(files_with_ties(), st.booleans())
@settings(max_examples=50, deadline=None)
def test_promises(file: tuple[NDArray[np.float64], int], standardise: bool) -> None:
    """Clusters of k to 2k - 1 records, means kept, SSE/SST a share."""
    values, k = file
    sizes = np.bincount(mdav_groups(values, k))
    assert k <= sizes.min() <= sizes.max() <= 2 * k - 1
    protection = microaggregate(
        values, [list(range(values.shape[1]))], k, raw=not standardise, continuous=True, schema=told(values)
    )
    np.testing.assert_allclose(protection.data.mean(axis=0), values.mean(axis=0), rtol=1e-12, atol=1e-12)
    (detail,) = protection.details
    assert isinstance(detail, MicroaggregatedGroup)
    assert 0 <= detail.sse_over_sst <= 1 + 1e-12
    combinations, counts = np.unique(protection.data, axis=0, return_counts=True)
    assert counts.min() >= k
    assert len(combinations) <= detail.n_clusters


@given(files_with_ties(), st.integers(-1000, 1000))
@settings(max_examples=50, deadline=None)
def test_powers_of_two_and_order_of_columns_change_nothing(
    file: tuple[NDArray[np.float64], int], exponent: int
) -> None:
    """Scaling by a power of two, even to the ends of float64, or permuting columns keeps the clusters."""
    values, k = file
    labels = mdav_groups(values, k).tolist()
    assert mdav_groups(np.ldexp(values, exponent), k).tolist() == labels
    assert mdav_groups(values[:, ::-1], k).tolist() == labels


def test_worked_example() -> None:
    """The example of the twin's docstring: ties for farthest and for nearest go by file order."""
    assert mdav_groups([[0], [8], [2], [6], [4], [4], [0], [8]], 2).tolist() == [0, 1, 2, 3, 2, 3, 0, 1]


def test_sse_over_sst_by_hand() -> None:
    """Values 1, 3 | 9, 7 | 5, 5 about 2, 8, 5: SSE 4; about 5: SST 40."""
    protection = microaggregate(np.array([[1], [9], [3], [7], [5], [5]]), [[0]], 2, raw=True)
    (detail,) = protection.details
    assert isinstance(detail, MicroaggregatedGroup)
    assert detail.sse_over_sst == pytest.approx(0.1)
    assert (detail.n_clusters, detail.smallest, detail.largest) == (3, 2, 2)


def test_groups_are_protected_on_their_own() -> None:
    """Each group has its own k and clusters, and does not see the other columns."""
    values = np.random.default_rng(1).normal(size=(50, 4))
    both = microaggregate(values, [[2, 0], [3]], [3, 8], leave=[1], raw=True).data
    np.testing.assert_array_equal(both[:, [2, 0]], microaggregate(values[:, [2, 0]], [[0, 1]], 3, raw=True).data)
    np.testing.assert_array_equal(both[:, [3]], microaggregate(values[:, [3]], [[0]], 8, raw=True).data)
    np.testing.assert_array_equal(both[:, 1], values[:, 1])


def test_standardising_frees_the_clusters_from_units() -> None:
    """Raw clusters follow the large attribute; standardised ones do not change with its unit."""
    values = np.random.default_rng(2).normal(size=(40, 2))
    in_cents = values * [1024, 1]
    raw = microaggregate(in_cents, [[0, 1]], 4, raw=True).data
    assert np.abs(raw - microaggregate(values, [[0, 1]], 4, raw=True).data * [1024, 1]).max() > 0.1
    scaled = microaggregate(in_cents, [[0, 1]], 4).data
    np.testing.assert_allclose(scaled, microaggregate(values, [[0, 1]], 4).data * [1024, 1], rtol=1e-12)


def test_constant_attribute() -> None:
    """All records equal: nothing is lost, and standardising does not divide by zero."""
    protection = microaggregate(np.full((9, 1), 7.0), [[0]], 4)
    assert protection.data.tolist() == [[7.0]] * 9
    assert "SSE/SST 0.0000" in str(protection)


def test_original_is_untouched() -> None:
    """The caller's array is neither changed nor shared."""
    values = np.arange(8.0).reshape(-1, 1)
    microaggregate(values, [[0]], 2, raw=True)
    assert values[:, 0].tolist() == list(range(8))


@pytest.mark.parametrize("k", [1, 0, -3, 6, 2.0, True, "3", None])
def test_impossible_k_is_refused(k: int) -> None:
    """A whole number from 2 to half the records, nothing else."""
    with pytest.raises(ParameterError, match="k"):
        microaggregate(np.zeros((10, 1)), [[0]], k)
    with pytest.raises(ParameterError, match="k"):
        mdav_groups(np.zeros((10, 1)), k)


@pytest.mark.parametrize(
    ("groups", "k", "leave", "sentence"),
    [
        ([["a", "b"], ["b", "c"]], 2, [], "more than one group, or twice: b"),
        ([["a"]], 2, [], "nothing is said about b, c"),
        ([["a", "b"]], 2, ["b", "c"], "also named in leave: b"),
        (["a", "b", "c"], 2, [], "list of lists"),
        (3, 2, [], "list of lists"),
        ([["a", "b", "c"], []], 2, [], "at least one column"),
        ([], 2, ["a", "b", "c"], "at least one group"),
        ([["a"], ["b", "c"]], [2], [], "2 groups but 1 values of k"),
        ([["a", "b"]], 2, "c", "leave must be a list"),
        ([["a", "b"]], 2, 3, "leave must be a list"),
    ],
)
def test_impossible_groups_are_refused(groups: list[list[str]], k: int, leave: list[str], sentence: str) -> None:
    """Overlaps, columns left out and malformed groups are named."""
    data = pd.DataFrame({name: range(10) for name in "abc"})
    with pytest.raises(ParameterError, match=sentence):
        microaggregate(data, groups, k, leave=leave)


def test_too_few_records() -> None:
    """Three records cannot be microaggregated at all."""
    with pytest.raises(ParameterError, match="at least 4"):
        microaggregate(np.zeros((3, 1)), [[0]], 2)


def test_points_must_be_finite() -> None:
    """The clustering itself takes tables of finite numbers only."""
    for points in ([[1.0], [np.nan], [2.0], [3.0]], [1.0, 2.0, 3.0, 4.0], np.empty((4, 0))):
        with pytest.raises(ParameterError, match="finite numbers"):
            mdav_groups(points, 2)


def test_unknown_column_is_named() -> None:
    """In groups and in leave."""
    data = pd.DataFrame({"a": range(10)})
    with pytest.raises(ColumnError, match="'x'"):
        microaggregate(data, [["a", "x"]], 2)
    with pytest.raises(ColumnError, match="x"):
        microaggregate(data, [["a"]], 2, leave=["x"])


@pytest.mark.slow
@needs_census
@pytest.mark.parametrize("name", PAPER_FILES)
def test_files_of_the_papers(name: str) -> None:
    """The papers' files on raw values of 200 Census records: clusters of the exact twin for every group."""
    groups, sizes = PAPER_FILES[name]
    census = read_census().to_numpy()
    sample = census[np.random.default_rng(0).choice(len(census), 200, replace=False)]
    used = [column for group in groups for column in group]
    protected = microaggregate(sample[:, : len(used)], groups, sizes, raw=True, continuous=True).data
    for group, k in zip(groups, sizes, strict=True):
        labels = mdav_groups(sample[:, group], k).tolist()
        assert labels == mdav(sample[:, group].tolist(), k)
        np.testing.assert_allclose(protected[:, group], cluster_means(sample[:, group].tolist(), labels), rtol=1e-15)
