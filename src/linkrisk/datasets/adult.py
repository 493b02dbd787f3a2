"""Mixed microdata like the Adult file: mostly categories, skewed, with a near-unique weight and gaps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.datasets import adult_figures as figures
from linkrisk.datasets.latent import (
    FloatArray,
    IntArray,
    check_size_and_seed,
    cut,
    hang_on,
    make_generators,
    normal_quantile,
)

if TYPE_CHECKING:
    import pandas as pd

ADULT_EDUCATION_ORDER = tuple(figures.EDUCATION)
"""The categories of ``education`` of `adult_like` from low to high."""

_SPOUSES = ("Married-civ-spouse", "Married-AF-spouse")
_LabelArray = NDArray[Any]
_FAR = 8.0
"""A normal score that nobody has: where quantiles of 0 and 1 are put."""


def adult_like(n: int = figures.N_RECORDS, seed: int = 0) -> pd.DataFrame:
    """Generate mixed microdata that behave like the Adult file: fourteen attributes and the class of income.

    Each attribute has the kind, the number of categories and nearly the shares of the file: half of the people work
    40 hours, 90 % were born in one of 41 countries, 92 % have no capital gain, and the sampling weight ``fnlwgt`` is
    different for two people in three. People are made from hidden normal scores (age, standing), so that the
    educated have other occupations than the others, the young are unmarried children, and husbands are men.
    How strongly is chosen, not measured. No record of the file is used; see `linkrisk.datasets.adult_figures` for
    all that is.

    Parameters
    ----------
    n
        Number of records; by default as many as the file has.
    seed
        Same n and seed, same data. A smaller file is not the beginning of a larger one.

    Returns
    -------
    pandas.DataFrame
        ``n`` rows and the 15 columns of the file, under its names. Numbers: ``age``, ``fnlwgt``, ``education-num``,
        ``capital-gain``, ``capital-loss``, ``hours-per-week``. Ordinal: ``education``, see `ADULT_EDUCATION_ORDER`,
        which says the same as ``education-num``. Nominal: all others. Missing: 6 % of ``workclass`` and
        ``occupation``, 2 % of ``native-country``.

    Raises
    ------
    ParameterError
        If ``n`` or ``seed`` is not a whole number of 0 or more.

    Notes
    -----
    Cost: about half a second for 10^5 records. Reference for the figures: Becker and Kohavi (1996), Adult, UCI
    Machine Learning Repository.

    Examples
    --------
    >>> people = adult_like(1000, seed=1)
    >>> people.shape
    (1000, 15)
    >>> bool((people["hours-per-week"] == 40).mean() > 0.4)
    True
    """
    import pandas as pd  # noqa: PLC0415  (slow to import, and only needed here)

    check_size_and_seed(n, seed)
    generator = make_generators(seed)("adult")
    age, standing = generator.standard_normal(n), generator.standard_normal(n)
    people: dict[str, Any] = {"age": np.floor(_from_quantiles(age, figures.AGE_QUANTILES)).astype(np.int64)}
    people |= _work(standing, generator)
    people |= _weights(n, generator)
    people |= _family(age, generator)
    people |= _origin(n, generator)
    people |= _gains(standing, generator)
    people["hours-per-week"] = cut(hang_on(0.6 * standing + 0.3 * age, 0.4, generator), _hours()).astype(np.int64)
    score = hang_on(0.8 * standing + 0.4 * age, 0.6, generator) + 0.5 * np.isin(people["marital-status"], _SPOUSES)
    people["income"] = np.where(score > np.quantile(score, 1.0 - figures.RICH) if n else score > 0, ">50K", "<=50K")
    return pd.DataFrame({name: people[name] for name in _COLUMNS})


_COLUMNS = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income",
)  # fmt: skip


def _from_quantiles(scores: FloatArray, quantiles: Mapping[float, float]) -> FloatArray:
    """Turn normal scores into values with these quantiles."""
    places = [-_FAR if p == 0 else _FAR if p == 1 else normal_quantile(p) for p in quantiles]
    return np.interp(scores, places, list(quantiles.values()))


def _weights(n: int, generator: np.random.Generator) -> dict[str, Any]:
    """Draw sampling weights from a list of so many."""
    places = (generator.integers(figures.N_WEIGHTS, size=n) + 0.5) / figures.N_WEIGHTS
    values = np.interp(places, list(figures.WEIGHT_QUANTILES), list(figures.WEIGHT_QUANTILES.values()))
    return {"fnlwgt": np.rint(values).astype(np.int64)}


def _work(standing: FloatArray, generator: np.random.Generator) -> dict[str, Any]:
    """Draw schooling and work, which hang on the standing of a person; work is missing as a whole."""
    education = cut(hang_on(standing, 0.8, generator), figures.EDUCATION)
    number = {name: place + 1 for place, name in enumerate(figures.EDUCATION)}
    workclass = cut(hang_on(standing, 0.3, generator), figures.WORKCLASS)
    occupation = cut(hang_on(standing, 0.7, generator), figures.OCCUPATION)
    is_unknown = generator.random(len(standing)) < figures.MISSING_WORK
    workclass[is_unknown] = None
    occupation[is_unknown | (workclass == "Never-worked")] = None
    return {
        "education": education,
        "education-num": np.array([number[name] for name in education], dtype=np.int64),
        "workclass": workclass,
        "occupation": occupation,
    }


def _family(age: FloatArray, generator: np.random.Generator) -> dict[str, _LabelArray]:
    """Draw marital status, which hangs on age, then the place in the family and the sex."""
    status = cut(hang_on(age, 0.7, generator), figures.MARITAL_STATUS)
    has_spouse = np.isin(status, _SPOUSES)
    is_man = generator.random(len(age)) < np.where(has_spouse, figures.HUSBANDS, figures.OTHER_MEN)
    alone = age + np.where(has_spouse, 0.0, 0.5)  # the married are older: what is left of the scores is shifted back
    relationship = cut(hang_on(alone, 0.6, generator), figures.RELATIONSHIP)
    relationship[has_spouse] = np.where(is_man, "Husband", "Wife")[has_spouse]
    sex = np.where(is_man, "Male", "Female").astype(object)
    return {"marital-status": status, "relationship": relationship, "sex": sex}


def _origin(n: int, generator: np.random.Generator) -> dict[str, _LabelArray]:
    """Draw the country of birth and the race, which is the country's where that is in Asia."""
    country = cut(generator.standard_normal(n), figures.COUNTRY)
    race = cut(generator.standard_normal(n), figures.RACE)
    is_asian = np.isin(country, list(figures.ASIAN_COUNTRIES))
    race[is_asian & (generator.random(n) < 0.9)] = "Asian-Pac-Islander"
    country[generator.random(n) < figures.MISSING_COUNTRY] = None
    return {"native-country": country, "race": race}


