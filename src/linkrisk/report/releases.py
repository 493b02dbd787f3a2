"""How releases compared are shown: a table, a map of risk against loss, and which to take."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from linkrisk.advice.release import Release
from linkrisk.advice.releases import Releases
from linkrisk.linkage.ties import Ties
from linkrisk.report.blocks import (
    INTERRUPTED,
    Block,
    Drawing,
    Fault,
    Sentence,
    left_out_blocks,
    note_blocks,
    verdict_blocks,
)
from linkrisk.report.plain import sentences
from linkrisk.report.risk_loss_map import risk_loss_map
from linkrisk.report.tables import Column, Table, share_text
from linkrisk.report.verdict import Headline, Verdict

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

RISK_NOTE = (
    "Risk: people linked by the strongest of the attackers tried, the intruder who knows the method among them. Bound: "
    "no parameters of the learned attackers link more, each record to its nearest; where it is above the risk, more "
    "time may prove less."
)
CEILING_NOTE = (
    "Bayes: what any intruder without true pairs can expect at most, if the release was made as published, or as the "
    "files suggest."
)


def blocks(found: Releases) -> list[Block]:
    """Return the faults, the table, the map, what to know about them, and the advice last."""
    points = [(release.loss, 100.0 * release.risk.rate) for release in found.releases]
    faults = [Fault(f"{release.name}: {fault.message}") for release in found.releases for fault in release.faults]
    return [
        *faults,
        Sentence(opening(found)),
        table(found),
        *([Drawing(tuple(risk_loss_map(points, LETTERS)))] if points else []),
        *left_out_blocks(found.left_out),
        Sentence(RISK_NOTE),
        *([Sentence(CEILING_NOTE)] if _has_ceiling(found) else []),
        *note_blocks(found.notes),
        *([] if found.is_complete else [INTERRUPTED]),
        *verdict_blocks(verdict(found)),
    ]


def opening(found: Releases) -> str:
    """Say in a sentence what is compared."""
    many = "1 release" if len(found.releases) == 1 else f"{len(found.releases)} releases"
    known = ", ".join(found.attribute_names)
    counted = f"{many} of {found.n_pairs:,} people, best score first; links counted: {found.ties}."
    return f"{counted} The intruder knows: {known}."


def document(found: Releases) -> dict[str, Any]:
    """Return every release with its attacks, without single records and without parameters."""
    best = found.undominated
    return {
        "status": "complete" if found.is_complete else "interrupted",
        "ties": str(found.ties),
        "n_pairs": found.n_pairs,
        "attributes": list(found.attribute_names),
        "releases": [{**_release(release), "undominated": release in best} for release in found.releases],
        "verdict": list(verdict(found)),
        "left_out": sentences(found.left_out),
        "notes": sentences(found.notes),
    }


def columns(found: Releases) -> dict[str, list[Any]]:
    """Return one row per release."""
    best = found.undominated
    releases = found.releases
    return {
        "release": [release.name for release in releases],
        "risk": [float(release.risk.rate) for release in releases],
        "bound": [release.risk.bound for release in releases],
        "is_proven": [release.risk.is_proven for release in releases],
        "bayes": [release.risk.bayes for release in releases],
        "attacker": [release.risk.strongest.label for release in releases],
        "scale": [release.risk.strongest.scale for release in releases],
        "average_rate": [float(release.average.rate) for release in releases],
        "loss": [None if math.isnan(release.loss) else float(release.loss) for release in releases],
        "score": [float(release.score) for release in releases],
        "risk_score": [float(release.risk_score) for release in releases],
        "undominated": [release in best for release in releases],
        "faults": [len(release.faults) for release in releases],
    }


def table(found: Releases) -> Table:
    """Return one row per release, the best score first."""
    best = {release.name for release in found.undominated}
    rows = tuple(
        (
            LETTERS[place % len(LETTERS)],
            *_row(release, has_ceiling=_has_ceiling(found)),
            "yes" if release.name in best else "",
        )
        for place, release in enumerate(found.releases)
    )
    risk = ("risk", "bound", "bayes") if _has_ceiling(found) else ("risk", "bound")
    heads = ("", "release", *risk, "attacker", "AvRL", "loss", "score", "risk score", "undominated")
    texts, optional = {"", "release", "attacker", "undominated"}, {"AvRL", "risk score", "undominated"}
    return Table(tuple(Column(head, head not in texts, int(head in optional)) for head in heads), rows)


def _has_ceiling(found: Releases) -> bool:
    return any(release.risk.bayes is not None for release in found.releases)


def _row(release: Release, *, has_ceiling: bool) -> tuple[str, ...]:
    risk = release.risk
    return (
        release.name,
        f"{risk.rate:.1%}",
        share_text(risk.bound),
        *((share_text(risk.bayes),) if has_ceiling else ()),
        f"{risk.strongest.label}, {risk.strongest.scale}",
        f"{release.average.rate:.1%}",
        f"{release.loss:.1f}",
        f"{release.score:.1f}",
        f"{release.risk_score:.1f}",
    )


def verdict(found: Releases) -> Verdict:
    """Return what to know of the release with the best score, which others no release beats, and what to do."""
    if not found.releases:
        return Verdict(("No release was judged.",))
    kept = [release for release in found.releases if not any(found.broken_by(release))]
    is_chosen_by_rules = found.rules.is_set and bool(kept)
    chosen = min(kept, key=lambda release: release.loss) if is_chosen_by_rules else found.releases[0]
    says = (*_chosen(found, chosen, is_chosen_by_rules), *_allowed(found, kept), *_beaten(found))
    told = f"of {found.n_pairs:,} people are found by the strongest attack on {chosen.name}"
    is_allowed = chosen in kept if found.rules.is_set else None
    return Verdict(says, tuple(_what_to_do(found, kept)), Headline(chosen.risk.rate, told, is_allowed))


def _chosen(found: Releases, chosen: Release, is_chosen_by_rules: bool) -> Iterator[str]:
    """Say why a release is looked at, who finds how many in it, and how sure that is."""
    risk, who = chosen.risk, f"{chosen.risk.strongest.label}, {chosen.risk.strongest.scale}"
    why = "Least loss of those you allow" if is_chosen_by_rules else "Best score"
    figure = f"{chosen.loss:.1f}" if is_chosen_by_rules else f"{chosen.score:.1f}"
    yield (
        f"{why}: {chosen.name} ({figure}). The strongest intruder finds {risk.rate:.1%} of {found.n_pairs:,} people "
        f"in it ({who}); loss {chosen.loss:.1f} of 100."
    )
    if risk.is_proven:
        yield f"Proven of {chosen.name}: no parameters of the learned attackers link more, each record to its nearest."
    elif risk.bound is not None and risk.bound > risk.rate:
        yield f"Not proven of {chosen.name}: other parameters of learned attackers may link up to {risk.bound:.1%}."
    if risk.bayes is not None:
        yield f"Any intruder without true pairs can expect {risk.bayes:.1%} of {chosen.name} at most (bayes)."


def _beaten(found: Releases) -> Iterator[str]:
    """Name the releases that no other beats in both risk and loss."""
    names = ", ".join(release.name for release in found.undominated)
    if len(found.releases) > 1:
        yield f"Undominated (no other has less risk and less loss): {names}."


def _allowed(found: Releases, kept: Sequence[Release]) -> Iterator[str]:
    """Say which releases keep the limits, if there are any."""
    if not found.rules.is_set:
        return
    limits = {"found": found.rules.max_rate, "possible": found.rules.max_bound}
    told = ", ".join(f"{limit:.1%} {what}" for what, limit in limits.items() if limit is not None)
    others = ", ".join(release.name for release in found.releases if release not in kept)
    names = ", ".join(release.name for release in kept) or "no release"
    yield f"You allow at most {told}. Kept by {names}{f'; not by {others}' if others else ''}."


def _what_to_do(found: Releases, kept: Sequence[Release]) -> Iterator[str]:
    """Say what to mend, what to release, or how to find something better."""
    faulty = ", ".join(release.name for release in found.releases if release.faults)
    if faulty:
        yield f"What to do first: mend the faults that are named in this report, of {faulty}."
        return
    tuned = "linkrisk tune looks for the least loss under a share that you allow"
    if not found.rules.is_set:
        yield f"What to do: decide which risk you accept, and take the undominated release below it; {tuned}."
    elif kept:
        least = min(kept, key=lambda release: release.loss)
        yield f"What to do: of those you allow, {least.name} loses least ({least.loss:.1f}); assess it once more alone."
    else:
        yield f"What to do: no release keeps your limits. Protect more; {tuned}."


def _release(release: Release) -> dict[str, Any]:
    risk = release.risk
    return {
        "name": release.name,
        "protected_sha256": release.protected_digest,
        "faults": [fault.to_dict() for fault in release.faults],
        "risk": {
            "rate": risk.rate,
            "bound": risk.bound,
            "proven": risk.is_proven,
            "bayes": release.risk.bayes,
            "attacker": risk.strongest.name,
            "label": risk.strongest.label,
            "scale": risk.strongest.scale,
            "rate_without_true_pairs": risk.unfitted_rate(),
            "attacks": [
                {
                    "name": result.name,
                    "label": result.label,
                    "scale": result.scale,
                    "rates_by_ties": {str(rule): result.rate(rule) for rule in Ties},
                    "bound": None if result.bound is None else result.bound / result.n_pairs,
                    "status": result.status,
                    "one_to_one": result.one_to_one is not None,
                }
                for result in risk.attacks
            ],
        },
        "average_linkage": {
            "rate": release.average.rate,
            "by_number_of_attributes": list(release.average.rates),
            "sets": list(release.average.n_subsets),
            "sampled": release.average.is_sampled,
            "people": release.average.n_people,
        },
        "loss": release.loss,
        "score": release.score,
        "risk_score": release.risk_score,
    }
