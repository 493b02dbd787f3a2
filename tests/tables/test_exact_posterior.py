"""Exact posteriors: against every population listed, the worked example, laws, and populations drawn from the prior."""

from __future__ import annotations

import itertools
from functools import cache
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from linkrisk.errors import SettingsError
from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.mechanisms import NearestRounding, RandomRounding
from linkrisk.tables.evidence.publication import make_table_description
from linkrisk.tables.evidence.reading import make_evidence
from linkrisk.tables.posterior.atoms import Statement, make_atoms
from linkrisk.tables.posterior.exact import ExactPosterior, Status, exact_posteriors
from linkrisk.tables.posterior.naive import naive_posteriors
from linkrisk.tables.posterior.posterior import Posterior
from tests.oracle.table_posterior import compositions, posterior
from tests.tables.exact_problems import MECHANISMS, Plan, make_problem, twin_view, unique_matches
from tests.tables.worked_example import FIRST, POPULATION, ROUNDED, SECOND, rounded

SAMPLES = {"first": FIRST, "second": SECOND}
LEVEL2 = np.array([1])


def by_programme(evidence: Evidence, cells: NDArray[np.int64]) -> list[ExactPosterior]:
    """Return exact posteriors by dynamic programming."""
    return exact_posteriors(evidence, cells, method="programme")


@cache
def all_tables() -> NDArray[np.int64]:
    """Return all 480 700 tables of 18 people in 8 cells."""
    return np.array(list(compositions(18, 8)))


def listed(*, is_rounded: bool) -> NDArray[np.float64]:
    """Return the posterior of the worked example from all tables, one by one."""
    tables = all_tables()
    choose = np.array([[comb(n, k) for k in range(4)] for n in range(19)], dtype=np.float64)
    weights = np.ones(len(tables))
    for sample, names in ((FIRST, ["Var1", "Var2"]), (SECOND, ["Var2", "Var3"])):
        for cell, drawn in sample.value_counts().items():
            inside = (POPULATION[names] == pd.Series(cell, index=names)).all(axis=1).to_numpy()
            weights *= choose[tables[:, inside].sum(axis=1), drawn]
    if is_rounded:
        weights *= np.maximum(1 - np.abs(tables - ROUNDED["count"].to_numpy()) / 3, 0).prod(axis=1)
    counts = tables[:, (POPULATION["Var2"] == "Level2").to_numpy()].sum(axis=1)
    result = np.bincount(counts, weights=weights, minlength=19)
    return np.asarray(result / result.sum())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("is_rounded", "low", "expected", "match"),
    [
        # naively 0.36; the paper's table of probabilities is 0.09 0.19 0.22 0.19 ... from 1 on
        (False, 1, [0.019, 0.086, 0.168, 0.213, 0.202, 0.151, 0.091, 0.045, 0.018, 0.005, 0.001, 0, 0], 0.258),
        # naively 0.20, with 0.39 0.28 0.17 ... from 4 on; the truth, 8 people, is 1/8
        (True, 4, [0.014, 0.092, 0.248, 0.325, 0.225, 0.082, 0.014, 0.001], 0.148),
    ],
)
def test_worked_example(is_rounded: bool, low: int, expected: list[float], match: float) -> None:
    """The exact posterior of the paper's example, which the paper does not give, is that of all tables listed."""
    evidence = make_evidence(SAMPLES, [rounded()] if is_rounded else None, population=18)
    (found,) = by_programme(evidence, LEVEL2)
    assert (found.status, found.method, found.diagnostics) == (Status.EXACT, "dynamic programming", None)
    assert found.posterior.low == low
    assert found.posterior.probabilities.tolist() == pytest.approx(expected, abs=0.0006)
    assert found.posterior.match_probability() == pytest.approx(match, abs=0.0005)
    whole = [found.posterior.probability(count) for count in range(19)]
    assert whole == pytest.approx(listed(is_rounded=is_rounded).tolist(), abs=1e-12)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Evidence, NDArray[np.int64]]:
    """Two or three samples, attributes of one sample or table only, and up to three tables of any mechanism."""
    sizes = {"a": draw(st.integers(2, 3)), "b": 2, "c": 2}
    n_samples = draw(st.integers(2, 3))
    if n_samples == 3 or draw(st.booleans()):
        sizes |= {"a": 2, "d": 2}
    own = ["b", "c", "d"][:n_samples]
    samples = [(("a", name), draw(st.integers(1, 3))) for name in own]
    names = st.lists(st.sampled_from(list(sizes)), min_size=1, unique=True).map(tuple)
    tables = draw(st.lists(st.tuples(names, st.sampled_from(MECHANISMS)), max_size=3))
    population, seed = draw(st.integers(3, 5)), draw(st.integers(0, 2**31))
    for further in range(20):  # few people: many draws have no unique match
        evidence, _ = make_problem(Plan(samples, tables), sizes, population, seed + further)
        cells = unique_matches(evidence)
        if len(cells):
            break
    assume(len(cells))
    return evidence, cells


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(problems())
def test_against_all_base_tables(problem: tuple[Evidence, NDArray[np.int64]]) -> None:
    """*Guarantee* of atoms, blocks and programme: the posterior is that of every base table, one by one."""
    evidence, cells = problem
    _, sizes, overlap, tables = twin_view(evidence)
    for found, cell in zip(by_programme(evidence, cells), cells, strict=True):
        codes = tuple(evidence.domain.codes(evidence.overlap, np.array([cell]))[0].tolist())
        expected = posterior(sizes, evidence.population, overlap, codes, tables)
        counts = range(evidence.population + 1)
        assert [found.posterior.probability(count) for count in counts] == pytest.approx(
            [float(p) for p in expected], abs=1e-10
        )


