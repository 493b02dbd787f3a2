"""What `tune` claims of the releases it proposes, and what all attackers, and the ceiling, say of them."""

from __future__ import annotations

import linkrisk
from benchmarks.table import Row
from benchmarks.transparency.columns import show_line
from benchmarks.transparency.release import Release, assigned_links, ceiling_text, nearest_links, read_census
from linkrisk.advice.tuning import Tuning
from linkrisk.attack.result import AttackResult
from linkrisk.attackers import ATTACKERS

METHODS = ("mdav", "individual_ranking", "principal_components", "rank_swap", "noise", "correlated_noise")
TARGET = 0.05
SECONDS = 10.0
"""For each learned attacker on each scale, once the release is chosen."""


def tuning_rows(methods: tuple[str, ...] = METHODS, *, trials: int = 60, seconds: float = SECONDS) -> list[Row]:
    """Tune each method on Census with its defaults; then attack the release with everybody, shuffled."""
    people = read_census()
    rows = []
    for number, method in enumerate(methods):
        tuning = linkrisk.tune(people, method, TARGET, secret_seed=number, trials=trials)
        if tuning.release is None or tuning.best is None:
            show_line(method, ["no release reached the target"])
            continue
        release = Release.of(people, [tuning.release], number)
        result = release.assessed(list(ATTACKERS), time_limit=seconds)
        assert result.strongest is not None  # noqa: S101  (for the type checker: mean always attacks)
        _show(method, tuning, result.attacks, result.strongest)
        rows += [
            Row(f"{method}: claimed", 100.0 * tuning.best.rate, "%", goal=f"{TARGET:.0%}"),
            Row(f"{method}: found by {result.strongest.label}", 100.0 * result.strongest.rate(), "%"),
            Row(f"{method}: loss", tuning.best.loss, ""),
        ]
    return rows


def _show(method: str, tuning: Tuning, attacks: tuple[AttackResult, ...], strongest: AttackResult) -> None:
    assert tuning.best is not None  # noqa: S101
    claim = [f"claimed {tuning.best.rate:.2%}", f"found {strongest.rate():.2%}", f"loss {tuning.best.loss:.2f}"]
    show_line(f"{method}: {tuning.what} = {tuning.best.text}", claim)
    for attack in attacks:
        exceeds = "above the target" if attack.rate() > tuning.target else ""
        told = f"{nearest_links(attack):.1f} / {assigned_links(attack):.1f}"
        show_line(f"  {attack.label}, {attack.scale}", [told, f"{attack.rate():.2%}", exceeds])
        if attack.ceiling is not None:
            show_line("  bayes", [ceiling_text(attack.ceiling)])
