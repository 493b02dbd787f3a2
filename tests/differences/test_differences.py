"""Differences of two values of every kind, with holes, and the bound for a box of values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.attackers import Mean
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.reading import Reading
from linkrisk.differences import make_comparison
from linkrisk.differences.coordinates import DifferenceRule
from linkrisk.differences.kernels import AttributeRules, largest_difference, least_difference
from linkrisk.differences.missing import missing_costs
from linkrisk.differences.rules import rules_for
from linkrisk.differences.text import text_differences
from linkrisk.errors import SettingsError
from linkrisk.linkage.points import make_points
from linkrisk.linkage.search import distances, with_metric
from tests.linkage.files import ORDER, WORDS, label_column, mixed_file_pairs, numeric_files, paired
from tests.linkage.twins import exact_differences
from tests.oracle.differences import DEFAULT_ONE, difference, jaro_winkler


@pytest.mark.slow
@given(mixed_file_pairs(), st.sampled_from(["separate", "original", "ranks"]))
@settings(max_examples=80, deadline=None)
def test_differences_are_those_of_the_twin(files: FilePair, scale: str) -> None:
    """d_k of every pair of records, one attribute at a time, missing rules included."""
    comparison = make_comparison(files, scale)
    slow = exact_differences(comparison, files)
    for k, name in enumerate(comparison.names):
        fast = distances(Mean().distance(comparison.select([name])))
        expected = [[float(slow(i, j)[k]) for j in range(files.n_protected)] for i in range(files.n_original)]
        np.testing.assert_allclose(fast, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.slow
@given(st.text("abcDÉ ", max_size=12), st.text("abcDÉ ", max_size=12))
@settings(max_examples=300, deadline=None)
def test_text_is_jaro_winkler_by_hand(x: str, y: str) -> None:
    """Letters, accents, blanks and empty strings; and both ways round the same."""
    assert text_differences([x], [y])[0, 0] == pytest.approx((1 - jaro_winkler(x, y)) ** 2, abs=1e-12)
    assert text_differences([x], [y])[0, 0] == pytest.approx(text_differences([y], [x])[0, 0], abs=1e-12)


def test_jaro_winkler_of_the_textbook() -> None:
    """Winkler's own examples (1990): 0.961, 0.840, 0.813."""
    pairs = [("MARTHA", "MARHTA"), ("DWAYNE", "DUANE"), ("DIXON", "DICKSONX")]
    for (x, y), similarity in zip(pairs, [0.9611, 0.8400, 0.8133], strict=True):
        assert jaro_winkler(x, y) == pytest.approx(similarity, abs=5e-5)
        assert 1 - math.sqrt(text_differences([x], [y])[0, 0]) == pytest.approx(similarity, abs=5e-5)


def test_inclusive_ordinals_count_both_ends() -> None:
    """abril2012-weights.txt, section 2.1: |{x <= c <= y}| over the number of categories."""
    assert difference("ordinal", "never", "never", order=ORDER, inclusive=True) == 1 / 4
    assert difference("ordinal", "often", "never", order=ORDER, inclusive=True) == 3 / 4
    column = label_column("o", Kind.ORDINAL, ["never", "often"], ["never", "always"], inclusive=True)
    assert distances(Mean().distance(make_comparison(paired([column])))).tolist() == [[0.25, 1.0], [0.75, 0.5]]


@pytest.mark.parametrize("kind", list(Kind))
def test_costs_of_missing_values_by_kind(kind: Kind) -> None:
    """Defaults as documented, and settable one by one; 0 is a setting too."""
    assert missing_costs(Attribute("x", kind)) == (DEFAULT_ONE[kind.value], 0.0)
    assert missing_costs(Attribute("x", kind, missing_one=0.0, missing_both=0.25)) == (0.0, 0.25)
    with pytest.raises(SettingsError, match=r"^missing_both of attribute 'x' must be 0, or a number from 1e-100"):
        missing_costs(Attribute("x", kind, missing_both=1e160))


def test_a_hole_costs_what_strangers_differ_by() -> None:
    """The rule behind the default costs: the mean d_k of unrelated records is 2 for numbers, 1/3 for ranks."""
    rng = np.random.default_rng(0)
    numbers = make_comparison(numeric_files(rng.normal(size=(500, 1)), rng.normal(size=(500, 1))))
    assert distances(Mean().distance(numbers)).mean() == pytest.approx(DEFAULT_ONE["numeric"], abs=0.02)
    order = tuple(f"{k:02d}" for k in range(50))
    labels = [np.array(rng.choice(order, 500), dtype=object) for _ in range(2)]
    column = ColumnPair(Attribute("o", Kind.ORDINAL, order=order), labels[0], labels[1])
    assert distances(Mean().distance(make_comparison(paired([column])))).mean() == pytest.approx(1 / 3, abs=0.02)


def test_vectors_fill_holes_with_the_mean_of_their_file() -> None:
    """Numbers and dates only; labels are left out."""
    files = numeric_files([[1.0, 0.0], [math.nan, 1.0], [5.0, 3.0]], [[math.nan, 0.0], [2.0, 2.0], [4.0, 2.0]])
    label = label_column("c", Kind.NOMINAL, ["a", "b", "a"], ["a", "b", "b"])
    comparison = make_comparison(paired([*files.columns, label]), "original")
    numeric, x, y = comparison.vectors()
    assert numeric.names == ("V1", "V2")
    for filled, holes in ((x, comparison.coordinates.original), (y, comparison.coordinates.protected)):
        for k in range(2):
            column = holes[:, k]
            np.testing.assert_allclose(filled[np.isnan(column), k], np.nanmean(column))
            np.testing.assert_array_equal(filled[~np.isnan(column), k], column[~np.isnan(column)])


