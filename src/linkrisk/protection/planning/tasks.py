"""What is done to a file, settled column by column: methods with their parameters, columns left, columns dropped.

One method on a file, a plan, and each trial of a search end here, and are carried out in one way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from linkrisk.data.attributes import Kind
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ParameterError
from linkrisk.protection.drawing.draws import make_secret
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.method import Method
from linkrisk.protection.planning.plan import DROP, LEAVE, REST, Plan, Step
from linkrisk.protection.planning.selection import ColumnChoice
from linkrisk.protection.planning.told_names import renamed
from linkrisk.protection.protection import Protection
from linkrisk.protection.specification import with_option
from linkrisk.protection.values.columns import Name
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import ColumnOutcome


@dataclass(frozen=True)
class Task:
    """One method with its parameters, by the columns' own names, and the columns it protects."""

    method: Method
    parameters: Mapping[str, Any]
    columns: tuple[Name, ...]

    @property
    def draws(self) -> bool:
        """Whether it draws random numbers."""
        return self.method.draws(random=bool(self.parameters.get("random")))

    def told(self, column: Name) -> str:
        """Return what is done to one column, in the words of a plan.

        >>> from linkrisk.protection import METHODS
        >>> Task(METHODS["mdav"], {"groups": (("a", "b"), ("c",)), "k": (3, 8)}, ("a", "b", "c")).told("c")
        'mdav k=8'
        """
        given = {name: self._value(name, column) for name in self.parameters if name not in ("groups", "progress")}
        step = Step((column,), self.method.name, {name: value for name, value in given.items() if value is not None})
        return str(step).removeprefix(f"{step.names}: ")

    def _value(self, parameter: str, column: Name) -> Any:
        value = self.parameters[parameter]
        if isinstance(value, Mapping):
            return value.get(column)
        if parameter == "k" and isinstance(value, Sequence):
            return next(size for group, size in zip(self.parameters["groups"], value, strict=True) if column in group)
        return value


@dataclass(frozen=True)
class Tasks:
    """Everything that is done to a file.

    Parameters
    ----------
    table
        The file.
    each
        The methods, each on columns of its own.
    kinds
        The kinds of the columns that are protected.
    left, dropped
        The columns released as they are, and those not released.
    plan
        The plan it was asked for by; None for one method.
    notes
        What was found while it was settled.
    """

    table: Frame
    each: tuple[Task, ...]
    kinds: Mapping[Name, Kind | None]
    left: tuple[Name, ...]
    dropped: tuple[Name, ...] = ()
    plan: Plan | None = None
    notes: tuple[str, ...] = ()

    @property
    def protected(self) -> tuple[Name, ...]:
        """The columns that a method protects."""
        return tuple(name for task in self.each for name in task.columns)

    @property
    def draws(self) -> bool:
        """Whether a task draws, so that there is a secret."""
        return any(task.draws for task in self.each)


def check_alone(asked: object, said_in_steps: Collection[str]) -> None:
    """Refuse options beside a plan for which its steps have a place.

    Raises
    ------
    ParameterError
        If one of ``said_in_steps`` is given; the message names the first.
    """
    given = [name for name in said_in_steps if getattr(asked, name) not in (None, False, ())]
    if given:
        raise ParameterError(
            f"{with_option(given[0])} is given beside plan (--plan); say it in the step that it is meant for"
        )


def settle_method(
    choice: ColumnChoice, protected: Sequence[Name], parameters: Mapping[str, Any], dropped: tuple[Name, ...]
) -> Tasks:
    """Settle one method for a file: what it protects is given, words and categories beside it are left, with a note.

    Raises
    ------
    ParameterError
        If a quantity is neither protected nor named in ``leave`` nor dropped.
    ColumnError
        If the method has no rule for the kind of a column.
    """
    unasked = choice.unasked(protected)
    choice.check_kinds(protected)
    task = Task(choice.method, parameters, tuple(protected))
    left = (*choice.leave, *unasked)
    return Tasks(choice.table, (task,), choice.kinds, left, dropped, notes=tuple(choice.notes(unasked)))


def settle_plan(table: Frame, plan: Plan) -> Tasks:
    """Settle a plan for a file; strengths that it leaves open are lacking in the parameters of its tasks.

    Raises
    ------
    ColumnError
        If a column is unknown, an identifier is to be protected, or a method has no rule for the kind of a column.
    ParameterError
        If the plan says nothing about some columns (all are named), protects none, or leaves quantities or identifiers
        by the word ``rest``.
    """
    columns = _columns_of_steps(table, plan)
    left, dropped = (
        tuple(name for step, names in columns if step.method == word for name in names) for word in (LEAVE, DROP)
    )
    treated = [(step, names) for step, names in columns if step.is_treatment]
    if not treated:
        raise ParameterError(f"{table.source.name}: the plan protects no column; give one of them a method")
    kinds: dict[Name, Kind | None] = {}
    for step, names in treated:
        choice = ColumnChoice.of(table, step.chosen, [name for name in table.names if name not in names])
        choice.check_kinds(names)
        kinds |= choice.kinds
    rest = tuple(name for step, names in columns if step.method == LEAVE and _is_rest(step, table) for name in names)
    _check_rest(table, rest)
    notes = ColumnChoice(table, treated[0][0].chosen, left, kinds).notes({}) + _rest_notes(rest)
    tasks = tuple(Task(step.chosen, _parameters(step, table, names), names) for step, names in treated)
    return Tasks(table, tasks, kinds, left, dropped, plan, tuple(notes))


