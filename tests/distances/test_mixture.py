"""EM: against EM by the book, planted classes found again, thresholds that keep their rates."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import cache
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.attackers import Probabilistic
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.differences.coordinates import DifferenceRule
from linkrisk.distances.probabilistic.agreement import Agreement, make_agreement
from linkrisk.distances.probabilistic.decision import decide
from linkrisk.distances.probabilistic.em import Problem, State
from linkrisk.distances.probabilistic.mixture import Mixture, Status, fit_mixture
from linkrisk.distances.probabilistic.patterns import Patterns, RecordPatterns, count_patterns
from linkrisk.distances.probabilistic.starts import make_starts
from linkrisk.distances.probabilistic.values import make_value_classes
from tests.linkage.agreement import short_em, slow_level
from tests.linkage.files import label_column, mixed_file_pairs, numeric_files, paired
from tests.oracle import matching


def make_levels(n_levels: list[int]) -> Agreement:
    """Levels of attributes that exist only as patterns."""
    names = tuple(f"V{k + 1}" for k in range(len(n_levels)))
    tolerances = tuple(tuple(float(t) for t in range(n - 1)) for n in n_levels)
    return Agreement(names, tolerances, (DifferenceRule.SQUARED,) * len(n_levels), (None,) * len(n_levels))


def counted(levels: np.ndarray, n_records: int) -> Patterns:
    """Distinct rows of a matrix of levels."""
    places = levels @ 10 ** np.arange(levels.shape[1])[::-1]  # levels are digits: much faster to sort than rows
    _, first, counts = np.unique(places, return_index=True, return_counts=True)
    distinct = levels[first].astype(np.uint8)
    return Patterns(np.ascontiguousarray(distinct), counts.astype(np.int64), n_records, n_records)


def counted_by_record(pairs: list[list[matching.Pattern]]) -> Patterns:
    """Distinct patterns, and those of each record."""
    everything = np.array([pattern for row in pairs for pattern in row])
    patterns = counted(everything, len(pairs))
    number = {tuple(int(x) for x in row): p for p, row in enumerate(patterns.levels)}
    lists = [sorted(Counter(number[pattern] for pattern in row).items()) for row in pairs]
    records = RecordPatterns(
        ends=np.cumsum([len(entries) for entries in lists]),
        found=np.array([p for entries in lists for p, _ in entries], dtype=np.int32),
        sizes=np.array([size for entries in lists for _, size in entries], dtype=np.int32),
        weights=np.ones(len(pairs), dtype=np.int64),
        rows=np.arange(len(pairs)),
    )
    return Patterns(patterns.levels, patterns.counts, len(pairs), len(pairs), records)


def draw_levels(rng: np.random.Generator, probabilities: FloatArray, n: int) -> np.ndarray:
    """Draw levels of some pairs, attribute by attribute."""
    return np.column_stack([rng.choice(len(row[row > 0]), size=n, p=row[row > 0]) for row in probabilities])


M = np.array([[0.9, 0.1, 0.0, 0.0], [0.6, 0.3, 0.1, 0.0], [0.8, 0.1, 0.05, 0.05], [0.95, 0.05, 0.0, 0.0]])
U = np.array([[0.1, 0.9, 0.0, 0.0], [0.05, 0.15, 0.8, 0.0], [0.02, 0.08, 0.3, 0.6], [0.2, 0.8, 0.0, 0.0]])
WEAK = 0.5 * M + 0.5 * U


def check_found(found: Mixture, m: FloatArray, u: FloatArray, slack: float) -> None:
    """Compare probabilities with the planted ones."""
    for k in range(len(m)):
        n_levels = int((u[k] > 0).sum())
        assert found.m[k, :n_levels] == pytest.approx(m[k, :n_levels], abs=slack)
        assert found.u[k, :n_levels] == pytest.approx(u[k, :n_levels], abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "share", "slack"), [(M, 0.02, 0.02), (M, 0.002, 0.08), (WEAK, 0.1, 0.05)])
@pytest.mark.parametrize("is_monotone", [True, False])
def test_planted_classes_are_found(m: FloatArray, share: float, slack: float, is_monotone: bool) -> None:
    """Draw 400,000 pairs from known m and u: EM finds both, and the share, pair by pair."""
    rng = np.random.default_rng(1)
    n_pairs = 400_000
    n_matches = round(share * n_pairs)
    levels = np.vstack([draw_levels(rng, m, n_matches), draw_levels(rng, U, n_pairs - n_matches)])
    patterns = counted(levels, n_pairs)
    found = fit_mixture(patterns, make_levels([2, 3, 4, 2]), largest_share=0.5, is_monotone=is_monotone)
    assert found.is_converged
    assert found.share == pytest.approx(share, rel=0.15)
    check_found(found, m, U, slack)
    assert found.matches.sum() == pytest.approx(n_matches, rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("overlap", [1.0, 0.7])
def test_planted_classes_are_found_record_by_record(overlap: float) -> None:
    """800 records of 100 candidates, of whom some have a match: m, u and their share."""
    rng = np.random.default_rng(2)
    pairs = []
    for _ in range(800):
        rows = draw_levels(rng, U, 100)
        if rng.random() < overlap:
            rows[0] = draw_levels(rng, M, 1)
        pairs.append([tuple(int(x) for x in row) for row in rows])
    found = fit_mixture(counted_by_record(pairs), make_levels([2, 3, 4, 2]), largest_share=1 / 100)
    assert found.share * 100 == pytest.approx(overlap, abs=0.07)
    check_found(found, M, U, 0.06)


def small_pairs(seed: int) -> list[list[matching.Pattern]]:
    """Make a few records with ten candidates each, holes now and then (level 3 or 4 of the second attribute)."""
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(12):
        rows = draw_levels(rng, U[:3], 10)
        rows[0] = draw_levels(rng, M[:3], 1)
        rows[rng.random(10) < 0.1, 1] = 3
        pairs.append([tuple(int(x) for x in row) for row in rows])
    return pairs


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("is_by_record", [True, False])
def test_iterations_are_those_by_the_book(seed: int, is_by_record: bool) -> None:
    """Seven iterations from the same start on patterns and on all pairs: the same probabilities."""
    pairs = small_pairs(seed)
    patterns = counted_by_record(pairs)
    if not is_by_record:
        patterns = Patterns(patterns.levels, patterns.counts, patterns.n_records, patterns.n_all)
    agreement = make_levels([2, 3, 4])
    problem = Problem.of(patterns, agreement, 0.1, is_monotone=False)
    _, state = next(make_starts(problem, 0))
    sizes = [2, 3, 4]
    tables = [[values[k, :n].tolist() for k, n in enumerate(sizes)] for values in (state.m, state.u)]
    start = matching.Classes(tables[0], tables[1], state.share)
    for _ in range(7):
        state = problem.step(state)
    chances = matching.chances_by_record if is_by_record else matching.chances_by_pair
    slow = matching.em(pairs, start, chances, 0.1, 7)
    assert state.share == pytest.approx(slow.share, rel=1e-9)
    for k, n in enumerate(sizes):
        assert state.m[k, :n] == pytest.approx(np.array(slow.m[k]), abs=1e-9)
        assert state.u[k, :n] == pytest.approx(np.array(slow.u[k]), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_values_and_borrowed_matches_by_the_book(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight records, two nominal attributes by value and two numbers that borrow: originals compete, by definition."""
    monkeypatch.setattr("linkrisk.distances.probabilistic.values.LEAST_RECORDS", 1)
    files = eight_records(seed)
    comparison = make_comparison(files)
    distance = Probabilistic(levels=2, monotone=False).distance(comparison)
    agreement = distance.agreement
    assert any(classes is not None for classes in agreement.values)
    pairs = [
        [tuple(slow_level(files, comparison, distance, k, i, j) for k in range(4)) for i in range(8)] for j in range(8)
    ]
    patterns = count_patterns(agreement, comparison.coordinates.exchanged(), is_by_record=True)
    problem = Problem.of(patterns, agreement, 1 / 8, is_monotone=False)
    _, state = next(make_starts(problem, 0))
    problem = problem.borrowing(state)
    common = (state.m[2] + state.m[3]) / 2
    sizes = agreement.n_levels
    added = [[0.0] * n if k < 2 else (30.0 * common[:n] / common[:n].sum()).tolist() for k, n in enumerate(sizes)]
    tables = [[values[k, :n].tolist() for k, n in enumerate(sizes)] for values in (state.m, state.u)]
    slow = matching.em(
        pairs, matching.Classes(tables[0], tables[1], state.share), matching.chances_by_record, 1 / 8, 6, added
    )
    for _ in range(6):
        state = problem.step(state)
    assert state.share == pytest.approx(slow.share, rel=1e-9)
    for k, n in enumerate(sizes):
        assert state.m[k, :n] == pytest.approx(np.array(slow.m[k]), abs=1e-9)
        assert state.u[k, :n] == pytest.approx(np.array(slow.u[k]), abs=1e-9)


