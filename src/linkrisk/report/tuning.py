"""How the search for a protection is shown: the front, a map of all trials, and what to release."""

from __future__ import annotations

from typing import Any

from linkrisk.advice.tuning import Trial, Tuning
from linkrisk.protection.registry import find_method
from linkrisk.report.blocks import INTERRUPTED, Block, Drawing, Sentence, Weight, left_out_blocks, note_blocks
from linkrisk.report.plain import sentences
from linkrisk.report.risk_loss_map import risk_loss_map
from linkrisk.report.tables import Table, make_columns, share_text

LEGEND = "o reaches the target, x does not, ^ risks at least this: broken, and attacked no further"


def blocks(tuning: Tuning) -> list[Block]:
    """Return the front, the map, what to know about them, and the advice last."""
    releases = "1 release" if len(tuning.trials) == 1 else f"{len(tuning.trials)} releases"
    head = (
        f"{tuning.method}: {releases} of {tuning.n_records} records tried, target {tuning.target:.1%} "
        f"({tuning.ties} links) under {', '.join(tuning.attackers)}."
    )
    points = [(trial.loss, 100.0 * trial.risk) for trial in tuning.trials]
    marks = "".join(_mark(trial) for trial in tuning.trials)
    return [
        Sentence(head),
        _front(tuning),
        Drawing(tuple(risk_loss_map(points, marks, target=100.0 * tuning.target))),
        *([Sentence(LEGEND)] if points else []),
        *left_out_blocks(tuning.left_out),
        *_put_off(tuning),
        *_unlearned(tuning),
        *note_blocks(tuning.notes),
        *([] if tuning.is_complete else [INTERRUPTED]),
        Sentence(advice(tuning), Weight.MAIN),
    ]


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
        "n_records": tuning.n_records,
        "best": None if best is None else {**best.to_dict(), "target_proven": tuning.is_proven},
        "front": [trial.to_dict() for trial in tuning.front],
        "trials": [trial.to_dict() for trial in tuning.trials],
        "verdict": [advice(tuning)],
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


def advice(tuning: Tuning) -> str:
    """Say in a sentence or two what to release."""
    best = tuning.best
    if best is None:
        is_grouped = not tuning.is_planned and find_method(tuning.method).takes_groups
        return (
            f"No release tried reaches the target of {tuning.target:.1%}: {_safest(tuning)}. Try another method, "
            f"{'protect attributes in larger groups, ' if is_grouped else ''}or leave attributes out."
        )
    what = f"by the plan {best.text}" if tuning.is_planned else f"{tuning.method} with {tuning.what} = {best.text}"
    found = f"{best.rate:.1%}, by {best.attacker}; loss {best.loss:.1f}."
    if not best.is_confirmed:
        return (
            f"Best so far, not confirmed: {what}. Its strongest attack links {found} Not every attacker has attacked "
            "it: assess it before you release it."
        )
    who = "all attackers who can attack it" if tuning.left_out else "all attackers"
    who += " but those not learned" if tuning.unlearned else ""
    return " ".join([f"Release {what}. The strongest of {who} links {found}", *_assurances(tuning, best)])


def _assurances(tuning: Tuning, best: Trial) -> list[str]:
    """Say what is known of attackers who were not tried."""
    if tuning.is_proven:
        lines = [
            "No parameters of the learned attackers link more than the target (proven, each record to its nearest)."
        ]
    elif best.bound is not None and best.bound > best.rate:
        lines = [f"Other parameters of the learned attackers: up to {best.bound:.1%} cannot be ruled out."]
    else:
        lines = []
    if best.bayes is not None:
        lines.append(f"Any intruder without true pairs can expect {best.bayes:.1%} at most (bayes).")
    return lines


def _safest(tuning: Tuning) -> str:
    """Say what risk the safest release leaves; for releases not attacked by all only a lower limit is known."""
    whole = [trial.risk for trial in tuning.trials if not trial.is_partial]
    if whole:
        return f"the safest leaves {min(whole):.1%}"
    if not tuning.trials:
        return "none could be made and attacked"
    return f"all leave at least {min(trial.risk for trial in tuning.trials):.1%}"


def _front(tuning: Tuning) -> Block:
    if not tuning.front:
        text = "No front: every release was broken before all attackers had attacked it."
        return Sentence(text, Weight.MAIN)
    rows = tuple(
        (
            f"{trial.rate:.1%}",
            share_text(trial.bayes),
            share_text(trial.bound),
            f"{trial.loss:.1f}",
            _verdict(trial),
            trial.attacker,
            trial.text,
        )
        for trial in tuning.front
    )
    columns = (
        *make_columns((), ("found", "bayes", "bound", "loss")),
        *make_columns(("reached", "strongest attacker", tuning.what)),
    )
    who = "all attackers but those put off" if tuning.put_off else "all attackers"
    title = f"Front (of the releases that {who} attacked, none has both less risk and less loss):"
    return Table(columns, rows, title)


def _put_off(tuning: Tuning) -> list[Block]:
    """Say who attacked the first release and those to be confirmed only."""
    if not tuning.put_off:
        return []
    why = "found less than three quarters of what the strongest found of the first release that all attacked"
    return [
        Sentence(f"Put off: {'; '.join(tuning.put_off)} {why}, and attacked no other but those that were confirmed.")
    ]


def _unlearned(tuning: Tuning) -> list[Block]:
    """Say who did not learn when a release was confirmed."""
    if not tuning.unlearned:
        return []
    why = "contain no distance that links a quarter of the target, and were not learned when the release was confirmed"
    return [Sentence(f"Not learned: {'; '.join(tuning.unlearned)} {why}.")]


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