def _gains(standing: FloatArray, generator: np.random.Generator) -> dict[str, IntArray]:
    """Draw who has a gain or a loss, more often those of high standing, and how much."""
    n = len(standing)
    score = hang_on(standing, 0.4, generator)
    is_gain = score > normal_quantile(1.0 - figures.GAIN_SHARE)
    limit = normal_quantile(1.0 - figures.GAIN_SHARE - figures.LOSS_SHARE)
    is_loss = (score > limit) & ~is_gain
    gains = _amounts(figures.GAINS, figures.N_GAINS, figures.GAIN_RANGE, figures.GAIN_SHARE, n, generator)
    losses = _amounts(figures.LOSSES, figures.N_LOSSES, figures.LOSS_RANGE, figures.LOSS_SHARE, n, generator)
    return {"capital-gain": np.where(is_gain, gains, 0), "capital-loss": np.where(is_loss, losses, 0)}


def _amounts(
    frequent: Mapping[int, int],
    n_values: int,
    limits: tuple[int, int],
    share: float,
    n: int,
    generator: np.random.Generator,
) -> IntArray:
    """Draw amounts: those that many have, by their counts, and evenly one of the others."""
    low, high = limits
    n_rare = n_values - len(frequent)
    rare = np.rint(low * (high / low) ** (np.arange(n_rare) / (n_rare - 1))).astype(np.int64)
    left = share * figures.N_RECORDS - sum(frequent.values())
    counts = {**dict.fromkeys(rare.tolist(), left / n_rare), **frequent}
    return cut(generator.standard_normal(n), dict(sorted(counts.items()))).astype(np.int64)


def _hours() -> dict[int, float]:
    """Return the hours a week with their counts: those that many state, and evenly all others."""
    n_rare = figures.OTHER_HOURS - len(figures.HOURS)
    rare = [hours for hours in range(1, 99) if hours not in figures.HOURS][:n_rare]
    left = figures.N_RECORDS - sum(figures.HOURS.values())
    return dict(sorted({**dict.fromkeys(rare, left / n_rare), **figures.HOURS}.items()))