def eight_records(seed: int) -> FilePair:
    """Two nominal columns with rare and frequent values, two of numbers that all levels occur in."""
    rng = np.random.default_rng(seed)
    labels = [["a", "a", "a", "a", "b", "b", "b", "c"], ["x", "x", "x", "y", "y", "z", "z", "z"]]
    columns = [
        label_column(f"n{k}", Kind.NOMINAL, column, [column[0], *rng.permutation(column[1:]).tolist()])
        for k, column in enumerate(labels)
    ]
    values = rng.integers(0, 12, size=(8, 2)).astype(np.float64)
    noisy = values + rng.integers(-1, 2, size=(8, 2))
    return paired([*columns, *numeric_files(values, noisy).columns])


@pytest.mark.slow
@given(
    st.lists(st.sampled_from("abcdefghijklmnop"), min_size=1, max_size=60),
    st.lists(st.sampled_from("abcdefghijklmnop"), min_size=1, max_size=60),
    st.integers(2, 5),
    st.integers(1, 8),
)
@settings(max_examples=100, deadline=None)
def test_classes_of_values_are_those_of_the_definition(x: list[str], y: list[str], most: int, least: int) -> None:
    """Each value that both files have is in the class its pairs put it in; one class is no class."""
    home = "linkrisk.distances.probabilistic.values"
    codes = [np.array([float("abcdefghijklmnop".index(label)) for label in labels]) for labels in (x, y)]
    with patch(f"{home}.MOST_CLASSES", most), patch(f"{home}.LEAST_RECORDS", least):
        found = make_value_classes(*codes)
    slow = matching.value_classes(x, y, most, least)
    assert (found is None) == (len(set(slow.values())) < 2)
    if found is not None:
        assert {label: found.of_values["abcdefghijklmnop".index(str(label))] for label in slow} == slow
        assert list(found.shares) == sorted(found.shares)


