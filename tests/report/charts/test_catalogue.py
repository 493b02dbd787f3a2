"""Which charts a result has, and how a user asks for one."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from linkrisk.errors import NoChartError
from linkrisk.report import charts
from linkrisk.report.charts.figure import Figure
from tests.report.charts.samples import assessed, plainly_assessed, texts
from tests.report.samples import PLANTED, sample

MAIN = {
    "Assessment": "attackers",
    "Loss": "loss",
    "MatchReport": "matches",
    "Releases": "risk_loss",
    "Tuning": "risk_loss",
}
"""The main chart of each result that has one."""


@pytest.mark.slow
@pytest.mark.parametrize(("result", "name"), MAIN.items())
def test_plot_returns_the_main_chart(result: str, name: str) -> None:
    """It is that of the first figure, and the one that its name asks for."""
    found = sample(result)
    figure = charts.figures_of(found, confidential=result == "MatchReport")[0]
    assert figure.name == name
    assert found.plot().to_dict() == found.plot(name).to_dict() == figure.draw().to_dict()


def test_plot_by_a_name() -> None:
    """The form for others where there are two; a name that is not there is answered by those that are."""
    found = assessed()
    shared = charts.Margins.of(found)
    assert shared is not None
    assert found.plot("margins").to_dict() == shared.draw().to_dict()
    assert found.plot("lattice").to_dict() == charts.lattice(found).to_dict()
    with pytest.raises(NoChartError, match=r"no chart 'pie'; it has attackers, attributes, .*lattice"):
        found.plot("pie")
    for result in ("Protection", "Verification"):
        with pytest.raises(NoChartError, match="has nothing to draw"):
            sample(result).plot()


def figures() -> list[Figure]:
    """Return every figure of every result, in both forms."""
    results = [assessed(), plainly_assessed(), *(sample(name) for name in MAIN)]
    return [f for result in results for secret in (False, True) for f in charts.figures_of(result, confidential=secret)]


def test_every_figure_tells_what_it_shows() -> None:
    """A name for files, a title, a caption of whole sentences, and a table with rows."""
    for figure in figures():
        assert re.fullmatch("[a-z_]+", figure.name)
        assert figure.title
        assert figure.caption.endswith(".")
        assert "nan" not in figure.caption
        assert figure.table().rows
        assert len(figure.table().columns) == len(figure.table().rows[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Assessment", "Releases", "Tuning", "Loss", "MatchReport"])
def test_what_is_shared_holds_no_cell(name: str) -> None:
    """Nothing that was planted into the files is in a picture, a table or a caption."""
    for figure in charts.figures_of(sample(name)):
        assert not figure.is_confidential
        assert not figure.table().is_confidential
        told = " ".join([charts.as_svg(figure, "p"), figure.caption, *texts(figure)])
        assert not any(word in told for word in PLANTED)


@pytest.mark.slow
def test_looking_at_charts_imports_no_altair() -> None:
    """Nor does making a figure: altair is imported to draw."""
    code = (
        "import sys, numpy, linkrisk; from linkrisk.report import charts; a = numpy.arange(12.0).reshape(6, 2);"
        "f = charts.figures_of(linkrisk.assess(a, a, attackers=['mean'], scales=['ranks'])); f[0].table();"
        "print([name for name in ('altair', 'vl_convert') if name in sys.modules], len(f))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  (our own code)
    assert result.stdout.split("\n")[0].startswith("[] ")
