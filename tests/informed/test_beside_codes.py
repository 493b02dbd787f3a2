"""Noise beside codes for missing: what the intruder thinks likely is what the protection does, told code by code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import linkrisk
from linkrisk.data.pair import pair_files
from linkrisk.informed.attack import attack_informed
from linkrisk.informed.description import Description
from linkrisk.informed.known import Known
from linkrisk.informed.methods import beside_codes
from linkrisk.informed.methods.noise_law import NoiseLaw
from linkrisk.informed.model import is_a_model, make_terms
from linkrisk.informed.term_kernels import cost_of
from tests.oracle.informed import moved_noise_probability


@pytest.mark.parametrize("codes", [(5,), (4, 5), (4, 6), (1, 9)], ids=str)
@pytest.mark.parametrize("deviation", [0.4, 2.0])
def test_chances_beside_codes_are_those_of_the_twin(codes: tuple[int, ...], deviation: float) -> None:
    """Whole numbers from 0 to 10, of which some stand for missing; all chances of a person add up to 1."""
    law = NoiseLaw(deviation, 1.0, -0.5, 10.5, tuple(map(float, codes)))
    values = np.array([value for value in range(11) if value not in codes], dtype=float)
    found = law.chances(values[:, None], values[None, :])
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
    for x in (0, 3, 7):
        for y in (place for place in (0, 3, 7, 8) if place not in codes):
            twin = moved_noise_probability(x, y, deviation, 0, 10, codes)
            chance = law.chances(np.array([float(x)]), np.array([float(y)]))[0]
            assert chance == pytest.approx(twin, abs=1e-3)


def schema_of(names: str, codes: list[int]) -> dict[str, Any]:
    """Return a schema of numbers with codes for missing."""
    return {"missing": codes, "attributes": {name: {"kind": "numeric"} for name in names}}


def misfit(original: pd.DataFrame, method: str, p: float, schema: dict[str, Any]) -> tuple[float, int]:
    """Protect people of whom many are alike; return chi-square of what they became against the terms, and its cells.

    Chances of a person are those of the terms over their sum, for terms leave out a constant of each person.
    """
    protection = linkrisk.protect(original, method, p=p, schema=schema, secret_seed=5)
    known = Known(pair_files(original, protection.data, schema=schema))
    description = Description.of_protection(protection)
    terms = make_terms(description, known).finished()
    _, first, person_of = np.unique(original.to_numpy(), axis=0, return_index=True, return_inverse=True)
    _, shown, record_of = np.unique(protection.data.to_numpy(), axis=0, return_index=True, return_inverse=True)
    total, n_cells = 0.0, 0
    for person, i in enumerate(first.tolist()):
        costs = np.array([cost_of(terms, i, j, np.inf) for j in shown.tolist()])
        counts = np.bincount(record_of.reshape(-1)[person_of.reshape(-1) == person], minlength=len(shown))
        chances = np.exp(costs.min() - costs)
        expected = counts.sum() * chances / chances.sum()
        is_usual = expected >= 5.0
        rest = expected[~is_usual].sum()
        total += float(((counts - expected)[is_usual] ** 2 / expected[is_usual]).sum())
        total += float((counts[~is_usual].sum() - rest) ** 2 / max(rest, 1.0))
        n_cells += int(is_usual.sum())
    return total, n_cells


CROWD = 3_000
"""People who are alike."""


@pytest.mark.parametrize(
    ("values", "p", "codes"),
    [([60, 97, 101, 140], 5, [99]), ([60, 97, 101, 140], 5, [98, 99]), ([0, 95, 104, 150, 220, 300], 8, [99])],
    ids=["table", "two codes", "density"],
)
def test_noise_beside_codes_is_what_was_done(values: list[int], p: float, codes: list[int]) -> None:
    """Frequencies of the protection against the chances of the terms: chi-square of one in a thousand is the limit."""
    original = pd.DataFrame({"a": np.repeat(values, CROWD).astype(float)})
    total, n_cells = misfit(original, "noise", p, schema_of("a", codes))
    assert total < chi2.ppf(0.999, n_cells)


def two_columns(n: int) -> pd.DataFrame:
    """Return people of four sorts, n of each, on both sides of 99 in either column; the columns are correlated."""
    sorts = np.repeat([[90.0, 96.0], [97.0, 103.0], [102.0, 97.0], [130.0, 120.0]], n, axis=0)
    return pd.DataFrame(sorts, columns=["a", "b"])


@pytest.mark.parametrize("codes", [[99], [98, 99]], ids=["one code", "two codes"])
def test_correlated_noise_beside_codes_is_what_was_done(codes: list[int]) -> None:
    """Both columns have the code; the attributes of a record depend on each other, and so does what the code adds."""
    total, n_cells = misfit(two_columns(CROWD), "correlated_noise", 18, schema_of("ab", codes))
    assert total < chi2.ppf(0.999, n_cells)


def ages_and_wages(n: int) -> pd.DataFrame:
    """Return whole ages on both sides of 50, which stands for missing, and wages; some ages are missing."""
    random = np.random.default_rng(4)
    ages = random.integers(20, 80, n).astype(float)
    ages[(ages == 50) | (random.random(n) < 0.05)] = np.nan
    return pd.DataFrame({"age": ages, "wage": (20 * np.nan_to_num(ages, nan=40.0) + random.normal(0, 600, n)).round()})


@pytest.mark.usefixtures("short_chains")
@pytest.mark.parametrize("method", ["noise", "correlated_noise"])
def test_a_code_among_the_values_leaves_a_ceiling(method: str) -> None:
    """With it the intruder finds about as many as he expects; nothing is released as the code."""
    original, schema = ages_and_wages(150), {"missing": [50]}
    protection = linkrisk.protect(original, method, p=20, schema=schema, secret_seed=2)
    assert not (protection.data["age"] == 50).any()
    files = pair_files(original, protection.data, schema=schema)
    (found,) = attack_informed(files, [Description.of_protection(protection)])
    assert found.ceiling is not None
    assert found.linkage.links("expected") == pytest.approx(found.ceiling.links, abs=25)


def test_too_many_pairs_beside_codes_have_no_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then attributes speak for themselves, which is near the truth: some of the costs differ, by less than two."""
    original, schema = ages_and_wages(60), {"missing": [50]}
    protection = linkrisk.protect(original, "correlated_noise", p=20, schema=schema, secret_seed=2)
    description = Description.of_protection(protection)
    known = Known(pair_files(original, protection.data, schema=schema))
    own = []
    for most in (beside_codes.MOST_PAIRS, 0):
        monkeypatch.setattr(beside_codes, "MOST_PAIRS", most)
        assert is_a_model(description, known) == (most > 0)
        terms = make_terms(description, known).finished()
        own.append(np.array([cost_of(terms, i, i, np.inf) for i in range(60)]))
    assert 0.0 < np.ptp(own[0] - own[1]) < 2.0


