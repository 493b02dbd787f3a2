"""What tuning can change in a protection: its units (groups or attributes), each with a ladder of strengths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from linkrisk.errors import SettingsError
from linkrisk.protection.ladders import Material
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.planning.plan import Plan, Step
from linkrisk.protection.planning.tasks import Task, Tasks
from linkrisk.protection.registry import METHODS
from linkrisk.protection.specification import Groups, written_number
from linkrisk.protection.values.columns import Name
from linkrisk.protection.values.frame import Frame

PLAN = "plan"
"""What is tuned where each column has a method of its own."""


@dataclass(frozen=True)
class Unit:
    """Columns that get one strength: the number of their task, their names, and the values from weak to strong."""

    task: int
    names: tuple[Name, ...]
    ladder: tuple[Any, ...]

    @property
    def top(self) -> int:
        """The place of the strongest value."""
        return len(self.ladder) - 1


@dataclass(frozen=True)
class Space:
    """Everything that is done to a file, with units whose strengths are searched for; levels are places on ladders."""

    tasks: Tasks
    units: tuple[Unit, ...]

    @property
    def name(self) -> str:
        """The method, or that there is a plan."""
        return self.tasks.each[0].method.name if self.tasks.plan is None else PLAN

    @property
    def what(self) -> str:
        """The parameter that is tuned; for a plan its text tells them."""
        return _strength(self.tasks.each[0].method).parameter if self.tasks.plan is None else PLAN

    @property
    def is_planned(self) -> bool:
        """Whether each column has a method of its own."""
        return self.tasks.plan is not None

    @property
    def top(self) -> int:
        """The number of steps on the longest ladder."""
        return max(unit.top for unit in self.units)

    def evenly(self, level: int) -> list[int]:
        """Return the same strength for all units: a step of the longest ladder, and as far up on the others."""
        return [round(level * unit.top / self.top) if self.top else 0 for unit in self.units]

    def at(self, levels: Sequence[int]) -> Tasks:
        """Return what is done to the file with one strength for each unit."""
        each = []
        for number, task in enumerate(self.tasks.each):
            found = [
                (unit.names, unit.ladder[level])
                for unit, level in zip(self.units, levels, strict=True)
                if unit.task == number
            ]
            each.append(_with_strengths(task, found) if found else task)
        return replace(self.tasks, each=tuple(each), plan=_with_tasks(self.tasks.plan, each))

    def text(self, levels: Sequence[int]) -> str:
        """Write the strengths as the command line takes them: ``A,B:3;C:8`` for groups, ``A:1,B:2``, or a plan."""
        if self.tasks.plan is not None:
            return str(self.at(levels).plan)
        strengths = [_told(unit.ladder[level]) for unit, level in zip(self.units, levels, strict=True)]
        method = self.tasks.each[0].method
        if method.is_shared_strength:
            return strengths[0]
        parts = [f"{_joined(self.told_names(unit))}:{each}" for unit, each in zip(self.units, strengths, strict=True)]
        return (";" if method.takes_groups else ",").join(parts)

    def told_names(self, unit: Unit) -> list[str]:
        """Return the columns of a unit by the names that they have in an assessment."""
        return [self.tasks.table.told_name(name) for name in unit.names]


def space_of_plan(tasks: Tasks) -> Space:
    """Return the space of a plan: every step that leaves its strength open has a unit, or one for each column.

    Raises
    ------
    SettingsError
        If nothing is left open.
    """
    open_steps = [step.is_open for step in tasks.plan.steps if step.is_treatment] if tasks.plan is not None else []
    units = [
        unit
        for number, (task, is_open) in enumerate(zip(tasks.each, open_steps, strict=True))
        if is_open
        for unit in _units(tasks.table, number, task.method, [task.columns])
    ]
    if not units:
        raise SettingsError(
            "the plan leaves no strength open; leave one out, such as in age,income: mdav, or give the plan to protect"
        )
    return Space(tasks, tuple(units))


def spaces_of_method(tasks: Tasks, groups: Sequence[Sequence[Name]] | None = None) -> list[Space]:
    """Return the spaces of one method: one, or, for groups that were not given, one for each of several group sizes.

    Without groups, attributes are taken all together, in two halves, by threes and by twos, in the order of the file.
    """
    (task,) = tasks.each
    method = task.method
    _strength(method)
    if not method.takes_groups:
        return [Space(tasks, tuple(_units(tasks.table, 0, method, [task.columns])))]
    choices = group_sizes(task.columns) if groups is None else [groups]
    spaces = []
    for chosen in choices:
        units = tuple(_units(tasks.table, 0, method, chosen))
        grouped = replace(task, parameters={**task.parameters, "groups": tuple(unit.names for unit in units)})
        spaces.append(Space(replace(tasks, each=(grouped,)), units))
    return spaces


def group_sizes(names: Sequence[Name]) -> list[list[tuple[Name, ...]]]:
    """Return attributes in groups of several sizes.

    >>> group_sizes(["a", "b", "c"])
    [[('a', 'b', 'c')], [('a', 'b'), ('c',)]]
    """
    sizes = dict.fromkeys(min(len(names), max(1, size)) for size in (len(names), -(-len(names) // 2), 3, 2))
    return [[tuple(names[start : start + size]) for start in range(0, len(names), size)] for size in sizes]


def _units(table: Frame, number: int, method: Method, groups: Iterable[Sequence[Name]]) -> list[Unit]:
    """Return the units of a task: its groups, all its columns where these share a strength, or each column."""
    is_joint = method.takes_groups or method.is_shared_strength
    parts = [tuple(group) for group in groups]
    named = parts if is_joint else [(name,) for group in parts for name in group]
    columns = {name: table.column(name, method.kinds, method.name) for part in parts for name in part}
    n_known = min(int((~column.is_missing).sum()) for column in columns.values())
    ladder = _strength(method).ladder
    return [Unit(number, part, ladder(Material(n_known, tuple(columns[name] for name in part)))) for part in named]


def _with_strengths(task: Task, found: Sequence[tuple[tuple[Name, ...], Any]]) -> Task:
    """Return a task with a strength for each of its units."""
    what = _strength(task.method).parameter
    if task.method.takes_groups:
        strengths: Any = tuple(strength for _, strength in found)
    elif task.method.is_shared_strength:
        strengths = found[0][1]
    else:
        strengths = {name: strength for names, strength in found for name in names}
    return replace(task, parameters={**task.parameters, what: strengths})


def _with_tasks(plan: Plan | None, tasks: Sequence[Task]) -> Plan | None:
    """Return a plan with the strengths that its tasks have."""
    if plan is None:
        return None
    waiting = iter(tasks)
    return Plan(tuple(_with_task(step, next(waiting)) if step.is_treatment else step for step in plan.steps))


def _with_task(step: Step, task: Task) -> Step:
    if not step.is_open:
        return step
    what = _strength(task.method).parameter
    given = task.parameters[what]
    values = list(given.values()) if isinstance(given, dict) else [given[0] if isinstance(given, tuple) else given]
    if all(value == values[0] for value in values):
        return replace(step, parameters={**step.parameters, what: values[0]})
    by_name = dict(zip(step.columns, values, strict=True))
    return replace(step, parameters={**step.parameters, what: by_name})


def _strength(method: Method) -> Strength:
    """Return the strength of a method that is tuned, or raise SettingsError naming the methods that have one."""
    if method.strength is None:
        tuned = [name for name, known in METHODS.items() if known.strength is not None]
        raise SettingsError(f"{method.name} has no strength that could be tuned; choose among {', '.join(tuned)}")
    return method.strength


def _told(strength: Any) -> str:
    return strength if isinstance(strength, str) else written_number(strength)


def _joined(names: Sequence[str]) -> str:
    return str(Groups((tuple(names),)))