def test_nearest_pairs_by_hand() -> None:
    """The start from the nearest records: levels of each record and its nearest, shared where several are as near."""
    files = numeric_files(
        [[0.0, 0.0], [4.0, 1.0], [4.0, 1.0]], [[1.0, 0.0], [-1.0, 0.0], [4.0, 2.0], [9.0, 9.0]], [-1] * 3
    )
    comparison = make_comparison(files, "original")
    spread = [float(np.std(column, ddof=1)) for column in ([0, 4, 4], [0, 1, 1])]
    tolerances = {"V1": [0.5 / spread[0], 1.5 / spread[0]], "V2": [0.5 / spread[1], 2.5 / spread[1]]}
    agreement = make_agreement(comparison, 2, tolerances)
    nearest = count_patterns(agreement, comparison.coordinates).nearest
    assert nearest is not None
    # Record 0 is nearest to the first two, at levels (1, 0) each; the two equal ones to the third, at levels (0, 1).
    assert nearest[:, :3].tolist() == [[2.0, 1.0, 0.0], [1.0, 2.0, 0.0]]


def test_flat_likelihoods_are_told() -> None:
    """Strangers only, few of them: EM settles somewhere, and says that it might as well be elsewhere."""
    rng = np.random.default_rng(0)
    pairs = [[tuple(int(x) for x in row) for row in draw_levels(rng, U, 12)] for _ in range(12)]
    found = fit_mixture(counted_by_record(pairs), make_levels([2, 3, 4, 2]), largest_share=1 / 12, max_iterations=5000)
    assert found.status is Status.FLAT
    assert not found.is_converged
    assert found.flat_because
    assert "flat" in found.ending


def test_one_attribute_does_not_tell_its_classes_apart() -> None:
    """Pair by pair, one attribute: very different splits of its levels into two classes fit alike."""
    rng = np.random.default_rng(0)
    levels = np.vstack([draw_levels(rng, M[2:3], 100), draw_levels(rng, U[2:3], 900)])
    found = fit_mixture(counted(levels, 1000), make_levels([4]), largest_share=0.5)
    assert found.status is Status.FLAT
    assert found.flat_because.endswith("fit as well")


def test_known_share_stays() -> None:
    """Where everybody is known to have a match, the share is not learned."""
    rng = np.random.default_rng(0)
    pairs = []
    for place in range(60):
        rows = draw_levels(rng, U, 20)
        rows[0] = draw_levels(rng, M, 1) if place < 30 else rows[0]
        pairs.append([tuple(int(x) for x in row) for row in rows])
    patterns = counted_by_record(pairs)
    learned, known = (
        fit_mixture(patterns, make_levels([2, 3, 4, 2]), largest_share=1 / 20, is_share_known=is_known)
        for is_known in (False, True)
    )
    assert learned.share < 0.9 / 20
    assert known.share == 1 / 20
    assert known.matches.sum() == pytest.approx(60.0)


