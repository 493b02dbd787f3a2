"""Fast ways through matchings: the largest one by levels, messages that leap to their limit, blocks that are solved."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.linkage.matching import belief
from linkrisk.linkage.matching import blocks as matching_blocks
from linkrisk.linkage.matching.balance import balance
from linkrisk.linkage.matching.bayes import bayes_links
from linkrisk.linkage.matching.belief import propagate
from linkrisk.linkage.matching.blocks import solve_blocks
from linkrisk.linkage.matching.problem import make_problem, maximum_matching
from linkrisk.linkage.matching.scores import PairScores
from tests.linkage.scores import listed
from tests.oracle import belief as twin
from tests.oracle import matchings as oracle

seeds = st.integers(0, 2**32 - 1)


def draw_scores(seed: int, n_original: int, n_protected: int, density: float, spread: float) -> PairScores:
    """Draw log-likelihoods of some pairs."""
    random = np.random.default_rng(seed)
    is_pair = random.random((n_protected, n_original)) < density
    start = np.concatenate([[0], np.cumsum(is_pair.sum(axis=1))]).astype(np.int64)
    original = np.nonzero(is_pair)[1].astype(np.int64)
    return PairScores(start, original, spread * random.normal(size=len(original)), n_original)


@settings(max_examples=200, deadline=None)
@given(seed=seeds, n=st.integers(1, 25), m=st.integers(1, 25), degree=st.floats(0.3, 4.0), is_random=st.booleans())
def test_no_matching_is_larger(seed: int, n: int, m: int, degree: float, is_random: bool) -> None:
    """As many pairs as paths one by one find, each record once, all of them listed."""
    scores = draw_scores(seed, n, m, min(1.0, degree / n), 1.0)
    worth = np.random.default_rng(seed).random(scores.n_pairs) if is_random else None
    partner = maximum_matching(scores, worth)
    pairs = list(zip(scores.protected().tolist(), scores.original.tolist(), strict=True))
    chosen = [(j, int(i)) for j, i in enumerate(partner) if i >= 0]
    assert set(chosen) <= set(pairs)
    assert len({i for _, i in chosen}) == len(chosen) == twin.largest_matching(pairs)


@settings(max_examples=10, deadline=None)
@given(seed=seeds, n=st.integers(2, 7), extra=st.integers(0, 2), spread=st.floats(0.0, 3.0))
def test_leaps_end_where_small_steps_do(seed: int, n: int, extra: int, spread: float) -> None:
    """Messages that leap have the limit of messages that do not, strangers included."""
    scores = draw_scores(seed, n, n + extra, 0.8, spread)
    problem = make_problem(scores, n_strangers=extra)
    weights = balance(problem)
    found = propagate(problem, weights, least_change=1e-7)
    assume(found.is_converged and problem.is_maximum)
    matrix = np.zeros((n, n + extra))
    kept = problem.scores
    matrix[kept.original, kept.protected()] = weights.weight
    expected = np.array(twin.believed(matrix.tolist(), weights.absent.tolist(), weights.stranger.tolist(), 6_000))
    assert found.probability == pytest.approx(expected[kept.original, kept.protected()], abs=1e-4)


class _NoLeaps:
    """Never leaps."""

    def after(self, number: int, change: float, rounds: object) -> None:
        """Do nothing."""


def test_leaps_save_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ends of a file meet only by many others between them, small steps take hundreds of rounds."""
    n, window = 200, 2
    place = np.arange(n)
    is_pair = np.abs(place[:, None] - place) <= window
    start = np.concatenate([[0], np.cumsum(is_pair.sum(axis=1))]).astype(np.int64)
    value = np.random.default_rng(1).normal(size=int(is_pair.sum()))
    problem = make_problem(PairScores(start, np.nonzero(is_pair)[1].astype(np.int64), value, n), 0)
    weights = balance(problem)
    leaping = propagate(problem, weights, most_rounds=5_000, least_change=1e-6)
    monkeypatch.setattr(belief, "_Leaps", _NoLeaps)
    stepping = propagate(problem, weights, most_rounds=5_000, least_change=1e-6)
    assert leaping.is_converged
    assert 2 * leaping.n_rounds < stepping.n_rounds
    assert leaping.probability == pytest.approx(stepping.probability, abs=1e-3)


