"""An assessment as plain text, for `print` and notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from linkrisk.assessment.result import Assessment, AttackResult
from linkrisk.link.linkage import Ties


def assessment_text(assessment: Assessment) -> str:
    """Return a short report in plain text: faults, headline, one line an attack."""
    counts = f"{assessment.n_pairs} of {assessment.n_original} original records have a counterpart among "
    lines = [
        f"{counts}{assessment.n_protected} protected ones; attributes: {', '.join(assessment.attribute_names)}",
        *(f"fault: {fault.message}" for fault in assessment.faults),
        headline(assessment),
        *_table([_HEAD, *(_row(attack, assessment.ties) for attack in assessment.attacks)]),
        *(f"note: {note}" for note in assessment.notes),
    ]
    return "\n".join(lines)


def headline(assessment: Assessment) -> str:
    """One sentence: what the strongest attack finds, under the unique and the expected rule."""
    best = assessment.strongest
    if best is None:
        return "no attack was finished"
    unfinished = "" if assessment.is_complete else " (interrupted: of the attacks finished)"
    return (
        f"strongest attack{unfinished}: {best.name} on scale {best.scale} finds {best.links[Ties.UNIQUE]:g} of "
        f"{best.n_pairs} people for certain ({best.rate(Ties.UNIQUE):.1%}), {best.links[Ties.EXPECTED]:.6g} on average "
        f"when ties are broken at random ({best.rate(Ties.EXPECTED):.1%}); blind guessing finds {best.chance:.3g}"
    )


_HEAD = ("attacker", "scale", "unique", "class", "expected", "rate", "95 % interval", "seconds")


def _row(attack: AttackResult, ties: Ties) -> tuple[str, ...]:
    return (
        attack.name,
        attack.scale,
        *(links_text(attack.links[rule]) for rule in Ties),
        f"{attack.rate(ties):.1%}",
        interval_text(attack.interval),
        f"{attack.seconds:.2f}",
    )


def links_text(links: float) -> str:
    """Links as a reader wants them: whole, or to one decimal.

    >>> links_text(12.0), links_text(3.25)
    ('12', '3.2')
    """
    return f"{links:.0f}" if links == round(links) else f"{links:.1f}"


def interval_text(interval: tuple[float, float] | None) -> str:
    """Interval in percent; for an attacker fitted to the records he attacks there is none.

    >>> interval_text((0.5, 0.625)), interval_text(None)
    ('50.0 - 62.5 %', 'fitted')
    """
    return "fitted" if interval is None else f"{100 * interval[0]:.1f} - {100 * interval[1]:.1f} %"


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
