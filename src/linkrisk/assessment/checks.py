"""What is asked of an assessment, checked before any long work."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real

import numpy as np

from linkrisk.assessment.learning import LearnOptions
from linkrisk.assessment.scenario import Scenario
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import ATTACKERS, as_attacker, make_attacker
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.scales import Scale
from linkrisk.distances.family import Family
from linkrisk.errors import ColumnError, ParameterError, SettingsError
from linkrisk.linkage.linkage import Ties

POOLS = ("all", "test")

LARGEST_VALUE = 1e75
"""Scaled values up to which distances, also of the kernel of degree 2, do not overflow."""


def check_sizes(comparison: Comparison, protected_name: str) -> None:
    """Refuse values so large that distances would overflow."""
    values = comparison.coordinates.protected
    is_too_large = np.nan_to_num(np.abs(values), nan=0.0) > LARGEST_VALUE
    if is_too_large.any():
        record, k = np.argwhere(is_too_large)[0]
        raise ColumnError(
            f"{protected_name}: column {comparison.attributes[k].protected_name or comparison.names[k]!r} has in "
            f"record {record + 1} a value too far from the original's to be compared on scale {comparison.scale}; "
            "check its unit, or leave out that scale"
        )


def make_attackers(
    attackers: Sequence[str | Attacker | Family], parameters: Mapping[str, Mapping[str, object]]
) -> list[Attacker]:
    """Return the attackers asked for, those given by name with their parameters."""
    if isinstance(attackers, str):
        attackers = [attackers]
    named = [attacker for attacker in attackers if isinstance(attacker, str)]
    unused = [name for name in parameters if name not in named]
    if unused:
        raise ParameterError(
            f"parameters are given for {unused[0]!r}, which is not among the attackers; add it or drop them"
        )
    result = [
        make_attacker(attacker, parameters.get(attacker)) if isinstance(attacker, str) else as_attacker(attacker)
        for attacker in attackers
    ]
    if not result:
        raise ParameterError(f"no attacker given; choose among {', '.join(ATTACKERS)}")
    return result


def make_scales(scales: Sequence[str]) -> list[Scale]:
    """Return the scales asked for, each once."""
    names = [scales] if isinstance(scales, str) else list(scales)
    unknown = [name for name in names if name not in list(Scale)]
    if unknown or not names:
        raise SettingsError(f"unknown scale {unknown[0] if unknown else ''!r}; the scales are {', '.join(Scale)}")
    return list(dict.fromkeys(Scale(name) for name in names))


def checked_whole(value: int, name: str, least: int) -> int:
    """Return a whole number that is not too small."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise SettingsError(f"{name} must be a whole number, {least} or more")
    return int(value)


def make_learning(
    time_limit: float | None, holdout: float, repeats: int, pool: str, margin: float, *, is_explained: bool
) -> LearnOptions:
    """Return how attackers are learned, checked."""
    limit = math.inf if time_limit is None else checked_number(time_limit, "time_limit", 0.0, math.inf)
    if pool not in POOLS:
        raise SettingsError(f"unknown pool {pool!r}; the candidates are {' or '.join(POOLS)}")
    return LearnOptions(
        limit,
        checked_number(holdout, "holdout", 0.0, 0.9),
        checked_whole(repeats, "repeats", 1),
        pool,
        checked_number(margin, "margin", 0.0, 0.99),
        is_explained,
    )


def checked_number(value: object, name: str, least: float, greatest: float) -> float:
    """Return a number within limits."""
    if isinstance(value, bool) or not isinstance(value, Real) or not least <= float(value) <= greatest:
        upper = f" and at most {greatest:g}" if math.isfinite(greatest) else ""
        raise SettingsError(f"{name} must be a number of at least {least:g}{upper}")
    return float(value)


def make_ties(ties: str) -> Ties:
    """Return the tie rule asked for."""
    if ties not in list(Ties):
        raise SettingsError(f"unknown tie rule {ties!r}; the rules are {', '.join(Ties)}")
    return Ties(ties)


def checked_scenarios(scenarios: Sequence[Scenario]) -> tuple[Scenario, ...]:
    """Return the scenarios, each with a name of its own."""
    names = [scenario.name for scenario in scenarios]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise SettingsError(f"two scenarios are called {twice[0]!r}; give each a name of its own")
    return tuple(scenarios)
