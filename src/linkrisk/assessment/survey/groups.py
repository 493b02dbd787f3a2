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
    sampling weights, None without. Both are None where some sizes are not told apart: how large a group is that was
    found would follow from them.
    """

    label: str
    scale: str
    found: float
    rate: float
    people_rate: float | None
    population_rate: float | None = None


@dataclass(frozen=True)
class GroupRisk:
    """How many groups of people are found; only groups with a member in the protected file can be.

    ``n_people`` counts the members of these groups, ``n_alone`` the records without a group, each a group alone (None
    where they are few). ``sizes`` tells the risk by the number of members; where some sizes are rare, the last row is
    that of all from ``open_size`` members on.
    """

    column: str
    n_groups: int
    n_people: int
    n_alone: int | None
    attacks: tuple[GroupAttack, ...]
    sizes: Breakdown
    open_size: int | None = None


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
    found = [_group_attack(attack, counted, sizes, group, weights) for attack in by_group]
    open_size = first_of_open_class(sizes[counted], smallest_cell)
    labels = sizes.astype(str).astype(object)
    if open_size is not None:
        labels[sizes >= open_size] = f"{open_size} or more"
        found = [replace(attack, people_rate=None, population_rate=None) for attack in found]
    table = break_down("members", labels, by_group, counted, smallest_cell=1)
    return GroupRisk(
        column=column,
        n_groups=int(counted.sum()),
        n_people=int(sizes[counted].sum()),
        n_alone=n_alone if n_alone == 0 or n_alone >= smallest_cell else None,
        attacks=tuple(found),
        sizes=replace(table, smallest_cell=smallest_cell),
        open_size=open_size,
    )


def first_of_open_class(sizes: IntArray, smallest: int) -> int | None:
    """Return the size from which on groups are not told apart, None where no size is rare.

    It is the largest size s such that no smaller one is that of fewer than ``smallest`` groups, and among the groups of
    s members or more there are ``smallest`` groups at least, and as many members beyond s in each; where there is none,
    the smallest size of all.

    *Guarantee* (docs/mathematics.md#group-sizes): with the number of groups and of people known, any number of groups,
    from 1 to ``smallest``, may be larger than s, unless s is the smallest size.

    >>> first_of_open_class(np.repeat([1, 2, 3, 4, 5, 6], [40, 30, 20, 15, 12, 1]), 10)
    4
    """
    values, counts = np.unique(sizes, return_counts=True)
    if (counts >= smallest).all():
        return None
    for value in values[::-1]:
        larger = sizes[sizes >= value]
        is_enough = len(larger) >= smallest and int((larger - value).sum()) >= smallest
        if is_enough and (counts[values < value] >= smallest).all():
            return int(value)
    return int(values[0])


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