def test_starts_are_told() -> None:
    """Each start has a name and a word on how it ended; one is the best; no other has a larger objective."""
    found = fit_mixture(counted_by_record(small_pairs(1)), make_levels([2, 3, 4]), largest_share=0.1)
    assert [start.name for start in found.starts] == ["0.5 bits", "2 bits", "6 bits", "drawn 1", "drawn 2"]
    assert [start.outcome for start in found.starts].count("best") == 1
    assert max(start.objective for start in found.starts) == pytest.approx(found.objective)


@pytest.mark.slow
@given(st.integers(0, 10_000), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=40, deadline=None)
def test_objective_never_falls(seed: int, is_by_record: bool, is_monotone: bool, is_missing_level: bool) -> None:
    """Guarantee of `fit_mixture`: from one iteration to the next."""
    patterns = counted_by_record(small_pairs(seed))
    if not is_by_record:
        patterns = Patterns(patterns.levels, patterns.counts, patterns.n_records, patterns.n_all)
    problem = Problem.of(
        patterns, make_levels([2, 3, 4]), 0.1, is_monotone=is_monotone, is_missing_level=is_missing_level
    )
    for _, state in make_starts(problem, seed):
        values = []
        current: State = problem.step(state)  # the start itself need not be in order
        for _ in range(12):
            current = problem.step(current)
            values.append(problem.valued(current).objective)
        assert all(b >= a - 1e-7 * abs(a) for a, b in itertools.pairwise(values))


def test_closer_levels_weigh_no_less() -> None:
    """Monotone weights where chance would have it otherwise."""
    found = fit_mixture(counted_by_record(small_pairs(3)), make_levels([2, 3, 4]), largest_share=0.1)
    for k, n_levels in enumerate([2, 3, 4]):
        assert (np.diff(found.weights[k, :n_levels]) <= 1e-12).all()


def test_not_converged_is_said() -> None:
    """Stopped early, EM does not call itself converged."""
    rng = np.random.default_rng(1)
    levels = np.vstack([draw_levels(rng, WEAK, 300), draw_levels(rng, U, 2700)])
    found = fit_mixture(counted(levels, 3000), make_levels([2, 3, 4, 2]), largest_share=0.5, max_iterations=11)
    assert not found.is_converged
    assert found.iterations == 11
    assert "not converged" in repr(found)


@pytest.mark.slow
@given(mixed_file_pairs(), st.sampled_from([0, 3, 12]))
@settings(max_examples=40, deadline=None)
def test_patterns_are_those_of_the_double_loop(files: FilePair, levels: int) -> None:
    """Counted from distances of single attributes: cost 1 for level l of one attribute only."""
    comparison = make_comparison(files)
    with short_em():
        distance = Probabilistic(levels=levels).distance(comparison)
    patterns = count_patterns(distance.agreement, comparison.coordinates, is_by_record=True)
    slow = matching.count_patterns(
        lambda i, j: tuple(slow_level(files, comparison, distance, k, i, j) for k in range(comparison.n_attributes)),
        files.n_original,
        files.n_protected,
    )
    fast = {tuple(int(x) for x in row): int(n) for row, n in zip(patterns.levels, patterns.counts, strict=True)}
    assert fast == slow
    records = patterns.records
    assert records is not None
    weights = np.repeat(records.weights, np.diff(records.ends, prepend=0))
    total = np.bincount(records.found, weights=records.sizes * weights, minlength=len(patterns.counts))
    assert total.tolist() == patterns.counts.tolist()


