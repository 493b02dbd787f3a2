"""Learned attackers in an assessment: held-out rates, tie rules, scenarios, bad settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkrisk
from linkrisk.attack import holdout as learning
from linkrisk.attackers import OWA
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.errors import ParameterError, SettingsError
from linkrisk.learning.learn import learn
from linkrisk.learning.search import Status
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.sentences import STATUS_MEANING, footnotes
from tests.learning.families import LargestAndSum


def frames(n_records: int = 40) -> tuple[Any, Any]:
    """Make a file and a noisy version, rounded so that ties occur."""
    random = np.random.default_rng(3)
    original = random.normal(size=(n_records, 3)).round(1)
    return original, (original + random.normal(size=original.shape) * [0.1, 0.5, 0.9]).round(1)


@pytest.mark.parametrize("pool", ["all", "test"])
def test_holdout(pool: str) -> None:
    """Half of the pairs are learned from, the others are attacked; with fewer candidates more are found."""
    original, protected = frames()
    result = linkrisk.assess(
        original, protected, attackers=["weighted_mean"], scales=["separate"], holdout=0.5, repeats=3, pool=pool
    )
    holdout = result.attacks[0].holdout
    assert holdout is not None
    assert (holdout.share, holdout.pool, len(holdout.training), len(holdout.testing)) == (0.5, pool, 3, 3)
    assert all(round(rate * 20) == pytest.approx(rate * 20) for rate in holdout.testing)
    assert holdout.rate <= max(holdout.testing)


def test_fewer_candidates_are_easier() -> None:
    """Among the test records only, the same split is attacked with at least as many links."""
    original, protected = frames()
    rates = []
    for pool in ("all", "test"):
        result = linkrisk.assess(
            original, protected, attackers=["owa"], scales=["separate"], holdout=0.5, repeats=5, pool=pool
        )
        assert result.attacks[0].holdout is not None
        rates.append(result.attacks[0].holdout.rate)
    assert rates[0] <= rates[1] + 0.1


@pytest.mark.slow
@pytest.mark.parametrize("ties", list(Ties))
def test_bound_holds_for_the_rule_asked_for(ties: Ties) -> None:
    """Links by the rule are at most the bound, and equal to it when proven."""
    original, protected = frames()
    result = linkrisk.assess(
        original, protected, attackers=["weighted_mean", "bilinear_psd", "mean"], scales=["separate"], ties=ties
    )
    for attack in result.attacks[:2]:
        assert attack.bound is not None
        assert attack.links[ties] == pytest.approx(attack.bound)
        assert attack.status == "optimal"
        assert attack.links[ties] >= result.attacks[2].links[ties]


@pytest.mark.slow
@pytest.mark.parametrize("ties", list(Ties))
def test_links_with_a_margin_keep_to_the_bound(ties: Ties) -> None:
    """Links that are not nearer by the margin do not count, in the worst case and on held-out records."""
    original, protected = frames()
    plain, strict = (
        linkrisk.assess(
            original, protected, attackers=["owa"], scales=["separate"], ties=ties, margin=margin, holdout=0.5
        ).attacks[0]
        for margin in (0.0, 0.5)
    )
    assert strict.status == "optimal"
    assert strict.links[ties] == pytest.approx(strict.bound)
    assert strict.links[ties] < plain.links[ties]
    assert strict.holdout is not None
    assert plain.holdout is not None
    assert strict.holdout.rate < plain.holdout.rate


@pytest.mark.parametrize("attacker", ["bilinear_free", "bilinear_higham"])
def test_a_margin_of_distances_below_zero_is_refused_at_once(attacker: str) -> None:
    """The mistake is reported before anything is learned."""
    original, protected = frames()
    with pytest.raises(ParameterError, match="is no margin; leave out one of the two"):
        linkrisk.assess(original, protected, attackers=["choquet", attacker], margin=0.1)


def test_certificates_have_names_of_their_own(tmp_path: Path) -> None:
    """Measures of different additivity are told apart; the same attacker twice is refused; own families have none."""
    original, protected = frames()
    attackers: list[Any] = [ChoquetFamily(), AdditiveChoquetFamily(2), LargestAndSum()]
    options: Any = {"scales": ["separate"], "certificates": tmp_path}
    result = linkrisk.assess(original, protected, attackers=attackers, **options)
    names = {"choquet.separate.certificate.json.gz", "choquet-2.separate.certificate.json.gz"}
    assert {path.name for path in tmp_path.iterdir()} == names
    assert any("no certificate of largest_and_sum" in note for note in result.notes)
    with pytest.raises(SettingsError, match="two attackers would write the certificate owa"):
        linkrisk.assess(original, protected, attackers=[OWA(), OWA()], **options)


def test_attackers_are_learned_or_given() -> None:
    """One class for both: without parameters it is learned, as by its name; with them it is taken as it is."""
    original, protected = frames()
    attackers = linkrisk.attackers
    given = attackers.WeightedMean([0.2, 0.3, 0.5])
    result = linkrisk.assess(
        original, protected, attackers=["weighted_mean", attackers.WeightedMean(), given], scales=["separate"]
    )
    by_name, learned, taken = result.attacks
    assert (by_name.links, by_name.bound, by_name.parameters) == (learned.links, learned.bound, learned.parameters)
    assert learned.status == "optimal"
    assert taken.bound is None
    assert taken.parameters["weights"] == {"V1": 0.2, "V2": 0.3, "V3": 0.5}
    with pytest.raises(ParameterError, match=r"WeightedMean is a class, not an attacker; write WeightedMean\(\)"):
        linkrisk.assess(original, protected, attackers=[attackers.WeightedMean])


def test_own_family_and_scenarios() -> None:
    """A user's own family is learned like the others, also in a scenario."""
    original, protected = frames()
    scenario = linkrisk.Scenario("two", ("V1", "V2"))
    result = linkrisk.assess(
        original, protected, attackers=[LargestAndSum()], scales=["separate"], scenarios=[scenario]
    )
    assert [attack.name for attack in result.attacks] == ["largest_and_sum"]
    assert result.scenarios[0].attacks[0].status == "optimal"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"time_limit": -1.0}, "time_limit must be a number of at least 0"),
        ({"holdout": 1.0}, "holdout must be a number from 0 to 0.9"),
        ({"repeats": 0}, "repeats must be a whole number"),
        ({"pool": "some"}, "pool must be one of all, test"),
        ({"margin": 2.0}, "margin must be a number"),
        ({"time_limit": "soon"}, "time_limit must be a number"),
    ],
)
def test_settings_are_checked_first(settings: dict[str, Any], words: str) -> None:
    """A wrong setting is told although the files do not exist."""
    with pytest.raises(SettingsError, match=words):
        linkrisk.assess("gone.csv", "gone.csv", attackers=["owa"], **settings)


