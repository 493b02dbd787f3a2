"""Naive posteriors against enumeration, in the three ways a table can speak about a cell."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.mechanisms import Sampling
from linkrisk.tables.evidence.publication import TableDescription, make_table_description
from linkrisk.tables.evidence.reading import make_evidence
from linkrisk.tables.posterior.factors import Factor
from linkrisk.tables.posterior.naive import NaiveVariant, naive_posteriors
from linkrisk.tables.posterior.posterior import Posterior
from tests.oracle.tables import (
    Likelihood,
    exact,
    inside_weights,
    nearest_rounding,
    normalised,
    random_rounding,
    sampling,
    sum_weights,
)

POPULATION = 14
ROUNDINGS: dict[str, Likelihood] = {"rounded": nearest_rounding(3), "random_rounding": random_rounding(3)}
FIRST = pd.DataFrame({"x": ["1", "2", "2", "3"], "only": ["a", "b", "a", "b"]})
SECOND = pd.DataFrame({"x": ["1", "3", "3"], "other": ["c", "c", "d"]})
CELL = np.array([0])  # x = 1: one record in each sample


def evidence(*tables: TableDescription) -> Evidence:
    """Return two samples of 4 and 3 of 14 people, and some tables."""
    return make_evidence({"first": FIRST, "second": SECOND}, list(tables), population=POPULATION)


def table(
    cells: list[tuple[object, ...]], names: list[str], mechanism: str, base: int | None = None
) -> TableDescription:
    """Return a published table from rows of categories and a count."""
    return make_table_description(
        pd.DataFrame(cells, columns=[*names, "count"]), mechanism=mechanism, base=base, name="t"
    )


def sample_weights() -> list[Fraction]:
    """Return the weight of each count by the samples alone."""
    drawn = (sampling(4, POPULATION), sampling(3, POPULATION))
    return [drawn[0](1, count) * drawn[1](1, count) for count in range(POPULATION + 1)]


def check(found: Posterior, weights: list[Fraction], low: int, high: int) -> None:
    """Fail unless a posterior is the samples' weights times those of a table, within the bounds."""
    product = [
        a * b if max(low, 1) <= count <= high else Fraction(0)
        for count, (a, b) in enumerate(zip(sample_weights(), weights, strict=True))
    ]
    expected = normalised(product)
    assert [found.probability(count) for count in range(POPULATION + 1)] == pytest.approx(expected, abs=1e-12)
    assert found.probabilities.sum() == pytest.approx(1.0)


def posterior(given_evidence: Evidence, how: NaiveVariant) -> tuple[Posterior, int, int]:
    """Return the posterior of the matched cell and its naive bounds."""
    low, high = naive_bounds(given_evidence, CELL)
    return naive_posteriors(given_evidence, CELL, low, high, how)[0], int(low[0]), int(high[0])


@pytest.mark.parametrize("mechanism", ROUNDINGS)
@pytest.mark.parametrize("published", [0, 3, 6])
def test_the_overlap_cell_is_a_cell(mechanism: str, published: int) -> None:
    """Equation 5: the product of the likelihoods, in both ways."""
    shown = table([("1", published), ("2", 6), ("3", 3 if published == 6 else 6)], ["x"], mechanism, 3)
    weights = [ROUNDINGS[mechanism](published, count) for count in range(POPULATION + 1)]
    for how in NaiveVariant:
        check(*_with(posterior(evidence(shown), how), weights))


@pytest.mark.parametrize("mechanism", ROUNDINGS)
@settings(max_examples=20)
@given(counts=st.lists(st.sampled_from([0, 3]), min_size=2, max_size=3))
def test_the_overlap_cell_is_a_sum_of_cells(mechanism: str, counts: list[int]) -> None:
    """A convolution, cells that are not listed included; the paper's own way leaves it to the bounds."""
    cells: list[tuple[object, ...]] = [("1", f"g{k}", count) for k, count in enumerate(counts) if count]
    cells += [("2", "g0", 6), ("3", "g0", 3), *(("3", f"g{k}", 0) for k in range(1, len(counts)))]
    shown = table(cells, ["x", "group"], mechanism, 3)
    weights = sum_weights(counts, ROUNDINGS[mechanism], POPULATION)
    check(*_with(posterior(evidence(shown), NaiveVariant.SUMS), weights))
    check(*_with(posterior(evidence(shown), NaiveVariant.PAPER), [Fraction(1)] * (POPULATION + 1)))


@pytest.mark.parametrize("mechanism", ["exact", *ROUNDINGS])
@pytest.mark.parametrize("published", [6, 9])
def test_the_overlap_cell_is_inside_a_sum(mechanism: str, published: int) -> None:
    """Samples that overlap in two attributes, a table of one of them."""
    first = FIRST.assign(y=["1", "1", "2", "2"])
    second = SECOND.assign(y=["1", "2", "1"])
    base = None if mechanism == "exact" else 3
    rest = POPULATION - published - 2 if mechanism == "exact" else 3
    shown = table([("1", published), ("2", rest), ("3", 2 if mechanism == "exact" else 3)], ["x"], mechanism, base)
    held = make_evidence({"first": first, "second": second}, [shown], population=POPULATION)
    assert held.overlap == ("x", "y")
    likelihood = {"exact": exact, **ROUNDINGS}[mechanism]
    weights = inside_weights([likelihood(published, count) for count in range(POPULATION + 1)], n_cells=2)
    check(*_with(posterior(held, NaiveVariant.SUMS), weights))