def test_many_attributes_and_some_records() -> None:
    """40 attributes take three words per pattern; some records drawn with a seed are all pairs of these records."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, 40))
    comparison = make_comparison(numeric_files(values, values + 0.1 * rng.normal(size=values.shape)))
    agreement = make_agreement(comparison, 3)
    everybody = count_patterns(agreement, comparison.coordinates, threads=1)
    assert everybody.n_pairs == 3600
    assert everybody.is_complete
    some = count_patterns(agreement, comparison.coordinates, max_records=7, seed=3)
    assert (some.n_records, some.n_pairs, some.is_complete) == (7, 420, False)
    again = count_patterns(agreement, comparison.coordinates, max_records=7, seed=3)
    assert some.levels.tolist() == again.levels.tolist()


def test_tables_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task with many more patterns than protected records, and rounds that are merged: no pair is lost."""
    rng = np.random.default_rng(0)
    comparison = make_comparison(numeric_files(rng.normal(size=(3000, 4)), rng.normal(size=(20, 4)), [-1] * 3000))
    agreement = make_agreement(comparison, 12)
    patterns = count_patterns(agreement, comparison.coordinates)
    assert patterns.n_pairs == 60_000
    assert len(patterns.counts) > 2000
    monkeypatch.setattr("linkrisk.distances.probabilistic.patterns.TASK", 100)
    split = count_patterns(agreement, comparison.coordinates)
    assert split.counts.tolist() == patterns.counts.tolist()


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(1, 9), st.sampled_from([0.0, 0.125, 0.5, 1.0])),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from([0.0, 0.05, 0.3, 1.0]),
    st.sampled_from([0.0, 0.05, 0.3, 1.0]),
)
def test_thresholds_are_those_of_every_cut(
    rows: list[tuple[int, int, float]], positive: float, negative: float
) -> None:
    """Links and non-links as by trying every cut; an overlap is links; the boundary is clerical."""
    distances = [float(d) for d, _, _ in rows]
    counts = [n for _, n, _ in rows]
    matches = [n * share for _, n, share in rows]
    found = decide(np.array(distances), np.array(counts), np.array(matches), positive, negative)
    links, rest = matching.thresholds(distances, counts, matches, positive, negative)
    assert found.link == max(links, default=-math.inf)
    assert found.non_link == min(rest, default=math.inf)
    assert sum(found.pairs) == sum(counts)


@cache
def planted_pairs() -> tuple[np.ndarray, np.ndarray, Patterns, Mixture]:
    """Return levels of true and other pairs of six attributes, their patterns, and what EM finds."""
    rng = np.random.default_rng(4)
    m, u = np.tile(M[:3], (2, 1)), np.tile(U[:3], (2, 1))
    true, other = draw_levels(rng, m, 20_000), draw_levels(rng, u, 400_000)
    patterns = counted(np.vstack([true, other]), 420_000)
    return true, other, patterns, fit_mixture(patterns, make_levels([2, 3, 4, 2, 3, 4]), largest_share=0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("positive", "negative"), [(1e-3, 0.05), (1e-2, 0.2), (1e-4, 0.01)])
def test_planted_error_rates_are_reached(positive: float, negative: float) -> None:
    """Claims on planted pairs err as often as asked for: never much more, and not far less where patterns allow it."""
    true, other, patterns, found = planted_pairs()
    costs = found.weights.max(axis=1, keepdims=True) - found.weights
    place = np.arange(6)
    apart = costs[place, patterns.levels].sum(axis=1)
    decision = decide(apart, patterns.counts, found.matches, positive, negative)
    wrong = np.mean(costs[place, other].sum(axis=1) <= decision.link + 1e-9)
    missed = np.mean(costs[place, true].sum(axis=1) >= decision.non_link - 1e-9)
    assert wrong <= 1.3 * positive
    assert missed <= 1.3 * negative
    assert decision.false_positive <= positive
    assert decision.false_negative <= negative


@pytest.mark.parametrize("is_by_record", [True, False])
def test_pieces_and_cores_change_nothing(is_by_record: bool) -> None:
    """Patterns worked on some at a time, by one core or two: the same to the last bit; at once: up to rounding."""
    random = np.random.default_rng(1)
    original = random.integers(0, 5, (40, 5)).astype(float)
    files = numeric_files(original, original + random.integers(-1, 2, original.shape), np.arange(40))
    comparison = make_comparison(files)
    agreement = make_agreement(comparison, 4, None)
    patterns = count_patterns(agreement, comparison.coordinates, is_by_record=is_by_record)
    whole = fit_mixture(patterns, agreement, largest_share=1 / 40, threads=1)
    home = "linkrisk.distances.probabilistic.expectation"
    with patch(f"{home}.PIECE", 16), patch(f"{home}.FEW", 3):
        parts = [fit_mixture(patterns, agreement, largest_share=1 / 40, threads=threads) for threads in (1, 2)]
    np.testing.assert_array_equal(parts[0].m, parts[1].m)
    np.testing.assert_array_equal(parts[0].matches, parts[1].matches)
    np.testing.assert_allclose(parts[0].m, whole.m, rtol=1e-6)
    assert parts[0].iterations == parts[1].iterations
