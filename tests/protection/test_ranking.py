"""Individual ranking and projections: against twins, by hand, and their promises."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import individual_ranking, principal_components, z_scores
from linkrisk.protection.microaggregation.clusters import MicroaggregatedGroup
from tests.oracle.ranking import group_means, ranking_groups
from tests.protection.declared import numeric_array

VALUES = arrays.arrays(np.float64, st.integers(4, 40), elements=st.integers(0, 9).map(float))


@pytest.mark.slow
@given(VALUES, st.data())
@settings(max_examples=100, deadline=None)
def test_groups_and_means_are_those_of_the_twin(values: NDArray[np.float64], data: st.DataObject) -> None:
    """Ties by file order; the mean is kept."""
    k = data.draw(st.integers(2, len(values) // 2))
    protection = individual_ranking(values[:, None], k, continuous=True, schema=numeric_array(1))
    protected = protection.data[:, 0]
    np.testing.assert_allclose(protected, group_means(values.tolist(), ranking_groups(values.tolist(), k)), rtol=1e-15)
    assert protected.mean() == pytest.approx(values.mean())
    (detail,) = protection.details
    assert isinstance(detail, MicroaggregatedGroup)
    assert k <= detail.smallest <= detail.largest < 2 * k


def test_five_records_with_ties_by_hand() -> None:
    """Values 5, 1, 5, 1, 1 in order 1, 1 | 1, 5, 5: the third 1 of the file goes up to the fives."""
    assert individual_ranking(np.array([[5], [1], [5], [1], [1]]), 2, continuous=True).data[:, 0].round(3).tolist() == [
        3.667, 1, 3.667, 1, 3.667,
    ]  # fmt: skip


def test_k_for_each_attribute_and_missing_values() -> None:
    """Each column has its own k; missing values stay and are not counted."""
    frame = pd.DataFrame({"a": [1.0, None, 3, 2, 4, 9], "b": [6, 5, 4, 3, 2, 1]})
    protected = individual_ranking(frame, {"a": 2, "b": 3}, continuous=True).data
    np.testing.assert_array_equal(protected["a"], [1.5, np.nan, 16 / 3, 1.5, 16 / 3, 16 / 3])
    assert protected["b"].tolist() == [5, 5, 5, 2, 2, 2]
    with pytest.raises(ParameterError, match="with 5 records it must be from 2 to 2"):
        individual_ranking(frame, 3)


def test_z_scores_by_hand() -> None:
    """Sums of z-values sort the records; a constant attribute plays no part."""
    frame = pd.DataFrame({"a": [1.0, 5, 3, 4, 2], "b": [50.0, 10, 40, 20, 30], "c": [7.0] * 5})
    z = (frame[["a", "b"]] - frame[["a", "b"]].mean()) / frame[["a", "b"]].std()
    order = np.argsort(z.sum(axis=1).to_numpy(), kind="stable")
    protected = z_scores(frame, [["a", "b", "c"]], 2, continuous=True).data
    for group in (order[:2], order[2:]):
        np.testing.assert_allclose(protected.iloc[group], [frame.iloc[group].mean()] * len(group))


@given(st.integers(0, 2**32), st.integers(2, 8))
@settings(max_examples=30, deadline=None)
def test_principal_component_is_that_of_the_singular_values(seed: int, k: int) -> None:
    """The order along the first right singular vector of the z-values, up to its direction."""
    values = np.random.default_rng(seed).normal(size=(40, 3)) @ np.array([[3, 1, 0], [0, 1, 0], [0, 0, 0.5]])
    z = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    direction = np.linalg.svd(z)[2][0]
    direction *= np.sign(direction[np.abs(direction).argmax()])
    groups = ranking_groups((z @ direction).tolist(), k)
    protected = principal_components(values, [[0, 1, 2]], k).data
    for column in range(3):
        np.testing.assert_allclose(protected[:, column], group_means(values[:, column].tolist(), groups), rtol=1e-12)


def test_groups_of_attributes_have_their_own_k() -> None:
    """Group by group as if alone."""
    values = np.random.default_rng(3).normal(size=(30, 3))
    for method in (z_scores, principal_components):
        both = method(values, [[0, 2], [1]], [3, 5]).data
        np.testing.assert_array_equal(both[:, [0, 2]], method(values[:, [0, 2]], [[0, 1]], 3).data)
        np.testing.assert_array_equal(both[:, [1]], method(values[:, [1]], [[0]], 5).data)
        np.testing.assert_array_equal(both[:, [1]], individual_ranking(values[:, [1]], 5).data)


def test_bad_input() -> None:
    """Nominal attributes have no order; projections pass over missing values, and over no column."""
    frame = pd.DataFrame({"a": [1.0, None, 3, 4], "s": ["x", "y", "x", "y"]})
    with pytest.raises(ColumnError, match="'s' is not numeric, date or ordinal but nominal"):
        individual_ranking(frame, 2)
    for method in (z_scores, principal_components):
        assert method(frame, [["a"]], 2, leave=["s"]).data["a"].isna().tolist() == [False, True, False, False]
        with pytest.raises(ParameterError, match="nothing is said about s"):
            method(frame, [["a"]], 2)
