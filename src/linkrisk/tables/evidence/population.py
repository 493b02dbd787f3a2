"""Categorical populations for experiments, and the samples and tables released from them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from linkrisk.errors import ParameterError
from linkrisk.tables.evidence.mechanisms import IntArray
from linkrisk.tables.evidence.publication import MECHANISMS, Released, make_released


def categorical_population(
    n: int,
    categories: Mapping[str, int],
    *,
    dependence: float = 0.6,
    edges: Sequence[tuple[str, str]] | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Generate people with categorical attributes that hang together by a graphical model.

    Each attribute has at most one parent, so the model is a tree (or several): by default a chain in the order given.
    With a probability of ``dependence`` a person's category is that which her parent's category stands for (places
    are carried over in proportion), otherwise it is drawn from the attribute's own uneven distribution.

    Parameters
    ----------
    n
        Number of people.
    categories
        Number of categories of each attribute, 1 or more.
    dependence
        From 0 (independent attributes) to 1 (a parent decides).
    edges
        Pairs (parent, child); a child has one parent, and parents come before their children.
    seed
        Seed of the draws; the same seed gives the same people.

    Returns
    -------
    pandas.DataFrame
        One row a person, categories as text: ``a1``, ``a2``, ... for an attribute ``a``.

    Examples
    --------
    >>> people = categorical_population(1000, {"region": 4, "trade": 8}, seed=1)
    >>> people.shape, people["region"].nunique()
    ((1000, 2), 4)
    """
    names = list(categories)
    if n < 1 or not names or min(categories.values()) < 1 or not 0.0 <= dependence <= 1.0:
        raise ParameterError("A population needs people, attributes with categories, and a dependence from 0 to 1.")
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
    """Draw people without replacement and keep some of their attributes, in random order.

    ``id_name`` adds a column of that name with the row of each person, so that matches can be judged.

    Examples
    --------
    >>> people = categorical_population(100, {"a": 2, "b": 3}, seed=1)
    >>> draw_sample(people, 10, ["b"], seed=2).shape
    (10, 1)
    """
    if not 0 < n <= len(population):
        raise ParameterError(f"A sample of {n} cannot be drawn from {len(population)} people.")
    rows = np.random.default_rng(seed).permutation(len(population))[:n]
    sample = population.iloc[rows][list(attributes)].reset_index(drop=True)
    if id_name is not None:
        sample.insert(0, id_name, rows)
    return sample


def release_table(
    population: pd.DataFrame,
    attributes: Sequence[str],
    mechanism: str,
    *,
    base: int | None = None,
    n: int | None = None,
    least: int = 3,
    seed: int = 0,
    name: str | None = None,
) -> Released:
    """Count people by some attributes and publish the counts by a mechanism; empty cells included, but in samples.

    Parameters
    ----------
    population
        The people.
    attributes
        Attributes of the table.
    mechanism
        One of `MECHANISMS`.
    base
        Of a rounding.
    n
        People drawn, for a sample table.
    least
        Suppression: counts from 1 to below ``least`` are published as that interval.
    seed
        Of random rounding and of the draws of a sample.
    name
        What results call the table; by default its mechanism and attributes.

    Examples
    --------
    >>> people = categorical_population(100, {"a": 2, "b": 3}, seed=1)
    >>> table = release_table(people, ["a", "b"], "random_rounding", base=5, seed=3)
    >>> int((table.source["count"] % 5).sum()), len(table.source)
    (0, 6)
    """
    if mechanism not in MECHANISMS:
        raise ParameterError(f"unknown mechanism {mechanism!r}; choose among {', '.join(MECHANISMS)}")
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
    return make_released(cells, mechanism=mechanism, base=base, name=title)


def _counted(population: pd.DataFrame, people: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Return one row for each combination of the population's categories, with its number of people."""
    levels = [sorted(population[name].unique()) for name in names]
    cells = pd.MultiIndex.from_product(levels, names=names)
    counts = people.value_counts(subset=names).reindex(cells, fill_value=0)
    return counts.rename("count").reset_index()


def _parents(names: list[str], edges: Sequence[tuple[str, str]] | None) -> dict[str, str]:
    pairs = list(itertools.pairwise(names)) if edges is None else list(edges)
    parents = {child: parent for parent, child in pairs}
    if len(parents) < len(pairs):
        raise ParameterError("edges: an attribute has two parents; give each at most one.")
    for child, parent in parents.items():
        if child not in names or parent not in names or names.index(parent) >= names.index(child):
            raise ParameterError("edges: a parent must be an attribute named before its child.")
    return parents


def _uneven(n_categories: int, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return probabilities that fall from category to category, a few common and many rare, in random order."""
    weights = 1.0 / np.arange(1, n_categories + 1)
    return np.asarray(rng.permutation(weights / weights.sum()))
