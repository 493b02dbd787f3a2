"""Households and other groups: one is found as soon as one of its members is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.assessment.survey.breakdown import Breakdown, Chances, break_down


@dataclass(frozen=True)
class GroupAttack:
    """What one attack finds: groups, their share, and the share of people who live in a group that is found.

    ``people_rate`` is the size-weighted rate: groups counted by their members. ``population_rate`` is the same with
    sampling weights, None without.
    """

    label: str
    scale: str
    found: float
    rate: float
    people_rate: float
    population_rate: float | None = None


@dataclass(frozen=True)
class GroupRisk:
    """How many groups of people are found; only groups with a member in the protected file can be.

    ``n_people`` counts the members of these groups, ``n_alone`` the records without a group, each a group alone.
    ``sizes`` tells the risk by the number of members.
    """

    column: str
    n_groups: int
    n_people: int
    n_alone: int
    attacks: tuple[GroupAttack, ...]
    sizes: Breakdown


def group_risk(
    column: str,
    group: IntArray,
    attacks: Sequence[Chances],
    can_be_found: BoolArray,
    *,
    n_alone: int = 0,
    smallest_cell: int = 1,
    weights: FloatArray | None = None,
) -> GroupRisk:
    """Tell how many groups each attack finds.

    A group is found with probability 1 - product over its members of (1 - chance of the member): as soon as one of them
    is. Members are taken as independent, which is exact where chances are 0 or 1 (tie rules ``unique`` and ``class``);
    twins within one group depend on each other. Members without counterpart cannot be found, and live in a group that
    may be. Cost: a sort of the records, and a pass for each attack.

    References
    ----------
    Hundepool et al. (2012), Statistical Disclosure Control (household risk from the risks of its members).

    Examples
    --------
    >>> links = Chances("mean", "ranks", np.array([0.5, 0.5, 0.0, 1.0, 0.0]))
    >>> found = group_risk("household", np.array([0, 0, 1, 2, 2]), [links], np.ones(5, dtype=bool))
    >>> found.attacks[0].found, found.attacks[0].people_rate
    (1.75, 0.7)
    """
    n_groups = int(group.max()) + 1
    sizes = np.bincount(group, minlength=n_groups)
    counted = np.bincount(group, can_be_found, minlength=n_groups) > 0
    by_group = [replace(attack, chance=group_chances(attack.chance, group)) for attack in attacks]
    return GroupRisk(
        column=column,
        n_groups=int(counted.sum()),
        n_people=int(sizes[counted].sum()),
        n_alone=n_alone,
        attacks=tuple(_group_attack(attack, counted, sizes, group, weights) for attack in by_group),
        sizes=break_down("members", sizes.astype(str).astype(object), by_group, counted, smallest_cell=smallest_cell),
    )


def group_chances(chance: FloatArray, group: IntArray) -> FloatArray:
    """Return for each group, numbered from 0, how likely one member at least is found.

    >>> group_chances(np.array([0.5, 1.0, 0.5]), np.array([0, 1, 0])).tolist()
    [0.75, 1.0]
    """
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(int(group.max()) + 1))
    return 1.0 - np.multiply.reduceat(1.0 - chance[order], starts)


def _group_attack(
    attack: Chances, counted: BoolArray, sizes: IntArray, group: IntArray, weights: FloatArray | None
) -> GroupAttack:
    chance = attack.chance
    people = float((sizes * chance)[counted].sum() / sizes[counted].sum())
    population = None
    if weights is not None:
        totals = np.bincount(group, weights, minlength=len(sizes))
        population = float((totals * chance)[counted].sum() / totals[counted].sum())
    found = float(chance[counted].sum())
    return GroupAttack(attack.label, attack.scale, found, found / int(counted.sum()), people, population)
