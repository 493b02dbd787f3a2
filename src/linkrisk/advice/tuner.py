"""How strengths are searched for: the same for all, then each its own, and at last everybody attacks."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from linkrisk.advice.trials import Spent, Trials
from linkrisk.advice.tuning import Trial, Tuning
from linkrisk.attack.reporter import warm_up
from linkrisk.engine import interrupt
from linkrisk.errors import MissingCodeError, TooFewRecordsError

CONFIRMING = 2.0
"""By how much the time limit of learned attackers grows when a release is attacked once more before it is proposed."""

STEPS = (4, 2, 1)
"""Steps down the ladder that are tried on each unit, large ones first."""


@dataclass(frozen=True, eq=False, repr=False)
class Tuner:
    """A search for the release of least loss among those that reach a target."""

    trials: Trials
    confirms: bool = True

    def run(self) -> Tuning:
        """Search until nothing helps, all trials are made, or the user interrupts."""
        trials = self.trials
        first = trials.spaces[0]
        elsewhere = (TooFewRecordsError,) if len(trials.spaces) > 1 else ()  # other groups may do
        with contextlib.suppress(MissingCodeError, *elsewhere):  # it concerns this strength only
            trials.protect(first.at(first.evenly(0)))  # finds mistakes before any long work
        is_complete = True
        try:
            warm_up(trials.reporter, trials.threat.attackers)
            with contextlib.suppress(Spent):
                self._find_uniform()
                self._move_apart()
            with contextlib.suppress(Spent):
                if self.confirms:
                    self._confirm()
        except KeyboardInterrupt:
            interrupt.handled()
            is_complete = False
        best = trials.best()
        with interrupt.set_aside():
            release = None if best is None else trials.release(best)
            faults = () if release is None else trials.faults(release)
        return Tuning(
            method=first.name,
            what=first.what,
            target=trials.target,
            ties=trials.threat.plan.ties,
            attackers=tuple(attacker.name for attacker in trials.threat.attackers),
            n_records=trials.table.n_records,
            trials=tuple(trials.tried.values()),
            best=best,
            release=release,
            is_complete=is_complete,
            notes=tuple(trials.notes),
            left_out=tuple(trials.left_out),
            put_off=trials.put_off,
            unlearned=trials.unlearned,
            frame_kind=trials.table.frame_kind,
            faults=faults,
            original_name=trials.table.name,
        )

    def _find_uniform(self) -> None:
        """Find in each space the weakest strength that reaches the target, the same for all units, by bisection."""
        for number, space in enumerate(self.trials.spaces):
            low, high = -1, space.top
            while high - low > 1:
                middle = (low + high) // 2
                is_reached = self.trials.reaches(number, space.evenly(middle))
                low, high = (low, middle) if is_reached else (middle, high)
            self.trials.reaches(number, space.evenly(high))

    def _move_apart(self) -> None:
        """Give each unit a strength of its own, starting from the best trial so far."""
        best = self.trials.best()
        if best is None or len(self.trials.spaces[best.space].units) == 1:
            return
        below = tuple(max(level - 1, 0) for level in best.levels)
        self._strengthen(best.space, below)
        while self._weaken():
            pass

    def _strengthen(self, number: int, levels: tuple[int, ...]) -> None:
        """Raise the unit that carries most of the risk until the target is reached or it can go no higher."""
        current = list(levels)
        tops = [unit.top for unit in self.trials.spaces[number].units]
        while not self.trials.reaches(number, current):
            open_units = [unit for unit, level in enumerate(current) if level < tops[unit]]
            if not open_units:
                return
            shares = self.trials.shares(number, current)
            heaviest = max(open_units, key=lambda unit: (shares[unit] / (1 + current[unit] - levels[unit]), -unit))
            current[heaviest] = min(tops[heaviest], current[heaviest] + 2)

    def _weaken(self) -> bool:
        """Try to weaken units of the best trial, those that carry least first; tell whether one was weakened."""
        start = self.trials.best()
        assert start is not None  # noqa: S101  (it is only called where one is)
        shares = self.trials.shares(start.space, start.levels)
        lightest = sorted(range(len(shares)), key=lambda unit: (shares[unit], unit))
        left = [(step, unit) for step in STEPS for unit in lightest]
        while left:
            best = self.trials.best()
            assert best is not None  # noqa: S101
            left = [(step, unit) for step, unit in left if best.space == start.space and best.levels[unit] >= step]
            weaker = [_weakened(best.levels, unit, step) for step, unit in left]
            found = self.trials.first_that_reaches(best.space, weaker)
            left = [] if found is None else left[found + 1 :]
        return self.trials.best() != start

    def _confirm(self) -> None:
        """Attack the best release once more, by everybody and with more time, until one stands.

        A release that does not stand counts as one that missed the target. Then come those that stay below the target
        even if everybody finds as much more of them, the one of least loss first; where there is none, the safest; and
        where none is left, a stronger one is made.
        """
        warm_up(self.trials.reporter, self.trials.threat.confirming(CONFIRMING).attackers)
        more = 0.0
        while (trial := self._candidate(more)) is not None:
            risk = self.trials.confirm(trial, self.trials.threat.confirming(CONFIRMING))
            more = max(more, risk.rate - trial.risk)
            if risk.stays_below(self.trials.target):
                return

    def _candidate(self, more: float) -> Trial | None:
        """Return the release to be confirmed next, if everybody may find ``more`` of it than was found."""
        reached = self.trials.reached()
        safe = [trial for trial in reached if trial.risk + more <= self.trials.target]
        if safe:
            return min(safe, key=lambda trial: (trial.loss, trial.rate))
        if reached:
            return min(reached, key=lambda trial: (trial.risk, trial.loss))
        return self._stronger()

    def _stronger(self) -> Trial | None:
        """Strengthen the safest of the releases that did not stand, everywhere by a step, until the target is reached.

        None where nothing can be strengthened any more, or nothing ever reached the target.
        """
        fallen = [trial for trial in self.trials.tried.values() if trial.is_refuted]
        if not fallen:
            return None
        safest = min(fallen, key=lambda trial: trial.risk)
        tops = [unit.top for unit in self.trials.spaces[safest.space].units]
        levels = safest.levels
        while any(level < top for level, top in zip(levels, tops, strict=True)):
            levels = tuple(min(top, level + 1) for level, top in zip(levels, tops, strict=True))
            if (safest.space, levels) not in self.trials.tried and self.trials.reaches(safest.space, levels):
                return self.trials.tried[safest.space, levels]
        return None


def _weakened(levels: tuple[int, ...], unit: int, step: int) -> tuple[int, ...]:
    """Return strengths of which one is lower by some steps.

    >>> _weakened((3, 5, 2), 1, 4)
    (3, 1, 2)
    """
    return (*levels[:unit], levels[unit] - step, *levels[unit + 1 :])
