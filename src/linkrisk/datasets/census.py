"""Numeric microdata like the Census file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkrisk.datasets import census_figures as figures
from linkrisk.datasets.latent import (
    FloatArray,
    IntArray,
    check_size_and_seed,
    from_quantiles,
    latent_scores,
    make_generators,
)

if TYPE_CHECKING:
    import pandas as pd


def census_like(n: int, seed: int = 0) -> pd.DataFrame:
    """Generate numeric microdata that behave like the Census file of the papers.

    Nine attributes are drawn from a Gaussian copula with the rank correlations of the file and the quantiles
    of each attribute. The other four follow from them, as they do in the file: PTOTVAL = PEARNVAL + POTHVAL
    without exception (so the covariance matrix of all 13 is singular), POTHVAL is INTVAL and other income,
    FICA is the payroll tax on PEARNVAL for 95 % of the records, and PEARNVAL, WSALVAL and ERNVAL are the same
    number for about four records in five. Earnings are mostly multiples of 500 and 1,000, as people state
    them. No record of the file is used; see `linkrisk.datasets.census_figures` for all that is.

    Parameters
    ----------
    n
        Number of records.
    seed
        Same n and seed, same data. A smaller file is not the beginning of a larger one.

    Returns
    -------
    pandas.DataFrame
        ``n`` rows and the 13 columns of the Census file, whole numbers of 1 or more, none missing.

    Raises
    ------
    ParameterError
        If ``n`` or ``seed`` is not a whole number of 0 or more.

    Notes
    -----
    Cost: about a second for 10^6 records, and 500 bytes for each while it runs. Inequalities between
    attributes, such as TAXINC below AGI, hold for most records and not for all.

    Examples
    --------
    >>> file = census_like(1000, seed=1)
    >>> file.shape
    (1000, 13)
    >>> bool((file["PTOTVAL"] == file["PEARNVAL"] + file["POTHVAL"]).all())
    True
    """
    import pandas as pd  # noqa: PLC0415  (slow to import, and only needed here)

    return pd.DataFrame(census_columns(n, seed))


def census_columns(n: int, seed: int) -> dict[str, IntArray]:
    """Return the columns of `census_like`, by name."""
    check_size_and_seed(n, seed)
    generators = make_generators(seed)
    values = {name: from_quantiles(scores, name) for name, scores in latent_scores(n, generators).items()}
    _add_earnings(values, generators("earnings"))
    _add_other_income(values, generators("other income"))
    values["PTOTVAL"] = values["PEARNVAL"] + values["POTHVAL"]
    return {name: np.rint(values[name]).astype(np.int64) for name in figures.COLUMNS}


def _add_earnings(values: dict[str, FloatArray], generator: np.random.Generator) -> None:
    """Round the earnings as people do, and split off wages, the longest job and the payroll tax."""
    earnings = values["PEARNVAL"]
    grains = _draw_grains(figures.SALARY_GRAINS, len(earnings), generator)
    values["PEARNVAL"] = _round_to(earnings, grains)
    values["WSALVAL"] = _round_to(values["PEARNVAL"] * _draw_share(figures.WAGE_SHARE, grains, generator), grains)
    values["ERNVAL"] = _round_to(values["WSALVAL"] * _draw_share(figures.MAIN_JOB_SHARE, grains, generator), grains)
    rate, ceiling, rate_of_all = figures.PAYROLL_TAX
    tax = rate * np.minimum(values["PEARNVAL"], ceiling) + rate_of_all * values["PEARNVAL"]
    values["FICA"] = np.maximum(tax * _draw_share(figures.PAYROLL_TAX_SHARE, grains, generator), 1.0)


def _add_other_income(values: dict[str, FloatArray], generator: np.random.Generator) -> None:
    """Round interest and other income, and add them up."""
    n = len(values["INTVAL"])
    values["INTVAL"] = _round_to(values["INTVAL"], _draw_grains(figures.INTEREST_GRAINS, n, generator))
    other = np.rint(values["OTHER"])
    grains = _draw_grains(figures.OTHER_GRAINS, n, generator)
    values["POTHVAL"] = values["INTVAL"] + np.where(other == 0, 0.0, _round_to(other, grains))


def _draw_grains(shares: dict[int, float], n: int, generator: np.random.Generator) -> FloatArray:
    """Draw for each record the number to whose multiples its value is rounded."""
    steps = np.cumsum(list(shares.values()))[:-1]
    chosen = np.searchsorted(steps, generator.random(n), side="right")
    return np.array(list(shares), dtype=np.float64)[chosen]


def _round_to(values: FloatArray, grains: FloatArray) -> FloatArray:
    """Round to multiples of the grain, or to whole numbers where the value is smaller than its grain."""
    usable = np.where(values < grains, 1.0, grains)
    rounded: FloatArray = np.rint(values / usable) * usable
    return np.maximum(rounded, 1.0, out=rounded)


def _draw_share(
    figure: tuple[float, tuple[float, ...]], like: FloatArray, generator: np.random.Generator
) -> FloatArray:
    """Draw the share of each record: 1 for most, from the quantiles of the figure for the others."""
    frequency, quantiles = figure
    shares = np.interp(generator.random(like.size), figures.SHARE_PROBABILITIES, quantiles)
    return np.where(generator.random(like.size) < frequency, shares, 1.0)
