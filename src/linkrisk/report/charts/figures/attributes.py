"""What each attribute gives away: links of the plain attack with it alone and without it, and what was learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from linkrisk.assessment.result import Assessment, AttributeRisk
from linkrisk.attack.result import AttackResult, strength
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.sentences import links_text
from linkrisk.report.charts import style
from linkrisk.report.charts.axes import interval_layers, name_axis, share_axis, share_end, text_beside, upright_rule
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.marks import ACROSS, DASH, Mark, mark_channels
from linkrisk.report.charts.meanings import weight_text
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished, rows_high
from linkrisk.report.tables import Table, make_columns, share_text, without_empty

ALONE, WITHOUT, INTERVAL, WHOLE = "it alone", "all but it", "95 % interval", "all attributes"

MARKS = {
    ALONE: Mark("square", style.BLUE, style.BLUE),
    WITHOUT: Mark("diamond"),
    INTERVAL: Mark(ACROSS),
    WHOLE: Mark(DASH),
}
"""How what is shown of an attribute looks."""

LEARNED = {"weights": "weight", "shapley": "Shapley value"}
"""What tells how much an attribute counts, by its key in the meaning of learned parameters."""


@dataclass(frozen=True)
class AttributeRow:
    """Shares of the people that the plain attack links with one attribute alone, and with all except it.

    ``without`` of a sample of the people has an interval from ``low`` to ``high``. ``rank`` is its place among the
    attributes by what was learned of them, of equals the first one's; ``learned`` is that value itself.
    """

    attribute: str
    alone: float
    without: float | None
    low: float | None
    high: float | None
    rank: int | None = None
    learned: float | None = None

    @classmethod
    def of(cls, risk: AttributeRisk, ties: Ties, n_people: int) -> AttributeRow:
        """Take the figures of an attribute."""
        alone, drawn_some = risk.alone[ties] / n_people, risk.without_sample
        if drawn_some is not None:
            return cls(risk.name, alone, drawn_some.rate(ties), *drawn_some.interval(ties))
        return cls(risk.name, alone, None if risk.without is None else risk.without[ties] / n_people, None, None)


@dataclass(frozen=True)
class Attributes:
    """What each attribute gives away, in the order of the file.

    ``whole`` is the share that the plain attack links with all attributes, None if he did not attack; ``n_drawn`` the
    people counted without each attribute, None for everybody. ``learner`` is whose parameters rank the attributes, and
    ``measure`` what they are; the parameters themselves are there only in the confidential form.
    """

    rows: tuple[AttributeRow, ...]
    scale: str
    n_people: int
    whole: float | None
    n_drawn: int | None
    learner: str | None
    measure: str
    is_confidential: bool

    name: ClassVar[str] = "attributes"
    title: ClassVar[str] = "What each attribute gives away"

    @classmethod
    def of(cls, assessment: Assessment, *, parameters: bool = False) -> Attributes | None:
        """Take the attributes of an assessment; None where they were not looked at."""
        if not assessment.attributes:
            return None
        ties, n_people = assessment.ties, assessment.n_pairs
        learner = strongest_learner(assessment)
        measure, learned = ("", {}) if learner is None else learned_values(learner)
        ranks = ranked(learned)
        values = learned if parameters else {}
        rows = [
            replace(AttributeRow.of(risk, ties, n_people), rank=ranks.get(risk.name), learned=values.get(risk.name))
            for risk in assessment.attributes
        ]
        drawn_some = assessment.attributes[0].without_sample
        return cls(
            rows=tuple(rows),
            scale=assessment.attribute_scale,
            n_people=n_people,
            whole=_whole(assessment),
            n_drawn=None if drawn_some is None else drawn_some.n_people,
            learner=None if learner is None else f"{learner.label}, {learner.scale}",
            measure=measure,
            is_confidential=parameters and learner is not None,
        )

    @property
    def caption(self) -> str:
        """Which attribute alone gives most people away, without which fewest are found, and how to read it."""
        most = max(self.rows, key=lambda row: row.alone)
        head = (
            f"Shares of {self.n_people:,} people that the plain attack (mean, scale {self.scale}, nearest records) "
            f"finds with one attribute alone, and with all but it. Alone {most.attribute} tells most: "
            f"{share_text(most.alone)}."
        )
        return "".join([head, *self._without(), *self._learned()])

    def _without(self) -> Iterator[str]:
        known = [(row.without, row.attribute) for row in self.rows if row.without is not None]
        if not known:
            return
        least, name = min(known)
        whole = "" if self.whole is None else f" instead of {share_text(self.whole)} with all (dashed line)"
        yield f" Without {name} it finds least, {share_text(least)}{whole}."
        if self.n_drawn is not None:
            yield f" All but one is counted for {self.n_drawn:,} people drawn at random, with a 95 % interval."

    def _learned(self) -> Iterator[str]:
        if self.learner is not None:
            kind, scale = ("Values", "") if self.is_confidential else ("Ranks", "; 1 is the largest")
            yield f" {kind} are those of the {self.measure}s that {self.learner} learned{scale}."

    def table(self) -> Table:
        """Return one row per attribute."""
        learned = self.measure if self.is_confidential else f"rank by {self.measure}"
        heads = ("alone", "people alone", "all but it", "from", "to", *([learned] if self.learner else []))
        rows = (
            (
                row.attribute,
                share_text(row.alone),
                links_text(row.alone * self.n_people),
                *(share_text(share) for share in (row.without, row.low, row.high)),
                *([self._said_of(row)] if self.learner else []),
            )
            for row in self.rows
        )
        return without_empty(Table(make_columns(("attribute",), heads), tuple(rows), self.title))

    def _said_of(self, row: AttributeRow) -> str:
        if row.learned is not None:
            return weight_text(row.learned)
        return "-" if row.rank is None else str(row.rank)

    def draw(self) -> Chart:
        """Draw a bar for each attribute alone, and a mark for all but it."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        labels = labels_of(row.attribute for row in self.rows)
        shares = [share for row in self.rows for share in (row.alone, row.without, row.high)]
        x = share_axis("share of the people found", share_end([*shares, self.whole]), field="alone")
        channels = mark_channels({what: MARKS[what] for what in self._shown()}, columns=4)
        base = chart_of(self._bars(labels)).encode(y=name_axis(labels))
        points = chart_of(self._points(labels)).encode(y=name_axis(labels))
        layers = [
            base.mark_bar(size=15).encode(x=x, fill=channels["fill"], stroke=channels["stroke"]),
            *interval_layers(base),
            points.mark_point(size=130, strokeWidth=1.8, opacity=1.0).encode(x=alt.X("without:Q"), **channels),
            text_beside(base),
        ]
        if self.whole is not None:
            layers.insert(1, upright_rule(self.whole, "whole"))
        return finished(layers, self.title, height=rows_high())

    def _shown(self) -> list[str]:
        shown = {
            ALONE: True,
            WITHOUT: any(row.without is not None for row in self.rows),
            INTERVAL: any(row.low is not None for row in self.rows),
            WHOLE: self.whole is not None,
        }
        return [what for what, is_there in shown.items() if is_there]

    def _bars(self, labels: Sequence[str]) -> list[dict[str, object]]:
        return [
            {**asdict(row), "label": label, "mark": ALONE, "said": self._text(row)}
            for row, label in zip(self.rows, labels, strict=True)
        ]

    def _points(self, labels: Sequence[str]) -> list[dict[str, object]]:
        return [
            {"label": label, "mark": WITHOUT, "without": row.without}
            for row, label in zip(self.rows, labels, strict=True)
            if row.without is not None
        ]

    def _text(self, row: AttributeRow) -> str:
        """Return what is written beside the bar."""
        count = f"{links_text(row.alone * self.n_people)} alone"
        if self.learner is None or row.rank is None:
            return count
        return f"{count}, {self.measure if row.learned is not None else 'rank'} {self._said_of(row)}"