def test_likelihoods_sum_to_one() -> None:
    """Over all samples of a population, and over all that may be published of a count."""
    population = [3, 0, 2, 4]
    total = 0.0
    for drawn in itertools.product(*(range(count + 1) for count in population)):
        if sum(drawn) == 3:
            statements = [Statement("s", np.array([0]), f, 9, f) for f in drawn]
            logs = [s.log_likelihood(np.array([count]))[0] for s, count in zip(statements, population, strict=True)]
            total += float(np.exp(sum(logs)))
    assert total / comb(9, 3) == pytest.approx(1.0)
    for mechanism in (RandomRounding(5), NearestRounding(4)):
        published = range(0, 40, mechanism.unit)
        sums = sum(np.exp(mechanism.log_likelihood(f, np.arange(20))) for f in published)
        assert np.asarray(sums).tolist() == pytest.approx([1.0] * 20)


def test_naive_is_exact_for_two_cells() -> None:
    """With samples only, an overlap of two cells and no other attribute of weight, the rest is one cell: N - F.

    Then C(F, f) C(N - F, n - f) is the whole likelihood, and Equation 5 is exact. With a third overlap cell, or with
    attributes of one sample only, it is not: the prior on F is no longer uniform.
    """
    first = pd.DataFrame({"a": ["x", "y", "y"], "b": ["1"] * 3})
    second = pd.DataFrame({"a": ["x", "y", "y", "y"], "c": ["1"] * 4})
    wide = second.assign(c=["1", "2", "1", "2"])
    more = pd.DataFrame({"a": ["x", "y", "z", "y"], "c": ["1"] * 4})
    errors = []
    for other in (second, wide, more):
        evidence = make_evidence([first, other], population=12)
        cells = np.array([0])
        (naive,) = naive_posteriors(evidence, cells, *naive_bounds(evidence, cells))
        (exact,) = by_programme(evidence, cells)
        errors.append(max(abs(naive.probability(c) - exact.posterior.probability(c)) for c in range(13)))
    assert errors[0] < 1e-12
    assert min(errors[1:]) > 0.02


def test_ways_to_spread_the_rest() -> None:
    """One person drawn by each of two samples from a cell, and a rest of two base cells of which nothing is known.

    By hand: the weight of F is F^2 times the N - F + 1 ways to spread the rest.
    """
    first, second = pd.DataFrame({"a": ["x"], "b": ["1"]}), pd.DataFrame({"a": ["x"], "c": ["1"]})
    categories = pd.DataFrame({"a": list("xyz"), "count": 0})
    silent = make_table_description(categories, mechanism="rounded", base=100, name="silent")
    (found,) = by_programme(make_evidence([first, second], [silent], population=7), np.array([0]))
    weights = np.array([count**2 * (8 - count) for count in range(8)])
    expected = (weights / weights.sum()).tolist()
    assert [found.posterior.probability(count) for count in range(8)] == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize("names", [("a",), ("a", "b"), ("a", "b", "c")])
def test_a_table_that_says_nothing_changes_nothing(names: tuple[str, ...]) -> None:
    """Samples alone are worked out by people drawn, with any other table by counts: both ways agree, for 300 people."""
    samples = [(("a", "b"), 9), (("a", "c"), 9)]
    evidence, _ = make_problem(Plan(samples), {"a": 6, "b": 3, "c": 2}, 300, 11)
    cells = unique_matches(evidence)
    combinations = itertools.product(*(evidence.domain.categories[name] for name in names))
    silent = pd.DataFrame(combinations, columns=list(names)).assign(count=0)
    table = make_table_description(silent, mechanism="rounded", base=1000, name="silent")
    frames = {
        sample.name: pd.DataFrame(
            {
                name: [evidence.domain.categories[name][code] for code in sample.codes[:, place]]
                for place, name in enumerate(sample.attributes)
            }
        )
        for sample in evidence.samples
    }
    more = make_evidence(frames, [table], population=300)
    assert more.domain == evidence.domain
    assert len(cells)
    for one, other in zip(by_programme(evidence, cells), by_programme(more, cells), strict=True):
        counts = range(301)
        expected = [one.posterior.probability(count) for count in counts]
        assert [other.posterior.probability(count) for count in counts] == pytest.approx(expected, abs=1e-10)


