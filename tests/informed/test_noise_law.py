"""What noise that keeps decimals and ranges tells about a pair, against a twin that adds up short intervals of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.arrays import FloatArray
from linkrisk.data.pair import pair_files
from linkrisk.informed.attack import attack_informed
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.methods.noise_law import NoiseLaw
from linkrisk.informed.model import is_a_model, make_terms
from linkrisk.informed.recognise import recognised
from linkrisk.informed.term_kernels import cost_of
from linkrisk.informed.terms import TermList
from tests.oracle.informed import folded_noise_probability


def test_the_smallest_numbers_do_not_overflow() -> None:
    """Where a step is more deviations than a number can hold, a value stays what it is; no warning."""
    values = np.array([0.0, 1.0])
    assert NoiseLaw(5e-324, 1.0, -0.5, 1.5).chances(values[:, None], values[None, :]).round(9).tolist() == [
        [1.0, 0.0],
        [0.0, 1.0],
    ]


@pytest.mark.parametrize(
    ("deviation", "width"), [(0.3, 4), (1.0, 4), (5.0, 4)], ids=["narrow", "one step", "wider than the range"]
)
def test_chances_are_those_of_the_twin(deviation: float, width: int) -> None:
    """On whole numbers, reflected at both ends; they add up to 1, and there and back are equally likely."""
    law = NoiseLaw(deviation, 1.0, -0.5, width + 0.5)
    values = np.arange(width + 1.0)
    found = law.chances(values[:, None], values[None, :])
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(found, found.T, rtol=1e-9)
    for x, y in ((0, 0), (0, 1), (2, width)):
        twin = folded_noise_probability(x, y, deviation, 1.0, -0.5, width + 0.5)
        assert found[x, y] == pytest.approx(twin, abs=1e-3)


N_DRAWS = 1_000_000


def frequencies(x: float, cells: list[float], cell: float, width: float) -> FloatArray:
    """Add noise of deviation 1 many times, reflect at 0 and at the width, and count what ends in each cell."""
    noisy = np.abs(x + np.random.default_rng(7).normal(size=N_DRAWS))
    noisy = width - np.abs(width - noisy)
    while (is_out := (noisy < 0.0)).any():
        noisy[is_out] = width - np.abs(width - np.abs(noisy[is_out]))
    return np.array([(np.abs(noisy - y) < cell / 2).mean() for y in cells])


@pytest.mark.parametrize("x", [0.1, 0.5, 2.9])
def test_chances_near_the_ends_are_frequencies(x: float) -> None:
    """Steps of 0.2 between mirrors at 0 and 3: log P is what a million draws give, within four of their errors."""
    cells = [0.1, 0.3, 1.1, 2.7, 2.9]
    counted = frequencies(x, cells, 0.2, 3.0)
    found = NoiseLaw(1.0, 0.2, 0.0, 3.0).chances(np.array([x]), np.array(cells))
    assert (np.abs(np.log(found / counted)) < 4.0 / np.sqrt(N_DRAWS * counted)).all()


def test_costs_of_fine_values_near_an_end_are_those_of_frequencies() -> None:
    """Differences of -log P between releases of one person, up to bins of 1/32 deviation and the error of the draws."""
    law, x, y = NoiseLaw(1.0, 0.0, 0.0, 40.0), np.array([0.05, 0.4, 1.0]), [0.05, 0.3, 0.8, 1.5]
    terms = TermList(len(x), len(y))
    law.add(x, np.array(y), terms)
    arrays = terms.finished()
    for i, person in enumerate(x.tolist()):
        counted = frequencies(person, y, 0.06, 40.0)
        differences = np.array([cost_of(arrays, i, j, np.inf) for j in range(len(y))]) + np.log(counted)
        assert np.ptp(differences) < 0.03


@pytest.mark.parametrize("width", [3.0, 40.0])
def test_fine_values_near_the_ends(width: float) -> None:
    """A normal density and a table of distances to the ends: the density of the mirror images up to a few percent."""
    random = np.random.default_rng(1)
    x = np.concatenate([[0.0, width], random.uniform(0.0, width, 150)])
    y = random.uniform(0.0, width, 150).round(5)
    law, terms = NoiseLaw(1.0, 0.0, 0.0, width), TermList(x.size, y.size)
    law.add(x, y, terms)
    arrays = terms.finished()
    near = [(i, j) for i in range(20) for j in range(y.size) if abs(x[i] - y[j]) < 4.0]
    found = np.array([cost_of(arrays, i, j, np.inf) for i, j in near])
    densities = [sum(math.exp(-0.5 * (image - x[i]) ** 2) for image in law.images(y[j], 9.0)) for i, j in near]
    differences = found + np.log(densities)
    assert np.abs(differences - np.median(differences)).max() < 0.08


def known_files(original: pd.DataFrame, protection: Any) -> tuple[Description, Known]:
    """Return what is published, and both files."""
    return Description.of_protection(protection), Known(pair_files(original, protection.data))


def test_whole_ages_are_tabled_and_a_model() -> None:
    """Noise of a third of a year on whole ages: chances of the law, to the last digit."""
    original = pd.DataFrame({"age": np.random.default_rng(2).integers(18, 60, 80)})
    description, known = known_files(original, linkrisk.protect(original, "noise", p=3, secret_seed=1))
    x, y = known.numbers("age")
    deviation = 0.03 * float(np.std(x, ddof=1))
    law = NoiseLaw(deviation, 1.0, x.min() - 0.5, x.max() + 0.5)
    terms = make_terms(description, known).finished()
    for i, j in ((0, 0), (1, 1), (2, 2)):
        chance = float(law.chances(x[i : i + 1], y[j : j + 1])[0])
        assert cost_of(terms, i, j, np.inf) == pytest.approx(-math.log(chance))
    assert cost_of(terms, int(x.argmin()), int(y.argmax()), np.inf) == np.inf


@pytest.mark.parametrize("method", ["noise", "correlated_noise"])
def test_the_informed_finds_as_many_as_he_expects(method: str) -> None:
    """With ranges and decimals kept, and holes, the description is a model: expected links are those that come true."""
    right, expected = 0.0, 0.0
    for seed in range(4):
        random = np.random.default_rng(seed)
        wages = np.maximum(random.normal(0, 1000, 120), -400).round()
        original = pd.DataFrame({"wage": wages, "tax": (0.4 * wages + random.normal(0, 300, 120)).round()})
        original.loc[:9, "tax"] = np.nan
        protection = linkrisk.protect(original, method, p=15, secret_seed=seed)
        description, known = known_files(original, protection)
        assert is_a_model(description, known)
        terms = make_terms(description, known).finished()
        costs = np.array([[cost_of(terms, i, j, np.inf) for j in range(120)] for i in range(120)])
        chances = np.exp(-(costs - costs.min(axis=0)))
        chances /= chances.sum(axis=0)
        best = costs.argmin(axis=0)
        right += float((best == np.arange(120)).sum())
        expected += float(chances.max(axis=0).sum())
    assert right == pytest.approx(expected, abs=4 * math.sqrt(expected))


def has_ceiling(original: pd.DataFrame, protection: Any) -> bool:
    """Whether a description of the columns of one frame counts as a model."""
    files = pair_files(original, protection.data[list(original.columns)])
    return is_a_model(Description.of_protection(protection).restricted(original.columns), Known(files))


def test_no_model_where_records_are_reflected_after_their_last_draw() -> None:
    """Eight columns that are 0 for half of the people: with much noise hardly any draw is within all ranges."""
    values = np.maximum(np.random.default_rng(1).normal(size=(60, 8)), 0.0)
    original = pd.DataFrame(values, columns=list("abcdefgh"))
    assert not has_ceiling(original, linkrisk.protect(original, "correlated_noise", p=400, secret_seed=1))
    assert has_ceiling(original, linkrisk.protect(original, "correlated_noise", p=400, continuous=True, secret_seed=1))
    few = original[["a", "b"]]
    assert has_ceiling(few, linkrisk.protect(few, "correlated_noise", p=20, secret_seed=1))


def test_no_model_of_some_attributes_of_correlated_noise() -> None:
    """Records were drawn again until they were within the ranges of attributes that nobody looks at, too."""
    original = pd.DataFrame(np.random.default_rng(1).normal(size=(60, 3)), columns=["a", "b", "c"])
    protection = linkrisk.protect(original, "correlated_noise", p=20, secret_seed=1)
    assert has_ceiling(original, protection)
    assert not has_ceiling(original[["a", "b"]], protection)
    assert has_ceiling(original[["a"]], linkrisk.protect(original, "noise", p=20, secret_seed=1))


def test_no_model_where_a_step_is_wide_in_one_direction() -> None:
    """Two whole numbers that differ by 0, 1 or 2: each has noise of 20 steps, their difference of far less than one."""
    random = np.random.default_rng(1)
    wage = random.integers(0, 700, 60)
    near = pd.DataFrame({"wage": wage, "paid": wage + random.integers(0, 3, 60)})
    assert not has_ceiling(near, linkrisk.protect(near, "correlated_noise", p=10, secret_seed=1))
    far = near.assign(paid=wage + random.integers(0, 300, 60))
    assert has_ceiling(far, linkrisk.protect(far, "correlated_noise", p=10, secret_seed=1))
    total = far.assign(total=lambda file: file["wage"] + file["paid"])
    assert has_ceiling(total, linkrisk.protect(total, "correlated_noise", p=10, secret_seed=1))


@pytest.mark.parametrize("method", ["noise", "correlated_noise"])
def test_a_constant_column_does_not_end_the_model(method: str) -> None:
    """It has no noise and tells nothing."""
    original = pd.DataFrame({"a": np.random.default_rng(1).normal(size=60), "one": np.full(60, 7.0)})
    assert has_ceiling(original, linkrisk.protect(original, method, p=20, secret_seed=1))


def test_the_largest_numbers_do_not_overflow() -> None:
    """Mirrors at both ends of float64: terms are finite, and warnings are errors."""
    x = 1e308 * np.linspace(-1.7, 1.7, 40)
    law, terms = NoiseLaw(1e307, 0.0, -1.7e308, 1.7e308), TermList(40, 40)
    law.add(x, x, terms)
    assert np.isfinite(cost_of(terms.finished(), 0, 0, np.inf))


def test_means_with_all_digits_are_run_again_too() -> None:
    """Whoever does not tell that means were not rounded is found out by their decimals."""
    original = pd.DataFrame({"age": np.random.default_rng(5).integers(18, 90, 40), "x": np.arange(40.0) ** 2})
    protection = linkrisk.protect(original, "mdav", k=3, continuous=True)
    record = protection.to_dict()
    record["parameters"] = {name: value for name, value in record["parameters"].items() if name != "continuous"}
    known = Known(pair_files(original, protection.data))
    assert is_a_model(Description.of_record(record), known)


def test_microaggregation_with_rounded_means_dates_and_holes_is_run_again() -> None:
    """The intruder who knows the method knows everybody's cluster, whole means, dates and missing values included."""
    random = np.random.default_rng(3)
    original = pd.DataFrame(
        {
            "age": random.integers(18, 90, 80).astype(float),
            "born": pd.Timestamp("1950-01-01") + pd.to_timedelta(random.integers(0, 9000, 80), "D"),
        }
    )
    original.loc[[3, 50], "age"] = np.nan
    description, known = known_files(original, linkrisk.protect(original, "mdav", k=4))
    assert is_a_model(description, known)
    terms = make_terms(description, known).finished()
    assert all(cost_of(terms, i, i, np.inf) == 0.0 for i in range(80))


