"""Rank swapping: against its twin, its promises, and its bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.datasets import census_like
from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import Secret, rank_swap
from linkrisk.protection.drawing.permutation import draw_permutation, n_sweeps
from linkrisk.protection.drawing.permutation_kernel import permute_blocks, sweep_ranks
from linkrisk.protection.drawing.swap_kernel import swap_partners
from linkrisk.protection.methods.rank_swap import PAIR_NOTE, VARIANTS, SwappedAttribute
from tests.oracle import permutations
from tests.oracle.ranking import swap_partners as slow_partners


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 70))
@settings(max_examples=200, deadline=None)
def test_partners_are_those_of_the_twin(seed: int, n_ranks: int, window: int) -> None:
    """The tree finds the very partner that a list of the free ones gives."""
    uniforms = np.random.default_rng(seed).random(n_ranks)
    assert swap_partners(uniforms, window).tolist() == slow_partners(uniforms.tolist(), window)


def mix(uniforms: FloatArray, window: int) -> IntArray:
    """Permute by the kernels: one row of numbers for the blocks, one for each sweep."""
    taken = permute_blocks(uniforms[0], window)
    taker = np.argsort(taken)
    for row in uniforms[1:]:
        sweep_ranks(taken, taker, row, window)
    assert taker.tolist() == np.argsort(taken).tolist()
    return taken


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 45), st.integers(0, 4))
@settings(max_examples=200, deadline=None)
def test_permutations_are_those_of_the_twin(seed: int, n_ranks: int, window: int, n_rows: int) -> None:
    """Block by block and sweep by sweep, the very permutation that lists give; never out of a window."""
    uniforms = np.random.default_rng(seed).random((1 + n_rows, n_ranks))
    expected = permutations.permute_blocks(uniforms[0].tolist(), window)
    for row in uniforms[1:]:
        expected = permutations.sweep(expected, row.tolist(), window)
    assert mix(uniforms, window).tolist() == expected
    assert permutations.is_within(expected, window)


SMALL = [(n_ranks, window) for n_ranks in range(2, 6) for window in range(1, n_ranks)] + [(6, 1), (6, 2)]


@pytest.mark.parametrize(("n_ranks", "window"), SMALL)
def test_all_permutations_within_the_windows_are_equally_probable(n_ranks: int, window: int) -> None:
    """By enumeration, after as many sweeps as are made: every permutation, each as probable as any other up to 1e-4."""
    allowed = permutations.list_all(n_ranks, window)
    law = permutations.exact_distribution(n_ranks, window, n_sweeps(n_ranks))
    assert set(law) == set(allowed)
    assert sum(abs(probability - 1 / len(allowed)) for probability in law.values()) / 2 < 1e-4


def test_one_block_is_uniform_from_the_start() -> None:
    """With w = n - 1 there is no window, and the shuffle of the first step is exact."""
    law = permutations.exact_distribution(4, 3, 0)
    assert len(law) == 24
    assert set(law.values()) == {1 / 24}


@pytest.mark.slow
def test_frequencies_of_small_permutations() -> None:
    """What is drawn from secrets falls on all 14 permutations of 4 ranks in windows of 2 alike (chi-squared)."""
    from scipy.stats import chisquare  # noqa: PLC0415  (slow to import, used once)

    counts = dict.fromkeys(permutations.list_all(4, 2), 0)
    for seed in range(2800):
        counts[tuple(draw_permutation(Secret(seed), "wage", 4, 2).tolist())] += 1
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_moves_of_many_ranks_are_uniform_between_the_ends() -> None:
    """Far from both ends every move from -w to w is as frequent as any other; near them windows are cut."""
    window, n_ranks = 20, 40_000
    taken = draw_permutation(Secret(5), "wage", n_ranks, window)
    moves = (taken - np.arange(n_ranks))[1000:-1000]
    shares = np.bincount(moves + window, minlength=2 * window + 1) / moves.size
    assert shares.size == 2 * window + 1
    assert shares == pytest.approx(np.full(2 * window + 1, 1 / (2 * window + 1)), rel=0.15)


def test_no_pairs_are_left() -> None:
    """Two ranks change places about n / (4 w) times by chance, not n / 2 times; the start in blocks is forgotten."""
    n_ranks, window = 20_000, 100
    ranks = np.arange(n_ranks)
    both = (draw_permutation(Secret(1), "wage", n_ranks, window), swap_partners(np.full(n_ranks, 0.5), window))
    counts = [int(((taken[taken] == ranks) & (taken != ranks)).sum()) // 2 for taken in both]
    assert counts[0] == pytest.approx(n_ranks / (4 * window), abs=25)
    assert counts[1] > 9_000
    borders = np.arange(window + 1, n_ranks - window, window + 1)
    taken = draw_permutation(Secret(2), "wage", n_ranks, window)
    crossing = {shift: np.mean([(taken[: b + shift] >= b + shift).sum() for b in borders]) for shift in (0, 50)}
    assert crossing[0] == pytest.approx(crossing[50], rel=0.03)
    assert crossing[0] == pytest.approx(window / 4, rel=0.05)


def test_columns_are_permuted_independently() -> None:
    """Two columns with the same values move unrelated ways, with one secret; near the ends all move inwards."""
    values = np.random.default_rng(3).random(5_000)
    frame = pd.DataFrame({"a": values, "b": values})
    moved = rank_swap(frame, 20, secret_seed=1).data.rank().sub(frame.rank())[frame["a"].rank().between(1000, 4000)]
    assert abs(moved["a"].corr(moved["b"])) < 0.05
    assert (moved["a"] == moved["b"]).mean() < 0.01


def test_the_pair_attack_finds_everyone_in_pairs_and_few_in_a_permutation() -> None:
    """A guess implies others only where values changed places in pairs (issue 14); no true pair is used."""
    original = census_like(250, seed=1).iloc[:, :7].to_numpy(float)
    ranks = np.argsort(np.argsort(original, axis=0), axis=0)
    found = {}
    for variant in VARIANTS:
        protected = rank_swap(ranks.astype(float), 30, variant=variant, secret_seed=2).data.astype(int)
        votes = np.array(permutations.count_implied_pairs(ranks.tolist(), protected.tolist(), 75))
        own = np.diag(votes)
        found[variant] = int((own > np.max(votes - 100 * np.eye(250, dtype=int), axis=1)).sum())
    assert found["pairs"] >= 245
    assert found["permutation"] < 50


@given(st.integers(0, 2**32), st.floats(1, 100), st.integers(1, 50), st.sampled_from(VARIANTS))
@settings(max_examples=100, deadline=None)
def test_swapped_ranks_are_within_p(seed: int, p: float, largest: int, variant: str) -> None:
    """Without ties no value moves more than p percent of the ranks; with ties the values at such ranks bound it."""
    values = np.random.default_rng(seed).integers(0, largest, 100).astype(float)
    protected = rank_swap(values[:, None], p, variant=variant, secret_seed=seed).data[:, 0]
    ordered = np.sort(values)
    assert np.sort(protected).tolist() == ordered.tolist()
    window = int(p)
    last = np.searchsorted(ordered, values, side="right") - 1
    first = np.searchsorted(ordered, values, side="left")
    assert (protected <= ordered[np.minimum(last + window, 99)]).all()
    assert (protected >= ordered[np.maximum(first - window, 0)]).all()


def test_five_records_with_ties_by_hand() -> None:
    """One rank of five in pairs: neighbours change places, whichever order the equal values were given."""
    values = np.array([[7.0], [1.0], [7.0], [3.0], [7.0]])
    for seed in range(10):
        protected = rank_swap(values, 20, variant="pairs", secret_seed=seed).data[:, 0]
        assert (protected[1], protected[3]) == (3.0, 1.0)
        assert protected[[0, 2, 4]].tolist() == [7.0, 7.0, 7.0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_equal_values_are_ranked_at_random(variant: str) -> None:
    """Who of the equal ones may move across the border does not hang on the file's order."""
    values = np.repeat([0.0, 1.0], 50)[:, None]
    files = [rank_swap(values, 8, variant=variant, secret_seed=seed).data for seed in range(300)]
    changed = sum((file != values)[:, 0].astype(int) for file in files)
    assert changed.min() > 0
    assert changed.max() < 60


