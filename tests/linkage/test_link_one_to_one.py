"""Links one to one by a distance: their order plays no part, probabilities are those of all matchings, copies count."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.attackers import BilinearFree, Mahalanobis, Mean, Probabilistic
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences import make_comparison
from linkrisk.distances.distance import Distance
from linkrisk.linkage import Ties
from linkrisk.linkage.assignment import assign
from linkrisk.linkage.candidates import near_pairs, shuffled
from linkrisk.linkage.matching.posterior import Marginals, posterior
from linkrisk.linkage.matching.scores import PairScores
from linkrisk.linkage.one_to_one import link_one_to_one, near_scores
from linkrisk.linkage.search import distances, nearest
from tests.linkage.files import label_column, microaggregated, numeric_file_pairs, numeric_files, paired
from tests.oracle import matchings as oracle

Counts = dict[str, list[float]]


def counts(distance: Distance, max_listed: int) -> Counts:
    """Links of both ways, by every tie rule."""
    found = link_one_to_one(distance, max_listed=max_listed)
    assert found.linkage is not None
    return {
        "assignment": [found.assignment.links(rule) for rule in Ties],
        "posterior": [found.linkage.links(rule) for rule in Ties],
    }


def permuted(files: FilePair, rows: IntArray, columns: IntArray) -> FilePair:
    """Return the same files with both sorted anew: row r holds what was in rows[r], and columns[r]."""
    place = np.append(np.argsort(columns), -1)
    moved = tuple(
        ColumnPair(column.attribute, column.original[rows], column.protected[columns]) for column in files.columns
    )
    return FilePair(moved, place[files.own[rows]], files.n_original, files.n_protected)


@pytest.mark.parametrize("max_dense", [0, 10**6])
def test_the_place_in_the_file_links_nobody(max_dense: int) -> None:
    """Pseudonyms: every label is new, all pairs are as far, and nothing is known; in file order a solver links all."""
    n = 100
    column = label_column("name", Kind.NOMINAL, [f"a{i}" for i in range(n)], [f"b{i}" for i in range(n)])
    distance = Mean().distance(make_comparison(paired([column])))
    assert np.ptp(distances(distance)) == 0.0
    right = [assign(distance, seed=seed, max_dense=max_dense).links("unique") for seed in range(40)]
    assert np.mean(right) == pytest.approx(1.0, abs=5 / math.sqrt(40))
    assert nearest(distance).links("unique") == 0
    found = link_one_to_one(distance, max_listed=max_dense).linkage
    assert found is not None
    assert found.links("expected") <= 5.0


@pytest.mark.slow
@pytest.mark.parametrize("max_dense", [0, 10**6])
def test_ties_between_labels_are_broken_by_chance(max_dense: int) -> None:
    """Labels kept with probability 0.3 in files of the same order: as many links as with rows shuffled, on average."""
    rng = np.random.default_rng(2)
    same: list[float] = []
    other: list[float] = []
    for seed in range(12):
        x = rng.integers(0, 2, size=(120, 6))
        y = np.where(rng.random(x.shape) < 0.3, x, rng.integers(0, 2, size=x.shape))
        columns = [
            label_column(f"a{k}", Kind.NOMINAL, list(x[:, k].astype(str)), list(y[:, k].astype(str))) for k in range(6)
        ]
        files = paired(columns)
        moved = permuted(files, np.arange(120), rng.permutation(120))
        for kept, total in ((files, same), (moved, other)):
            distance = Mean().distance(make_comparison(kept))
            total.append(assign(distance, seed=seed, max_dense=max_dense).links("expected"))
    difference = np.array(same) - np.array(other)
    assert abs(difference.mean()) <= 4.0 * max(difference.std(), 0.1) / math.sqrt(12)


@pytest.mark.slow
@pytest.mark.parametrize("max_listed", [0, 10**6])
@settings(deadline=None, max_examples=40)
@given(files=numeric_file_pairs(), seed=st.integers(0, 10**6))
def test_sorting_the_protected_file_anew_changes_no_count(max_listed: int, files: FilePair, seed: int) -> None:
    """Not one link of either way, under any tie rule, with many ties and holes."""
    columns = np.random.default_rng(seed).permutation(files.n_protected)
    moved = permuted(files, np.arange(files.n_original), columns)
    before, after = (Mean().distance(make_comparison(kept, "original")) for kept in (files, moved))
    assert counts(before, max_listed) == counts(after, max_listed)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(files=numeric_file_pairs(), seed=st.integers(0, 10**6))
def test_sorting_the_original_file_anew_changes_no_count(files: FilePair, seed: int) -> None:
    """Where no two original records are alike; of those that are, who gets which partner is chance."""
    distance = Mean().distance(make_comparison(files, "original"))
    values = np.nan_to_num(distance.coordinates.original, nan=1e9)  # holes are alike
    assume(len(np.unique(values, axis=0)) == files.n_original)
    rows = np.random.default_rng(seed).permutation(files.n_original)
    moved = permuted(files, rows, np.arange(files.n_protected))
    after = Mean().distance(make_comparison(moved, "original"))
    assert counts(distance, 10**6) == counts(after, 10**6)


def by_hand(probability: FloatArray, files: FilePair, rule: Ties) -> float:
    """Count links of the likeliest protected records: copies are twins, others that tie count against a record."""
    total = 0.0
    protected = [tuple(column.protected[j] for column in files.columns) for j in range(files.n_protected)]
    for i, own in enumerate(files.own.tolist()):
        if own < 0 or probability[i, own] == 0.0:
            continue
        copies = [j for j, record in enumerate(protected) if record == protected[own]]
        own_share = sum(probability[i, j] for j in copies) / len(copies)
        rivals = []
        for record in set(protected) - {protected[own]}:
            alike = [j for j, other in enumerate(protected) if other == record]
            rivals.append(sum(probability[i, j] for j in alike) / len(alike))
        if all(share < own_share * (1.0 - 1e-5) for share in rivals):
            total += {Ties.UNIQUE: float(len(copies) == 1), Ties.CLASS: 1.0, Ties.EXPECTED: 1 / len(copies)}[rule]
    return total


def drawn(scores: PairScores, **_: object) -> Marginals:
    """Probabilities by the chain, whatever is asked for."""
    return posterior(scores, method="chain", sweeps=1_000)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.integers(2, 6), st.integers(2, 6), st.sampled_from([0.1, 0.5]), st.integers(1, 2), st.integers(0, 10**6))
def test_links_are_those_of_all_matchings(
    n_original: int, n_protected: int, noise: float, copies: int, seed: int
) -> None:
    """Each record's likeliest one by enumeration of all matchings with likelihood exp(-d / T).

    Probabilities are drawn here, because beliefs are off in files this small; records whose best two are within a
    factor of 1.5 are left out of the comparison.
    """
    rng = np.random.default_rng(seed)
    n = max(n_original, n_protected)
    original = rng.normal(size=(n, 2))
    protected = microaggregated(original + noise * rng.normal(size=(n, 2)), copies)
    own = [i if i < n_protected else -1 for i in range(n_original)]
    files = numeric_files(original[:n_original], protected[:n_protected], own)
    distance = Mean().distance(make_comparison(files, "original"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("linkrisk.linkage.one_to_one.posterior", drawn)
        found = link_one_to_one(distance)
    assert found.linkage is not None
    assert found.temperature is not None
    table = distances(distance)
    likelihood = np.exp((table.min() - table) / found.temperature)
    enumerated = oracle.posterior(likelihood.tolist(), max(0, n_protected - n_original))
    exact = np.array(oracle.marginals(enumerated, n_original))
    is_clear = np.array([_is_clear(row) for row in exact])
    files_clear = FilePair(files.columns, np.where(is_clear, files.own, -1), n_original, n_protected)
    linked = {rule: found.linkage.is_linked(rule) & is_clear for rule in Ties}
    assert by_hand(exact, files_clear, Ties.CLASS) == linked[Ties.CLASS].sum()
    assert by_hand(exact, files_clear, Ties.UNIQUE) == linked[Ties.UNIQUE].sum()
    twins = found.linkage.twins[linked[Ties.EXPECTED]] + 1
    assert by_hand(exact, files_clear, Ties.EXPECTED) == pytest.approx((1.0 / twins).sum())


def _is_clear(row: FloatArray) -> bool:
    """Whether the greatest probability of a row is far above all that are not equal to it, and not next to nothing."""
    best = row.max()
    rest = row[row < best * (1.0 - 1e-6)]
    return bool(best > 0.02 and rest.max(initial=0.0) < best / 1.5)


def test_counts_equal_those_by_hand() -> None:
    """Probabilities as belief propagation finds them, counted record by record: copies, ties, a record without own."""
    rng = np.random.default_rng(4)
    original = np.repeat(rng.integers(0, 9, size=(20, 2)), 2, axis=0).astype(np.float64)
    original[::4] += 1.0
    protected = microaggregated(original + 0.2 * rng.normal(size=(40, 2)), 2)
    files = numeric_files(original, protected, [*range(38), -1, 39])
    distance = Mean().distance(make_comparison(files, "original"))
    found = link_one_to_one(distance)
    assert found.linkage is not None
    assert found.marginals is not None
    known = shuffled(distance)
    probability = np.zeros((40, 40))
    scores = found.marginals.scores
    probability[known.original[scores.original], known.protected[scores.protected()]] = found.marginals.probability
    for rule in Ties:
        assert found.linkage.links(rule) == pytest.approx(by_hand(probability, files, rule))
    assert found.linkage.links("class") > found.linkage.links("expected") > 5


def test_scores_are_distances_over_the_temperature() -> None:
    """All pairs of small files, and none twice; from lists the same values."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 2))
    distance = Mean().distance(make_comparison(numeric_files(x, x + 0.2 * rng.normal(size=(60, 2)))))
    table = distances(distance)
    for max_listed in (0, 10**6):
        scores = near_scores(distance, near_pairs(distance, max_listed=max_listed), 0.05)
        np.testing.assert_allclose(scores.value, -table[scores.original, scores.protected()] / 0.05)
        assert len(set(zip(scores.original.tolist(), scores.protected().tolist(), strict=True))) == scores.n_pairs
        assert scores.n_pairs == table.size if max_listed else scores.n_pairs < table.size


