"""Laws of recognising: whatever the files are, no true pair becomes impossible; estimates are those of slow twins."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.model import make_terms
from linkrisk.informed.recognise import completed, recognised, unexplained
from linkrisk.informed.recognise.categories import keep_share
from linkrisk.informed.recognise.groups import centroid_of, joint_classes
from linkrisk.informed.recognise.numeric import common_divisor, interval_edges, noise_percentage
from linkrisk.informed.recognise.swapping import largest_move, percentage_of_window, swap_variant
from linkrisk.informed.recognise.true_pairs import TruePairs
from linkrisk.informed.term_kernels import cost_of
from linkrisk.protection import METHODS
from tests.oracle import recognising as twin

ORDER = ("low", "middle", "high", "top")
Random = np.random.Generator
Values = np.ndarray[Any, Any]

numbers = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.sampled_from([0.0, 1e-300, 1e150, -1e150, 0.1 + 0.2, 0.3]),
)


def pair_of(kind: Kind, original: Any, protected: Any) -> ColumnPair:
    """Return a column in both files."""
    is_number = kind in (Kind.NUMERIC, Kind.DATE)
    x, y = (np.array(side, dtype=np.float64 if is_number else object) for side in (original, protected))
    return ColumnPair(Attribute("v", kind, order=ORDER if kind is Kind.ORDINAL else ()), x, y)


def files_of(*columns: ColumnPair, own: Any = None) -> FilePair:
    """Return two files; row by row unless it is said who is who."""
    named = tuple(
        ColumnPair(
            Attribute(f"v{k}", column.attribute.kind, order=column.attribute.order), column.original, column.protected
        )
        for k, column in enumerate(columns)
    )
    n, m = len(columns[0].original), len(columns[0].protected)
    return FilePair(named, np.arange(n) if own is None else np.asarray(own, dtype=np.int64), n, m)


@st.composite
def odd_columns(draw: st.DrawFn, n_original: int, n_protected: int, own: list[int]) -> ColumnPair:
    """Draw a column of any kind, with gaps, and a released one: the same, changed in places, or anything."""
    kind = draw(st.sampled_from(list(Kind)))
    values: st.SearchStrategy[Any] = numbers if kind in (Kind.NUMERIC, Kind.DATE) else st.sampled_from(ORDER[:3])
    gap = np.nan if kind in (Kind.NUMERIC, Kind.DATE) else None
    cells = st.one_of(values, values, values, st.just(gap)) if draw(st.booleans()) else values
    if draw(st.integers(0, 5)) == 0:
        cells = st.just(draw(cells))
    original = draw(st.lists(cells, min_size=n_original, max_size=n_original))
    protected = draw(st.lists(cells, min_size=n_protected, max_size=n_protected))
    for i, j in enumerate(own):
        if j >= 0 and draw(st.integers(0, 3)):
            protected[j] = original[i]
    return pair_of(kind, original, protected)


@st.composite
def odd_files(draw: st.DrawFn) -> FilePair:
    """Draw two small files of any columns, in which some people have no counterpart."""
    n_original, n_protected = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    rows = draw(st.permutations(range(max(n_original, n_protected))))
    own = [row if row < n_protected else -1 for row in rows[:n_original]]
    if draw(st.integers(0, 2)) == 0:
        own = [row if draw(st.booleans()) else -1 for row in own]
    columns = [draw(odd_columns(n_original, n_protected, own)) for _ in range(draw(st.integers(1, 4)))]
    return files_of(*columns, own=own)


def assert_true_pairs_are_possible(description: Description, files: FilePair) -> None:
    """Hold every true pair against the terms of a description, and against the partners that it implies."""
    terms = make_terms(description, Known(files))
    arrays, (has, had) = terms.finished(), terms.finished_swaps()
    for i, j in enumerate(files.own.tolist()):
        if j < 0:
            continue
        assert cost_of(arrays, i, j, np.inf) < np.inf
        for k in range(has.shape[1]):
            assert has[i, k] != -1
            if has[i, k] >= 0 and had[j, k] >= 0:
                assert files.own[had[j, k]] in (has[i, k], -1)


@pytest.mark.slow
@settings(max_examples=200)
@given(files=odd_files())
def test_odd_files_are_described_without_contradiction(files: FilePair) -> None:
    """Constants, gaps, strangers, one record, any kind: each attribute is in every description once, or in none."""
    names = {attribute.name for attribute in files.attributes}
    found = recognised(files)
    assert 1 <= len(found) <= 3
    for description in found:
        told = [name for part in description.treatments for name in part.attributes] + list(description.left)
        assert sorted([*told, *unexplained(description, files)]) == sorted(names)
        assert_true_pairs_are_possible(description, files)
    assert str(found) == str(recognised(files))


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), holes=st.floats(0.0, 0.2), n_columns=st.integers(1, 3))
def test_categories_may_be_missing_for_the_same_people_in_both_files(seed: int, holes: float, n_columns: int) -> None:
    """Nothing fails where a value is missing before and after, in some columns more than in others."""
    random = np.random.default_rng(seed)
    columns = []
    for _ in range(n_columns):
        before = random.choice(np.array(["a", "b", "c"], dtype=object), 50)
        after = np.where(random.random(50) < 0.2, random.permutation(before), before)
        is_hole = random.random(50) < holes * random.random()
        before[is_hole], after[is_hole] = None, None
        columns.append(pair_of(Kind.NOMINAL, before, after))
    assert recognised(files_of(*columns)) is not None


@pytest.mark.slow
@settings(max_examples=200)
@given(files=odd_files(), method=st.sampled_from(sorted(METHODS)))
def test_odd_files_are_completed(files: FilePair, method: str) -> None:
    """Whatever method somebody claims: parameters are found, or attributes left out and named."""
    names = tuple(attribute.name for attribute in files.attributes)
    found, notes = completed(Description((Treatment(method, names),)), files)
    told = {name for part in found.treatments for name in part.attributes}
    for name in set(names) - told:
        assert any(name in note for note in notes) or files.attributes[names.index(name)].kind is Kind.TEXT
    for part in found.treatments:
        for parameter in METHODS[part.method].needed if "groups" not in METHODS[part.method].needed else ():
            if parameter != "k":
                assert all(part.value(parameter, name) is not None for name in part.attributes)


@pytest.mark.slow
@pytest.mark.parametrize("n_known", [40, 15])
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_generated_files_are_described_without_contradiction(n_known: int, seed: int) -> None:
    """Each column treated by something of our own making, and shuffled; known as a whole or in part."""
    random = np.random.default_rng(seed)
    columns = [_treated(random, 40) for _ in range(4)]
    order = random.permutation(40)
    shuffled = [ColumnPair(column.attribute, column.original[:n_known], column.protected[order]) for column in columns]
    files = files_of(*shuffled, own=np.argsort(order)[:n_known])
    for description in recognised(files):
        assert_true_pairs_are_possible(description, files)


def _treated(random: Random, n_records: int) -> ColumnPair:
    """Return a column of numbers or of ordered labels, treated in one of many ways."""
    x = np.round(random.lognormal(3, 1, n_records), int(random.integers(0, 3)))
    ranks = np.argsort(np.argsort(x, kind="stable"), kind="stable")
    ways: list[Callable[[], Values]] = [
        lambda: x + random.normal(size=n_records) * x.std() * 0.1,
        lambda: np.round(x + random.normal(size=n_records) * x.std() * 0.1),
        lambda: np.floor(x / 5 + random.random(n_records)) * 5,
        lambda: np.floor(x / 5) * 5,
        lambda: np.clip(x, np.median(x) / 2, np.median(x) * 2),
        lambda: x[random.permutation(n_records)],
        lambda: np.array([x[ranks // 4 == own // 4].mean() for own in ranks]),
        lambda: np.array([round(float(np.median(x[ranks // 7 == own // 7])), 1) for own in ranks]),
        lambda: np.array([x[np.arange(n_records) % 9 == own % 9].mean() for own in range(n_records)]),
        lambda: x * 2.0,
    ]
    y = ways[int(random.integers(len(ways)))]()
    if random.random() < 0.2:
        y = np.where(random.random(n_records) < 0.1, np.nan, y)
    if random.random() < 0.7:
        return pair_of(Kind.NUMERIC, x, y)
    labels = np.array([*ORDER, None], dtype=object)
    edges = np.quantile(x, [0.2, 0.5, 0.9])
    places = [np.where(np.isnan(side), 4, np.searchsorted(edges, side)) for side in (x, y)]
    return pair_of(Kind.ORDINAL if random.random() < 0.5 else Kind.NOMINAL, *(labels[place] for place in places))


values_twice = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=9)


@given(values=st.lists(st.integers(0, 6), min_size=2, max_size=9), data=st.data())
def test_moves_and_variants_are_those_of_the_twin(values: list[int], data: st.DataObject) -> None:
    """Window and variant of values that changed places, with ties."""
    moved = data.draw(st.permutations(values))
    pairs = TruePairs(files_of(pair_of(Kind.NUMERIC, values, moved)))
    assert largest_move(pairs, "v0") == twin.largest_move(values, moved, values)
    expected = "pairs" if twin.changed_places_in_pairs(values, moved) else "permutation"
    assert swap_variant(pairs, "v0") == expected


@given(n_values=st.integers(1, 10**6), share=st.floats(0, 1))
def test_a_percentage_gives_its_window(n_values: int, share: float) -> None:
    """floor(p n / 100) is the window again."""
    window = int(share * n_values)
    assert int(np.floor(percentage_of_window(window, n_values) * n_values / 100.0)) == window


@given(wholes=st.lists(st.integers(-999, 999).filter(bool), min_size=1, max_size=8), decimals=st.integers(0, 4))
def test_common_divisors_are_those_of_the_twin(wholes: list[int], decimals: int) -> None:
    """Of decimal fractions, exactly."""
    values = [Fraction(whole, 10**decimals) for whole in wholes]
    assert common_divisor(np.array([float(value) for value in values])) == twin.common_divisor(values)


@given(base=st.sampled_from([1 / 3, 2**0.5, np.pi]), wholes=st.lists(st.integers(1, 500), min_size=2, max_size=30))
def test_other_divisors_are_found_where_a_gap_shows_them(base: float, wholes: list[int]) -> None:
    """A base that is no decimal fraction, if two neighbours of it occur."""
    found = common_divisor(np.array([*wholes, max(wholes) + 1], dtype=np.float64) * base)
    assert found is not None
    assert float(found) == pytest.approx(base, rel=1e-12)


@given(pairs=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=12))
def test_keep_is_that_of_the_twin(pairs: list[tuple[str, str]]) -> None:
    """From the agreement rate; 1 only where nothing changed."""
    x, y = ([pair[side] for pair in pairs] for side in (0, 1))
    if len(set(x)) > 1:
        found = keep_share(TruePairs(files_of(pair_of(Kind.NOMINAL, x, y))), "v0")
        assert found == pytest.approx(twin.keep_share(x, y), abs=2e-6)


@given(pairs=st.lists(st.tuples(st.integers(-9, 9), st.floats(-3, 3)), min_size=2, max_size=12))
def test_noise_is_that_of_the_twin(pairs: list[tuple[int, float]]) -> None:
    """Root mean square of differences, of originals known as a whole."""
    x, y = [float(pair[0]) for pair in pairs], [pair[0] + pair[1] for pair in pairs]
    if len(set(x)) > 1:
        found = noise_percentage(TruePairs(files_of(pair_of(Kind.NUMERIC, x, y))), "v0")
        assert found == pytest.approx(twin.noise_percentage(x, y), rel=1e-5, abs=1e-9)


@given(values=values_twice)
def test_classes_are_those_of_the_twin(values: list[tuple[int, int]]) -> None:
    """The smallest class of records that agree in two columns."""
    columns = [[pair[side] for pair in values] for side in (0, 1)]
    pairs = TruePairs(files_of(*(pair_of(Kind.NUMERIC, column, column) for column in columns)))
    assert joint_classes(pairs, ["v0", "v1"]).smallest == twin.smallest_class(columns)


@given(members=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), min_size=2, max_size=12), data=st.data())
def test_centroids_are_those_of_the_twin(members: list[tuple[int, int]], data: st.DataObject) -> None:
    """Mean before median before mode, wherever they fit; an odd fraction keeps rounded means apart."""
    x = [value + 1 / 3 for value, _ in members]
    picks: list[Callable[[list[float]], float]] = [statistics.mean, statistics.median, statistics.mode, max]
    pick = data.draw(st.sampled_from(picks))
    # Of whole numbers, for then equal centroids of two clusters are equal to the last bit.
    y = [pick([float(value) for value, other in members if other == own]) + 1 / 3 for _, own in members]
    found = centroid_of(TruePairs(files_of(pair_of(Kind.NUMERIC, x, y))), "v0")
    fits = twin.fitting_centroids(x, y)
    assert found == next((name for name in ("mean", "median", "mode") if name in fits), None)


@given(
    steps=st.lists(st.integers(1, 9), min_size=2, max_size=6), first=st.integers(-9, 9), seed=st.integers(0, 2**32 - 1)
)
def test_edges_give_the_release_again(steps: list[int], first: int, seed: int) -> None:
    """Intervals of any width, each with values near both ends: edges are found that give the same middles."""
    edges = first + np.concatenate([[0], np.cumsum(steps)]).astype(np.float64)
    random = np.random.default_rng(seed)
    x = np.concatenate([low + (high - low) * random.random(3) for low, high in pairwise(edges)])
    middles = edges[:-1] + np.diff(edges) / 2
    y = np.repeat(middles, 3)
    found = interval_edges(TruePairs(files_of(pair_of(Kind.NUMERIC, x, y))), "v0")
    assert found is not None
    places = np.searchsorted(found, x, side="right") - 1
    np.testing.assert_allclose((np.array(found)[places] + np.array(found)[places + 1]) / 2, y)