numbers = st.one_of(st.integers(0, 5).map(float), st.just(math.nan))


@pytest.mark.slow
@given(
    numbers,
    st.lists(numbers, min_size=1, max_size=6),
    st.sampled_from([DifferenceRule.SQUARED, DifferenceRule.EQUAL, DifferenceRule.ORDERED, DifferenceRule.LOOKED_UP]),
    st.tuples(st.sampled_from([1.0, 6.0]), st.sampled_from([0.0, 1.0]), st.floats(0, 3), st.floats(0, 3)),
)
@settings(max_examples=200, deadline=None)
def test_least_difference_keeps_its_guarantee(
    x: float, box: list[float], rule: DifferenceRule, setting: tuple[float, float, float, float]
) -> None:
    """Never above d_k of x and a member of the box, nor the largest below; a text may be as near as 0 to any other."""
    divisor, offset, one, both = setting
    known = [y for y in box if not math.isnan(y)]
    holes = 0 if len(known) == len(box) else 1 if known else 2
    low, high = (min(known), max(known)) if known else (math.inf, -math.inf)
    costs = np.array([[divisor, offset, one, both]])
    rules = AttributeRules(np.array([int(rule)]), costs, np.zeros(0), np.zeros((1, 2), dtype=np.int64))
    bound = least_difference(x, low, high, holes, 0, rules)
    most = largest_difference(x, low, high, holes, 0, rules)
    for y in box:
        if math.isnan(x) or math.isnan(y):
            true = both if math.isnan(x) and math.isnan(y) else one
        elif rule is DifferenceRule.SQUARED:
            true = (x - y) ** 2
        elif rule is DifferenceRule.EQUAL:
            true = float(x != y)
        elif rule is DifferenceRule.ORDERED:
            true = (abs(x - y) + offset) / divisor
        else:
            true = 0.0
        assert bound <= true <= most


def test_nominal_and_text_of_different_vocabularies() -> None:
    """Categories that only one file has differ from all of the other's; strings are compared as strings."""
    nominal = label_column("c", Kind.NOMINAL, ["a", "b", None], ["z", "a", None])
    assert distances(Mean().distance(make_comparison(paired([nominal])))).tolist() == [[1, 0, 1], [1, 1, 1], [1, 1, 0]]
    text = label_column("t", Kind.TEXT, list(WORDS), list(reversed(WORDS)))
    fast = distances(Mean().distance(make_comparison(paired([text]))))
    expected = [[(1 - jaro_winkler(x, y)) ** 2 for y in reversed(WORDS)] for x in WORDS]
    np.testing.assert_allclose(fast, expected, atol=1e-12)


@pytest.mark.slow
@given(mixed_file_pairs())
@settings(max_examples=30, deadline=None)
def test_boxes_of_a_tree_hold_their_points(files: FilePair) -> None:
    """Every node's box covers the known values of its points and says rightly where holes are."""
    coordinates = make_comparison(files).coordinates
    points = make_points(Mean().distance(make_comparison(files)))
    cloud = points.cloud
    for node, (start, stop) in enumerate(cloud.ranges.tolist()):
        check_box(cloud.columns[:, start:stop].T, cloud.low[node], cloud.high[node], cloud.holes[node])
    assert cloud.weights.sum() == files.n_protected
    recovered = cloud.columns[:, points.point_of].T
    np.testing.assert_array_equal(recovered, coordinates.protected)


def check_box(values: FloatArray, low: FloatArray, high: FloatArray, holes: Any) -> None:
    """One node."""
    missing = np.isnan(values)
    assert (missing | ((values >= low) & (values <= high))).all()
    expected = np.where(missing.all(axis=0), 2, np.where(missing.any(axis=0), 1, 0))
    assert holes.tolist() == expected.tolist()


def test_text_tables_are_those_of_the_queried_records() -> None:
    """A chunk of records carries the differences of its own strings only, by their place in the chunk."""
    text = label_column("t", Kind.TEXT, ["DIXON", None, "MARTHA", "DIXON"], ["MARHTA", "DIXON", "DIX", None])
    queries, metric = with_metric(Mean().distance(make_comparison(paired([text]))), np.array([2, 3]))
    assert queries.ravel().tolist() == [1.0, 0.0]
    assert metric.attributes.places.tolist() == [[0, 3]]
    assert metric.attributes.table.shape == (6,)


@pytest.mark.parametrize("rows", [slice(0, 2), np.array([0, 1]), slice(None)])
def test_rules_leave_the_coordinates_as_they_are(rows: Any) -> None:
    """Text codes are numbered anew in the records that kernels read, never in the files that others compare, too."""
    names = pd.DataFrame({"name": ["MARTHA", "DWAYNE", "MARTHA"]}), pd.DataFrame({"name": ["MARHTA", "DUANE", "DIXON"]})
    coordinates = make_comparison(
        pair_files(*names, reading=Reading(schema={"attributes": {"name": {"kind": "text"}}}))
    ).coordinates
    before = coordinates.original.copy()
    queries, _ = rules_for(coordinates, coordinates.original[rows])
    queries[:] = -1.0
    assert np.array_equal(coordinates.original, before)
