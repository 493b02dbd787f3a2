"""A fuzzy measure that was learned, as a lattice of subsets of the attributes (Hasse diagram)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from linkrisk.assessment.result import Assessment
from linkrisk.learning.learned import Learned
from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.meanings import WHY, LearnedMeaning
from linkrisk.report.charts.names import shortened
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.tables import Table, make_columns

MINIMUM = 0.1
"""Measure below which subsets are left out, as in Fig. 2 of abril2012-choquet.txt."""

NOTHING = 0.005
"""A subset whose measure is larger by less than that of one with an attribute fewer adds nothing."""

MOST_IN_LEVEL = 8
"""Subsets of one size that there is room for; those that add most are drawn."""

LEVEL, KEY = 78, 20
"""Heights of a level and of a line of the key, in pixels."""

KEY_COLUMNS = 3

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Node:
    """A subset of the attributes, with its measure and with what it adds to those with an attribute fewer.

    ``across`` is its place in its level, from 0 to 1.
    """

    subset: tuple[str, ...]
    letters: str
    measure: float
    adds: float
    across: float = 0.5


@dataclass(frozen=True)
class Lattice:
    """The subsets that a measure gives some weight, from single attributes up to all; confidential.

    ``n_small`` were left out because their measure is below ``minimum``, ``n_idle`` because they add nothing, and
    ``n_crowded`` because others of their size add more.
    """

    attack: str
    names: tuple[str, ...]
    nodes: tuple[Node, ...]
    minimum: float
    n_small: int
    n_idle: int
    n_crowded: int

    name: ClassVar[str] = "lattice"
    title: ClassVar[str] = "Which attributes together tell people apart"
    is_confidential: ClassVar[bool] = True

    @classmethod
    def of(cls, found: Assessment | Learned, attack: str | None = None, minimum: float = MINIMUM) -> Lattice | None:
        """Take the measure of an attack, or of what was learned; None where there is none."""
        return cls.of_meaning(LearnedMeaning.of(found, "subsets", attack), minimum)

    @classmethod
    def of_meaning(cls, learned: LearnedMeaning | None, minimum: float = MINIMUM) -> Lattice | None:
        """Take a measure from what the parameters mean; None where they are none."""
        if learned is None or any(entry["measure"] is None for entry in learned.contents["subsets"]):
            return None
        measure = {frozenset(entry["attributes"]): entry["measure"] for entry in learned.contents["subsets"]}
        names = tuple(learned.contents["shapley"])
        large = {subset: value for subset, value in measure.items() if value >= minimum}
        adding = {s: _added(s, measure) for s in large if len(s) == len(names) or _added(s, measure) >= NOTHING}
        kept = _with_room(adding)
        nodes = tuple(_placed([_node(subset, names, measure) for subset in kept]))
        n_small, n_idle = len(measure) - len(large), len(large) - len(adding)
        return cls(learned.attack, names, nodes, minimum, n_small, n_idle, len(adding) - len(kept))

    @property
    def edges(self) -> tuple[tuple[Node, Node], ...]:
        """Nodes one of which holds the other, with none in between."""
        pairs = [(low, high) for low in self.nodes for high in self.nodes if set(low.subset) < set(high.subset)]
        return tuple(
            (low, high)
            for low, high in pairs
            if not any(set(low.subset) < set(other.subset) < set(high.subset) for other in self.nodes)
        )

    @property
    def caption(self) -> str:
        """Which subset tells most for its size, what was left out, and how to read it."""
        best = max(self.nodes, key=lambda node: (node.adds, node.measure), default=None)
        tells = "" if best is None else f" Most is added by {' with '.join(best.subset)}: measure {best.measure:.3f}."
        return (
            f"The fuzzy measure that {self.attack} learned: the larger its circle, the more a set of attributes "
            f"counts; lines lead to sets that hold it.{tells}{self._left_out()}"
        )

    def _left_out(self) -> str:
        reasons = {
            f"with a measure below {self.minimum:g}": self.n_small,
            f"that add less than {NOTHING:g} to a part of them": self.n_idle,
            "for want of room": self.n_crowded,
        }
        told = [f"{number} {why}" for why, number in reasons.items() if number]
        return f" Left out: {', '.join(told)}." if told else ""

    def table(self) -> Table:
        """Return one row per subset that is shown."""
        rows = tuple(
            (node.letters, ", ".join(node.subset), f"{node.measure:.4f}", f"{node.adds:.4f}") for node in self.nodes
        )
        columns = make_columns(("", "attributes"), ("measure", "adds"))
        return Table(columns, rows, self.title, is_confidential=True)

    def draw(self) -> Chart:
        """Draw circles in levels by the number of attributes, lines between them, and a key of the letters."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        levels = sorted({len(node.subset) for node in self.nodes}, reverse=True)
        height = LEVEL * len(levels)
        down = {size: LEVEL * (place + 0.4) for place, size in enumerate(levels)}
        n_lines = -(-len(self.names) // KEY_COLUMNS)
        x = alt.X("x:Q", scale=alt.Scale(domain=[0.0, 1.0], nice=False), axis=None)
        total = height + KEY * (n_lines + 1)
        y = alt.Y("y:Q", scale=alt.Scale(domain=[total, 0.0], nice=False), axis=None)
        size = alt.Size("measure:Q", scale=alt.Scale(domain=[0.0, 1.0], range=[20, 900]), legend=None)
        nodes = chart_of(self._node_rows(down)).encode(x=x, y=y)
        edges = chart_of(self._edge_rows(down)).encode(x=x, y=y, x2=alt.X2("x2"), y2=alt.Y2("y2"))
        says = nodes.encode(text=alt.Text("said:N"))
        layers = [
            edges.mark_rule(color=style.LINES, strokeWidth=1.2),
            nodes.mark_point(fill=style.PALE, stroke=style.BLUE, strokeWidth=1.4, opacity=1.0).encode(size=size),
            says.mark_text(baseline="top", dy=20, stroke=style.PAPER, strokeWidth=4),  # no line runs through the text
            says.mark_text(baseline="top", dy=20),
            chart_of(self._key_rows(height)).mark_text(align="left").encode(x=x, y=y, text=alt.Text("said:N")),
        ]
        return finished(layers, self.title, height=total)

    def _node_rows(self, down: Mapping[int, float]) -> list[dict[str, object]]:
        return [
            {
                "x": node.across,
                "y": down[len(node.subset)],
                "measure": node.measure,
                "said": f"{node.letters}  {node.measure:.2f}",
            }
            for node in self.nodes
        ]

    def _edge_rows(self, down: Mapping[int, float]) -> list[dict[str, object]]:
        return [
            {"x": low.across, "y": down[len(low.subset)], "x2": high.across, "y2": down[len(high.subset)]}
            for low, high in self.edges
        ]

    def _key_rows(self, height: float) -> list[dict[str, object]]:
        return [
            {
                "x": (place % KEY_COLUMNS) / KEY_COLUMNS,
                "y": height + KEY * (place // KEY_COLUMNS + 1),
                "said": f"{LETTERS[place % len(LETTERS)]}  {shortened(name)}",
            }
            for place, name in enumerate(self.names)
        ]


def _added(subset: frozenset[str], measure: Mapping[frozenset[str], float]) -> float:
    """Return how much more a subset counts than the largest of those with an attribute fewer."""
    return measure[subset] - max((measure.get(subset - {name}, 0.0) for name in subset), default=0.0)


def _with_room(adding: Mapping[frozenset[str], float]) -> list[frozenset[str]]:
    """Return the subsets that there is room for: of each size those that add most."""
    kept: list[frozenset[str]] = []
    for size in sorted({len(subset) for subset in adding}):
        level = [subset for subset in adding if len(subset) == size]
        kept += sorted(level, key=lambda subset: -adding[subset])[:MOST_IN_LEVEL]
    return kept


def _node(subset: frozenset[str], names: Sequence[str], measure: Mapping[frozenset[str], float]) -> Node:
    places = [place for place, name in enumerate(names) if name in subset]
    letters = "".join(LETTERS[place % len(LETTERS)] for place in places)
    return Node(tuple(names[place] for place in places), letters, measure[subset], _added(subset, measure))


def _placed(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the nodes of each level side by side, in the order of their letters."""
    ordered = sorted(nodes, key=lambda node: (len(node.subset), node.letters))
    for node in ordered:
        level = [other for other in ordered if len(other.subset) == len(node.subset)]
        across = (level.index(node) + 0.5) / len(level)
        yield Node(node.subset, node.letters, node.measure, node.adds, across)


def lattice(found: Assessment | Learned, attack: str | None = None, minimum: float = MINIMUM) -> Chart:
    """Draw a learned fuzzy measure as a lattice, by default of the strongest attack that has one; confidential."""
    return drawn(Lattice.of(found, attack, minimum), WHY)
