"""Attributes of other kinds for the people of `census_like`: nominal, ordinal, text, dates, and gaps."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.datasets.latent import (
    FloatArray,
    IntArray,
    check_size_and_seed,
    cut,
    hang_on,
    latent_scores,
    make_generators,
)

if TYPE_CHECKING:
    import pandas as pd

EDUCATION_ORDER = ("primary", "secondary", "college", "bachelor", "postgraduate")
"""The categories of ``education`` from low to high."""

AGE_GROUP_ORDER = ("15-24", "25-34", "35-44", "45-54", "55-64", "65+")
"""The categories of ``age_group`` from low to high."""

_EDUCATION_SHARES = dict(zip(EDUCATION_ORDER, (0.08, 0.37, 0.24, 0.21, 0.10), strict=True))
_MARITAL_SHARES = {"single": 0.24, "divorced": 0.11, "widowed": 0.05, "married": 0.60}
_REGION_SHARES = {
    "07": 0.19, "02": 0.15, "11": 0.13, "05": 0.11, "01": 0.09, "09": 0.08,
    "04": 0.07, "12": 0.06, "08": 0.05, "03": 0.04, "10": 0.02, "06": 0.01,
}  # fmt: skip
_MISSING_SHARES = {"education": 0.03, "marital_status": 0.02, "birth_date": 0.02, "surname": 0.01}
_AGE_SCORES = (-4.0, -1.6, -0.7, 0.0, 0.7, 1.3, 2.0, 4.0)
_AGES = (16.0, 22.0, 31.0, 39.5, 48.0, 57.0, 66.0, 90.0)
_SURVEY_DAY = np.datetime64("1995-03-15", "D")
_DAYS_PER_YEAR = 365.2425
_SYLLABLES = ("ba", "del", "fer", "go", "lin", "mar", "no", "ro", "san", "tor", "ve", "zu")
_ENDINGS = ("", "s", "ez", "man", "ski", "ti", "berg", "en")
_LabelArray = NDArray[Any]


def census_like_mixed(n: int, seed: int = 0) -> pd.DataFrame:
    """Generate attributes that are not numbers, for the people of ``census_like(n, seed)``.

    Row i is the same person in both files: the attributes are made from the same hidden scores (earnings, gross
    income, other income, sampling weight), so those who earn more are more often well educated, married and
    not so young. Join the two with
    ``pandas.concat([census_like(n, seed), census_like_mixed(n, seed)], axis=1)``.

    Parameters
    ----------
    n
        Number of records.
    seed
        Same n and seed, same data.

    Returns
    -------
    pandas.DataFrame
        ``n`` rows, all columns text:

        - ``sex``: nominal, "female" or "male";
        - ``region``: nominal, codes "01" to "12" (keep the zero when reading them back);
        - ``education``: ordinal, see `EDUCATION_ORDER`; 3 % missing;
        - ``marital_status``: nominal, four categories; 2 % missing;
        - ``birth_date``: date as YYYY-MM-DD; 2 % missing;
        - ``surname``: text, 13,824 invented names, of which the r-th most frequent has a share of about
          1 / r; 1 % missing;
        - ``age_group``: ordinal, see `AGE_GROUP_ORDER`; the age on 15 March 1995.

        A missing value is what pandas calls missing in a column of text.

    Raises
    ------
    ParameterError
        If ``n`` or ``seed`` is not a whole number of 0 or more.

    Notes
    -----
    Cost: about two seconds for 10^6 records.

    Examples
    --------
    >>> people = census_like_mixed(1000, seed=1)
    >>> list(people.columns)
    ['sex', 'region', 'education', 'marital_status', 'birth_date', 'surname', 'age_group']
    >>> sorted(set(people["region"]))[:3]
    ['01', '02', '03']
    """
    import pandas as pd  # noqa: PLC0415  (slow to import, and only needed here)

    columns = mixed_columns(n, seed)
    return pd.DataFrame({name: pd.Series(values, dtype="str") for name, values in columns.items()})


def mixed_columns(n: int, seed: int) -> dict[str, _LabelArray]:
    """Return the columns of `census_like_mixed`, by name: texts, None where missing."""
    check_size_and_seed(n, seed)
    generators = make_generators(seed)
    scores = latent_scores(n, generators)
    columns = _make_columns(scores, generators("categories"))
    gaps = generators("missing")
    for name, share in _MISSING_SHARES.items():
        columns[name][gaps.random(n) < share] = None
    return columns


def _make_columns(scores: dict[str, FloatArray], generator: np.random.Generator) -> dict[str, _LabelArray]:
    """Make the columns before any value goes missing."""
    earnings, income, weight = scores["PEARNVAL"], scores["AGI"], scores["AFNLWGT"]

    sex = np.where(hang_on(earnings, -0.35, generator) > 0, "female", "male")
    region = cut(hang_on(weight, 0.4, generator), _REGION_SHARES)
    education = cut(hang_on(earnings, 0.45, generator), _EDUCATION_SHARES)
    # Two earners: a household's gross income says more of marriage than a person's earnings do.
    marital = cut(hang_on(income, 0.5, generator), _MARITAL_SHARES)
    ages = np.interp(hang_on(0.6 * scores["OTHER"] + 0.8 * earnings, 0.3, generator), _AGE_SCORES, _AGES)
    births = _SURVEY_DAY - np.floor(ages * _DAYS_PER_YEAR).astype("timedelta64[D]")
    return {
        "sex": sex.astype(object),
        "region": region,
        "education": education,
        "marital_status": marital,
        "birth_date": np.datetime_as_string(births, unit="D").astype(object),
        "surname": _draw_surnames(len(earnings), generator),
        "age_group": _age_groups(births),
    }


def _age_groups(births: NDArray[np.datetime64]) -> _LabelArray:
    """Return the age group on the day of the survey, birthdays counted by the calendar."""
    years = births.astype("datetime64[Y]")
    months = births.astype("datetime64[M]")
    month: IntArray = (months - years.astype("datetime64[M]")).astype(np.int64) + 1
    day: IntArray = (births - months.astype("datetime64[D]")).astype(np.int64) + 1
    age = 1995 - (years.astype(np.int64) + 1970) - (month * 100 + day > 315)
    return np.array(AGE_GROUP_ORDER, dtype=object)[np.searchsorted([25, 35, 45, 55, 65], age, side="right")]


def _draw_surnames(n: int, generator: np.random.Generator) -> _LabelArray:
    """Draw invented names, the r-th most frequent with a share of about 1 / r (log-uniform ranks)."""
    names = [
        (first + second + third + ending).capitalize()
        for first, second, third in product(_SYLLABLES, repeat=3)
        for ending in _ENDINGS
    ]
    # A fixed shuffle, so that frequent names are not the alphabetically first ones.
    order = np.random.Generator(np.random.PCG64(1995)).permutation(len(names))
    ranks = np.floor(len(names) ** generator.random(n)).astype(np.int64) - 1
    return np.array(names, dtype=object)[order[ranks]]