def test_a_sum_of_sampled_cells_is_sampled() -> None:
    """A sample table with one more attribute says what its margin says."""
    cells: list[tuple[object, ...]] = [("1", "g", 1), ("1", "h", 1), ("2", "g", 2), ("3", "h", 1)]
    margin = table([("1", 2), ("2", 2), ("3", 1)], ["x"], "sample")
    found = [posterior(evidence(t), NaiveVariant.SUMS)[0] for t in (table(cells, ["x", "group"], "sample"), margin)]
    assert found[0].probabilities == pytest.approx(found[1].probabilities)
    weights = [sampling(5, POPULATION)(2, count) for count in range(POPULATION + 1)]
    check(*_with(posterior(evidence(margin), NaiveVariant.PAPER), weights))


def test_an_overlap_cell_inside_a_sampled_sum() -> None:
    """The case the paper calls hard: the sum over all population counts."""
    first, second = FIRST.assign(y=["1", "1", "2", "2"]), SECOND.assign(y=["1", "2", "1"])
    held = make_evidence(
        {"first": first, "second": second},
        [table([("1", 3), ("2", 1), ("3", 1)], ["x"], "sample")],
        population=POPULATION,
    )
    drawn = sampling(5, POPULATION)
    weights = inside_weights([drawn(3, count) for count in range(POPULATION + 1)], n_cells=2)
    check(*_with(posterior(held, NaiveVariant.SUMS), weights))


@settings(max_examples=20)
@given(bounds=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=3))
def test_suppressed_cells(bounds: list[tuple[int, int]]) -> None:
    """Every way to fill the intervals of the cells counts alike."""
    intervals = [(min(pair), max(pair)) for pair in bounds]
    if sum(high for _, high in intervals) < 1:
        return
    rows = [("1", f"g{k}", low, high) for k, (low, high) in enumerate(intervals)]
    rows += [("2", "g0", 0, POPULATION), ("3", "g0", 0, POPULATION)]
    frame = pd.DataFrame(rows, columns=["x", "group", "low", "high"])
    held = evidence(make_table_description(frame, mechanism="suppressed", name="t"))
    weights = [Fraction(0)] * (POPULATION + 1)
    for counts in itertools.product(*(range(low, high + 1) for low, high in intervals)):
        weights[sum(counts)] += 1
    check(*_with(posterior(held, NaiveVariant.SUMS), weights))


@pytest.mark.slow
def test_long_tails_are_cut_where_nothing_is_left() -> None:
    """A million people: the counts kept are few, and nothing of weight is lost."""
    held = make_evidence({"first": FIRST, "second": SECOND}, population=1_000_000)
    large = make_evidence(
        {"first": _repeated(FIRST), "second": _repeated(SECOND)},
        population=1_000_000,
    )
    for given_evidence, most in ((held, 1_000_000), (large, 100_000)):
        low, high = naive_bounds(given_evidence, CELL)
        (found,) = naive_posteriors(given_evidence, CELL, low, high)
        assert len(found.probabilities) <= most
        assert found.probabilities.sum() == pytest.approx(1.0)
        assert found.probabilities[-1] < 1e-12 or len(found.probabilities) == high[0] - low[0] + 1


def test_a_sum_of_thousands_of_zero_cells() -> None:
    """One of 3000 cells holds the person, as an exact table says: rare for that sum, but no contradiction."""
    cells: list[tuple[object, ...]] = [("2", f"y{place}", 3) for place in range(3000)]
    rounded = table([*cells, ("3", "y0", 3)], ["x", "y"], "random_rounding", 3)
    exact_table = table([("1", 2), ("2", 8996), ("3", 2)], ["x"], "exact")
    held = make_evidence({"first": FIRST, "second": SECOND}, [rounded, exact_table], population=9000)
    found, low, high = posterior(held, NaiveVariant.SUMS)
    assert (low, high, found.probabilities.tolist()) == (2, 2, [1.0])
    alone = Factor(held.tables[0], held)
    counts = np.arange(3)
    weights = alone.log_weights(alone.signatures(CELL)[0], counts)
    # 1 of 3000 cells has one person, (2/3); or one has two, (1/3), or two have one each, (2/3)^2
    expected = [1.0, 3000 * 2 / 3, 3000 / 3 + 3000 * 2999 / 2 * 4 / 9]
    assert np.exp(weights - weights[0]) == pytest.approx(expected)


@pytest.mark.slow
def test_tables_that_pull_the_count_beyond_the_reach_of_the_samples() -> None:
    """Nothing of weight is cut where a sum of very many zero cells outweighs the samples."""
    n_cells, population, n_drawn = 6000, 60_000, 12_000
    cells: list[tuple[object, ...]] = [("2", f"y{place}", 9) for place in range(n_cells)]
    rounded = table([*cells, ("3", "y0", 3)], ["x", "y"], "random_rounding", 3)
    first, second = (pd.concat([sample, *[sample.iloc[[1]]] * (n_drawn - len(sample))]) for sample in (FIRST, SECOND))
    held = make_evidence({"first": first, "second": second}, [rounded], population=population)
    low, high = naive_bounds(held, CELL)
    (found,) = naive_posteriors(held, CELL, low, high, NaiveVariant.SUMS)
    counts = np.arange(1, high[0] + 1)
    factor = Factor(held.tables[0], held)
    weights = factor.log_weights(factor.signatures(CELL)[0], counts)
    weights += 2 * Sampling(n_drawn, population).log_likelihood(1, counts)
    shares = np.exp(weights - weights.max())
    assert found.mean == pytest.approx(float(shares @ counts / shares.sum()))


def _repeated(sample: pd.DataFrame) -> pd.DataFrame:
    """Return a sample with ten thousand times the records but those of the match."""
    return pd.concat([sample, *[sample.iloc[1:]] * 9999])


def _with(found: tuple[Posterior, int, int], weights: list[Fraction]) -> tuple[Posterior, list[Fraction], int, int]:
    return found[0], weights, found[1], found[2]
