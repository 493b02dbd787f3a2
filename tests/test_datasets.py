"""Generated data against the figures they are made from, and against the Census file where it is there."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from linkrisk.datasets import AGE_GROUP_ORDER, EDUCATION_ORDER, census_like, census_like_mixed
from linkrisk.datasets import census_figures as figures
from linkrisk.errors import ParameterError
from tests.census import needs_census, read_census

SIZE = 50_000
FIRST_RECORD = [399044, 41889, 2297, 3925, 10155, 1548, 28096, 155, 155, 10000, 765, 10000, 10000]
FIRST_PERSON = ["female", "04", "secondary", "divorced", "1954-03-26", "Linmarsanski", "35-44"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    """Return a generated file large enough for its figures to be stable."""
    return census_like(SIZE, seed=7)


@pytest.fixture(scope="module")
def census() -> pd.DataFrame:
    """Return the Census file."""
    return read_census()


def test_columns_are_those_of_the_census_file(people: pd.DataFrame) -> None:
    """Thirteen columns of whole numbers, none below 1."""
    assert tuple(people.columns) == figures.COLUMNS
    assert set(people.dtypes) == {np.dtype(np.int64)}
    assert int(people.min().min()) >= 1


@pytest.mark.parametrize("name", [name for name in figures.QUANTILES if name != "OTHER"])
def test_margins_follow_the_quantile_table(people: pd.DataFrame, name: str) -> None:
    """Each quantile, taken back through the table, has the probability it should have within 3 points."""
    for probability, quantile in zip(figures.PROBABILITIES[1:-1], figures.QUANTILES[name][1:-1], strict=True):
        below = float((people[name] < quantile).mean())
        up_to = float((people[name] <= quantile).mean())
        assert below - 0.03 <= probability <= up_to + 0.03, quantile


def test_correlations_follow_the_table(people: pd.DataFrame) -> None:
    """Spearman correlations of the drawn attributes are those the figures were made from."""
    names = list(figures.QUANTILES)
    spearman = people.rename(columns={"POTHVAL": "OTHER"})[names].corr("spearman").to_numpy()
    for row, entries in enumerate(figures.CORRELATIONS):
        for column, entry in enumerate(entries[:row]):
            if "OTHER" not in (names[row], names[column]):
                expected = 6 / np.pi * np.arcsin(entry / 2)
                assert spearman[row, column] == pytest.approx(expected, abs=0.02), (names[row], names[column])


def test_identities_of_the_file_hold(people: pd.DataFrame) -> None:
    """Total income is earnings and other income, which holds the interest; wages are part of earnings."""
    assert (people["PTOTVAL"] == people["PEARNVAL"] + people["POTHVAL"]).all()
    assert (people["INTVAL"] <= people["POTHVAL"]).all()
    assert (people["WSALVAL"] <= people["PEARNVAL"]).mean() > 0.99


def test_earnings_are_round_and_repeated(people: pd.DataFrame) -> None:
    """Shares of multiples and of equal columns, within 5 points of those of the Census file."""
    earnings = people["PEARNVAL"]
    assert float((earnings % 1000 == 0).mean()) == pytest.approx(0.706, abs=0.05)
    assert float((earnings % 500 == 0).mean()) == pytest.approx(0.758, abs=0.05)
    same = (earnings == people["WSALVAL"]) & (earnings == people["ERNVAL"])
    assert float(same.mean()) == pytest.approx(0.820, abs=0.05)


def test_same_seed_same_file() -> None:
    """A seed fixes both files; another seed gives others."""
    pd.testing.assert_frame_equal(census_like(200, seed=3), census_like(200, seed=3))
    pd.testing.assert_frame_equal(census_like_mixed(200, seed=3), census_like_mixed(200, seed=3))
    assert not census_like(200, seed=3).equals(census_like(200, seed=4))


def test_first_record_is_the_same_on_every_machine() -> None:
    """The numbers of one record, computed once on Linux x86-64 with numpy 2.4."""
    assert census_like(3, seed=0).iloc[0].tolist() == FIRST_RECORD
    assert census_like_mixed(3, seed=0).iloc[0].tolist() == FIRST_PERSON


def test_a_large_file() -> None:
    """10^5 records (0.3 seconds for both files), all different although single values repeat."""
    large = pd.concat([census_like(100_000), census_like_mixed(100_000)], axis=1)
    assert large.shape == (100_000, 20)
    assert not large.duplicated().any()


@pytest.mark.parametrize(("n", "seed"), [(-1, 0), (2.5, 0), (True, 0), (3, -1), (3, "x")])
def test_impossible_sizes_and_seeds_are_refused(n: int, seed: int) -> None:
    """Size and seed are whole numbers of 0 or more."""
    with pytest.raises(ParameterError, match="whole number"):
        census_like(n, seed)
    with pytest.raises(ParameterError, match="whole number"):
        census_like_mixed(n, seed)


def test_an_empty_file_has_its_columns() -> None:
    """No records, all columns."""
    assert census_like(0).shape == (0, 13)
    assert census_like_mixed(0).shape == (0, 7)


def test_mixed_kinds() -> None:
    """Codes keep their zeros, categories are the listed ones, dates are ISO, some values are missing."""
    mixed = census_like_mixed(SIZE, seed=7)
    assert set(mixed["sex"]) == {"female", "male"}
    assert set(mixed["region"]) == {f"{code:02d}" for code in range(1, 13)}
    assert set(mixed["education"].dropna()) == set(EDUCATION_ORDER)
    assert set(mixed["age_group"]) == set(AGE_GROUP_ORDER)
    assert mixed["birth_date"].dropna().str.fullmatch(r"19\d\d-\d\d-\d\d").all()
    for name, share in {
        "education": 0.03,
        "marital_status": 0.02,
        "birth_date": 0.02,
        "surname": 0.01,
    }.items():
        assert float(mixed[name].isna().mean()) == pytest.approx(share, abs=0.005)
    assert not mixed[["sex", "region", "age_group"]].isna().to_numpy().any()


def test_age_group_fits_the_birth_date() -> None:
    """Whole years on 15 March 1995, by the calendar."""
    mixed = census_like_mixed(2000, seed=7).dropna(subset="birth_date")
    for birth_date, group in zip(mixed["birth_date"], mixed["age_group"], strict=True):
        year, month, day = (int(part) for part in birth_date.split("-"))
        age = 1995 - year - ((month, day) > (3, 15))
        low, _, high = group.replace("65+", "65-200").partition("-")
        assert int(low) <= age <= int(high)


def test_surnames_are_heavy_tailed() -> None:
    """The most frequent name covers several percent, and thousands of others occur."""
    counts = census_like_mixed(SIZE, seed=7)["surname"].value_counts(normalize=True)
    assert 0.04 < counts.iloc[0] < 0.12
    assert len(counts) > 5000


def test_companion_goes_with_the_numbers(people: pd.DataFrame) -> None:
    """The same people: education rises with earnings; with another seed it does not."""
    same = census_like_mixed(SIZE, seed=7)["education"]
    other = census_like_mixed(SIZE, seed=8)["education"]
    level = {name: position for position, name in enumerate(EDUCATION_ORDER)}
    earnings = people["PEARNVAL"].astype(float)
    assert earnings.corr(same.map(level).astype(float), method="spearman") > 0.3
    assert abs(earnings.corr(other.map(level).astype(float), method="spearman")) < 0.03


def test_import_is_cheap() -> None:
    """Importing the generators loads neither pandas nor numba."""
    code = "import sys, linkrisk.datasets; sys.exit('pandas' in sys.modules or 'numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603  (own code)


@needs_census
def test_margins_and_correlations_of_the_census_file(people: pd.DataFrame, census: pd.DataFrame) -> None:
    """All 13 attributes: distance of distribution functions below 0.1, Spearman correlations within 0.1."""
    for name in figures.COLUMNS:
        steps = np.unique(census[name])
        real = np.searchsorted(np.sort(census[name]), steps, side="right") / len(census)
        generated = np.searchsorted(np.sort(people[name]), steps, side="right") / len(people)
        assert np.abs(real - generated).max() < 0.1, name
    difference = people.corr("spearman") - census[list(people.columns)].corr("spearman")
    assert float(difference.abs().max().max()) < 0.1


@needs_census
def test_no_record_of_the_census_file_is_generated(people: pd.DataFrame, census: pd.DataFrame) -> None:
    """No generated record equals a real one, not even on the first seven attributes."""
    first = list(figures.COLUMNS[:7])
    real = set(census[first].itertuples(index=False, name=None))
    assert not real & set(people[first].itertuples(index=False, name=None))


@needs_census
def test_figures_hold_no_extreme_value_of_the_census_file(census: pd.DataFrame) -> None:
    """Smallest and largest values are single people's and not in the table (except 1, the least there is)."""
    for name in set(figures.QUANTILES) - {"OTHER"}:
        extremes = {int(census[name].min()), int(census[name].max())} - {1}
        assert not extremes & set(figures.QUANTILES[name])