def _columns_of_steps(table: Frame, plan: Plan) -> list[tuple[Step, tuple[Name, ...]]]:
    """Return each step with the columns it means, by their own names; every column of the file is in one step."""
    found = [(step, () if _is_rest(step, table) else tuple(table.own_names(step.columns))) for step in plan.steps]
    named = [name for _, names in found for name in names]
    twice = [name for name in named if named.count(name) > 1]
    if twice:
        raise ParameterError(f"plan (--plan): column {twice[0]!r} is named twice; give it one method")
    rest = tuple(name for name in table.names if name not in named)
    if any(_is_rest(step, table) for step in plan.steps):
        return [(step, rest if _is_rest(step, table) else names) for step, names in found]
    if rest:
        listed = ", ".join(str(name) for name in rest)
        raise ParameterError(
            f"{table.source.name}: the plan says nothing about {listed}; give each a method, leave or drop, or end the "
            f"plan by '{REST}: {LEAVE}' or '{REST}: {DROP}'"
        )
    return found


def _check_rest(table: Frame, rest: Sequence[Name]) -> None:
    """Refuse to leave what nobody named, except words and categories: no number is released by a slip."""
    reasons = {
        table.told_name(name): "identifier" if table.is_identifier(name) else table.quantity(name, table.kind(name))
        for name in rest
    }
    refused = {name: reason for name, reason in reasons.items() if reason is not None}
    if refused:
        listed = ", ".join(f"{name!r} ({reason})" for name, reason in refused.items())
        raise ParameterError(
            f"{table.source.name}: '{REST}: {LEAVE}' would release {listed}, which the plan does not name; write "
            f"'{Step(tuple(refused), LEAVE)}' to release them as they are, drop them or give them a method; declare "
            "what holds categories nominal (--nominal) or ordinal (--ordinal)"
        )


def _rest_notes(rest: Sequence[Name]) -> list[str]:
    """Return a sentence about columns that are released unprotected without being named."""
    return [f"'{REST}' stands for {', '.join(map(str, rest))}: not protected here."] if rest else []


def _is_rest(step: Step, table: Frame) -> bool:
    """Whether a step is about all other columns."""
    if REST not in step.columns or REST in table.names:
        return False
    if step.is_treatment or len(step.columns) > 1:
        raise ParameterError(
            f"plan (--plan): '{REST}' stands alone, and is followed by {LEAVE} or {DROP}; name the columns that "
            f"{step.method} is meant for"
        )
    return True


def _parameters(step: Step, table: Frame, columns: tuple[Name, ...]) -> dict[str, Any]:
    """Return the parameters of a step as its method takes them: for its columns alone, by their own names."""
    method = step.chosen
    if method.takes_groups:
        centroid = step.parameters.get("centroid")
        by_column = {"centroid": _by_column(centroid, table, columns)} if isinstance(centroid, Mapping) else {}
        return {**step.parameters, **by_column, "groups": (columns,)}
    whole = {*method.shared, *method.flags, "variant"}
    return {
        name: value if name in whole else _by_column(value, table, columns) for name, value in step.parameters.items()
    }


def _by_column(value: Any, table: Frame, columns: tuple[Name, ...]) -> dict[Name, Any]:
    """Return one value for each column; a mapping whose keys are columns of the step has one for each already."""
    told = {table.told_name(name): name for name in columns} | {str(name): name for name in columns}
    if isinstance(value, Mapping) and value and all(str(key) in told for key in value):
        return {told[str(key)]: each for key, each in value.items()}
    return dict.fromkeys(columns, value)


def check_settled(tasks: Tasks) -> None:
    """Refuse tasks that lack a parameter, before any work.

    Raises
    ------
    ParameterError
        The message names the step, the parameter and the remedy.
    """
    for step in tasks.plan.steps if tasks.plan is not None else ():
        lacking = [] if not step.is_treatment else [name for name in step.chosen.needed if name != "groups"]
        lacking = [name for name in lacking if name not in step.parameters]
        if step.is_open and step.chosen.strength is not None:
            lacking = [step.chosen.strength.parameter]
        if lacking:
            raise ParameterError(
                f"plan (--plan): the step '{step}' does not say {lacking[0]}; write {lacking[0]}=VALUE in it, or let "
                "tune find one"
            )


