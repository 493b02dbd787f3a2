"""The releases of a search: each is made, attacked and kept once."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from linkrisk.advice.release import loss_figure
from linkrisk.advice.risk import Risk, Threat, attack_release, weak_attacks
from linkrisk.advice.space import Space
from linkrisk.advice.tuning import Trial
from linkrisk.assessment.faults import Fault, find_faults
from linkrisk.attack.attack import SHORT
from linkrisk.attack.loop import Attempt
from linkrisk.attack.reporter import Reporter
from linkrisk.attack.result import AttackResult
from linkrisk.attack.telling import Relay, Telling, Told
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.raw_file import RawFile
from linkrisk.data.reading import Reading
from linkrisk.differences.comparison import make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.engine import interrupt
from linkrisk.engine.copies import Enough, Tell, are_allowed, work_side_by_side
from linkrisk.engine.threads import default_threads
from linkrisk.errors import MissingCodeError, TooFewRecordsError
from linkrisk.informed.description import Description
from linkrisk.linkage.search import nearest
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.planning.tasks import Tasks, carry_out, told
from linkrisk.protection.protection import Protection

Place = tuple[int, tuple[int, ...]]
"""Where a release is: the number of its space, and the strength of each unit."""


MANY_RECORDS = 2_000
"""Records from which on attackers are put off: with fewer each takes a moment."""


class Spent(Exception):  # noqa: N818  (no error: all trials are made)
    """The number of trials asked for is reached."""


class _UnchangedError(Exception):
    """A strength changes nothing."""


@dataclass(eq=False, repr=False)
class Trials:
    """Releases made and attacked so far; what was tried is kept, so that an interrupt loses nothing."""

    spaces: list[Space]
    data: Any
    source: Path | None
    table: RawFile
    reading: Reading
    target: float
    threat: Threat
    max_trials: int
    secret: Secret | None
    reporter: Reporter
    tried: dict[Place, Trial] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    put_off: tuple[str, ...] = ()
    unlearned: tuple[str, ...] = ()
    _ahead: dict[Place, _Outcome] = field(default_factory=dict)
    _guides: dict[Place, _Guide] = field(default_factory=dict)
    _shares: dict[Place, tuple[float, ...]] = field(default_factory=dict)

    def reached(self) -> list[Trial]:
        """Return the releases that stay below the target, as far as they were attacked."""
        return [trial for trial in self.tried.values() if trial.is_reached]

    def best(self) -> Trial | None:
        """Return the release of least loss that reached the target; one that was confirmed, if there is one."""
        return min(self.reached(), key=lambda trial: (not trial.is_confirmed, trial.loss, trial.rate), default=None)

    def reaches(self, number: int, levels: Sequence[int]) -> bool:
        """Tell whether a release reaches the target.

        A release with a value that is a code for missing does not count, nor one that cannot be made because too few
        records lack the same values, nor one in which no value changed: a protected file must not be the original.
        """
        try:
            return self._try(number, levels).is_reached
        except (MissingCodeError, TooFewRecordsError, _UnchangedError) as problem:
            space = self.spaces[number]
            self.notes[f"left out, {space.what} = {space.text(levels)}: {problem}."] = None
            return False

    def first_that_reaches(self, number: int, candidates: Sequence[Sequence[int]]) -> int | None:
        """Try releases in their order until one reaches the target; return its place, None where none does.

        Where copies of the process may be made, several are tried at once, as if those before had missed: most do.
        """
        self._look_ahead(number, candidates)
        return next((place for place, levels in enumerate(candidates) if self.reaches(number, levels)), None)

    def _look_ahead(self, number: int, candidates: Sequence[Sequence[int]]) -> None:
        """Try releases in copies of the process; what they find counts where nothing has changed by then."""
        self._ahead.clear()
        at_once = self.threat.plan.threads or default_threads()
        places = dict.fromkeys((number, tuple(levels)) for levels in candidates)
        open_places = [place for place in places if place not in self.tried][: self.max_trials - len(self.tried)]
        if at_once < 2 or len(open_places) < 2 or not are_allowed():
            return
        relay = Relay(self.reporter)

        def try_one(order: int, place: Place, tell: Tell) -> None:
            self.reporter = Telling(tell)
            self.threat = replace(self.threat, plan=replace(self.threat.plan, threads=1))
            tell(self._outcome(*place, len(self.tried) + order))

        def hear(order: int, message: _Outcome | Told) -> None:
            if isinstance(message, Told):
                relay.hand_on(order, message)
                return
            self._ahead[open_places[order]] = message
            known = [self._ahead[place] for place in _leading(open_places, self._ahead)]
            if any(outcome.changes_what_follows for outcome in known):
                raise Enough

        work_side_by_side([partial(try_one, *each) for each in enumerate(open_places)], hear, at_once=at_once)

    def _try(self, number: int, levels: Sequence[int]) -> Trial:
        """Make a release and attack it, unless that was done before."""
        key = (number, tuple(levels))
        if key in self.tried:
            return self.tried[key]
        if len(self.tried) >= self.max_trials:
            raise Spent
        interrupt.check()
        outcome = self._ahead.pop(key, None) or self._outcome(*key, len(self.tried))
        if outcome.changes_what_follows:
            self._ahead.clear()  # who comes next starts from elsewhere
        if outcome.problem is not None:
            raise outcome.problem
        assert outcome.trial is not None  # noqa: S101  (it is there where there is no problem)
        assert outcome.risk is not None  # noqa: S101
        self._keep_notes(outcome.risk)
        self.threat = self.threat.after(outcome.risk, self.target)
        self._put_off(outcome.risk)
        self._guides[key] = _Guide.of(outcome.risk)
        self.tried[key] = outcome.trial
        return outcome.trial

    def _outcome(self, number: int, levels: tuple[int, ...], n_before: int) -> _Outcome:
        """Make a release and attack it; nothing is kept."""
        try:
            return self._attacked(number, levels, n_before)
        except (MissingCodeError, TooFewRecordsError, _UnchangedError) as problem:
            return _Outcome(problem=problem)

    def _attacked(self, number: int, levels: tuple[int, ...], n_before: int) -> _Outcome:
        space = self.spaces[number]
        where = f"trial {n_before + 1} of at most {self.max_trials}: "
        told = "" if space.is_planned else f" by {space.what} = {space.text(levels)}"  # a plan is as long as a report
        self.reporter.step(f"{where}protecting{told}")
        protection = self.protect(space.at(levels))
        files = pair_files(self.table, protection.data, reading=self.reading)
        if not _changes(files):
            raise _UnchangedError("no value would change")
        threat = self.threat.informed_by(self._published(protection))
        risk = attack_release(files, threat, enough=self.target, reporter=self.reporter, where=where)
        trial = Trial(
            space=number,
            levels=levels,
            text=space.text(levels),
            rate=risk.rate,
            bound=risk.bound,
            attacker=_attacker(risk),
            loss=loss_figure(files),
            is_partial=risk.is_partial,
            is_reached=risk.stays_below(self.target),
            is_proven=risk.is_bounded_by(self.target),
            bayes=risk.bayes,
        )
        return _Outcome(trial, risk)

    def _keep_notes(self, risk: Risk) -> None:
        """Keep what is told of a release; that a broken one is attacked no further is told of all of them."""
        self.notes |= dict.fromkeys(note for note in risk.notes if note != SHORT)
        self.left_out |= dict.fromkeys(risk.left_out)

    def _put_off(self, risk: Risk) -> None:
        """Put off who found least of the first release that everybody attacked: until a release is confirmed."""
        if risk.is_partial or self.put_off or self.table.n_records < MANY_RECORDS:
            return
        weak = weak_attacks(risk)
        self.threat = replace(self.threat, put_off=weak)
        self.put_off = _by_name(weak)

    def confirm(self, trial: Trial, threat: Threat) -> Risk:
        """Attack a release that was tried by everybody, and keep what was found."""
        space = self.spaces[trial.space]
        number = list(self.tried).index((trial.space, trial.levels)) + 1
        where = f"confirming trial {number}: " if space.is_planned else f"confirming {space.what} = {trial.text}: "
        protection = self.protect(space.at(trial.levels))
        files = pair_files(self.table, protection.data, reading=self.reading)
        informed = threat.informed_by(self._published(protection))
        risk = attack_release(files, informed, enough=self.target, reporter=self.reporter, where=where)
        self._keep_notes(risk)
        self.unlearned = _by_name(risk.unlearned)
        self.threat = self.threat.after(risk, self.target)
        stands = risk.stays_below(self.target)
        self.tried[trial.space, trial.levels] = replace(
            trial,
            rate=max(trial.rate, risk.rate),
            bound=_largest(trial.bound, risk.bound) if risk.is_partial else risk.bound,
            attacker=_attacker(risk) if risk.rate > trial.rate else trial.attacker,
            is_partial=risk.is_partial,
            is_reached=stands,
            is_proven=risk.is_bounded_by(self.target),
            is_confirmed=stands,
            is_refuted=not stands,
            bayes=risk.bayes,
        )
        return risk

    def release(self, best: Trial) -> Protection:
        """Make the best release once more, as the trial was made, and tell what came of each column."""
        tasks = self.spaces[best.space].at(best.levels)
        made = self.protect(tasks)
        release = told(tasks, made)
        notes = tuple(note for note in release.notes if note not in self.notes)  # the others are the search's
        return replace(release, notes=notes, source=self.source)

    def faults(self, release: Protection) -> tuple[Fault, ...]:
        """Return the plain faults of a release: what attackers find stays below the target, and yet they are there.

        That the records belong to each other is known here, however little they resemble each other.
        """
        found = find_faults(pair_files(self.table, release.data, reading=self.reading))
        return tuple(fault for fault in found if fault.kind != "pairing")

    def protect(self, tasks: Tasks) -> Protection:
        """Protect the data in the form in which the caller gave them, because a trial is what is released.

        Draws depend on the names of columns, and those of an array differ from those of the file read from it.
        """
        return carry_out(tasks, self.data, secret_seed=None if self.secret is None else self.secret.reveal())

    def _published(self, protection: Protection) -> Description:
        """Return what would be published about a release."""
        return Description.of_protection(protection).restricted(self.reading.attributes or ())

    def shares(self, number: int, levels: Sequence[int]) -> tuple[float, ...]:
        """Return what share of the risk each unit of a release carries; the same for all where it was not tried.

        Shares are the weights of the strongest learned weighted mean, where there is one. Otherwise they come from the
        links that each attribute makes alone, on the scale of the strongest attack. Columns that the intruder does not
        know carry none.
        """
        key, space = (number, tuple(levels)), self.spaces[number]
        if key not in self._guides:
            return (1.0 / len(space.units),) * len(space.units)
        if key not in self._shares:
            names = [space.told_names(unit) for unit in space.units]
            weights = self._guides[key].weights or self._alone(space, key[1], self._guides[key].scale)
            sums = [float(np.sum([weights.get(name, 0.0) for name in each])) for each in names]
            self._shares[key] = tuple(share / (sum(sums) or 1.0) for share in sums)
        return self._shares[key]

    def _alone(self, space: Space, levels: Sequence[int], scale: Scale) -> dict[str, float]:
        """Return the links that each attribute of a release makes alone; the release is made once more."""
        files = pair_files(self.table, self.protect(space.at(levels)).data, reading=self.reading)
        comparison, plan = make_comparison(files, scale), self.threat.plan
        return {
            attribute.name: nearest(mean_distance(comparison.select([attribute.name])), threads=plan.threads).links(
                plan.ties
            )
            for attribute in files.attributes
        }


@dataclass(frozen=True)
class _Outcome:
    """What came of a release that was tried: the trial and its risk, or why there is none."""

    trial: Trial | None = None
    risk: Risk | None = None
    problem: Exception | None = None

    @property
    def changes_what_follows(self) -> bool:
        """Whether what follows is not the same as if this release had not been tried: it may be best, or a start."""
        if self.trial is None or self.risk is None:
            return False
        return self.trial.is_reached or bool(self.risk.learned) or not self.risk.is_partial


def _leading(places: Sequence[Place], known: Container[Place]) -> list[Place]:
    """Return the first places, up to one that is not known."""
    return list(takewhile(lambda place: place in known, places))


@dataclass(frozen=True)
class _Guide:
    """What attacks on a release tell of who gives people away: weights that were learned, and the strongest scale."""

    weights: Mapping[str, float] | None
    scale: Scale

    @classmethod
    def of(cls, risk: Risk) -> _Guide:
        """Take from attacks what guides the search."""
        found = [result for result in risk.attacks if result.bound is not None and _weights(result) is not None]
        learned = max(found, key=lambda result: result.links[risk.ties], default=None)
        scaled = [result for result in risk.attacks if result.scale in list(Scale)]
        best = max(scaled, key=lambda result: result.found(risk.ties), default=None)
        scale = Scale.RANKS if best is None else Scale(best.scale)
        return cls(None if learned is None else _weights(learned), scale)


def _weights(result: AttackResult) -> Mapping[str, float] | None:
    """Return the weights of the attributes that were learned, where there are such."""
    weights = result.parameters.get("weights")
    return weights if isinstance(weights, Mapping) else None


def _by_name(attempts: Iterable[Attempt]) -> tuple[str, ...]:
    """Write attackers with their scales.

    >>> _by_name([("owa", Scale.RANKS), ("mean", Scale.RANKS), ("owa", Scale.ORIGINAL)])
    ('mean (ranks)', 'owa (original, ranks)')
    """
    found = sorted(attempts)
    scales = {name: [str(scale) for label, scale in found if label == name] for name, _ in found}
    return tuple(f"{name} ({', '.join(names)})" for name, names in scales.items())


def _attacker(risk: Risk) -> str:
    """Name the strongest attacker and his scale."""
    return f"{risk.strongest.label}, {risk.strongest.scale}"


def _changes(files: FilePair) -> bool:
    """Whether any value of any record has changed; records are in the same order."""
    return any(
        not np.array_equal(column.original, column.protected, equal_nan=column.original.dtype.kind == "f")
        for column in files.columns
    )


def _largest(*bounds: float | None) -> float | None:
    """Return the largest bound; None where there is none."""
    return max((bound for bound in bounds if bound is not None), default=None)
