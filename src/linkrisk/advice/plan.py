"""What can be turned in a protection: its units (groups or attributes) and a ladder of strengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkrisk.errors import SettingsError
from linkrisk.protection.registry import METHODS, find_method

CLUSTER_SIZES = (*range(2, 20), *range(20, 50, 3), *range(50, 100, 8), *range(100, 1001, 50))
PERCENTAGES = (
    *(0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 16.0, 18.0, 20.0),
    *(22.0, 25.0, 28.0, 32.0, 36.0, 40.0, 45.0, 50.0, 56.0, 64.0, 72.0, 80.0, 90.0, 100.0),
)
NOISE = (*PERCENTAGES, 112.0, 125.0, 140.0, 160.0, 180.0, 200.0, 225.0, 250.0, 280.0, 320.0, 360.0, 400.0)

TUNED = {
    "mdav": "k",
    "individual_ranking": "k",
    "z_scores": "k",
    "principal_components": "k",
    "rank_swap": "p",
    "noise": "p",
    "correlated_noise": "p",
}
"""Methods that can be tuned, and the parameter that is."""

TOGETHER = ("correlated_noise",)
"""Methods with one strength for all attributes."""


@dataclass(frozen=True)
class Plan:
    """A method, the units it protects, and the strengths each may get, from weak to strong."""

    method: str
    units: tuple[tuple[str, ...], ...]
    ladder: tuple[float, ...]
    is_standardised: bool = True

    @property
    def what(self) -> str:
        """The parameter that is tuned."""
        return TUNED[self.method]

    def parameters(self, levels: Sequence[int], names: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of the method for a place on the ladder for each unit; ``names`` are the columns'."""
        strengths = [self.ladder[level] for level in levels]
        if find_method(self.method).takes_groups:
            groups = [[names[name] for name in unit] for unit in self.units]
            result: dict[str, Any] = {"groups": groups, self.what: strengths}
            return result | ({"standardise": self.is_standardised} if self.method == "mdav" else {})
        if self.method in TOGETHER:
            return {self.what: strengths[0]}
        return {self.what: {names[unit[0]]: strength for unit, strength in zip(self.units, strengths, strict=True)}}

    def text(self, levels: Sequence[int]) -> str:
        """Write the strengths as the command line takes them: ``A,B:3;C:8`` for groups, ``A:1,B:2`` for attributes."""
        strengths = [f"{self.ladder[level]:g}" for level in levels]
        if find_method(self.method).takes_groups:
            return ";".join(f"{_joined(unit)}:{s}" for unit, s in zip(self.units, strengths, strict=True))
        if self.method in TOGETHER:
            return strengths[0]
        return ",".join(f"{_joined(unit)}:{s}" for unit, s in zip(self.units, strengths, strict=True))


def make_plans(
    method: str,
    names: Sequence[str],
    n_records: int,
    *,
    groups: Sequence[Sequence[str]] | None = None,
    is_standardised: bool = True,
) -> list[Plan]:
    """Return the plans to be tried: one, or, for groups that were not given, one for each of several group sizes.

    Without groups, attributes are taken all together, in two halves, by threes and by twos, in the order of the file.

    Examples
    --------
    >>> [plan.units for plan in make_plans("mdav", ["a", "b", "c"], 100)]
    [(('a', 'b', 'c'),), (('a', 'b'), ('c',))]
    """
    if method not in TUNED:
        known = f"{method} has no strength that could be tuned" if method in METHODS else f"unknown method {method!r}"
        raise SettingsError(f"{known}; choose among {', '.join(TUNED)}")
    ladder = _ladder(method, n_records)
    if not find_method(method).takes_groups:
        if groups is not None:
            raise SettingsError(f"{method} protects attributes one by one; leave out the groups")
        units = (tuple(names),) if method in TOGETHER else tuple((name,) for name in names)
        return [Plan(method, units, ladder)]
    if groups is not None:
        unknown = [name for group in groups for name in group if name not in names]
        if unknown:
            raise SettingsError(
                f"groups: there is no attribute {unknown[0]!r}; those to protect are {', '.join(names)}"
            )
        return [Plan(method, tuple(tuple(group) for group in groups), ladder, is_standardised)]
    sizes = dict.fromkeys(min(len(names), max(1, size)) for size in (len(names), -(-len(names) // 2), 3, 2))
    return [
        Plan(
            method,
            tuple(tuple(names[start : start + size]) for start in range(0, len(names), size)),
            ladder,
            is_standardised,
        )
        for size in sizes
    ]


def _ladder(method: str, n_records: int) -> tuple[float, ...]:
    if TUNED[method] == "k":
        sizes = tuple(size for size in CLUSTER_SIZES if 2 * size <= n_records)
        if not sizes:
            raise SettingsError(f"{n_records} records are too few to microaggregate; at least 4 are needed")
        return sizes
    if method == "rank_swap":  # less than one rank is no swap
        return tuple(p for p in PERCENTAGES if p * n_records >= 100.0)
    return NOISE


def _joined(names: Sequence[str]) -> str:
    from linkrisk.protection.specification import Groups  # noqa: PLC0415

    return str(Groups((tuple(names),)))
