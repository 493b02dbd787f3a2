"""The intruder who knows the method: time and memory of his attack on each method, published and guessed.

Each cell runs in a process of its own: ``python -m benchmarks.informing CASE RECORDS WHO`` does one, and prints
it as JSON.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.table import Row
from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.datasets import census_like, census_like_mixed
from linkrisk.informed.attack import MAX_CEILING, attack_informed
from linkrisk.informed.describing import as_descriptions
from linkrisk.informed.description import Description
from linkrisk.informed.recognise import completed, recognised
from linkrisk.protection import METHODS

N_ATTRIBUTES = 7
NUMBERS = tuple(census_like(1).columns[:N_ATTRIBUTES])
NOMINAL = ("sex", "region", "education", "marital_status", "age_group", "weight", "tax", "income")
DRAWING = ("rank_swap", "noise", "correlated_noise", "pram")
GOALS = {10_000: "under 10 s", 100_000: "under 120 s"}


@dataclass(frozen=True)
class Case:
    """A release: the file it is made of, and the steps it is made in, each a method with its parameters."""

    file: str
    steps: tuple[tuple[str, Mapping[str, Any]], ...]


def _numeric(method: str, **parameters: Any) -> Case:
    return Case("numeric", ((method, parameters),))


def _of(names: Sequence[str], value: Any) -> dict[str, Any]:
    return dict.fromkeys(names, value)


CASES = {
    "rank_swap permutation": _numeric("rank_swap", p=20, variant="permutation"),
    "rank_swap pairs": _numeric("rank_swap", p=20, variant="pairs"),
    "noise": _numeric("noise", p=40),
    "correlated_noise": _numeric("correlated_noise", p=40),
    "pram": Case("nominal", (("pram", {"keep": 0.7}),)),
    "mdav groups": _numeric("mdav", k=5, groups=(NUMBERS[:2], NUMBERS[2:4], NUMBERS[4:])),
    "mdav all": _numeric("mdav", k=5, groups=(NUMBERS,)),
    "individual_ranking": _numeric("individual_ranking", k=5),
    "z_scores": _numeric("z_scores", k=5, groups=(NUMBERS,)),
    "principal_components": _numeric("principal_components", k=5, groups=(NUMBERS,)),
    "rounding": _numeric("rounding", base=_of(NUMBERS, 20000)),
    "rounding random": _numeric("rounding", base=_of(NUMBERS, 5000), random=True),
    "coding": _numeric("coding", top_percent=_of(NUMBERS, 20), bottom_percent=_of(NUMBERS, 20)),
    "generalise": _numeric("generalise", into=_of(NUMBERS, 20000)),
    "plan": Case(
        "mixed",
        (
            ("rank_swap", {"p": _of(("AGI", "FEDTAX"), 10), "variant": "permutation"}),
            ("noise", {"p": _of(("PTOTVAL", "TAXINC"), 20)}),
            ("rounding", {"base": {"AFNLWGT": 20000}, "random": True}),
            ("pram", {"keep": _of(("sex", "region", "marital_status"), 0.8)}),
        ),
    ),
}
"""Releases by name, as issue 14 asks for them."""

WHOLE, HALF, GUESSED = "whole", "half", "guessed"
"""Everybody is known and the record is published; so it is, and every other person is known; nothing is published."""


def make_file(kind: str, n_records: int) -> pd.DataFrame:
    """Make an original file of one kind: numbers, categories, or both."""
    numbers = census_like(n_records, seed=1)
    if kind == "numeric":
        return numbers[list(NUMBERS)]
    labels = census_like_mixed(n_records, seed=1)
    if kind == "mixed":
        return pd.concat([numbers, labels], axis=1)[
            ["AGI", "FEDTAX", "PTOTVAL", "TAXINC", "AFNLWGT", "sex", "region", "marital_status"]
        ]
    classes = {"weight": ("AFNLWGT", 10), "tax": ("FEDTAX", 8), "income": ("PTOTVAL", 12)}
    cut = {name: pd.qcut(numbers[column].rank(), n).cat.codes for name, (column, n) in classes.items()}
    coded = pd.DataFrame({name: "class " + codes.astype(str) for name, codes in cut.items()})
    return pd.concat([labels, coded], axis=1)[list(NOMINAL)].fillna("unknown")


def make_release(case: Case, n_records: int) -> tuple[FilePair, Description]:
    """Protect a file, put the released records into another order, and return both with what is published."""
    original = make_file(case.file, n_records)
    released: Any = original
    records: list[Any] = []
    for method, parameters in case.steps:
        named = {name for value in parameters.values() if isinstance(value, dict) for name in value}
        left = [name for name in original.columns if named and name not in named]
        seed = {"secret_seed": 2} if method in DRAWING or parameters.get("random") else {}
        protection = METHODS[method].apply(released, **parameters, **({"leave": left} if left else {}), **seed)
        released, records = protection.data, [*records, protection]
    order = np.random.default_rng(3).permutation(n_records)
    pairs = np.column_stack([order + 1, np.arange(1, n_records + 1)])
    files = pair_files(original, released.iloc[order].reset_index(drop=True), pairs=pairs)
    return files, as_descriptions(records)


@dataclass(frozen=True)
class Cell:
    """What was measured: seconds to complete or guess the description, to attack, and for the ceiling besides.

    ``cpu`` are the seconds of all cores together, for an attack with its ceiling: twice the time of two free cores.
    """

    guess: float
    attack: float
    ceiling: float
    cpu: float
    megabytes: float
    links: float
    told: list[str] = field(default_factory=list)


def measure(name: str, n_records: int, who: str) -> Cell:
    """Attack one release; the ceiling is taken up to its own limit of records, which is one more attack."""
    files, published = make_release(CASES[name], n_records)
    if who == HALF:
        files = files.restricted([a.name for a in files.attributes], np.arange(0, n_records, 2))
    start, before = time.perf_counter(), time.process_time()
    descriptions = recognised(files) if who == GUESSED else (completed(published, files)[0],)
    guessed, spent = time.perf_counter(), time.process_time()
    found = attack_informed(files, descriptions, has_ceiling=False)
    attacked, used = time.perf_counter(), time.process_time()
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    cpu, ceiling, told = used - before, 0.0, []
    if n_records <= MAX_CEILING:
        more = attack_informed(files, descriptions, has_ceiling=True)
        ceiling = max(0.0, time.perf_counter() - attacked - (attacked - guessed))
        cpu = spent - before + time.process_time() - used
        told = [_told(part.ceiling) for part in more if part.ceiling is not None]
    return Cell(
        guess=guessed - start,
        attack=attacked - guessed,
        ceiling=ceiling,
        cpu=cpu,
        megabytes=megabytes,
        links=max(part.linkage.links("expected") for part in found),
        told=told,
    )


def _told(ceiling: Any) -> str:
    status = "" if ceiling.is_converged else ", chains do not agree"
    return f"{ceiling.lower:.0f} to {ceiling.links:.0f}{status}"


def informing_rows(sizes: Sequence[int] = (10_000, 100_000), who: Sequence[str] = (WHOLE, HALF, GUESSED)) -> list[Row]:
    """Time and memory of each method at each size, by what the intruder knows."""
    rows = []
    for n_records in sizes:
        for name in CASES:
            for known in who:
                cell = run(name, n_records, known)
                parts = f"guess {cell.guess:.1f}, attack {cell.attack:.1f}, ceiling {cell.ceiling:.1f} s"
                what = f"{name}, {n_records:.0e}, {known}: {cell.links:.0f} links ({parts}, {cell.megabytes:.0f} MB)"
                seconds = cell.guess + cell.attack + cell.ceiling
                rows.append(Row(what, seconds, "s", goal=GOALS.get(n_records, "")))
    return rows


def run(name: str, n_records: int, who: str) -> Cell:
    """Measure a cell in a process of its own."""
    output = subprocess.run(  # noqa: S603  (our own interpreter and module)
        [sys.executable, "-m", "benchmarks.informing", name, str(n_records), who],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return Cell(**json.loads(output))


def main(name: str, n_records: str, who: str) -> None:
    """Measure one cell, kernels compiled by a small one before."""
    measure(name, 300, who)
    print(json.dumps(measure(name, int(n_records), who).__dict__))


if __name__ == "__main__":
    main(*sys.argv[1:])
