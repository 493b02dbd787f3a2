"""Tune a protection: the least loss of which no attacker links more than a target."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Unpack

from linkrisk.advice.options import TuneKeywords, TuneOptions
from linkrisk.advice.risk import Threat
from linkrisk.advice.space import space_of_plan, spaces_of_method
from linkrisk.advice.trials import Trials
from linkrisk.advice.tuner import Tuner
from linkrisk.advice.tuning import Tuning
from linkrisk.attack.notebook import shows_progress
from linkrisk.attack.options import Attacking
from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.raw_file import RawFile
from linkrisk.data.read import open_file
from linkrisk.data.reading import Reading
from linkrisk.errors import OptionError, SettingsError
from linkrisk.options import Number, takes
from linkrisk.protection.drawing.draws import make_secret
from linkrisk.protection.method import Method
from linkrisk.protection.planning.selection import ColumnChoice
from linkrisk.protection.planning.tasks import Tasks, check_alone, settle_method, settle_plan
from linkrisk.protection.protect import is_planned, open_data, path_of
from linkrisk.protection.registry import find_method
from linkrisk.protection.specification import read_groups
from linkrisk.protection.values.columns import Name
from linkrisk.protection.values.frame import Frame

SAID_IN_STEPS = ("groups", "leave", "drop", "raw")
"""The options for which the steps of a plan have a place."""


@shows_progress
@takes(TuneOptions)
def tune(
    original: Any,
    method: str | None = None,
    target_rate: float | None = None,
    *,
    reporter: Reporter | None = None,
    **options: Unpack[TuneKeywords],
) -> Tuning:
    """Find parameters of a protection with the least loss of which no attacker links more than a target rate.

    What is tuned is one method on all attributes, or a plan that gives each column its method: then the strengths that
    it leaves open are tuned, and those it gives are kept. First every unit (group of attributes, or attribute) gets the
    same strength, and the least one that reaches the target is found by bisection; without ``groups`` this is done for
    several sizes of groups. Then each unit gets a
    strength of its own, guided by what it gives away: from just below the target, the unit that carries most of the
    risk is strengthened until the target is reached; and from the best found so far, units are weakened step by step,
    those that carry least first, as long as the target holds and the loss falls. At last the release of least loss is
    attacked once more, by every attacker there is, on every scale, with twice the time, and within reach of the target
    with no less than `assess` takes; if one of them links more than the target, the next release is tried.

    Parameters
    ----------
    original
        The file, frame or array to be protected.
    method
        A name in `linkrisk.protection.METHODS`, of a method with a ``strength``: the parameter that is tuned, such as
        the k of ``mdav`` or the p of ``noise``. None where there is a plan.
    target_rate
        Share of the people that the strongest attacker may link, 0.05 for 5 %. It must be given.
    @options
    reporter
        Told about progress.

    Columns in ``leave`` that are among ``attributes`` are known to the intruder. Columns that are neither protected nor
    named there are refused if they are quantities (`linkrisk.protection.values.quantities`) or identifiers; words and
    categories are left, with a note. The intruder who knows the method (`informed`) always attacks, and knows what
    would be published about each trial. A release that one attacker breaks is attacked no further. With 2,000 records
    or more, attackers who find less than three quarters of what the strongest finds of the first release that all
    attacked are put off until a release is to be confirmed (``put_off``); not those who learn and have time to search,
    nor `informed`. All trials use the same draws, and only one of them may ever be released.

    Returns
    -------
    Tuning
        Every release tried, with its risk and loss; the best, if one was confirmed, and its protected file. The search
        is a heuristic: ``best`` is the least loss seen, and the file released is the one that was attacked. No attacker
        of linkrisk links more of it than the target; ``is_proven`` tells whether no parameters of the learned attackers
        can, which is open where one ran out of time.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(60, seed=1)[["AGI", "FEDTAX"]]
    >>> quick = {"attackers": ["mean"], "scales": ["ranks"], "trials": 8, "time_limit": 0.1}
    >>> tuning = linkrisk.tune(original, "rank_swap", 0.5, secret_seed=3, **quick)
    >>> tuning.best.rate <= 0.5, len(tuning.trials) <= 8
    (True, True)
    >>> plan = "AGI: rank_swap; FEDTAX: rounding 1000"
    >>> linkrisk.tune(original, plan=plan, target_rate=1.0, secret_seed=3, confirm=False, **quick).best.text
    'AGI: rank_swap p=3; FEDTAX: rounding base=1000'
    """
    asked = TuneOptions.of(options)
    target = _target(target_rate)
    table = open_file(original, "original", delimiter=asked.delimiter)
    data = table if path_of(original) is not None else open_data(original)
    frame = Frame.of(data, asked.full_schema())
    reading = Reading(attributes=asked.attributes, schema=frame.schema)
    if is_planned(method, asked.plan):
        check_alone(asked, SAID_IN_STEPS)
        tasks = settle_plan(frame, asked.plan)
        files = _files(table, tasks.dropped, reading)
        spaces = [space_of_plan(tasks)]
    else:
        dropped = tuple(dict.fromkeys(frame.own_names(asked.drop)))
        files = _files(table, dropped, reading)
        tasks = _settle_method(frame, find_method(str(method)), asked, dropped, files)
        spaces = spaces_of_method(tasks, _groups(tasks, asked.groups))
    choice = ColumnChoice(frame, tasks.each[0].method, tasks.left, tasks.kinds)
    traces = choice.trace_notes(tasks.protected, tasks.dropped)
    trials = Trials(
        spaces=spaces,
        data=data,
        source=path_of(original),
        table=table,
        reading=replace(reading, attributes=tuple(attribute.name for attribute in files.attributes)),
        target=target,
        threat=Threat.of(asked.part(Attacking), asked.time_limit),
        max_trials=asked.trials,
        secret=make_secret(asked.secret_seed) if tasks.draws else None,
        reporter=reporter or SilentReporter(),
        notes=dict.fromkeys((*files.notes, *tasks.notes, *traces)),
    )
    return Tuner(trials, confirms=asked.confirm).run()


def _target(given: float | None) -> float:
    try:
        return Number(0.0, 1.0).check(given)
    except ValueError as problem:
        raise OptionError([("target_rate", str(problem))]) from None


def _files(table: RawFile, dropped: Collection[Name], reading: Reading) -> FilePair:
    """Return what an intruder could link by: the file beside itself, without the columns that are not released."""
    if not dropped:
        return pair_files(table, table, reading=reading)
    released = Frame.of(table).without([str(name) for name in dropped])
    files = pair_files(table, released, reading=reading)
    known = tuple(attribute.name for attribute in files.attributes)
    return pair_files(table, released, reading=replace(reading, attributes=known))  # without notes on what is dropped


def _settle_method(
    frame: Frame, method: Method, asked: TuneOptions, dropped: tuple[Name, ...], files: FilePair
) -> Tasks:
    """Settle one method for a file: it protects all attributes that the intruder knows, except those that are left."""
    choice = ColumnChoice.of(frame, method, asked.leave, dropped)
    known = frame.own_names(attribute.name for attribute in files.attributes)
    protected = [name for name in known if name not in choice.leave]
    if not protected:
        raise SettingsError("leave: no attribute is left to protect; leave out some of them")
    if asked.raw and "raw" not in method.parameters:
        raise SettingsError(f"{method.name} takes no parameter raw (--raw); leave it out")
    return settle_method(choice, protected, {"raw": asked.raw or None}, dropped)


def _groups(tasks: Tasks, groups: Any) -> list[tuple[Name, ...]] | None:
    """Return groups by the columns' own names; a k is refused, because it is what is tuned."""
    if groups is None:
        return None
    frame, protected, method = tasks.table, tasks.protected, tasks.each[0].method
    if not method.takes_groups:
        raise SettingsError(f"{method.name} protects each attribute on its own; leave out groups (--groups)")
    found = read_groups(groups)
    if found.k is not None:
        raise SettingsError("groups (--groups): k is what is tuned; name the groups only, such as A,B;C,D")
    known = {frame.told_name(name): name for name in protected} | {str(name): name for name in protected}
    unknown = [name for group in found.names for name in group if str(name) not in known]
    if unknown:
        told = ", ".join(frame.told_name(name) for name in protected)
        raise SettingsError(f"groups: there is no attribute {unknown[0]!r}; those to protect are {told}")
    own = [tuple(known[str(name)] for name in group) for group in found.names]
    frame.check_mentioned(protected, [name for group in own for name in group])
    return own