@pytest.mark.slow
def test_explanation() -> None:
    """Ranges hold the parameters, the attribute with little noise carries links, and the JSON says so."""
    original, protected = frames()
    result = linkrisk.assess(
        original, protected, attackers=["weighted_mean", "bilinear_free"], scales=["separate"], explain=True
    )
    weights, form = result.attacks
    assert weights.explanation is not None
    for name, value in weights.meaning["weights"].items():  # type: ignore[attr-defined]
        low, high = weights.explanation.ranges[name]
        assert low <= value <= high
    verdicts = {carrier.attribute: str(carrier.verdict) for carrier in weights.explanation.carriers}
    assert verdicts["V1"] == "carrier"
    assert "links are lost without V1" in str(result)
    assert form.explanation is not None
    assert set(form.explanation.ranges) == {"V1 x V1", "V1 x V2", "V1 x V3", "V2 x V2", "V2 x V3", "V3 x V3"}
    assert form.meaning["covariance_distance"] is not None
    told = result.to_dict()["attackers"][0]["explanation"]
    assert told["attributes"][0] == weights.explanation.carriers[0].to_dict()


@pytest.mark.slow
def test_forms_are_held_out_where_they_turn_negative() -> None:
    """A form that gives no negative distance on the training records may give one on others: no error, a rate."""
    random = np.random.default_rng(1)
    original = random.normal(size=(40, 3)).round(1)
    protected = (original + 0.5 * random.normal(size=original.shape)).round(1)
    for values in (original, protected):
        values[random.random(values.shape) < 0.4] = np.nan
    result = linkrisk.assess(
        original, protected, attackers=["bilinear"], scales=["separate"], holdout=0.5, repeats=3, time_limit=0.1
    )
    assert result.attacks[0].holdout is not None
    assert 0.0 <= result.attacks[0].holdout.rate <= 1.0


def test_too_few_to_hold_out_is_told() -> None:
    """A note says where a share leaves nobody to attack, and names a margin."""
    original, protected = frames()
    result = linkrisk.assess(original, protected, attackers=["owa"], scales=["separate"], holdout=0.001, margin=0.1)
    assert result.attacks[0].holdout is None
    assert any("no pair was held out" in note for note in result.notes)
    assert any(note.startswith("margin 0.1: links of learned attackers") for note in result.notes)


def test_no_explanation_unless_asked() -> None:
    """For each attribute the learner runs once more."""
    original, protected = frames()
    result = linkrisk.assess(original, protected, attackers=["owa"], scales=["separate"])
    assert result.attacks[0].explanation is None


def test_stronger_attackers_start_from_weaker_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a scenario, as with all attributes, a fuzzy measure starts from the weights found on the same records."""
    known: list[tuple[str, int, list[str]]] = []

    def watched(family: Any, comparison: Any, **options: Any) -> Any:
        starts = [start.family.name for start in options["starts"]]
        known.append((family.name, comparison.n_attributes, starts))
        return learn(family, comparison, **options)

    monkeypatch.setattr(learning, "learn", watched)
    linkrisk.assess(
        *frames(),
        attackers=["weighted_mean", "choquet"],
        scales=["separate"],
        scenarios=[linkrisk.Scenario("two", ("V1", "V2"))],
    )
    expected = [[], ["weighted_mean"]]
    assert known == [
        (name, n, names) for n in (3, 2) for name, names in zip(("weighted_mean", "choquet"), expected, strict=True)
    ]


def test_tables_say_what_their_columns_mean() -> None:
    """Bound, statuses that occur and held-out rates are explained; where nothing was learned, there is no such text."""
    scenario = linkrisk.Scenario("two", ("V1", "V2"))
    options: dict[str, Any] = {"scales": ["separate"], "scenarios": [scenario], "one_to_one": False}
    learned = linkrisk.assess(*frames(), attackers=["mean", "weighted_mean"], holdout=0.5, **options)
    bound, held_out = footnotes(learned)
    assert "no parameters of that attacker make more expected links" in bound
    assert "optimal: " in bound
    assert "evaluated: " in bound
    assert "time_limit" not in bound
    assert held_out.startswith("Held out: ")
    assert bound in learned.to_text()
    assert footnotes(linkrisk.assess(*frames(), attackers=["mean"], **options)) == []
    (one_to_one,) = footnotes(linkrisk.assess(*frames(), attackers=["mean"], **{**options, "one_to_one": True}))
    assert one_to_one.startswith("One-to-one: ")


def test_every_status_has_a_meaning() -> None:
    """A search can end in no way that the footnotes leave out."""
    assert set(STATUS_MEANING) == {*map(str, Status), "evaluated"}