def strongest_learner(assessment: Assessment) -> AttackResult | None:
    """Return the strongest attack whose learned parameters say how much each attribute counts; None without any."""
    told = [attack for attack in assessment.attacks if attack.meaning.keys() & LEARNED.keys()]
    known = [attack for attack in told if isinstance(learned_values(attack)[1], Mapping)]
    return max(known, key=lambda attack: strength(attack, assessment.ties), default=None)


def learned_values(attack: AttackResult) -> tuple[str, Mapping[str, float]]:
    """Return what the learned parameters are called that say how much each attribute counts, and these by name."""
    key = next(key for key in LEARNED if key in attack.meaning)
    values: Any = attack.meaning[key]
    return LEARNED[key], values


def ranked(values: Mapping[str, float]) -> dict[str, int]:
    """Return the rank of each value, 1 for the largest; equal ones share the first rank.

    >>> ranked({"age": 0.2, "income": 0.6, "town": 0.2})
    {'age': 2, 'income': 1, 'town': 2}
    """
    return {name: 1 + sum(other > value for other in values.values()) for name, value in values.items()}


def _whole(assessment: Assessment) -> float | None:
    """Return the share that the plain attack links with all attributes, to nearest records."""
    scale = assessment.attribute_scale
    links = (a.links[assessment.ties] for a in assessment.attacks if a.name == "mean" and a.scale == scale)
    found = next(links, None)
    return None if found is None else found / assessment.n_pairs


def attributes(assessment: Assessment, *, parameters: bool = False) -> Chart:
    """Draw what each attribute gives away: links with it alone and with all but it, and its rank by what was learned.

    With ``parameters`` the learned values take the place of the ranks; then the chart is confidential.
    """
    why = "the attributes were not looked at one by one, so there is nothing of them to draw"
    return drawn(Attributes.of(assessment, parameters=parameters), why)
