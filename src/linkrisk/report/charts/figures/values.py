"""Original against protected values of one attribute: points, or squares of counts for categories."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from linkrisk.arrays import FloatArray, LabelArray
from linkrisk.assessment.result import Assessment
from linkrisk.assessment.survey.breakdown import MISSING
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import ColumnPair
from linkrisk.differences.comparison import VECTOR_KINDS
from linkrisk.printable import printable
from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.heat_map import Square, draw_squares
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.tables import Table, make_columns

MOST_POINTS = 1_000
"""Points drawn of one attribute; of more people a part is drawn at random."""

MOST_CATEGORIES = 11
"""Categories told apart; rarer ones are put together."""

OTHERS = "(others)"
"""Where they are put."""

HEIGHT = 360
"""Height of a chart of points, in pixels."""

MILLISECONDS = 86_400_000
"""Of a day: dates are days since 1970, and charts want milliseconds."""


@dataclass(frozen=True)
class ValuePair:
    """A value of one record in both files."""

    original: float
    protected: float


@dataclass(frozen=True, repr=False)
class Points:
    """Original and own protected value of people, drawn at random if they are many; confidential.

    ``n_people`` have a value in both files, ``n_missing`` others do not.
    """

    attribute: str
    kind: Kind
    rows: tuple[ValuePair, ...]
    n_people: int
    n_missing: int

    name: ClassVar[str] = "values"
    is_confidential: ClassVar[bool] = True

    def __repr__(self) -> str:
        return f"<Points of {len(self.rows)} people, confidential>"

    @property
    def title(self) -> str:
        """Which attribute it is."""
        return _title(self.attribute)

    @property
    def caption(self) -> str:
        """How many are drawn, and what the diagonal is."""
        drawn_some = "" if len(self.rows) == self.n_people else f", {len(self.rows):,} of them drawn at random"
        missing = f" Not drawn, because a value is missing: {self.n_missing:,}." if self.n_missing else ""
        return (
            f"Original and protected value of {self.attribute}, of {self.n_people:,} people{drawn_some}. On the line "
            f"nothing was changed; the farther from it, the more.{missing}"
        )

    def table(self) -> Table:
        """Return one row per point."""
        told = moment_text if self.kind is Kind.DATE else "{:.10g}".format
        rows = tuple((told(row.original), told(row.protected)) for row in self.rows)
        columns = make_columns((), ("original", "protected"))
        return Table(columns, rows, self.title, is_confidential=True)

    def draw(self) -> Chart:
        """Draw points, and the line of unchanged values."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        is_date = self.kind is Kind.DATE
        unit, kind = (MILLISECONDS, "T") if is_date else (1, "Q")
        values = np.array([(row.original, row.protected) for row in self.rows]) * unit
        low, high = float(values.min()), float(values.max())
        margin = 0.03 * (high - low) or 1.0
        ends = [low - margin, high + margin]
        scale = alt.Scale(domain=ends, nice=False, type="utc" if is_date else "linear")
        x = alt.X(f"original:{kind}", scale=scale, axis=alt.Axis(title="original", tickCount=5))
        y = alt.Y(f"protected:{kind}", scale=scale, axis=alt.Axis(title="protected", tickCount=5))
        points = chart_of({side: unit * value for side, value in asdict(row).items()} for row in self.rows)
        line = chart_of({"original": end, "protected": end} for end in ends)
        layers = [
            line.mark_line(color=style.INK, strokeDash=[4, 3], strokeWidth=1.2).encode(x=x, y=y),
            points.mark_point(size=22, fill=style.BLUE, strokeWidth=0, fillOpacity=0.45).encode(x=x, y=y),
        ]
        return finished(layers, self.title, height=HEIGHT)


