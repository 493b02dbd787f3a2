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
    from linkrisk.report.charts.figure import Figure as Figure
    from linkrisk.report.charts.figures.attackers import Attackers as Attackers
    from linkrisk.report.charts.figures.attackers import attackers as attackers
    from linkrisk.report.charts.figures.attributes import Attributes as Attributes
    from linkrisk.report.charts.figures.attributes import attributes as attributes
    from linkrisk.report.charts.figures.course import SearchCourse as SearchCourse
    from linkrisk.report.charts.figures.course import course as course
    from linkrisk.report.charts.figures.form import Form as Form
    from linkrisk.report.charts.figures.form import form as form
    from linkrisk.report.charts.figures.groups import Groups as Groups
    from linkrisk.report.charts.figures.groups import groups as groups
    from linkrisk.report.charts.figures.interactions import Interactions as Interactions
    from linkrisk.report.charts.figures.interactions import interactions as interactions
    from linkrisk.report.charts.figures.lattice import Lattice as Lattice
    from linkrisk.report.charts.figures.lattice import lattice as lattice
    from linkrisk.report.charts.figures.loss import LossByPart as LossByPart
    from linkrisk.report.charts.figures.loss import loss as loss
    from linkrisk.report.charts.figures.margins import Margins as Margins
    from linkrisk.report.charts.figures.margins import margins as margins
    from linkrisk.report.charts.figures.matches import Matches as Matches
    from linkrisk.report.charts.figures.matches import matches as matches
    from linkrisk.report.charts.figures.records import Records as Records
    from linkrisk.report.charts.figures.records import records as records
    from linkrisk.report.charts.figures.reliability import Reliability as Reliability
    from linkrisk.report.charts.figures.reliability import reliability as reliability
    from linkrisk.report.charts.figures.risk_loss import RiskLoss as RiskLoss
    from linkrisk.report.charts.figures.risk_loss import risk_loss as risk_loss
    from linkrisk.report.charts.figures.value_changes import ValueChanges as ValueChanges
    from linkrisk.report.charts.figures.value_changes import value_changes as value_changes
    from linkrisk.report.charts.figures.values import values as values
    from linkrisk.report.charts.figures.values import values_of as values_of
    from linkrisk.report.charts.figures.weights import Weights as Weights
    from linkrisk.report.charts.figures.weights import weights as weights
    from linkrisk.report.charts.picture import as_svg as as_svg

_FIGURES = "linkrisk.report.charts.figures"

_HOMES = {
    "Attackers": f"{_FIGURES}.attackers:Attackers",
    "Attributes": f"{_FIGURES}.attributes:Attributes",
    "Figure": "linkrisk.report.charts.figure:Figure",
    "Form": f"{_FIGURES}.form:Form",
    "Groups": f"{_FIGURES}.groups:Groups",
    "Interactions": f"{_FIGURES}.interactions:Interactions",
    "Lattice": f"{_FIGURES}.lattice:Lattice",
    "LossByPart": f"{_FIGURES}.loss:LossByPart",
    "Margins": f"{_FIGURES}.margins:Margins",
    "Matches": f"{_FIGURES}.matches:Matches",
    "Records": f"{_FIGURES}.records:Records",
    "Reliability": f"{_FIGURES}.reliability:Reliability",
    "RiskLoss": f"{_FIGURES}.risk_loss:RiskLoss",
    "SearchCourse": f"{_FIGURES}.course:SearchCourse",
    "ValueChanges": f"{_FIGURES}.value_changes:ValueChanges",
    "Weights": f"{_FIGURES}.weights:Weights",
    "as_svg": "linkrisk.report.charts.picture:as_svg",
    "attackers": f"{_FIGURES}.attackers:attackers",
    "attributes": f"{_FIGURES}.attributes:attributes",
    "course": f"{_FIGURES}.course:course",
    "figures_of": "linkrisk.report.charts.catalogue:figures_of",
    "form": f"{_FIGURES}.form:form",
    "groups": f"{_FIGURES}.groups:groups",
    "interactions": f"{_FIGURES}.interactions:interactions",
    "lattice": f"{_FIGURES}.lattice:lattice",
    "loss": f"{_FIGURES}.loss:loss",
    "margins": f"{_FIGURES}.margins:margins",
    "matches": f"{_FIGURES}.matches:matches",
    "records": f"{_FIGURES}.records:records",
    "reliability": f"{_FIGURES}.reliability:reliability",
    "risk_loss": f"{_FIGURES}.risk_loss:risk_loss",
    "value_changes": f"{_FIGURES}.value_changes:value_changes",
    "values": f"{_FIGURES}.values:values",
    "values_of": f"{_FIGURES}.values:values_of",
    "weights": f"{_FIGURES}.weights:weights",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
