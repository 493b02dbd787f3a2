"""Small files of every kind, protected by every method: what the ceiling of any intruder is tried on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator

import linkrisk
from benchmarks.transparency.release import Release
from linkrisk.protection import Protection

Made = tuple[pd.DataFrame, list[Protection]]

LEAST, MOST = 30, 200
"""Records of a file."""


def make_release(method: str, number: int) -> Release:
    """Return the file of a method and a number: always the same."""
    random = np.random.default_rng([number, *map(ord, method)])
    return Release.of(*MAKERS[method](random, number), seed=number)


def _n_records(random: Generator) -> int:
    return int(random.integers(LEAST, MOST + 1))


def numbers(random: Generator, n: int, *, is_whole: bool | None = None, prefix: str = "v") -> pd.DataFrame:
    """Return 2 to 5 numeric attributes that depend on each other: normal or skewed, some rounded if not told."""
    n_attributes = int(random.integers(2, 6))
    mixing = random.normal(size=(n_attributes, n_attributes))
    values = random.normal(size=(n, n_attributes)) @ mixing
    columns = {}
    for k in range(n_attributes):
        column = np.exp(values[:, k] / 2.0) if random.random() < 0.4 else values[:, k]
        rounded = random.random() < 0.3 if is_whole is None else is_whole
        columns[f"{prefix}{k}"] = np.round(5.0 * column) if rounded else np.round(column, 6)
    return pd.DataFrame(columns)


def categories(random: Generator, n: int, *, prefix: str = "c") -> pd.DataFrame:
    """Return 2 to 6 nominal attributes of 2 to 7 categories, unevenly frequent, that depend on each other a little."""
    columns = {}
    before = random.random(n)
    for k in range(int(random.integers(2, 7))):
        n_labels = int(random.integers(2, 8))
        before = np.where(random.random(n) < 0.3, before, random.random(n))
        place = np.floor(n_labels * before ** random.uniform(0.7, 2.0)).astype(np.int64)
        columns[f"{prefix}{k}"] = np.array([f"{prefix}{k}-{label}" for label in place], dtype=object)
    return pd.DataFrame(columns)


def with_holes(random: Generator, people: pd.DataFrame, share: float = 0.3) -> pd.DataFrame:
    """Return the file, or now and then the file with some values missing."""
    if random.random() > share:
        return people
    holes = pd.DataFrame(random.random(people.shape) < 0.05, columns=people.columns)
    holes.iloc[:2] = False
    return people.mask(holes)


def _spread(people: pd.DataFrame, share: float) -> dict[str, float]:
    """Return a share of each column's standard deviation, 1 where there is none."""
    return {str(name): float(f"{share * people[name].std() or 1.0:.1e}") for name in people.columns}


def _protected(people: pd.DataFrame, method: str, **parameters: Any) -> Protection:
    """Protect numbers, which are quantities even where they are few and whole."""
    return linkrisk.protect(people, method, numeric=list(people.columns), **parameters)


def _noise(random: Generator, seed: int) -> Made:
    people = with_holes(random, numbers(random, _n_records(random)))
    return people, [_protected(people, "noise", p=float(random.uniform(5, 80)), secret_seed=seed)]


def _correlated_noise(random: Generator, seed: int) -> Made:
    people = numbers(random, _n_records(random))
    return people, [_protected(people, "correlated_noise", p=float(random.uniform(5, 80)), secret_seed=seed)]


def _pram(random: Generator, seed: int) -> Made:
    people = with_holes(random, categories(random, _n_records(random)))
    return people, [linkrisk.protect(people, "pram", keep=float(random.uniform(0.2, 0.9)), secret_seed=seed)]


def _random_rounding(random: Generator, seed: int) -> Made:
    people = with_holes(random, numbers(random, _n_records(random)))
    base = _spread(people, float(random.uniform(0.2, 2.0)))
    return people, [linkrisk.protect(people, "rounding", base=base, random=True, secret_seed=seed)]