PUBLISHED: tuple[tuple[tuple[tuple[str, ...], str], ...], ...] = (
    (),
    ((("a", "b"), "random_rounding"),),
    ((("b", "c"), "exact"), (("a",), "rounded")),
    ((("a", "c"), "sample"), (("a", "b", "c"), "random_rounding")),
)


def calibration(n: int, plan: Plan, sizes: dict[str, int], population: int) -> list[tuple[Posterior, int]]:
    """Return posterior and true count of the first unique match in each of many populations drawn from the prior."""
    result = []
    for seed in range(n):
        evidence, people = make_problem(plan, sizes, population, seed)
        cells = unique_matches(evidence)[:1]
        if not len(cells) or any(len(evidence.domain.categories[name]) < size for name, size in sizes.items()):
            continue  # a category that nobody has would make the intruder's base table another one
        codes = evidence.domain.codes(evidence.overlap, cells)[0]
        labels = [evidence.domain.categories[name][code] for name, code in zip(evidence.overlap, codes, strict=True)]
        true = int((people[list(evidence.overlap)] == labels).all(axis=1).sum())
        result.append((by_programme(evidence, cells)[0].posterior, true))
    return result


@pytest.mark.slow
def test_calibration() -> None:
    """Populations drawn from the prior: the truth falls where the posterior says, in ten equal parts of probability."""
    samples = [(("a", "b"), 4), (("a", "c"), 4)]
    found = [
        pair for tables in PUBLISHED for pair in calibration(80, Plan(samples, tables), {"a": 3, "b": 2, "c": 2}, 20)
    ]
    rng = np.random.default_rng(1)
    places = [
        sum(p.probability(c) for c in range(true)) + rng.random() * p.probability(true) for p, true in found
    ]  # uniform between 0 and 1 where the posterior is right
    observed = np.histogram(places, bins=10, range=(0, 1))[0]
    assert len(found) > 100
    assert float(((observed - len(places) / 10) ** 2).sum() / (len(places) / 10)) < 27.9  # chi-square, 9 df, 0.1 %
    surprise = sum(true - p.mean for p, true in found)
    variance = sum(float(p.probabilities @ (p.counts - p.mean) ** 2) for p, _ in found)
    assert abs(surprise) < 3.3 * variance**0.5


def test_contradictions_are_told() -> None:
    """Tables that no population fits, taken together, give one sentence."""
    table = pd.DataFrame({"a": ["x", "x", "y"], "b": ["1", "2", "1"], "count": [3, 2, 1]})
    other = pd.DataFrame({"a": ["x", "y"], "c": ["1", "1"], "count": [2, 4]})
    described = [
        make_table_description(frame, mechanism="exact", name=name) for frame, name in ((table, "t"), (other, "o"))
    ]
    samples = [pd.DataFrame({"a": ["x", "y"], "b": ["1", "1"]}), pd.DataFrame({"a": ["x", "y"], "c": ["1", "1"]})]
    evidence = make_evidence(samples, described)
    for method in ("programme", "chain"):
        with pytest.raises(SettingsError, match="contradict"):
            exact_posteriors(evidence, np.array([0]), method=method)


def test_nothing_asked() -> None:
    """No cells, no posteriors."""
    assert exact_posteriors(make_evidence(SAMPLES, population=18), np.zeros(0, dtype=np.int64)) == []


def test_bad_settings() -> None:
    """An unknown method, a single chain, and a programme that may hold no state."""
    evidence = make_evidence(SAMPLES, population=18)
    for options, words in (
        ({"method": "guess"}, "auto"),
        ({"chains": 1}, "at least 2"),
        ({"time_limit": -1.0}, "at least 0"),
        ({"method": "programme", "most_states": 2}, "too many states"),
    ):
        with pytest.raises(SettingsError, match=words):
            exact_posteriors(evidence, LEVEL2, **options)


def test_atoms_of_private_attributes_are_few() -> None:
    """Attributes of one sample only are never enumerated: 81 million base cells, and their sizes add up to that."""
    labels = [str(number) for number in range(300)]
    overlap = ["x"] + ["y"] * 149 + ["z"] * 150
    first = pd.DataFrame({"a": overlap, "b": labels, "e": labels})
    second = pd.DataFrame({"a": overlap, "c": labels})
    evidence = make_evidence([first, second], population=10_000)
    atoms = make_atoms(evidence, np.array([0]))
    assert atoms is not None
    assert len(atoms) == 2 * 2 + 150 * 150 + 151 * 151
    assert atoms.sizes.sum() == 3 * 300**3
