"""The Markov chain against the dynamic programme, its moves against all populations, its diagnostics against theory."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from linkrisk.engine.mixing import effective_size, split_r_hat
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.posterior.atoms import Atoms, make_atoms
from linkrisk.tables.posterior.chain import _spread
from linkrisk.tables.posterior.chain_diagnostics import probability_errors
from linkrisk.tables.posterior.chain_kernels import Moves
from linkrisk.tables.posterior.chain_moves import integer_kernel, make_moves
from linkrisk.tables.posterior.exact import Status, exact_posteriors
from tests.oracle.table_posterior import compositions
from tests.tables.exact_problems import Plan, make_problem, unique_matches

SIZES = {"a": 3, "b": 2, "c": 2}
SAMPLES = ((("a", "b"), 4), (("a", "c"), 4))
DECOMPOSABLE = ((("a", "b"), "exact"), (("b", "c"), "exact"))
CYCLE = ((("a", "b"), "exact"), (("b", "c"), "exact"), (("a", "c"), "exact"))

CASES = [
    ((), Status.PROVEN),
    (((("a", "b", "c"), "random_rounding"),), Status.PROVEN),
    (((("a", "b"), "suppressed"), (("b",), "rounded")), Status.PROVEN),
    (((("b",), "exact"), (("a", "c"), "random_rounding")), Status.PROVEN),
    (DECOMPOSABLE, Status.PROVEN),
    ((*DECOMPOSABLE, (("a", "c"), "rounded")), Status.PROVEN),
    (CYCLE, Status.NOT_PROVEN),
]


def with_a_match(plan: Plan, sizes: dict[str, int], population: int) -> tuple[Evidence, NDArray[np.int64]]:
    """Return the first problem with a unique match."""
    for seed in itertools.count():
        evidence, _ = make_problem(plan, sizes, population, seed)
        cells = unique_matches(evidence)
        if len(cells):
            return evidence, cells
    raise AssertionError


@pytest.mark.slow
@pytest.mark.parametrize(("tables", "status"), CASES)
def test_against_the_programme(tables: tuple[tuple[tuple[str, ...], str], ...], status: Status) -> None:
    """The chain's probabilities are the exact ones within four of its own standard errors, with a seed."""
    n_cells = 0
    for seed in (5, 8):
        evidence, _ = make_problem(Plan(SAMPLES, tables), SIZES, 24, seed)
        cells = unique_matches(evidence)
        if not len(cells):
            continue
        exact = exact_posteriors(evidence, cells, method="programme")
        drawn = exact_posteriors(evidence, cells, method="chain", seed=1)
        for one, other in zip(exact, drawn, strict=True):
            n_cells += 1
            assert other.diagnostics is not None
            assert (other.method, other.status) == ("Markov chain", status)
            error = max(other.diagnostics.match_standard_error, 1e-9)
            assert abs(one.posterior.match_probability() - other.posterior.match_probability()) < 4 * error
            counts = other.posterior.counts
            expected = np.array([one.posterior.probability(int(count)) for count in counts])
            slack = 4 * np.maximum(other.diagnostics.standard_errors, 0.005)
            assert (np.abs(expected - other.posterior.probabilities) < slack).all()
            assert expected.sum() > 0.99
    assert n_cells


@pytest.mark.slow
def test_the_same_seed_gives_the_same_draws() -> None:
    """And another seed gives others."""
    evidence, cells = with_a_match(Plan(SAMPLES), SIZES, 24)
    one, again, other = (
        exact_posteriors(evidence, cells, method="chain", seed=seed)[0].posterior.probabilities for seed in (1, 1, 2)
    )
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_no_time_gives_a_result_that_says_so() -> None:
    """A chain cut off after its first round is not called converged."""
    evidence, cells = with_a_match(Plan(SAMPLES), {"a": 4, "b": 5, "c": 5}, 3000)
    (found, *_) = exact_posteriors(evidence, cells, method="chain", time_limit=0.0)
    assert found.status is Status.NOT_CONVERGED
    assert found.posterior.probabilities.sum() == pytest.approx(1.0)


