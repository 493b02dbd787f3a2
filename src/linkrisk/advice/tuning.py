"""What tuning a protection found: every release tried, the front, and the one to take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linkrisk.advice.front import undominated
from linkrisk.advice.map import risk_loss_map
from linkrisk.engine.layout import aligned
from linkrisk.linkage.linkage import Ties
from linkrisk.protection.protection import Protection
from linkrisk.version import __version__


@dataclass(frozen=True)
class Trial:
    """One release that was tried.

    ``text`` gives its strengths; ``rate`` is the worst case found, ``bound`` a rate that no attacker of the kinds tried
    exceeds. ``is_partial``: learned attackers were not run, for others linked more than the target already; the rate
    is a lower limit, and the bound one of the attackers that were run alone. ``is_reached``: the rate is at most the
    target. ``plan`` and ``levels`` say where in the search it was.
    """

    plan: int
    levels: tuple[int, ...]
    text: str
    rate: float
    bound: float
    attacker: str
    loss: float
    is_partial: bool
    is_reached: bool

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "strengths": self.text,
            "rate": self.rate,
            "bound": None if self.is_partial else self.bound,
            "rate_is_a_lower_limit": self.is_partial,
            "attacker": self.attacker,
            "loss": self.loss,
            "target_reached": self.is_reached,
        }


@dataclass(frozen=True, repr=False)
class Tuning:
    """What a search for the least loss under a target of risk has seen.

    ``best`` is the trial of least loss that reached the target (None: none did), ``release`` its protected file, with
    the secret of a random method. ``notes`` tell which attackers could not be used. ``is_complete`` is False after an
    interrupt.
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

    @property
    def front(self) -> tuple[Trial, ...]:
        """The trials such that no other has both less risk and less loss, the riskiest first.

        Only trials that all attackers were set on: of the others (``is_partial``) it is not known how much they risk,
        so they stand on no front and push none off it.
        """
        whole = [trial for trial in self.trials if not trial.is_partial]
        chosen = [whole[place] for place in undominated([(trial.rate, trial.loss) for trial in whole])]
        return tuple(sorted(chosen, key=lambda trial: (-trial.rate, trial.loss)))

    @property
    def is_proven(self) -> bool:
        """Whether no attacker of the kinds tried links more than the target of the best release."""
        return self.best is not None and self.best.bound <= self.target

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the protected file as plain values, for JSON."""
        return {
            "schema": 1,
            "version": __version__,
            "status": "complete" if self.is_complete else "interrupted",
            "method": self.method,
            "parameter": self.what,
            "target_rate": self.target,
            "ties": str(self.ties),
            "attackers": list(self.attackers),
            "n_records": self.n_records,
            "best": None if self.best is None else {**self.best.as_dict(), "target_proven": self.is_proven},
            "front": [trial.as_dict() for trial in self.front],
            "trials": [trial.as_dict() for trial in self.trials],
            "warnings": list(self.notes),
        }

    def __str__(self) -> str:
        releases = "1 release" if len(self.trials) == 1 else f"{len(self.trials)} releases"
        head = (
            f"{self.method}: {releases} of {self.n_records} records tried, target {self.target:.1%} "
            f"({self.ties} links) under {', '.join(self.attackers)}."
        )
        points = [(trial.loss, 100.0 * trial.rate) for trial in self.trials]
        marks = "".join(_mark(trial) for trial in self.trials)
        lines = [
            head,
            "",
            *self._front_table(),
            "",
            *risk_loss_map(points, marks, target=100.0 * self.target),
            "       o reaches the target, x does not, ^ risks at least this: broken, and attacked no further",
            "",
            self.advice(),
            *(f"note: {note}" for note in self.notes),
        ]
        if not self.is_complete:
            lines.append("Interrupted: what is shown was found until then.")
        return "\n".join(lines)

    __repr__ = __str__

    def advice(self) -> str:
        """Say in a sentence or two what to release."""
        if self.best is None:
            return (
                f"No release tried reaches the target of {self.target:.1%}: {self._safest()}. Try another method, "
                "protect attributes in larger groups, or leave attributes out."
            )
        proof = (
            "no attacker of these kinds links more than the target (proven)"
            if self.is_proven
            else f"up to {self.best.bound:.1%} are not excluded; give more time to prove it"
        )
        return (
            f"Release {self.method} with {self.what} = {self.best.text}: worst case {self.best.rate:.1%}, loss "
            f"{self.best.loss:.1f}; {proof}."
        )

    def _front_table(self) -> list[str]:
        if not self.front:
            return ["No front: every release was broken before all attackers were set on it."]
        head = ("risk", "bound", "loss", "reached", "strongest attacker", self.what)
        title = "Front (of the releases that all attackers were set on, none has both less risk and less loss):"
        return [title, *aligned([head, *(_row(trial) for trial in self.front)])]

    def _safest(self) -> str:
        """Say what the safest release leaves; of those not attacked to the end only a lower limit is known."""
        whole = [trial.rate for trial in self.trials if not trial.is_partial]
        if whole:
            return f"the safest leaves {min(whole):.1%}"
        if not self.trials:
            return "none could be made and attacked"
        return f"all leave at least {min(trial.rate for trial in self.trials):.1%}"


def _mark(trial: Trial) -> str:
    if trial.is_reached:
        return "o"
    return "^" if trial.is_partial else "x"


def _row(trial: Trial) -> tuple[str, ...]:
    return (
        f"{trial.rate:.1%}",
        f"{trial.bound:.1%}",
        f"{trial.loss:.1f}",
        "yes" if trial.is_reached else "",
        trial.attacker,
        trial.text,
    )