@pytest.mark.parametrize("method", ["mdav", "individual_ranking", "z_scores", "principal_components"])
def test_means_that_would_be_codes_are_run_again(method: str) -> None:
    """The smallest case: 98 and 100 have the mean 99, a code, so 100 is released; and 99 itself is a missing value."""
    original = pd.DataFrame({"a": [98.0, 100.0, 99.0, 20.0, 22.0, 40.0, 42.0, 99.0]})
    schema = schema_of("a", [99])
    groups: dict[str, Any] = {} if method == "individual_ranking" else {"groups": [["a"]]}
    protection = linkrisk.protect(original, method, k=2, schema=schema, **groups)
    assert protection.data["a"].tolist() == [100.0, 100.0, 99.0, 21.0, 21.0, 41.0, 41.0, 99.0]
    files = pair_files(original, protection.data, schema=schema)
    (found,) = attack_informed(files, [Description.of_protection(protection)])
    assert found.ceiling is not None
    assert found.linkage.links("expected") == found.ceiling.links == 4.0


@pytest.mark.parametrize("base", [10, 50])
def test_rounding_of_people_who_were_not_released(base: int) -> None:
    """Somebody the intruder knows would be rounded to the code; he is not in the release, and the others are found."""
    original, schema = pd.DataFrame({"a": [11.0, 32.0, 73.0, 99.0 + base / 10]}), schema_of("a", [100])
    protection = linkrisk.protect(original[:3], "rounding", base=base, schema=schema)
    files = pair_files(original, protection.data, schema=schema, pairs=[(1, 1), (2, 2), (3, 3)])
    terms = make_terms(Description.of_protection(protection), Known(files)).finished()
    costs = np.array([[cost_of(terms, i, j, np.inf) for j in range(3)] for i in range(4)])
    assert (costs.diagonal() == 0.0).all()
    assert np.isinf(costs[3]).all()
