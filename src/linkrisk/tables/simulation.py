"""Simulated populations with categorical attributes, and samples and tables published from them, for experiments."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from linkrisk.arrays import IntArray
from linkrisk.errors import ParameterError
from linkrisk.tables.evidence.publication import TableDescription, make_table_description
from linkrisk.tables.options import MECHANISMS


def categorical_population(
    n: int,
    categories: Mapping[str, int],
    *,
    dependence: float = 0.6,
    edges: Sequence[tuple[str, str]] | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Generate people with categorical attributes that depend on each other by a graphical model.

    Each attribute has at most one parent, so the graph is a tree, or several trees; by default it is a chain in the
    order given. With probability ``dependence`` a person's category follows from the category of the parent attribute
    (their places among the categories are proportional); otherwise it is drawn from an uneven distribution of the
    attribute itself.

    Parameters
    ----------
    n
        Number of people.
    categories
        Number of categories of each attribute, 1 or more.
    dependence
        From 0 (attributes are independent) to 1 (the parent determines the child).
    edges
        Pairs (parent, child); an attribute has at most one parent, which comes before it in ``categories``.
    seed
        Seed of the draws; the same seed gives the same people.

    Returns
    -------
    pandas.DataFrame
        One row per person, categories as text: ``a1``, ``a2``, ... for an attribute ``a``.

    Examples
    --------
    >>> people = categorical_population(1000, {"region": 4, "trade": 8}, seed=1)
    >>> people.shape, people["region"].nunique()
    ((1000, 2), 4)
    """
    names = list(categories)
    if n < 1 or not names or min(categories.values()) < 1 or not 0.0 <= dependence <= 1.0:
        raise ParameterError(
            "a population must have at least one person and one attribute, at least one category per attribute, and a "
            "dependence from 0 to 1"
        )
    parents = _parents(names, edges)
    rng = np.random.default_rng(seed)
    codes: dict[str, IntArray] = {}
    for name in names:
        n_categories = categories[name]
        own = rng.choice(n_categories, size=n, p=_uneven(n_categories, rng))
        parent = parents.get(name)
        if parent is not None:
            carried = codes[parent] * n_categories // categories[parent]
            own = np.where(rng.random(n) < dependence, carried, own)
        codes[name] = own
    return pd.DataFrame({name: np.char.add(name, (codes[name] + 1).astype(str)) for name in names})


def draw_sample(
    population: pd.DataFrame, n: int, attributes: Sequence[str], *, seed: int, id_name: str | None = None
) -> pd.DataFrame:
    """Draw people without replacement, in random order, and keep some of their attributes.

    ``id_name`` is the name of one more column, with the row of each person in the population, so that matches can be
    compared with the truth.

    Examples
    --------
    >>> people = categorical_population(100, {"a": 2, "b": 3}, seed=1)
    >>> draw_sample(people, 10, ["b"], seed=2).shape
    (10, 1)
    """
    if not 0 < n <= len(population):
        raise ParameterError(f"a sample of {n} cannot be drawn from {len(population)} people; draw 1 to all of them")
    rows = np.random.default_rng(seed).permutation(len(population))[:n]
    sample = population.iloc[rows][list(attributes)].reset_index(drop=True)
    if id_name is not None:
        sample.insert(0, id_name, rows)
    return sample


def publish_table(
    population: pd.DataFrame,
    attributes: Sequence[str],
    mechanism: str,
    *,
    base: int | None = None,
    n: int | None = None,
    least: int = 3,
    seed: int = 0,
    name: str | None = None,
) -> TableDescription:
    """Count people by some attributes, and publish the counts by a mechanism; empty cells are listed too.

    Parameters
    ----------
    population
        The people.
    attributes
        Attributes of the table.
    mechanism
        One of `MECHANISMS`.
    base
        Rounding only: counts become multiples of this.
    n
        Sample only: number of people drawn.
    least
        Suppression only: a count from 1 to below ``least`` is published as the interval of these numbers.
    seed
        Seed of random rounding and of the draws of a sample.
    name
        Name of the table in results; by default its mechanism and attributes.

    Examples
    --------
    >>> people = categorical_population(100, {"a": 2, "b": 3}, seed=1)
    >>> table = publish_table(people, ["a", "b"], "random_rounding", base=5, seed=3)
    >>> int((table.source["count"] % 5).sum()), len(table.source)
    (0, 6)
    """
    if mechanism not in MECHANISMS:
        raise ParameterError(f"unknown mechanism {mechanism!r}; choose one of {', '.join(MECHANISMS)}")
    people = population[list(attributes)]
    if mechanism == "sample":
        people = draw_sample(population, n or 0, attributes, seed=seed)
    cells = _counted(population, people, list(attributes))
    rng = np.random.default_rng(seed)
    counts = cells["count"].to_numpy()
    if mechanism == "random_rounding" and base:
        rest = counts % base
        cells["count"] = counts - rest + base * (rng.random(len(counts)) * base < rest)
    elif mechanism == "rounded" and base:
        cells["count"] = (counts + base // 2) // base * base
    elif mechanism == "suppressed":
        is_small = (counts >= 1) & (counts < least)
        cells["low"] = np.where(is_small, 1, counts)
        cells["high"] = np.where(is_small, least - 1, counts)
        cells = cells.drop(columns="count")
    title = name or f"{mechanism} {' x '.join(attributes)}"
    return make_table_description(cells, mechanism=mechanism, base=base, name=title)


def _counted(population: pd.DataFrame, people: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Return one row per combination of categories in the population, with its number of people."""
    levels = [sorted(population[name].unique()) for name in names]
    cells = pd.MultiIndex.from_product(levels, names=names)
    counts = people.value_counts(subset=names).reindex(cells, fill_value=0)
    return counts.rename("count").reset_index()


def _parents(names: list[str], edges: Sequence[tuple[str, str]] | None) -> dict[str, str]:
    pairs = list(itertools.pairwise(names)) if edges is None else list(edges)
    parents = {child: parent for parent, child in pairs}
    if len(parents) < len(pairs):
        raise ParameterError("edges: an attribute has two parents; give each attribute at most one")
    for child, parent in parents.items():
        if child not in names or parent not in names or names.index(parent) >= names.index(child):
            raise ParameterError("edges: a parent must be an attribute that comes before its child in categories")
    return parents


def _uneven(n_categories: int, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return probabilities in random order: a few categories are common, many are rare."""
    weights = 1.0 / np.arange(1, n_categories + 1)
    return np.asarray(rng.permutation(weights / weights.sum()))
