"""Tune a protection: the least loss whose worst case stays under a target."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from linkrisk.advice.options import TuneKeywords, TuneOptions
from linkrisk.advice.plan import Plan, make_plans
from linkrisk.advice.release import loss_figure
from linkrisk.advice.tuning import Trial, Tuning
from linkrisk.advice.worst_case import Threat, WorstCase, worst_case
from linkrisk.attack.options import Attacking
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.reporter import Reporter, SilentReporter, warm_up
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.raw_file import RawFile
from linkrisk.data.read import open_file
from linkrisk.data.reading import Reading
from linkrisk.data.same_values import is_missing
from linkrisk.data.schema import make_schema
from linkrisk.differences.comparison import make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.engine import interrupt
from linkrisk.errors import MissingCodeError, OptionError, SettingsError
from linkrisk.informed.description import Description
from linkrisk.linkage.search import nearest
from linkrisk.options import Number, takes
from linkrisk.protection.draws import make_secret
from linkrisk.protection.frame import Frame
from linkrisk.protection.protect import open_data, path_of
from linkrisk.protection.protection import Protection
from linkrisk.protection.registry import find_method
from linkrisk.protection.secret import Secret
from linkrisk.protection.selection import ColumnChoice
from linkrisk.protection.specification import Groups, read_groups

STEPS = (4, 2, 1)
"""Steps down the ladder that are tried on each unit, large ones first."""


@takes(TuneOptions)
def tune(
    original: Any,
    method: str,
    target_rate: float,
    *,
    reporter: Reporter | None = None,
    **options: Unpack[TuneKeywords],
) -> Tuning:
    """Find parameters of a protection with the least loss whose worst-case rate is at most a target.

    First every unit (group of attributes, or attribute) gets the same strength, and the least one that reaches the
    target is found by bisection; without ``groups`` this is done for several sizes of groups. Then each unit gets a
    strength of its own, guided by what it gives away: from just below the target, the unit that carries most of the
    risk is strengthened until the target is reached; and from the best found so far, units are weakened step by step,
    those that carry least first, as long as the target holds and the loss falls.

    Parameters
    ----------
    original
        The file, frame or array to be protected.
    method
        ``mdav``, ``individual_ranking``, ``z_scores``, ``principal_components`` (k is tuned), ``rank_swap``, ``noise``
        or ``correlated_noise`` (p is).
    target_rate
        Share of the people that the strongest attacker may link, 0.05 for 5 %.
    @options
    reporter
        Told about progress.

    Columns in ``leave`` that are among ``attributes`` are known to the intruder. Columns that are neither protected nor
    named there are refused if they are quantities (`linkrisk.protection.quantities`) or identifiers; words and
    categories are left, with a note. Learned attackers are not run on releases that others break already. All
    trials use the same draws, and only one of them may ever be released.

    Returns
    -------
    Tuning
        Every release tried, with its risk and loss; the best, if one reached the target, and its protected file. The
        search is a heuristic: ``best`` is the least loss seen, and the file released is the one that was attacked. No
        attack that was made links more than the target; ``is_proven`` tells whether no attacker of these kinds can,
        which is open where a learned attacker ran out of time.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(60, seed=1)[["AGI", "FEDTAX"]]
    >>> quick = {"attackers": ["mean"], "scales": ["ranks"], "trials": 8}
    >>> tuning = linkrisk.tune(original, "rank_swap", 0.2, secret_seed=3, **quick)
    >>> tuning.best.rate <= 0.2, len(tuning.trials) <= 8
    (True, True)
    """
    asked = TuneOptions.of(options)
    try:
        target = Number(0.0, 1.0).check(target_rate)
    except ValueError as problem:
        raise OptionError([("target_rate", str(problem))]) from None
    table = open_file(original, "original", delimiter=asked.delimiter)
    schema = make_schema(asked.schema, missing=asked.missing or ())
    reading = Reading(attributes=asked.attributes, schema=schema)
    files = pair_files(table, table, reading=reading)
    known = tuple(attribute.name for attribute in files.attributes)
    protected = tuple(name for name in known if name not in asked.leave)
    if not protected:
        raise SettingsError("leave: no attribute is left to protect; leave out some of them")
    choice = ColumnChoice.of(Frame.of(table, schema), find_method(method), asked.leave)
    left_notes = [*choice.notes(choice.unasked(protected)), *choice.trace_notes(protected)]
    units = _units(asked.groups)
    plans = make_plans(method, protected, _least_known(files, protected), groups=units, raw=asked.raw)
    choice.check_kinds(protected)
    search = _Search(
        plans=plans,
        data=table if path_of(original) is not None else open_data(original),
        source=path_of(original),
        table=table,
        reading=replace(reading, attributes=known),
        left=tuple(name for name in table.column_names if name not in protected),
        target=target,
        threat=Threat.of(asked.part(Attacking), asked.time_limit),
        max_trials=asked.trials,
        secret=make_secret(asked.secret_seed) if choice.method.is_random else None,
        reporter=reporter or SilentReporter(),
        notes=dict.fromkeys((*files.notes, *left_notes)),
    )
    return search.run()


def _units(groups: str | Groups | Sequence[Sequence[str]] | None) -> tuple[tuple[str, ...], ...] | None:
    """Return groups as tuples of names; a k is refused, because it is what is tuned."""
    if groups is None:
        return None
    found = read_groups(groups)
    if found.k is not None:
        raise SettingsError("groups (--groups): k is what is tuned; name the groups only, such as A,B;C,D")
    return tuple(tuple(str(name) for name in group) for group in found.names)


@dataclass
class _Search:
    """A search in progress; what was tried is kept, so that an interrupt loses nothing."""

    plans: list[Plan]
    data: Any
    source: Path | None
    table: RawFile
    reading: Reading
    left: tuple[str, ...]
    target: float
    threat: Threat
    max_trials: int
    secret: Secret | None
    reporter: Reporter
    tried: dict[tuple[int, tuple[int, ...]], Trial] = field(default_factory=dict)
    shares: dict[tuple[int, tuple[int, ...]], tuple[float, ...]] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def run(self) -> Tuning:
        """Search until nothing helps, all trials are made, or the user interrupts."""
        with contextlib.suppress(MissingCodeError):  # it concerns this strength only
            self._protect(self.plans[0], [0] * len(self.plans[0].units))  # finds mistakes before any long work
        is_complete = True
        try:
            warm_up(self.reporter, self.threat.attackers)
            self._find_uniform()
            self._move_apart()
        except _Spent:
            pass
        except KeyboardInterrupt:
            interrupt.handled()
            is_complete = False
        best = self._best()
        with interrupt.set_aside():
            release = None if best is None else self._release(best)
        return Tuning(
            method=self.plans[0].method.name,
            what=self.plans[0].what,
            target=self.target,
            ties=self.threat.plan.ties,
            attackers=tuple(attacker.name for attacker in self.threat.attackers),
            n_records=self.table.n_records,
            trials=tuple(self.tried.values()),
            best=best,
            release=release,
            is_complete=is_complete,
            notes=tuple(self.notes),
            frame_kind=self.table.frame_kind,
        )

    def _find_uniform(self) -> None:
        """Find for each plan the weakest strength that reaches the target, the same for all units, by bisection."""
        for number, plan in enumerate(self.plans):
            low, high = -1, len(plan.ladder) - 1
            while high - low > 1:
                middle = (low + high) // 2
                is_reached = self._reaches(number, [middle] * len(plan.units))
                low, high = (low, middle) if is_reached else (middle, high)
            self._reaches(number, [high] * len(plan.units))

    def _move_apart(self) -> None:
        """Give each unit a strength of its own, starting from the best trial so far."""
        best = self._best()
        if best is None or len(self.plans[best.plan].units) == 1:
            return
        below = tuple(max(level - 1, 0) for level in best.levels)
        self._strengthen(best.plan, below)
        while self._weaken():
            pass

    def _strengthen(self, number: int, levels: tuple[int, ...]) -> None:
        """Raise the unit that carries most of the risk until the target is reached or it can go no higher."""
        current = list(levels)
        top = len(self.plans[number].ladder) - 1
        while not self._reaches(number, current):
            open_units = [unit for unit, level in enumerate(current) if level < top]
            if not open_units:
                return
            shares = self._shares(number, current)
            heaviest = max(open_units, key=lambda unit: (shares[unit] / (1 + current[unit] - levels[unit]), -unit))
            current[heaviest] = min(top, current[heaviest] + 2)

    def _weaken(self) -> bool:
        """Try to weaken units of the best trial, those that carry least first; tell whether one was weakened."""
        start = self._best()
        assert start is not None  # noqa: S101  (it is only called where one is)
        shares = self._shares(start.plan, start.levels)
        for step in STEPS:
            for unit in sorted(range(len(shares)), key=lambda unit: (shares[unit], unit)):
                best = self._best()
                assert best is not None  # noqa: S101
                if best.plan != start.plan or best.levels[unit] < step:
                    continue
                levels = list(best.levels)
                levels[unit] -= step
                self._reaches(best.plan, levels)
        return self._best() != start

    def _reaches(self, number: int, levels: Sequence[int]) -> bool:
        """Tell whether a release reaches the target.

        A release with a value that is a code for missing does not count, nor does one in which no value changed: a
        protected file must not be the original.
        """
        try:
            return self._try(number, levels).is_reached
        except (MissingCodeError, _UnchangedError) as problem:
            plan = self.plans[number]
            self.notes[f"left out, {plan.what} = {plan.text(levels)}: {problem}."] = None
            return False

    def _try(self, number: int, levels: Sequence[int]) -> Trial:
        """Make a release and attack it, unless that was done before."""
        key = (number, tuple(levels))
        if key in self.tried:
            return self.tried[key]
        if len(self.tried) >= self.max_trials:
            raise _Spent
        plan = self.plans[number]
        where = f"trial {len(self.tried) + 1}: "
        self.reporter.step(f"{where}protecting by {plan.what} = {plan.text(levels)}")
        protection = self._protect(plan, levels)
        files = pair_files(self.table, protection.data, reading=self.reading)
        if not _changes(files):
            raise _UnchangedError("no value would change")
        threat = self.threat.informed_by(self._published(protection))
        worst = worst_case(files, threat, enough=self.target, reporter=self.reporter, where=where)
        self.notes |= dict.fromkeys(worst.notes)
        self.shares[key] = _risk_shares(plan, worst, files, self.threat.plan)
        self.tried[key] = Trial(
            plan=number,
            levels=key[1],
            text=plan.text(levels),
            rate=worst.rate,
            bound=worst.bound,
            attacker=f"{worst.strongest.label}, {worst.strongest.scale}",
            loss=loss_figure(files),
            is_partial=worst.is_partial,
            is_reached=worst.rate <= self.target,
        )
        return self.tried[key]

    def _published(self, protection: Protection) -> Description:
        """Return what would be published about a release, by the names of the table."""
        names = dict(zip(map(str, Frame.of(self.data).names), self.table.column_names, strict=True))
        return Description.of_record(protection.to_dict()).renamed(names).restricted(self.reading.attributes or ())

    def _release(self, best: Trial) -> Protection:
        """Make the best release once more, as the trial was made."""
        return replace(self._protect(self.plans[best.plan], best.levels), source=self.source)

    def _protect(self, plan: Plan, levels: Sequence[int]) -> Protection:
        """Protect the data in the form in which the caller gave them, because a trial is what is released.

        Draws depend on the names of columns, and those of an array differ from those of the file read from it.
        """
        names = dict(zip(self.table.column_names, Frame.of(self.data).names, strict=True))
        return plan.method.apply(
            self.data,
            **plan.parameters(levels, names),
            leave=[names[name] for name in self.left],
            schema=self.reading.schema,
            secret_seed=None if self.secret is None else self.secret.reveal(),
        )

    def _best(self) -> Trial | None:
        reached = [trial for trial in self.tried.values() if trial.is_reached]
        return min(reached, key=lambda trial: (trial.loss, trial.rate), default=None)

    def _shares(self, number: int, levels: Sequence[int]) -> tuple[float, ...]:
        units = self.plans[number].units
        return self.shares.get((number, tuple(levels)), (1.0 / len(units),) * len(units))


def _least_known(files: FilePair, names: Sequence[str]) -> int:
    """Return the least number of known values of an attribute: only known values are ranked and grouped."""
    return min(int((~is_missing(column.original)).sum()) for column in files.columns if column.attribute.name in names)


class _UnchangedError(Exception):
    """A strength changes nothing."""


class _Spent(Exception):  # noqa: N818  (no error: all trials are made)
    """The number of trials asked for is reached."""


def _changes(files: FilePair) -> bool:
    """Whether any value of any record has changed; records are in the same order."""
    return any(
        not np.array_equal(column.original, column.protected, equal_nan=column.original.dtype.kind == "f")
        for column in files.columns
    )


def _risk_shares(plan: Plan, worst: WorstCase, files: FilePair, how: AttackPlan) -> tuple[float, ...]:
    """Return what share of the risk each unit carries.

    Shares are the weights of the strongest learned weighted mean, where there is one. Otherwise they come from the
    links that each attribute makes alone, on the scale of the strongest attack.
    """
    learned = [
        result
        for result in worst.attacks
        if result.bound is not None and isinstance(result.parameters.get("weights"), Mapping)
    ]
    if learned:
        strongest = max(learned, key=lambda result: result.links[how.ties])
        weights = strongest.parameters.get("weights")
        if isinstance(weights, Mapping):
            return tuple(float(sum(weights[name] for name in unit)) for unit in plan.units)
    scaled = [result for result in worst.attacks if result.scale in list(Scale)]
    best = max(scaled, key=lambda result: result.found(how.ties), default=None)
    comparison = make_comparison(files, Scale.RANKS if best is None else best.scale)
    alone = {
        name: nearest(mean_distance(comparison.select([name])), threads=how.threads).links(how.ties)
        for unit in plan.units
        for name in unit
    }
    total = sum(alone.values()) or 1.0
    return tuple(float(np.sum([alone[name] for name in unit])) / total for unit in plan.units)
