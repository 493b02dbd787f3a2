"""Charts of releases, tunings, losses and matches carry what these results say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from linkrisk.advice.releases import Releases
from linkrisk.advice.tuning import Trial, Tuning
from linkrisk.errors import NoChartError
from linkrisk.linkage.ties import Ties
from linkrisk.losses import Loss
from linkrisk.report import charts
from linkrisk.tables import MatchReport
from linkrisk.tables.truth import Judgement, RankCorrelation, Reliability
from tests.report.charts.samples import rows_of, texts
from tests.report.samples import sample


def trial(rate: float, loss: float, *, is_partial: bool = False, is_reached: bool = False) -> Trial:
    """Return a release that was tried."""
    return Trial(0, (0,), f"strength {loss}", rate, None, "mean, ranks", loss, is_partial, is_reached)


def tuning() -> Tuning:
    """Return a search with one release of each kind."""
    tried = (
        trial(0.5, 10.0),
        trial(0.1, 40.0, is_reached=True),
        trial(0.3, 5.0, is_partial=True),
        trial(0.12, 60.0, is_reached=True),
    )
    return Tuning("noise", "sd", 0.2, Ties.EXPECTED, ("mean",), 100, tried, tried[1], None)


def test_releases_with_their_letters_and_front() -> None:
    """The letters of the table; a release that another one beats is drawn otherwise."""
    found = sample("Releases")
    assert isinstance(found, Releases)
    best = found.releases[0]
    worse = replace(best, name="worse", loss=best.loss + 5.0)
    both = replace(found, releases=(best, worse))
    rows = rows_of(charts.risk_loss(both), "release", "risk", "loss")
    assert [(row["label"], row["release"]) for row in rows if row["is_on_front"]] == [("A", best.name)]
    figure = charts.RiskLoss.of(both)
    assert figure is not None
    assert [(row.risk, row.loss) for row in figure.rows] == [(r.risk.rate, r.loss) for r in both.releases]
    assert figure.rows[0].mark != figure.rows[1].mark
    undefined = replace(found, releases=(replace(best, loss=float("nan")),))
    assert charts.RiskLoss.of(undefined) is None


def test_trials_with_front_and_target() -> None:
    """A release that was attacked no further is not on the front, and looks otherwise."""
    found = tuning()
    figure = charts.RiskLoss.of(found)
    assert figure is not None
    assert [(row.risk, row.loss) for row in figure.rows] == [(t.risk, t.loss) for t in found.trials]
    assert {(row.risk, row.loss) for row in figure.front} == {(t.risk, t.loss) for t in found.front}
    assert [row.label for row in figure.rows] == ["", "best", "", ""]
    assert len({row.mark for row in figure.rows}) == 3
    assert rows_of(charts.risk_loss(found), "target") == [{"target": 0.2}]
    with pytest.raises(NoChartError, match="no release was judged"):
        charts.risk_loss(replace(found, trials=(), best=None))


def test_loss_by_part_and_attribute() -> None:
    """Figures from 0 to 100, those that are undefined left out."""
    found = sample("Loss")
    assert isinstance(found, Loss)
    assert found.probabilistic is not None
    assert found.categories is not None
    assert found.value_changes is not None
    lost = {row["what"]: row["lost"] for row in rows_of(charts.loss(found), "what", "lost")}
    assert lost["PIL"] == found.pil
    assert lost["PIL of means"] == found.probabilistic.means
    assert lost["one-way tables"] == 100.0 * found.categories.one_way.moved
    assert lost["entropy of job"] == 100.0 * found.categories.by_attribute["job"][1]
    assert all(0.0 <= value <= 100.0 for value in lost.values())
    moved = {row["attribute"]: row["moved"] for row in rows_of(charts.value_changes(found), "attribute", "moved")}
    assert moved == dict(found.value_changes.by_attribute)


def matched() -> MatchReport:
    """Return a report with as many matches as a test likes, and with the truth."""
    found = sample("MatchReport")
    assert isinstance(found, MatchReport)
    probability = np.array([0.05] * 3 + [0.5] * 20 + [1.0] * 12)
    bins = (
        Reliability(0.0, 0.1, 0.05, 0.0, 3),
        Reliability(0.5, 0.6, 0.5, 0.4, 20),
        Reliability(0.9, 1.0, 1.0, 0.9, 12),
    )
    ranks = RankCorrelation(0.5, 0.1, 0.5, 0.1)
    judgement = Judgement(ranks, 0.1, 22.0, 18.0, is_by_person=True, reliability=bins)
    effect = replace(found.effect, n_matches=len(probability), expected_correct=float(probability.sum()))
    matches = replace(found.matches, probability=probability)
    return replace(found, matches=matches, judgement=judgement, effect=effect)


def test_matches_by_their_probability() -> None:
    """All for the owner; few are not told to others."""
    found = matched()
    inner, shared = charts.Matches.of(found, confidential=True), charts.Matches.of(found)
    assert inner is not None
    assert shared is not None
    assert [each.people for each in inner.bins.bins] == [3, 0, 0, 0, 0, 20, 0, 0, 0, 12]
    assert [each.people for each in shared.bins.bins] == [None, 0, 0, 0, 0, 20, 0, 0, 0, None]
    assert texts(shared)[1] == "hidden"
    effect = replace(found.effect, n_matches=0)
    assert charts.Matches.of(replace(found, effect=effect)) is None


def test_reliability_where_the_truth_is_known() -> None:
    """What was said against what is true, by bin; None without the truth."""
    found = matched()
    assert found.judgement is not None
    rows = rows_of(charts.reliability(found), "said", "true", "n_matches")
    assert [(row["said"], row["true"], row["n_matches"]) for row in rows] == [
        (each.said, each.true, each.n_matches) for each in found.judgement.reliability
    ]
    with pytest.raises(NoChartError, match="truth"):
        charts.reliability(replace(found, judgement=None))