sizes = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=3).filter(
    lambda blocks: sum(min(block) for block in blocks) > 0 and max(sum(side) for side in zip(*blocks, strict=True)) < 7
)


@settings(max_examples=50, deadline=None)
@given(blocks=sizes, seed=seeds, is_one_to_one=st.booleans())
def test_even_blocks_are_counted_exactly(blocks: list[tuple[int, int]], seed: int, is_one_to_one: bool) -> None:
    """Probabilities, ceiling and spread are those of all matchings, one by one; no chain is run."""
    random = np.random.default_rng(seed)
    n, m = (sum(side) for side in zip(*blocks, strict=True))
    likelihood = np.zeros((n, m))
    i = j = 0
    for rows, columns in blocks:
        likelihood[i : i + rows, j : j + columns] = 0.5
        i, j = i + rows, j + columns
    likelihood = likelihood[random.permutation(n)][:, random.permutation(m)]
    n_strangers = m - sum(min(block) for block in blocks)
    possible = oracle.posterior(likelihood.tolist(), n_strangers)
    probability = oracle.marginals(possible, n)
    scores = listed(likelihood)
    found = bayes_links(scores, n_strangers=n_strangers, is_one_to_one=is_one_to_one)
    best = (oracle.most_links if is_one_to_one else oracle.most_claims)(probability)
    assert [found.links, found.lower, found.error] == pytest.approx([best, best, 0.0], abs=1e-12)
    assert found.marginals.probability == pytest.approx(np.array(probability)[scores.original, scores.protected()])
    right = [sum(found.partner[i] == j for j, i in enumerate(matching) if i >= 0) for matching in possible]
    assert found.spread == pytest.approx(np.std(right), abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(seed=seeds, n=st.integers(1, 6), m=st.integers(1, 6), degree=st.floats(0.5, 3.0), is_one_to_one=st.booleans())
def test_small_blocks_are_solved_exactly(seed: int, n: int, m: int, degree: float, is_one_to_one: bool) -> None:
    """Probabilities, ceiling and spread are those of all matchings, one by one, strangers of any density included."""
    random = np.random.default_rng(seed)
    likelihood = np.where(random.random((n, m)) < degree / n, np.exp(3.0 * random.normal(size=(n, m))), 0.0)
    stranger = np.exp(random.normal(size=m))
    scores = listed(likelihood)
    n_strangers = m - int((maximum_matching(scores) >= 0).sum())
    possible = oracle.posterior(likelihood.tolist(), n_strangers, stranger.tolist())
    found = bayes_links(scores, n_strangers=n_strangers, stranger=np.log(stranger), is_one_to_one=is_one_to_one)
    probability = np.array(oracle.marginals(possible, n))
    assert found.marginals.method == "exact"
    assert found.marginals.probability == pytest.approx(probability[scores.original, scores.protected()], abs=1e-11)
    best = (oracle.most_links if is_one_to_one else oracle.most_claims)(probability.tolist())
    assert [found.links, found.lower, found.error] == pytest.approx([best, best, 0.0], abs=1e-10)
    right = np.array([sum(found.partner[i] == j for j, i in enumerate(each) if i >= 0) for each in possible])
    chance = np.array(list(possible.values()))
    assert found.spread == pytest.approx(np.sqrt(max(0.0, chance @ right**2 - (chance @ right) ** 2)), abs=1e-6)


@settings(max_examples=20, deadline=None)
@given(seed=seeds, n_small=st.integers(1, 3))
def test_chains_are_run_for_what_is_left(seed: int, n_small: int) -> None:
    """A block too large is drawn, the others are exact; together they are as if all were drawn."""
    random = np.random.default_rng(seed)
    parts = [random.uniform(0.2, 1.0, size=(size, size)) for size in (*[2] * n_small, 4)]
    n = sum(map(len, parts))
    likelihood, begin = np.zeros((n, n)), 0
    for part in parts:
        likelihood[begin : begin + len(part), begin : begin + len(part)] = part
        begin += len(part)
    likelihood = likelihood[random.permutation(n)][:, random.permutation(n)]
    scores = listed(likelihood)
    with patch.object(matching_blocks, "MOST_FEWER", 3):
        mixed = bayes_links(scores, sweeps=500)
    with patch.object(matching_blocks, "MOST_FEWER", 0):
        drawn = bayes_links(scores, sweeps=500)
    known = bayes_links(scores)
    assert [each.marginals.method for each in (mixed, drawn, known)] == ["chain", "chain", "exact"]
    is_small = np.isin(known.marginals.probability, mixed.marginals.probability)
    assert is_small.sum() >= 4 * n_small
    assert mixed.marginals.probability == pytest.approx(known.marginals.probability, abs=0.08)
    assert 0.0 < mixed.error < drawn.error + 0.02
    for each in (mixed, drawn):
        assert each.lower - 5 * each.error - 0.02 <= known.links <= each.links + 5 * each.error + 0.02
        assert each.spread == pytest.approx(known.spread, abs=0.1)


@settings(max_examples=100, deadline=None)
@given(seed=seeds)
def test_equals_are_equal(seed: int) -> None:
    """Records that are alike have the same probability to the last bit, so that chance decides between them."""
    random = np.random.default_rng(seed)
    people, kinds = np.exp(3.0 * random.normal(size=(3, 3))), random.integers(0, 3, size=6)
    others = random.permutation(kinds)
    found = bayes_links(listed(people[np.ix_(kinds, others)]))
    assert found.marginals.method == "exact"
    probability: dict[tuple[int, int], set[float]] = {(i, j): set() for i in range(3) for j in range(3)}
    scores = found.marginals.scores
    for i, j, each in zip(scores.original, scores.protected(), found.marginals.probability, strict=True):
        probability[kinds[i], others[j]].add(each)
    assert max(map(len, probability.values())) == 1


def test_small_probabilities_are_told_apart() -> None:
    """However unlikely a pair is, it is not impossible, and is compared with others as unlikely."""
    likelihood = np.exp(-np.array([[0.0, 32.0, 30.0], [31.0, 0.0, 33.0], [34.0, 29.0, 0.0]]))
    found = bayes_links(listed(likelihood)).marginals
    exact = np.array(oracle.marginals(oracle.posterior(likelihood.tolist(), 0), 3))
    expected = exact[found.scores.original, found.scores.protected()]
    assert expected.min() < 1e-25
    assert found.probability == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("far", [590.0, 640.0, 700.0, 1000.0])
def test_what_floats_cannot_hold_is_not_called_exact(far: float) -> None:
    """Two matchings of three people, both of pairs that are hardly possible: exact, or drawn with an error."""
    value = np.array([0.0, 0.0, -far, 0.0, -far - 20.0, 0.0])
    scores = PairScores(np.array([0, 2, 4, 6]), np.array([0, 1, 0, 2, 1, 2]), value, 3)
    found = bayes_links(scores, sweeps=50)
    is_exact = found.marginals.method == "exact"
    assert is_exact == (far < 600.0)
    assert (found.links == pytest.approx(3.0) and found.error == 0.0) if is_exact else not found.is_converged


def test_what_is_solved() -> None:
    """Blocks of equals of any size, small ones of any kind, and none where fewer are matched than could be."""
    even = PairScores(np.array([0, 2, 4]), np.array([0, 1, 0, 1]), np.zeros(4), 2)
    likelier = PairScores(even.start, even.original, np.array([0.0, 0.0, 0.0, 1e-9]), 2)
    fewer = PairScores(np.array([0, 3, 6, 8]), np.array([0, 1, 2, 0, 1, 2, 0, 1]), np.zeros(8), 3)
    large = np.ones((20, 20))
    assert solved(even, 0) == (1, 1)
    assert solved(even, 1) == (0, 0)
    assert solved(likelier, 0) == (0, 1)
    assert solved(fewer, 0) == (0, 1)
    assert solved(listed(large), 0) == (1, 1)
    large[0, 0] = 2.0
    assert solved(listed(large), 0) == (0, 0)
    assert solved(listed(large[:10]), 10) == (0, 1)


def solved(scores: PairScores, n_strangers: int) -> tuple[int, int]:
    """Count the blocks that are even, and those that are solved."""
    problem = make_problem(scores, n_strangers)
    blocks = solve_blocks(problem, balance(problem))
    return int(blocks.is_even.sum()), int(blocks.is_solved.sum())