@pytest.mark.parametrize("period", ["month", "year"])
def test_periods_of_dates_are_run_again_and_recognised(period: str) -> None:
    """Published or not, whoever knows the dates knows what became of them."""
    days = pd.to_timedelta(np.random.default_rng(3).integers(0, 9000, 40), "D")
    original = pd.DataFrame({"born": pd.Timestamp("1950-01-01") + days})
    protection = linkrisk.protect(original, "generalise", into={"born": period})
    description, known = known_files(original, protection)
    assert is_a_model(description, known)
    (found,) = recognised(known.files)
    assert found.treatments == (Treatment("generalise", ("born",), {"into": {"born": period}}),)


@pytest.mark.usefixtures("short_chains")
@pytest.mark.parametrize("continuous", [False, True])
@pytest.mark.parametrize(
    "powers", [(600, 600, 600), (-660, -660, -660), (700, 0, -700)], ids=["large", "small", "large and small"]
)
def test_correlated_noise_of_numbers_that_cannot_be_squared(powers: tuple[int, ...], continuous: bool) -> None:
    """Times powers of two, the same people are found, and there is a ceiling."""
    random = np.random.default_rng(8)
    values = random.normal(size=(80, 3)) @ random.normal(size=(3, 3)) * [1.0, 30.0, 500.0]
    original = pd.DataFrame(np.maximum(values, np.quantile(values, 0.1, axis=0)), columns=["a", "b", "c"])
    protection = linkrisk.protect(original, "correlated_noise", p=30, continuous=continuous, secret_seed=1)
    description = Description.of_protection(protection)
    usual, scaled = (
        attack_informed(pair_files(np.ldexp(original, by), np.ldexp(protection.data, by)), [description])[0]
        for by in (np.zeros(3, dtype=int), np.array(powers))
    )
    assert usual.linkage.links("expected") > 20
    assert usual.ceiling is not None
    assert scaled.ceiling is not None
    if len(set(powers)) == 1:
        np.testing.assert_array_equal(scaled.scores.original, usual.scores.original)
        np.testing.assert_allclose(scaled.scores.value, usual.scores.value, atol=1e-6)
        assert scaled.linkage.links("expected") == usual.linkage.links("expected")
    else:  # chances to stay within all ranges are told from other draws
        assert scaled.linkage.links("expected") == pytest.approx(usual.linkage.links("expected"), abs=3)
        assert scaled.ceiling.links == pytest.approx(usual.ceiling.links, abs=3)
