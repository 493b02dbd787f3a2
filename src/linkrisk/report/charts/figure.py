"""What every chart is made of: a figure, which holds the rows it shows and knows how they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from linkrisk.errors import NoChartError
from linkrisk.report.tables import Table

if TYPE_CHECKING:
    import altair as alt

Chart: TypeAlias = "alt.Chart | alt.LayerChart"
"""What a figure is drawn as."""


class Figure(Protocol):
    """What one chart shows of a result, ready to be drawn, listed and told.

    ``name`` is one word for files and addresses; ``caption`` says in a sentence or two what there is to see, with the
    main numbers, and is what a screen reader reads. Both it and ``title`` hold names as the files have them: who shows
    them elsewhere than in a picture has to make them harmless. ``is_confidential``: the chart shows values or scores of
    single records, or parameters of attackers, and stays with the owner of the original.
    """

    @property
    def name(self) -> str:
        """One word for what kind of chart it is."""

    @property
    def title(self) -> str:
        """What the chart shows, in a line."""

    @property
    def caption(self) -> str:
        """What there is to see, and how to read it."""

    @property
    def is_confidential(self) -> bool:
        """Whether the chart must not be handed on."""

    def table(self) -> Table:
        """Return the data behind the chart."""

    def draw(self) -> Chart:
        """Return the chart, with its title."""


def drawn(figure: Figure | None, why: str) -> Chart:
    """Return the chart of a figure; where there is none, refuse with the sentence that says why."""
    if figure is None:
        raise NoChartError(why)
    return figure.draw()
