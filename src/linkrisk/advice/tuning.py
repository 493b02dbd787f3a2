"""What tuning a protection found: every release tried, the front, and the one to take."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from linkrisk.advice.front import undominated
from linkrisk.advice.space import PLAN
from linkrisk.assessment.faults import Fault
from linkrisk.data.writing import write_json
from linkrisk.linkage.ties import Ties
from linkrisk.protection.protection import Protection
from linkrisk.result import DEFAULT_FRAME, ReportedResult


@dataclass(frozen=True)
class Trial:
    """One release that was tried.

    ``text`` gives its strengths; ``rate`` is what the strongest attack found, ``bound`` a rate that no parameters of
    the learned attackers exceed (see `linkrisk.advice.risk.Risk`; None where nothing was learned). ``is_partial``: some
    attackers were not run, because others linked more than the target already; then the rate is a lower limit, and the
    bound holds only for the attackers that were run. ``bayes`` is the share that any intruder without true pairs can
    expect, where it is known. ``is_reached``: the rate is at most the target, and so is ``bayes``; ``is_proven``: no
    parameters of the learned attackers link more than the target.

    ``is_confirmed``: the target holds after every attacker there is has attacked it once more, with twice the time, and
    within reach of the target with no less than `assess` takes; ``is_refuted``: it does not. ``space`` and ``levels``
    are its place in the search.
    """

    space: int
    levels: tuple[int, ...]
    text: str
    rate: float
    bound: float | None
    attacker: str
    loss: float
    is_partial: bool
    is_reached: bool
    is_proven: bool = False
    is_confirmed: bool = False
    is_refuted: bool = False
    bayes: float | None = None

    @property
    def risk(self) -> float:
        """The larger of what was found and what any intruder can expect."""
        return max(self.rate, self.bayes or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "strengths": self.text,
            "rate": self.rate,
            "bound": None if self.is_partial else self.bound,
            "rate_is_a_lower_limit": self.is_partial,
            "attacker": self.attacker,
            "loss": self.loss,
            "target_reached": self.is_reached,
            "confirmed": self.is_confirmed,
            "refuted": self.is_refuted,
            "bayes": self.bayes,
        }


@dataclass(frozen=True, repr=False)
class Tuning(ReportedResult):
    """What a search for the least loss under a target of risk has found.

    ``best`` is the trial of least loss that reached the target and was confirmed (None: none was); after an interrupt
    (``is_complete`` is False), or where that was not asked for, it is one that was not confirmed. ``release`` is its
    protected file, with the secret of a random method. ``left_out`` says which attackers could not attack, and why;
    ``put_off`` which found so little of the first release that all attacked that they attacked no other until one was
    confirmed; ``unlearned`` which did not learn when the last one was confirmed, because all that they could start from
    links far less than the target.
    ``faults`` are what is plainly wrong with the release all the same, such as values that rounding gives back.
    ``method`` and ``what`` are the method and its parameter that is tuned, or both "plan": then the strengths of a
    trial are a plan as `linkrisk.protect` takes it. ``original_name`` is what the file is called ("original" for a
    frame). Its frame has one row per trial.
    """

    method: str
    what: str
    target: float
    ties: Ties
    attackers: tuple[str, ...]
    n_records: int
    trials: tuple[Trial, ...]
    best: Trial | None
    release: Protection | None
    is_complete: bool = True
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    put_off: tuple[str, ...] = ()
    unlearned: tuple[str, ...] = ()
    frame_kind: str = DEFAULT_FRAME
    faults: tuple[Fault, ...] = ()
    original_name: str = "original"

    @property
    def is_planned(self) -> bool:
        """Whether each column has a method of its own; then the strengths of a trial are a whole plan."""
        return self.method == PLAN

    @property
    def front(self) -> tuple[Trial, ...]:
        """The trials such that no other has both less risk and less loss, the riskiest first.

        Only trials that were attacked to the end, by all but those put off: the risk of the others (``is_partial``) is
        not known, so they are not on the front and remove no trial from it.
        """
        whole = [trial for trial in self.trials if not trial.is_partial]
        chosen = [whole[place] for place in undominated([(trial.risk, trial.loss) for trial in whole])]
        return tuple(sorted(chosen, key=lambda trial: (-trial.risk, trial.loss)))

    @property
    def is_proven(self) -> bool:
        """Whether it is proven that no parameters of the learned attackers link more of the best release."""
        return self.best is not None and self.best.is_proven

    def write(self, json: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write every trial as JSON, which may be shared; ``release.write`` writes the protected file and its secret.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        if json is not None:
            write_json(json, self.to_dict(), overwrite=overwrite)
