"""A mixed file under a plan of several methods: who knows the plan, who does not, and who measures distances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

import linkrisk
from benchmarks.table import Row
from benchmarks.transparency.columns import show_line
from benchmarks.transparency.release import (
    Release,
    assigned_links,
    best_of,
    ceiling_text,
    informed_attack,
    nearest_links,
)
from benchmarks.transparency.releases import RANDOM, UNFITTED
from linkrisk import Assessment
from linkrisk.datasets import EDUCATION_ORDER, census_like, census_like_mixed
from linkrisk.protection import Protection

N_RECORDS = 5000
SHARES = {"everybody": 1.0, "half of the people": 0.5}

SCHEMA = {"attributes": {"education": {"kind": "ordinal", "order": list(EDUCATION_ORDER)}}}

PLANS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "strong plan": (
        ("noise", {"p": {"income": 50}}),
        ("mdav", {"groups": [["wage", "tax"]], "k": 10}),
        ("pram", {"keep": {"sex": 0.8, "region": 0.6, "marital_status": 0.7}}),
        ("rounding", {"base": {"interest": 2000}}),
        ("coding", {"top_percent": {"state_tax": 10}, "bottom_percent": {"state_tax": 70}}),
        ("generalise", {"into": {"age": 10, "education": 2}}),
    ),
    "plan that only draws": (
        ("noise", {"p": {"income": 50, "wage": 50, "tax": 50, "state_tax": 50, "age": 50}}),
        ("pram", {"keep": {"sex": 0.8, "region": 0.6, "marital_status": 0.7, "education": 0.7}}),
        ("rounding", {"base": {"interest": 5000}, "random": True}),
    ),
}
"""Which methods treat which columns, with which parameters."""


def plan_rows(n_records: int = N_RECORDS) -> list[Row]:
    """Protect the file by each plan; attack it told the plan, told nothing, and by all unfitted distances."""
    people = make_people(n_records)
    rows: list[Row] = []
    for name, plan in PLANS.items():
        release = Release.of(people, apply_plan(people, plan), seed=1, schema=SCHEMA)
        for knowing, share in SHARES.items():
            known = release if share == 1.0 else release.known_in_part(share, seed=1)
            heading = f"{name}, {knowing} known"
            show_line(f"{heading}, N = {len(known.original):,}", ["nearest", "one to one", "certain"])
            rows += _rows(heading, "who knows the plan", known.assessed([*UNFITTED, "informed"]))
            rows += _rows(heading, "who has to guess it", known.assessed(["informed"], is_told=False))
    return rows


def make_people(n_records: int, seed: int = 1) -> pd.DataFrame:
    """Return people with numbers, ordered and nominal categories; some values are missing."""
    numbers, others = census_like(n_records, seed), census_like_mixed(n_records, seed)
    born = pd.to_datetime(others["birth_date"])
    people = pd.DataFrame(
        {
            "age": np.floor((pd.Timestamp("1995-03-15") - born).dt.days / 365.2425),
            "sex": others["sex"],
            "region": "region " + others["region"],
            "marital_status": others["marital_status"],
            "education": others["education"],
            "income": numbers["AGI"].astype(float),
            "wage": numbers["WSALVAL"].astype(float),
            "tax": numbers["FEDTAX"].astype(float),
            "state_tax": numbers["STATETAX"].astype(float),
            "interest": numbers["INTVAL"].astype(float),
        }
    )
    people.loc[np.random.default_rng(seed).random(n_records) < 0.03, "income"] = np.nan
    return people


def apply_plan(people: pd.DataFrame, plan: Sequence[tuple[str, Mapping[str, Any]]], seed: int = 1) -> list[Protection]:
    """Apply one method after the other, each to columns of its own; the last one holds the release."""
    steps: list[Protection] = []
    data = people
    for method, parameters in plan:
        treated = _treated(parameters)
        left = [name for name in people.columns if name not in treated]
        secret = seed if method in RANDOM or parameters.get("random") else None
        steps.append(linkrisk.protect(data, method, **parameters, leave=left, schema=SCHEMA, secret_seed=secret))
        data = steps[-1].data
    return steps


def _treated(parameters: Mapping[str, Any]) -> set[str]:
    """Return the columns that parameters name."""
    groups = {name for group in parameters.get("groups", ()) for name in group}
    return groups | {name for value in parameters.values() if isinstance(value, Mapping) for name in value}


def _rows(heading: str, who: str, result: Assessment) -> list[Row]:
    """Print and return what each attacker finds on his best scale."""
    rows = []
    for name in dict.fromkeys(attack.name for attack in result.attacks):
        best = best_of([attack for attack in result.attacks if attack.name == name])
        assert best is not None  # noqa: S101  (for the type checker: the name is an attack's)
        label = who if name == "informed" else f"{name}, {best.scale}"
        certain = "" if best.certain is None else str(best.certain)
        show_line(f"  {label}", [f"{nearest_links(best):.1f}", f"{assigned_links(best):.1f}", certain])
        rows.append(Row(f"{heading}: {label}", best.found(), ""))
    informed = informed_attack(result)
    show_line("  bayes", [ceiling_text(informed.ceiling)])
    print(f"    he goes by: {informed.parameters['method']}", flush=True)
    return rows
