"""The generated file like Adult: kinds, categories, shares and gaps of the figures it is made from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from linkrisk.datasets import ADULT_EDUCATION_ORDER, adult_like
from linkrisk.datasets import adult_figures as figures
from linkrisk.errors import ParameterError

NUMBERS = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    """Return a file of the size of Adult."""
    return adult_like(seed=3)


def test_size_and_kinds(people: pd.DataFrame) -> None:
    """As many records and columns as the file, six of them whole numbers."""
    assert people.shape == (figures.N_RECORDS, 15)
    assert list(people.select_dtypes("integer")) == NUMBERS


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("education", figures.EDUCATION),
        ("workclass", figures.WORKCLASS),
        ("occupation", figures.OCCUPATION),
        ("marital-status", figures.MARITAL_STATUS),
        ("native-country", figures.COUNTRY),
        ("hours-per-week", figures.HOURS),
    ],
)
def test_shares_of_categories(people: pd.DataFrame, name: str, counts: Mapping[object, int]) -> None:
    """Each category has the file's share within two points, and no other value is there but rare hours."""
    found = people[name].value_counts()
    for category, count in counts.items():
        assert abs(found.get(category, 0) - count) < 0.02 * len(people), category
    assert name == "hours-per-week" or set(found.index) <= set(counts)


def test_numbers_are_as_skewed_as_in_the_file(people: pd.DataFrame) -> None:
    """Ages, gains and losses within their ranges; as many different weights, gains and losses as in the file."""
    assert people["age"].between(17, 90).all()
    assert (people["capital-gain"] == 0).mean() == pytest.approx(1.0 - figures.GAIN_SHARE, abs=0.01)
    assert (people["capital-loss"] == 0).mean() == pytest.approx(1.0 - figures.LOSS_SHARE, abs=0.01)
    assert people["capital-gain"].nunique() == 119
    assert people["capital-loss"].nunique() == 92
    assert people["hours-per-week"].nunique() == 94
    assert abs(people["fnlwgt"].nunique() - 21_648) < 1_000
    assert not ((people["capital-gain"] > 0) & (people["capital-loss"] > 0)).any()


def test_attributes_hang_together(people: pd.DataFrame) -> None:
    """Schooling is told twice; husbands are married men; who has no known class of work has no known occupation."""
    place = {name: number + 1 for number, name in enumerate(ADULT_EDUCATION_ORDER)}
    assert (people["education"].map(place) == people["education-num"]).all()
    husbands = people[people["relationship"] == "Husband"]
    assert set(husbands["sex"]) == {"Male"}
    assert people.loc[people["workclass"].isna(), "occupation"].isna().all()
    assert people["workclass"].isna().mean() == pytest.approx(figures.MISSING_WORK, abs=0.01)
    is_rich = people["income"] == ">50K"
    assert people.loc[is_rich, "education-num"].mean() > people.loc[~is_rich, "education-num"].mean() + 1.0


def test_same_seed_same_data() -> None:
    """Seeds decide, also about a file of nobody."""
    pd.testing.assert_frame_equal(adult_like(50, seed=1), adult_like(50, seed=1))
    assert not adult_like(50, seed=1).equals(adult_like(50, seed=2))
    assert adult_like(0).shape == (0, 15)


@pytest.mark.parametrize("n", [-1, 2.5, True])
def test_odd_sizes_are_refused(n: object) -> None:
    """Sizes are whole numbers, 0 or more."""
    with pytest.raises(ParameterError):
        adult_like(n)  # type: ignore[arg-type]


def test_whole_numbers_of_numpy_are_sizes() -> None:
    """A size from an array is one."""
    assert len(adult_like(np.int64(7))) == 7  # type: ignore[arg-type]
