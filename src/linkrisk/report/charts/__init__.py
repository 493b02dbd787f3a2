"""Charts of results: functions that return altair charts, and the figures behind them.

>>> import linkrisk
>>> from linkrisk.report import charts
>>> people = linkrisk.datasets.census_like(60, seed=1)[["AGI", "FEDTAX"]]
>>> found = linkrisk.assess(people, people, attackers=["mean"], scales=["ranks"])
>>> charts.Attackers.of(found).rows[0].rate
1.0

``charts.attackers(result)`` is the chart, for a notebook; `figures_of` finds all figures that a result has, and
`as_svg` turns one into a picture for a page. A figure (`linkrisk.report.charts.figure`) holds the rows that it shows,
which are numbers and names and nothing of single records unless it says that it is confidential. altair is imported
where a chart is drawn, and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`
    from linkrisk.report.charts.catalogue import figures_of as figures_of
    from linkrisk.report.charts.figure import Chart as Chart
    from linkrisk.report.charts.figure import Figure as Figure
    from linkrisk.report.charts.figures.attackers import Attackers as Attackers
    from linkrisk.report.charts.figures.attackers import attackers as attackers
    from linkrisk.report.charts.figures.attributes import Attributes as Attributes
    from linkrisk.report.charts.figures.attributes import attributes as attributes
    from linkrisk.report.charts.figures.risk_loss import RiskLoss as RiskLoss
    from linkrisk.report.charts.figures.risk_loss import risk_loss as risk_loss
    from linkrisk.report.charts.picture import as_svg as as_svg

_FIGURES = "linkrisk.report.charts.figures"

_HOMES = {
    "Attackers": f"{_FIGURES}.attackers:Attackers",
    "Attributes": f"{_FIGURES}.attributes:Attributes",
    "Chart": "linkrisk.report.charts.figure:Chart",
    "Figure": "linkrisk.report.charts.figure:Figure",
    "RiskLoss": f"{_FIGURES}.risk_loss:RiskLoss",
    "as_svg": "linkrisk.report.charts.picture:as_svg",
    "attackers": f"{_FIGURES}.attackers:attackers",
    "attributes": f"{_FIGURES}.attributes:attributes",
    "figures_of": "linkrisk.report.charts.catalogue:figures_of",
    "risk_loss": f"{_FIGURES}.risk_loss:risk_loss",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