def test_the_posterior_finds_more_than_the_nearest() -> None:
    """Noise under which a third is found: one to one more than by the nearest alone, over 20 files."""
    found: dict[str, list[float]] = {"nearest": [], "assignment": [], "posterior": []}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(150, 4))
        distance = Mean().distance(make_comparison(numeric_files(x, x + 0.5 * rng.normal(size=(150, 4)))))
        linked = link_one_to_one(distance)
        assert linked.linkage is not None
        found["nearest"].append(nearest(distance).links("expected"))
        found["assignment"].append(linked.assignment.links("expected"))
        found["posterior"].append(linked.linkage.links("expected"))
    mean = {way: float(np.mean(links)) for way, links in found.items()}
    assert mean["nearest"] * 1.05 < mean["assignment"] < mean["posterior"]


def test_keys_decide_first_on_lists() -> None:
    """A key that weighs 2^70 times the rest: the auction tells apart who shares it."""
    rng = np.random.default_rng(7)
    x = np.column_stack([rng.integers(0, 6, 120), rng.normal(size=120), rng.normal(size=120)])
    y = x + np.column_stack([np.zeros(120), 0.3 * rng.normal(size=(120, 2))])
    distance = Mahalanobis().distance(make_comparison(numeric_files(x, y)))
    assert distance.parameters["keys"]
    dense, listed = assign(distance), assign(distance, max_dense=0)
    assert listed.total <= dense.total * 1.001
    assert abs(listed.links() - dense.links()) <= 4
    assert dense.links() > 60