def reachable(atoms: Atoms, moves: Moves, start: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return all counts of atoms that transfers of one person and exchanges of two reach."""
    n = len(atoms)
    steps: set[tuple[int, ...]] = set()
    group = moves.group.tolist()
    for a, b in itertools.permutations(range(n), 2):
        if group[a] == group[b]:
            steps.add(_step(n, [a], [b]))
    for k, a, b in itertools.product(range(len(moves.left)), range(n), range(n)):
        if moves.component[k, group[a]] != moves.component[k, group[b]]:
            continue
        width = moves.pair[k, 0]
        third = moves.pair[k, 1 + moves.left[k, group[a]] * width + moves.right[k, group[b]]]
        fourth = moves.pair[k, 1 + moves.left[k, group[b]] * width + moves.right[k, group[a]]]
        for d, e in itertools.product(range(n), range(n)):
            if group[d] == third and group[e] == fourth:
                steps.add(_step(n, [a, b], [d, e]))
    seen, fresh = {start}, [start]
    while fresh:
        here = fresh.pop()
        for step in steps:
            there = tuple(x + y for x, y in zip(here, step, strict=True))
            if min(there) >= 0 and there not in seen:
                seen.add(there)
                fresh.append(there)
    return seen


def _step(n: int, givers: list[int], takers: list[int]) -> tuple[int, ...]:
    change = [0] * n
    for atom in givers:
        change[atom] -= 1
    for atom in takers:
        change[atom] += 1
    return tuple(change)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    "tables",
    [(), ((("b",), "exact"),), DECOMPOSABLE, ((("a",), "exact"), (("b",), "exact"), (("c",), "exact"))],
)
def test_moves_connect_all_populations_of_the_fixed_sums(
    tables: tuple[tuple[tuple[str, ...], str], ...], seed: int
) -> None:
    """*Guarantee* of `make_moves` where it says proven: every population of the fixed sums is reached."""
    evidence, _ = make_problem(Plan(((("a", "b"), 1), (("a", "c"), 1)), tables), {"a": 2, "b": 2, "c": 2}, 5, seed)
    atoms = make_atoms(evidence, np.zeros(0, dtype=np.int64))
    assert atoms is not None
    found = make_moves(atoms)
    assert found.is_proven
    fixed = [statement for statement in atoms.statements if statement.is_exact]
    possible = {
        counts
        for counts in compositions(5, len(atoms))
        if all(sum(counts[atom] for atom in statement.atoms) == statement.low for statement in fixed)
    }
    assert reachable(atoms, found.moves, next(iter(possible))) == possible


def test_a_cycle_of_tables_is_not_called_proven() -> None:
    """Three tables that share attributes in a circle have no junction tree; lattice moves keep their sums."""
    evidence, _ = make_problem(Plan(SAMPLES, CYCLE), SIZES, 40, 0)
    atoms = make_atoms(evidence, np.zeros(0, dtype=np.int64))
    assert atoms is not None
    found = make_moves(atoms)
    assert not found.is_proven
    assert len(found.moves.lattice)
    for statement in atoms.statements:
        if statement.is_exact:
            classes = np.bincount(found.moves.group[statement.atoms], minlength=found.moves.lattice.shape[1]) > 0
            assert not (found.moves.lattice[:, classes].sum(axis=1)).any()


@pytest.mark.parametrize("tables", [(), ((("b",), "exact"),), ((("a", "b"), "suppressed"),)])
def test_starts_at_random_have_the_fixed_sums(tables: tuple[tuple[tuple[str, ...], str], ...]) -> None:
    """Large problems start without a solver: every fixed sum is right, and nobody is lost."""
    evidence, _ = make_problem(Plan(SAMPLES, tables), SIZES, 50, 2)
    atoms = make_atoms(evidence, np.zeros(0, dtype=np.int64))
    assert atoms is not None
    counts = _spread(atoms, make_moves(atoms), np.random.default_rng(0))
    assert (counts >= 0).all()
    for statement in atoms.statements:
        assert not statement.is_exact or counts[statement.atoms].sum() == statement.low


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), st.integers(2, 7), st.integers(0, 2**31))
def test_integer_kernel(n_rows: int, n_columns: int, seed: int) -> None:
    """*Guarantee*: as many vectors as the kernel has dimensions, all in it, and every whole vector is made of them."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 2, (n_rows, n_columns))
    basis = integer_kernel(matrix)
    assert len(basis) == n_columns - np.linalg.matrix_rank(matrix)
    assert not (matrix @ basis.T).any()
    for vector in itertools.product((-1, 0, 1), repeat=n_columns):
        if len(basis) and not (matrix @ np.array(vector)).any():
            shares = np.linalg.lstsq(basis.T.astype(float), np.array(vector, dtype=float), rcond=None)[0]
            assert shares == pytest.approx(np.round(shares), abs=1e-6)


def chains(rho: float, n: int) -> NDArray[np.float64]:
    """Return four autoregressive chains."""
    rng = np.random.default_rng(0)
    draws = rng.standard_normal((4, n))
    for place in range(1, n):
        draws[:, place] = rho * draws[:, place - 1] + np.sqrt(1 - rho**2) * draws[:, place]
    return draws


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregressive_chain(rho: float) -> None:
    """In theory n (1 - rho) / (1 + rho); and R-hat is near 1."""
    draws = chains(rho, 20_000)
    assert effective_size(draws) == pytest.approx(80_000 * (1 - rho) / (1 + rho), rel=0.15)
    assert split_r_hat(draws) == pytest.approx(1.0, abs=0.005)


def test_chains_that_disagree_are_seen() -> None:
    """Chains at other places, chains that drift, and chains that stand still at different counts."""
    draws = chains(0.0, 400)
    assert split_r_hat(draws + np.arange(4)[:, None]) > 1.1
    assert split_r_hat(draws + np.linspace(0, 3, 400)) > 1.1
    assert split_r_hat(np.repeat([[1.0], [2.0]], 50, axis=1)) == np.inf
    assert split_r_hat(np.ones((4, 50))) == 1.0


def test_errors_of_probabilities() -> None:
    """Of independent draws: sqrt(p (1 - p) / n)."""
    draws = np.random.default_rng(0).integers(2, 5, (4, 2000))
    assert probability_errors(draws, 2, 3).tolist() == pytest.approx([(2 / 9 / 8000) ** 0.5] * 3, rel=0.3)