def test_pairs_are_told_of_and_permutations_are_the_default() -> None:
    """A release in pairs carries a warning that names the remedy; the record says which variant was used."""
    frame = census_like(50, seed=1).iloc[:, :2]
    pairs, default = rank_swap(frame, 10, variant="pairs"), rank_swap(frame, 10)
    assert pairs.notes == (PAIR_NOTE,)
    assert "Choose permutation as variant (--variant)" in str(pairs)
    assert default.notes == ()
    assert default.to_dict()["parameters"]["variant"] == "permutation"
    assert default.to_dict()["title"] != pairs.to_dict()["title"]
    with pytest.raises(ParameterError, match=r"of rank_swap must be permutation \(the default\) or pairs"):
        rank_swap(frame, 10, variant="fast")


def test_ordinal_missing_and_p_for_each() -> None:
    """Ordinal columns keep their type and margins; missing values stay where they are."""
    school = pd.Categorical(["low", "high", None, "low", "high"] * 20, categories=["low", "high"], ordered=True)
    frame = pd.DataFrame({"school": school, "wage": [1.0, None, 3, 4, 5] * 20})
    protection = rank_swap(frame, {"school": 30, "wage": 5}, secret_seed=4)
    protected = protection.data
    assert protected["school"].dtype == frame["school"].dtype
    for name in frame:
        assert protected[name].isna().tolist() == frame[name].isna().tolist()
        assert protected[name].value_counts().to_dict() == frame[name].value_counts().to_dict()
    assert (protected["school"] != frame["school"])[frame["school"].notna()].any()
    first, second = protection.details
    assert isinstance(first, SwappedAttribute)
    assert isinstance(second, SwappedAttribute)
    assert (first.window, second.window) == (24, 4)
    assert second.largest_move <= 4


@pytest.mark.parametrize("p", [-1, 101, float("nan"), "5", True, {"a": 0}, 0.5])
def test_impossible_p_is_refused(p: float) -> None:
    """Above 0, at most 100, and at least one rank."""
    with pytest.raises(ParameterError, match="p of column 'a'"):
        rank_swap(pd.DataFrame({"a": range(100)}), p)


def test_nominal_columns_are_refused() -> None:
    """They have no ranks."""
    with pytest.raises(ColumnError, match="'s' is not numeric, date or ordinal but nominal"):
        rank_swap(pd.DataFrame({"s": ["x", "y"] * 5}), 10)