@pytest.mark.parametrize(
    "make",
    [
        lambda comparison: BilinearFree(matrix=[[1.0, 0.0], [0.0, -0.5]]).distance(comparison),
        lambda comparison: Probabilistic().distance(comparison),
    ],
    ids=["bilinear_free", "probabilistic"],
)
def test_other_distances_are_linked_too(make: Callable[..., Distance]) -> None:
    """Negative distances have no likelihood; levels of agreement are one, whoever competes for a record."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=(80, 2))
    files = numeric_files(x, x + 0.02 * rng.normal(size=(80, 2)))
    distance = make(make_comparison(files))
    found = link_one_to_one(distance)
    assert (found.linkage is None) == (distances(distance).min() < 0.0)
    if found.linkage is not None:
        assert found.linkage.links("expected") >= nearest(distance).links("expected") > 40
    assert "array" not in repr(found)


def test_rivals_play_no_part_in_the_posterior() -> None:
    """What originals that compete for a record add to its distances is the same for all: probabilities stay."""
    rng = np.random.default_rng(9)
    x = rng.normal(size=(30, 2))
    distance = Probabilistic().distance(make_comparison(numeric_files(x, x + 0.05 * rng.normal(size=(30, 2)))))
    assert distance.extras[1].any()
    pairs = near_pairs(distance)
    scores = near_scores(distance, pairs, 1.0 / math.log(2.0))
    with_rivals = pairs.distance * -math.log(2.0)
    place = {(i, j): value for i, j, value in zip(pairs.original, pairs.protected, with_rivals, strict=True)}
    there = np.array([place[pair] for pair in zip(scores.original, scores.protected(), strict=True)])
    np.testing.assert_allclose(there + distance.extras[1][scores.protected()] * math.log(2.0), scores.value)
    other = scores.restricted(np.ones(scores.n_pairs, dtype=np.bool_), there)
    np.testing.assert_allclose(posterior(scores).probability, posterior(other).probability, atol=1e-6)