@dataclass(frozen=True, repr=False)
class Moves:
    """How many people have which original and which own protected category; confidential.

    Rows are original categories, the most frequent first, and those of an ordinal attribute in their order.
    """

    attribute: str
    squares: tuple[Square, ...]
    n_people: int
    n_unchanged: int

    name: ClassVar[str] = "values"
    is_confidential: ClassVar[bool] = True

    def __repr__(self) -> str:
        return f"<Moves of {self.n_people:,} people, confidential>"

    @property
    def title(self) -> str:
        """Which attribute it is."""
        return _title(self.attribute)

    @property
    def caption(self) -> str:
        """How many did not move, and how to read it."""
        return (
            f"People by their original (rows) and their protected (columns) category of {self.attribute}: "
            f"{self.n_unchanged:,} of {self.n_people:,} have the same in both files (diagonal)."
        )

    def table(self) -> Table:
        """Return one row per pair of categories that somebody has."""
        rows = tuple((square.row, square.column, f"{square.value:,.0f}") for square in self.squares if square.value)
        return Table(make_columns(("original", "protected"), ("people",)), rows, self.title, is_confidential=True)

    def draw(self) -> Chart:
        """Draw squares, the darker the more people."""
        return draw_squares(self.squares, self.title, row_title="original", column_title="protected", is_count=True)


def values_of(assessment: Assessment, attribute: str) -> Points | Moves | None:
    """Return the figure of an attribute; None where it was not used, or nobody has a value in both files."""
    records = assessment.records
    column = next((each for each in records.values if each.attribute.name == attribute), None)
    rows = np.flatnonzero(records.own >= 0)
    if column is None or not len(rows):
        return None
    original, protected = column.original[rows], column.protected[records.own[rows]]
    if column.attribute.kind in VECTOR_KINDS:
        return _points(column, original, protected, assessment.seed)
    return _moves(column, original, protected)


def moment_text(days: float) -> str:
    """Return days since 1970 as a date, with the time of day where there is one.

    >>> moment_text(59.0), moment_text(59.5)
    ('1970-03-01', '1970-03-01 12:00:00')
    """
    moment = np.datetime64(round(days * 86_400), "s")
    text = str(moment).replace("T", " ")
    return text.removesuffix(" 00:00:00")


def _points(column: ColumnPair, original: FloatArray, protected: FloatArray, seed: int) -> Points | None:
    known = np.flatnonzero(~(np.isnan(original) | np.isnan(protected)))
    if not len(known):
        return None
    chosen = known
    if len(known) > MOST_POINTS:
        chosen = np.sort(np.random.default_rng(seed).choice(known, MOST_POINTS, replace=False))
    pairs = tuple(map(ValuePair, original[chosen].tolist(), protected[chosen].tolist()))
    attribute = column.attribute
    return Points(attribute.name, attribute.kind, pairs, len(known), len(original) - len(known))


def _moves(column: ColumnPair, original: LabelArray, protected: LabelArray) -> Moves:
    before, after = ([MISSING if label is None else str(label) for label in side] for side in (original, protected))
    kept = _categories([*before, *after], column.attribute.order)
    pairs = Counter(zip(_told(before, kept), _told(after, kept), strict=True))
    names = [*kept, *([OTHERS] if any(OTHERS in pair for pair in pairs) else [])]
    squares = tuple(Square(row, other, float(pairs[row, other])) for row, other in itertools.product(names, names))
    return Moves(column.attribute.name, squares, len(before), sum(map(str.__eq__, before, after)))


def _categories(labels: Iterable[str], order: tuple[str, ...]) -> list[str]:
    """Return the categories told apart: the most frequent, in their order if they have one."""
    frequent = sorted(Counter(labels).items(), key=lambda item: (-item[1], item[0]))
    kept = [label for label, _ in frequent[:MOST_CATEGORIES]]
    return [*(label for label in order if label in kept), *(label for label in kept if label not in order)]


def _told(labels: Iterable[str], kept: list[str]) -> list[str]:
    return [label if label in kept else OTHERS for label in labels]


def _title(attribute: str) -> str:
    return f"Original and protected values of {printable(attribute)}"


def values(assessment: Assessment, attribute: str) -> Chart:
    """Draw original against protected values of an attribute; confidential."""
    name = printable(attribute)
    why = f"{name} was not used by the attacks, or nobody has a value of it in both files; see attribute_names"
    return drawn(values_of(assessment, attribute), why)
