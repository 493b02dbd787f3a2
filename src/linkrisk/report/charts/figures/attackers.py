"""Who finds how many: every attacker on his best scale, with what is proven and what luck explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.assessment.result import Assessment
from linkrisk.attack.result import AttackResult, strength, strongest_attack
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.sentences import links_text
from linkrisk.report.charts import style
from linkrisk.report.charts.axes import interval_layers, name_axis, share_axis, share_end, text_beside
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.marks import ACROSS, DASH, LINE, Mark, mark_channels
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished, rows_high
from linkrisk.report.tables import Table, make_columns, share_text, without_empty

PLAIN, FITTED = "without the true pairs", "fitted to the true pairs"
INTERVAL, BOUND, HELD_OUT, BAYES, BLIND = "95 % interval", "proven bound", "held out", "any intruder", "blind guessing"

MARKS = {
    PLAIN: Mark("square", style.BLUE, style.BLUE),
    FITTED: Mark("square", style.PALE, style.BLUE),
    INTERVAL: Mark(ACROSS),
    BOUND: Mark(LINE),
    HELD_OUT: Mark("diamond"),
    BAYES: Mark("triangle-left"),
    BLIND: Mark(DASH, stroke=style.MUTED),
}
"""How what is shown of an attacker looks."""


@dataclass(frozen=True)
class AttackerRow:
    """What one attacker finds on the scale on which he finds most, as shares of the people.

    ``bound`` is what no parameters of his exceed to nearest records, ``held_out`` the rate among people he was not
    fitted to, ``bayes`` what any intruder without true pairs can expect; None where that is not known.
    """

    attacker: str
    scale: str
    found: float
    rate: float
    is_fitted: bool
    low: float | None
    high: float | None
    bound: float | None
    held_out: float | None
    bayes: float | None

    @classmethod
    def of(cls, attack: AttackResult, ties: Ties) -> AttackerRow:
        """Take the figures of an attack."""
        low, high = attack.interval or (None, None)
        bound = None if attack.bound is None else attack.bound / attack.n_pairs
        held_out = None if attack.holdout is None else attack.holdout.rate
        found, rate = attack.found(ties), attack.rate(ties)
        fitted = attack.has_true_pairs
        return cls(attack.label, attack.scale, found, rate, fitted, low, high, bound, held_out, attack.bayes)

    @property
    def mark(self) -> str:
        """How his bar is drawn."""
        return FITTED if self.is_fitted else PLAIN

    @property
    def marks(self) -> dict[str, float]:
        """The figures that are marked beside the bar."""
        marks = {BOUND: self.bound, HELD_OUT: self.held_out, BAYES: self.bayes}
        return {what: value for what, value in marks.items() if value is not None}


@dataclass(frozen=True)
class Attackers:
    """Every attacker on his best scale, the strongest first; ``blind`` is the share that guessing finds."""

    rows: tuple[AttackerRow, ...]
    n_people: int
    blind: float

    name: ClassVar[str] = "attackers"
    title: ClassVar[str] = "Who finds how many people"
    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, assessment: Assessment) -> Attackers | None:
        """Take the attackers of an assessment; None where no attack was finished."""
        ties = assessment.ties
        by_label: dict[str, list[AttackResult]] = {}
        for attack in assessment.attacks:
            by_label.setdefault(attack.label, []).append(attack)
        best = [strongest_attack(attacks, ties) for attacks in by_label.values()]
        ordered = sorted((attack for attack in best if attack), key=lambda a: strength(a, ties), reverse=True)
        if not ordered:
            return None
        blind = ordered[0].chance / ordered[0].n_pairs
        return cls(tuple(AttackerRow.of(attack, ties) for attack in ordered), ordered[0].n_pairs, blind)

    @property
    def caption(self) -> str:
        """Who finds most, how many guessing finds, and what the marks mean."""
        best = self.rows[0]
        return (
            f"Each bar is an attacker on the scale on which he finds most, of {self.n_people:,} people. The strongest, "
            f"{best.attacker} on scale {best.scale}, finds {links_text(best.found)} ({best.rate:.1%}); guessing "
            f"blindly finds {share_text(self.blind)}.{''.join(self._meanings())}"
        )

    def _meanings(self) -> Iterator[str]:
        marks = {what for row in self.rows for what in row.marks}
        if any(row.is_fitted for row in self.rows):
            yield " Pale bars were fitted to the true pairs, which an intruder does not have."
        if BOUND in marks:
            yield " No parameters of an attacker make more links to nearest records than his bound."
            if any(row.bound is not None and row.rate > row.bound for row in self.rows):
                yield " One to one he finds more."
        if HELD_OUT in marks:
            yield " Held out: what he finds among people he was not fitted to."
        if BAYES in marks:
            yield " Any intruder: the most that somebody without the true pairs can expect."

    def table(self) -> Table:
        """Return one row per attacker."""
        heads = ("people found", "share", "from", "to", "bound", "held out", "any intruder")
        rows = (
            (
                row.attacker,
                row.scale,
                "yes" if row.is_fitted else "no",
                links_text(row.found),
                *(share_text(share) for share in (row.rate, row.low, row.high, row.bound, row.held_out, row.bayes)),
            )
            for row in self.rows
        )
        return without_empty(Table(make_columns(("attacker", "scale", "fitted"), heads), tuple(rows), self.title))

    def draw(self) -> Chart:
        """Draw one bar per attacker, with marks."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        labels = labels_of((f"{row.attacker}, {row.scale}" for row in self.rows), 34)
        end = share_end(share for row in self.rows for share in (row.rate, row.high, *row.marks.values()))
        x, y = share_axis("share of the people found", end), name_axis(labels)
        channels = mark_channels({what: MARKS[what] for what in self._shown()})
        base, marks = chart_of(self._bars(labels)).encode(y=y), chart_of(self._marks(labels)).encode(y=y)
        layers = [
            base.mark_bar(size=15).encode(x=x, fill=channels["fill"], stroke=channels["stroke"]),
            *interval_layers(base),
            chart_of([{"blind": self.blind}])
            .mark_rule(color=style.MUTED, strokeDash=[4, 3])
            .encode(x=alt.X("blind:Q")),
            marks.mark_point(size=130, strokeWidth=1.8, opacity=1.0).encode(x=alt.X("at:Q"), **channels),
            text_beside(base),
        ]
        return finished(layers, self.title, height=rows_high())

    def _shown(self) -> list[str]:
        """Return what there is to explain, in the order of the legend."""
        shown = {BLIND, *(what for row in self.rows for what in (row.mark, *row.marks))}
        if any(row.low is not None for row in self.rows):
            shown.add(INTERVAL)
        return [what for what in MARKS if what in shown]

    def _bars(self, labels: Sequence[str]) -> list[dict[str, object]]:
        return [
            {**asdict(row), "label": label, "mark": row.mark, "said": f"{links_text(row.found)} ({row.rate:.1%})"}
            for row, label in zip(self.rows, labels, strict=True)
        ]

    def _marks(self, labels: Sequence[str]) -> list[dict[str, object]]:
        return [
            {"label": label, "mark": what, "at": value}
            for row, label in zip(self.rows, labels, strict=True)
            for what, value in row.marks.items()
        ]


def attackers(assessment: Assessment) -> Chart:
    """Draw who finds how many people: a bar for each attacker on his best scale.

    Marks tell the bound that is proven, the rate among people held out, and what guessing blindly finds.
    """
    return drawn(Attackers.of(assessment), "no attack was finished, so there is no attacker to draw")
