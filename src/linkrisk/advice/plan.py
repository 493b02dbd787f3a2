"""What tuning can change in a protection: its units (groups or attributes) and a ladder of strengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkrisk.errors import SettingsError
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.registry import METHODS, find_method
from linkrisk.protection.specification import Groups


@dataclass(frozen=True)
class Plan:
    """A method, the units it protects, and the strengths each may get, from weak to strong."""

    method: Method
    units: tuple[tuple[str, ...], ...]
    ladder: tuple[float, ...]
    raw: bool = False

    @property
    def what(self) -> str:
        """The parameter that is tuned."""
        return _strength(self.method).parameter

    def parameters(self, levels: Sequence[int], names: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of the method: ``levels`` are places on the ladder, one per unit."""
        strengths = [self.ladder[level] for level in levels]
        if self.method.takes_groups:
            groups = [[names[name] for name in unit] for unit in self.units]
            return {"groups": groups, self.what: strengths, "raw": self.raw or None}
        if self.method.is_shared_strength:
            return {self.what: strengths[0]}
        return {self.what: {names[unit[0]]: strength for unit, strength in zip(self.units, strengths, strict=True)}}

    def text(self, levels: Sequence[int]) -> str:
        """Write the strengths as the command line takes them: ``A,B:3;C:8`` for groups, ``A:1,B:2`` for attributes."""
        strengths = [f"{self.ladder[level]:g}" for level in levels]
        if self.method.takes_groups:
            return ";".join(f"{_joined(unit)}:{s}" for unit, s in zip(self.units, strengths, strict=True))
        if self.method.is_shared_strength:
            return strengths[0]
        return ",".join(f"{_joined(unit)}:{s}" for unit, s in zip(self.units, strengths, strict=True))


def make_plans(
    method: str,
    names: Sequence[str],
    n_records: int,
    *,
    groups: Sequence[Sequence[str]] | None = None,
    raw: bool = False,
) -> list[Plan]:
    """Return the plans to be tried: one, or, for groups that were not given, one for each of several group sizes.

    Without groups, attributes are taken all together, in two halves, by threes and by twos, in the order of the file.

    Examples
    --------
    >>> [plan.units for plan in make_plans("mdav", ["a", "b", "c"], 100)]
    [(('a', 'b', 'c'),), (('a', 'b'), ('c',))]
    """
    chosen = find_method(method)
    ladder = _strength(chosen).ladder(n_records)
    if raw and "raw" not in chosen.parameters:
        raise SettingsError(f"{method} takes no parameter raw (--raw); leave it out")
    if not chosen.takes_groups:
        if groups is not None:
            raise SettingsError(f"{method} protects each attribute on its own; leave out groups (--groups)")
        units = (tuple(names),) if chosen.is_shared_strength else tuple((name,) for name in names)
        return [Plan(chosen, units, ladder)]
    if groups is not None:
        unknown = [name for group in groups for name in group if name not in names]
        if unknown:
            raise SettingsError(
                f"groups: there is no attribute {unknown[0]!r}; those to protect are {', '.join(names)}"
            )
        return [Plan(chosen, tuple(tuple(group) for group in groups), ladder, raw)]
    sizes = dict.fromkeys(min(len(names), max(1, size)) for size in (len(names), -(-len(names) // 2), 3, 2))
    return [
        Plan(chosen, tuple(tuple(names[start : start + size]) for start in range(0, len(names), size)), ladder, raw)
        for size in sizes
    ]


def _strength(method: Method) -> Strength:
    """Return the strength of a method that is tuned, or raise SettingsError naming the methods that have one."""
    if method.strength is None:
        tuned = [name for name, known in METHODS.items() if known.strength is not None]
        raise SettingsError(f"{method.name} has no strength that could be tuned; choose among {', '.join(tuned)}")
    return method.strength


def _joined(names: Sequence[str]) -> str:
    return str(Groups((tuple(names),)))