def _swapped(digits: int, least: int = LEAST) -> Callable[[Generator, int], Made]:
    def make(random: Generator, seed: int) -> Made:
        n = int(random.integers(least, MOST + 1))
        people = with_holes(random, numbers(random, n, is_whole=False).round(digits))
        p = float(random.uniform(5, 40))
        return people, [linkrisk.protect(people, "rank_swap", p=p, variant="permutation", secret_seed=seed)]

    return make


def _clustered(method: str) -> Callable[[Generator, int], Made]:
    def make(random: Generator, seed: int) -> Made:
        del seed
        people = numbers(random, _n_records(random))
        return people, [_protected(people, method, k=int(random.integers(2, 8)))]

    return make


def _rounding(random: Generator, seed: int) -> Made:
    del seed
    people = with_holes(random, numbers(random, _n_records(random)))
    return people, [linkrisk.protect(people, "rounding", base=_spread(people, float(random.uniform(0.2, 2.0))))]


def _coding(random: Generator, seed: int) -> Made:
    del seed
    people = with_holes(random, numbers(random, _n_records(random), is_whole=False))
    return people, [linkrisk.protect(people, "coding", top_percent=30, bottom_percent=30)]


def _generalise(random: Generator, seed: int) -> Made:
    del seed
    people = with_holes(random, numbers(random, _n_records(random)))
    return people, [linkrisk.protect(people, "generalise", into=_spread(people, float(random.uniform(0.2, 2.0))))]


def _mixed(random: Generator) -> tuple[pd.DataFrame, list[list[str]]]:
    """Return a file of numbers, other numbers and categories, and the names of each."""
    n = _n_records(random)
    parts = [numbers(random, n), numbers(random, n, is_whole=False, prefix="w"), categories(random, n)]
    people = with_holes(random, pd.concat(parts, axis=1))
    return people, [list(map(str, part.columns)) for part in parts]


Plan = list[tuple[str, list[str], dict[str, Any]]]
"""Methods, the columns they treat, and their parameters."""


def _steps(people: pd.DataFrame, plan: Plan) -> Made:
    """Apply methods one after the other, each to columns of its own."""
    steps: list[Protection] = []
    data = people
    for method, names, parameters in plan:
        left = [str(name) for name in people.columns if name not in names]
        steps.append(linkrisk.protect(data, method, attributes=names, leave=left, **parameters))
        data = steps[-1].data
    return people, steps


def _plan_that_draws(random: Generator, seed: int) -> Made:
    people, (first, second, third) = _mixed(random)
    base = _spread(people[first], float(random.uniform(0.5, 3.0)))
    plan: Plan = [
        ("rounding", first, {"base": base, "random": True, "secret_seed": seed}),
        ("noise", second, {"p": float(random.uniform(30, 150)), "secret_seed": seed}),
        ("pram", third, {"keep": float(random.uniform(0.2, 0.7)), "secret_seed": seed}),
    ]
    return _steps(people, plan)


def _plan_of_both(random: Generator, seed: int) -> Made:
    people, (first, second, third) = _mixed(random)
    base = _spread(people[first], float(random.uniform(1.0, 4.0)))
    plan: Plan = [
        ("generalise", first, {"into": base}),
        ("rank_swap", second, {"p": float(random.uniform(10, 60)), "variant": "permutation", "secret_seed": seed}),
        ("pram", third, {"keep": float(random.uniform(0.2, 0.7)), "secret_seed": seed}),
    ]
    return _steps(people, plan)


MAKERS: dict[str, Callable[[Generator, int], Made]] = {
    "noise": _noise,
    "correlated_noise": _correlated_noise,
    "pram": _pram,
    "random rounding": _random_rounding,
    "rank_swap": _swapped(6),
    "rank_swap, some equal values": _swapped(2, 150),
    "mdav": _clustered("mdav"),
    "individual_ranking": _clustered("individual_ranking"),
    "rounding": _rounding,
    "coding": _coding,
    "generalise": _generalise,
    "plan that draws": _plan_that_draws,
    "plan of both": _plan_of_both,
}
"""Methods by which files are made; the whole file is known, or there is no ceiling."""
