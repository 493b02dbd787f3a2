"""How the search for a protection is shown: the front, a map of all trials, and what to release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from linkrisk.advice.tuning import Trial, Tuning
from linkrisk.protection.registry import find_method
from linkrisk.report.blocks import (
    INTERRUPTED,
    Block,
    Drawing,
    Fault,
    Sentence,
    Weight,
    left_out_blocks,
    note_blocks,
    verdict_blocks,
)
from linkrisk.report.plain import sentences
from linkrisk.report.risk_loss_map import risk_loss_map
from linkrisk.report.tables import Table, make_columns, share_text
from linkrisk.report.verdict import Headline, Verdict

NO_FRONT = "No front: every release was broken before all attackers had attacked it."

LEGEND = "o reaches the target, x does not, ^ risks at least this: broken, and attacked no further"


def blocks(tuning: Tuning) -> list[Block]:
    """Return the front, the map, what to know about them, and the advice last."""
    points = [(trial.loss, 100.0 * trial.risk) for trial in tuning.trials]
    marks = "".join(_mark(trial) for trial in tuning.trials)
    return [
        *(Fault(fault.message) for fault in tuning.faults),
        Sentence(opening(tuning)),
        front_table(tuning) if tuning.front else Sentence(NO_FRONT, Weight.MAIN),
        Drawing(tuple(risk_loss_map(points, marks, target=100.0 * tuning.target))),
        *([Sentence(LEGEND)] if points else []),
        *left_out_blocks(tuning.left_out),
        *map(Sentence, remarks(tuning)),
        *note_blocks(tuning.notes),
        *([] if tuning.is_complete else [INTERRUPTED]),
        *verdict_blocks(verdict(tuning)),
    ]


def opening(tuning: Tuning) -> str:
    """Say in a sentence what was tried."""
    releases = "1 release" if len(tuning.trials) == 1 else f"{len(tuning.trials)} releases"
    return (
        f"{tuning.method}: {releases} of {tuning.original_name} ({tuning.n_records:,} records) tried, target "
        f"{tuning.target:.1%} "
        f"({tuning.ties} links) under {', '.join(tuning.attackers)}."
    )


def document(tuning: Tuning) -> dict[str, Any]:
    """Return everything except the protected file."""
    best = tuning.best
    return {
        "status": "complete" if tuning.is_complete else "interrupted",
        "method": tuning.method,
        "parameter": tuning.what,
        "target_rate": tuning.target,
        "ties": str(tuning.ties),
        "attackers": list(tuning.attackers),
        "original": tuning.original_name,
        "n_records": tuning.n_records,
        "faults": [fault.to_dict() for fault in tuning.faults],
        "best": None if best is None else {**best.to_dict(), "target_proven": tuning.is_proven},
        "front": [trial.to_dict() for trial in tuning.front],
        "trials": [trial.to_dict() for trial in tuning.trials],
        "verdict": list(verdict(tuning)),
        "left_out": sentences(tuning.left_out),
        "put_off": list(tuning.put_off),
        "unlearned": list(tuning.unlearned),
        "notes": sentences(tuning.notes),
    }


def columns(tuning: Tuning) -> dict[str, list[Any]]:
    """Return one row per trial, with the words of the JSON document."""
    names = (
        "strengths",
        "rate",
        "bound",
        "rate_is_a_lower_limit",
        "attacker",
        "loss",
        "target_reached",
        "confirmed",
        "refuted",
        "bayes",
    )
    found = [trial.to_dict() for trial in tuning.trials]
    front = tuning.front
    return {
        **{name: [entry[name] for entry in found] for name in names},
        "on_front": [trial in front for trial in tuning.trials],
        "is_best": [trial == tuning.best for trial in tuning.trials],
    }


def verdict(tuning: Tuning) -> Verdict:
    """Return whether the target can be reached, by which release, how sure that is, and what to do."""
    best = tuning.best
    if best is None:
        is_grouped = not tuning.is_planned and find_method(tuning.method).takes_groups
        in_groups = "protect attributes in larger groups, " if is_grouped else ""
        return Verdict(
            (f"No release tried reaches the target of {tuning.target:.1%}: {_safest(tuning)}.",),
            (f"What to do: try another method, {in_groups}or leave attributes out.",),
        )
    told = f"of {tuning.n_records:,} people are found by the strongest attack"
    is_within = best.is_reached and best.is_confirmed
    is_allowed = None if is_within and tuning.faults else is_within
    first = "; faults must be mended first" if is_allowed is None else ""
    headline = Headline(best.rate, f"{told}{first}", is_allowed)
    what = f"by the plan {best.text}" if tuning.is_planned else f"{tuning.method} with {tuning.what} = {best.text}"
    found = f"{best.rate:.1%}, by {best.attacker}; loss {best.loss:.1f}."
    if not best.is_confirmed:
        return Verdict(
            (f"Best so far, not confirmed: {what}. Its strongest attack links {found}",),
            ("What to do: assess it before you release it; not every attacker has attacked it.",),
            headline,
        )
    who = "all attackers who can attack it" if tuning.left_out else "all attackers"
    who += " but those not learned" if tuning.unlearned else ""
    says = (f"The target of {tuning.target:.1%} is reached. The strongest of {who} links {found}",)
    mend = "mend the faults that are named in this report; without them, " if tuning.faults else ""
    return Verdict((*says, *_assurances(tuning, best)), (f"What to do: {mend}release {what}.",), headline)


def _assurances(tuning: Tuning, best: Trial) -> Iterator[str]:
    """Say what is known of attackers who were not tried."""
    if tuning.is_proven:
        yield "Proven: no parameters of the learned attackers link more than the target, each record to its nearest."
    elif best.bound is not None and best.bound > best.rate:
        yield f"Not proven: other parameters of the learned attackers may link up to {best.bound:.1%}."
    if best.bayes is not None:
        yield f"Any intruder without true pairs can expect {best.bayes:.1%} at most (bayes)."


def _safest(tuning: Tuning) -> str:
    """Say what risk the safest release leaves; for releases not attacked by all only a lower limit is known."""
    whole = [trial.risk for trial in tuning.trials if not trial.is_partial]
    if whole:
        return f"the safest leaves {min(whole):.1%}"
    if not tuning.trials:
        return "none could be made and attacked"
    return f"all leave at least {min(trial.risk for trial in tuning.trials):.1%}"


def front_table(tuning: Tuning) -> Table:
    """Return the releases that no other beats in both risk and loss."""
    who = "all attackers but those put off" if tuning.put_off else "all attackers"
    title = f"Front (of the releases that {who} attacked, none has both less risk and less loss):"
    return _trial_table(tuning, tuning.front, title)


def trial_table(tuning: Tuning) -> Table:
    """Return every release that was tried, in the order in which they were."""
    return _trial_table(tuning, tuning.trials, "")


def _trial_table(tuning: Tuning, trials: Iterable[Trial], title: str) -> Table:
    rows = tuple(
        (
            f"{'at least ' if trial.is_partial else ''}{trial.rate:.1%}",
            share_text(trial.bayes),
            share_text(None if trial.is_partial else trial.bound),
            f"{trial.loss:.1f}",
            _verdict(trial),
            trial.attacker,
            trial.text,
        )
        for trial in trials
    )
    columns = (
        *make_columns((), ("found", "bayes", "bound", "loss")),
        *make_columns(("reached", "strongest attacker", tuning.what)),
    )
    return Table(columns, rows, title)


def remarks(tuning: Tuning) -> Iterator[str]:
    """Say who attacked only the releases to be confirmed, and who did not learn when one was confirmed."""
    if tuning.put_off:
        why = "found less than three quarters of what the strongest found of the first release that all attacked"
        yield f"Put off: {'; '.join(tuning.put_off)} {why}, and attacked no other but those that were confirmed."
    if tuning.unlearned:
        why = "contain no distance that links a quarter of the target, and were not learned when the release was"
        yield f"Not learned: {'; '.join(tuning.unlearned)} {why} confirmed."


def _verdict(trial: Trial) -> str:
    """Say whether a release reached the target."""
    if trial.is_confirmed:
        return "confirmed"
    if trial.is_refuted:
        return "no, by all"
    return "yes" if trial.is_reached else ""


def _mark(trial: Trial) -> str:
    if trial.is_reached:
        return "o"
    return "^" if trial.is_partial else "x"