def carry_out(
    tasks: Tasks, data: Any, *, secret_seed: int | None = None, progress: Progress = no_progress
) -> Protection:
    """Protect the data: one method after the other, each on columns of its own; then columns are dropped.

    The draws of a column depend on the secret, on the method and on the column's own name alone: no two columns and no
    two steps share draws (`linkrisk.protection.drawing.draws`), and a column gets the same values whether it is
    protected by one method, by a plan, or in a search.

    Raises
    ------
    ParameterError
        If a seed is given and nothing is drawn; and whatever the methods raise.
    """
    secret = make_secret(secret_seed) if tasks.draws else None
    if secret_seed is not None and secret is None and tasks.plan is not None:
        raise ParameterError("the plan draws nothing; leave out secret_seed (--secret-seed)")
    done = []
    for task in tasks.each:
        seed = secret_seed if secret is None else secret.reveal() if task.draws else None
        done.append(_apply(task, tasks, data, seed, progress))
        data = done[-1].data
    made = done[0] if tasks.plan is None else _joined(tasks, tasks.plan, done, secret)
    released = Frame.of(data).without(tasks.dropped) if tasks.dropped else data
    parameters = {**made.parameters, "leave": tasks.left}
    return replace(made, data=released, parameters=parameters, dropped=tasks.dropped)


def told(tasks: Tasks, protection: Protection) -> Protection:
    """Return a protection with what came of each column, and with notes on what the release still tells.

    Columns of an array are called V1, V2, ... in it, as in an assessment and in the file that is written.

    Raises
    ------
    ParameterError
        If no value changed: what is called protected is never the original.
    """
    outcomes = _outcomes(tasks, protection.changed)
    same = _check_changed(tasks, outcomes)
    choice = ColumnChoice(tasks.table, tasks.each[0].method, tasks.left, tasks.kinds)
    traces = choice.trace_notes(tasks.protected, tasks.dropped)
    codes = [note for name in (*tasks.protected, *tasks.left) for note in tasks.table.doubts(name)]
    notes = (*tasks.table.source.notes, *tasks.notes, *codes, *same, *protection.notes, *traces)
    columns = tuple(outcomes[name] for name in tasks.table.names if name in outcomes)
    return replace(renamed(protection, tasks.table), notes=notes, columns=columns)


def _apply(task: Task, tasks: Tasks, data: Any, seed: int | None, progress: Progress) -> Protection:
    others = [name for name in (*tasks.left, *tasks.dropped, *tasks.protected) if name not in task.columns]
    return task.method.apply(
        data,
        **task.parameters,
        leave=others,
        schema=tasks.table.schema,
        secret_seed=seed,
        progress=progress if "progress" in task.method.parameters else None,
    )


def _joined(tasks: Tasks, plan: Plan, done: Sequence[Protection], secret: Secret | None) -> Protection:
    """Return the steps of a plan as one protection."""
    steps = tuple(replace(step, data=None, secret=None, parameters={**step.parameters, "leave": ()}) for step in done)
    return Protection(
        data=None,
        method="plan",
        title=f"a plan of {len(plan.steps)} {'step' if len(plan.steps) == 1 else 'steps'}",
        parameters={"plan": plan.told},
        details=tuple(detail for step in steps for detail in step.details),
        n_records=tasks.table.n_records,
        secret=secret,
        notes=tuple(note for step in steps for note in step.notes),
        changed={name: share for step in steps for name, share in step.changed.items()},
        steps=steps,
    )


def _outcomes(tasks: Tasks, changed: Mapping[Name, float]) -> dict[Name, ColumnOutcome]:
    """Tell what was done to each column, given the shares of values that changed."""
    table = tasks.table
    found = {name: ColumnOutcome(table.told_name(name), DROP) for name in tasks.dropped}
    found |= {name: ColumnOutcome(table.told_name(name), LEAVE, 0.0) for name in tasks.left}
    for task in tasks.each:
        for name in task.columns:
            found[name] = ColumnOutcome(table.told_name(name), task.told(name), changed.get(name, 0.0))
    return found


def _check_changed(tasks: Tasks, outcomes: Mapping[Name, ColumnOutcome]) -> list[str]:
    """Refuse a protected file that is the original; return a sentence about each protected column that is."""
    same = [name for name in tasks.table.names if name in tasks.protected and not outcomes[name].share_changed]
    if len(same) == len(tasks.protected):
        raise ParameterError(
            f"{tasks.table.source.name}: no value would change, and the original would be released; choose stronger "
            "parameters"
        )
    return [f"no value of {outcomes[name].column} changed; it is released as it is." for name in same]
