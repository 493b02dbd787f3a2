"""Learning: the optimum, proven; against slow twins, laws between families, and odd files."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk.learning.learn as learning
from linkrisk.attackers import DistanceStandardised, Mahalanobis, Mean, WeightedMean
from linkrisk.data import pair_files
from linkrisk.differences import Comparison, make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import ParameterError
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Clock, Status
from linkrisk.learning.starts import Start
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties
from tests.learning.families import FAMILIES, LargestAndSum, noisy
from tests.oracle.sweep import best_links, from_large_to_small, squared_differences

ENGINES = ("boxes", "cover")


def choose(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """Let one engine do the work."""
    monkeypatch.setattr(learning, "MAX_BOX_PARAMETERS", 8 if engine == "boxes" else 0)
    monkeypatch.setattr(learning, "CORES_FIRST", 0)
    monkeypatch.setattr(learning, "LEAST_CORES", 0)


def optimum(family: Any, comparison: Comparison, **options: Any) -> float:
    """Links of a family, after checking that they are proven to be the most."""
    learned = learn(family, comparison, time_limit=60.0, **options)
    assert learned.status is Status.OPTIMAL, learned
    assert learned.links == pytest.approx(learned.bound, abs=1e-9)
    return learned.links


def two_columns(seed: int) -> Comparison:
    """Small whole numbers in two attributes: full of ties and duplicates."""
    random = np.random.default_rng(seed)
    n_records, most = int(random.integers(2, 12)), int(random.choice([2, 3, 5, 20, 1000]))
    original = random.integers(0, most, (n_records, 2)).astype(float)
    protected = original + 1.0 * random.integers(-2, 3, (n_records, 2)) * int(random.integers(0, 3))
    if random.random() < 0.3:
        protected = np.round(protected / 2) * 2
    return make_comparison(pair_files(original, protected), str(random.choice(list(Scale))))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@given(seed=st.integers(0, 10**6), ties=st.sampled_from(list(Ties)), is_owa=st.booleans())
@settings(max_examples=75)
def test_two_attributes_equal_the_sweep(engine: str, seed: int, ties: Ties, is_owa: bool) -> None:
    """With two weights the best one is found by trying every interval, in rationals."""
    comparison = two_columns(seed)
    coordinates = comparison.coordinates
    d = squared_differences(coordinates.original.tolist(), coordinates.protected.tolist())
    features = from_large_to_small if is_owa else (lambda x: x)
    wanted = best_links(d, coordinates.own.tolist(), features, str(ties))
    with pytest.MonkeyPatch.context() as patch:
        choose(patch, engine)
        learned = learn(OWAFamily() if is_owa else WeightedMeanFamily(), comparison, ties=ties)
    assert Fraction(learned.links).limit_denominator(1000) == wanted
    assert learned.bound == pytest.approx(float(wanted), abs=1e-6)
    assert learned.status is Status.OPTIMAL


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ties", list(Ties))
def test_chain_of_families(seed: int, ties: Ties) -> None:
    """A family that contains another makes at least its links."""
    comparison = noisy(seed, 18, 3, 0.7)
    links = {name: optimum(family, comparison, ties=ties) for name, family in FAMILIES.items()}
    links["mean"] = nearest(Mean().distance(comparison)).links(ties)
    chains = (
        ("mean", "weighted_mean", "choquet_metric", "choquet"),
        ("owa", "choquet"),
        ("weighted_mean_metric", "weighted_mean", "choquet, additivity 2", "choquet"),
        ("weighted_mean", "bilinear_psd", "bilinear", "bilinear_free"),
    )
    for chain in chains:
        values = [links[name] for name in chain]
        assert values == sorted(values), dict(zip(chain, values, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_additivity_grows(seed: int) -> None:
    """One-additive measures are weighted means; more additivity links no fewer; all of it is the full measure."""
    comparison = noisy(seed, 20, 3, 0.8)
    by_q = [optimum(AdditiveChoquetFamily(q), comparison) for q in (1, 2, 3)]
    assert by_q[0] == optimum(WeightedMeanFamily(), comparison)
    assert by_q == sorted(by_q)
    assert by_q[2] == optimum(ChoquetFamily(), comparison)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_fitted_attackers_are_inside_their_families(seed: int) -> None:
    """On scale original, DBRL2 is a weighted mean and Mahalanobis a semidefinite form."""
    comparison = noisy(seed, 20, 3, 0.6, "original")
    standardised = nearest(DistanceStandardised().distance(comparison)).links()
    mahalanobis = nearest(Mahalanobis().distance(comparison)).links()
    assert standardised <= optimum(FAMILIES["weighted_mean"], comparison)
    assert mahalanobis <= optimum(FAMILIES["bilinear_psd"], comparison)


@pytest.mark.parametrize("engine", ENGINES)
def test_planted_optimum(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One attribute is hardly protected, the others are noise: some weights link everybody."""
    choose(monkeypatch, engine)
    random = np.random.default_rng(5)
    original = random.normal(size=(60, 4))
    protected = random.normal(size=(60, 4))
    protected[:, 2] = original[:, 2] + 1e-9
    learned = learn(WeightedMeanFamily(), make_comparison(pair_files(original, protected), "original"))
    assert (learned.links, learned.bound, learned.status) == (60, 60, Status.OPTIMAL)


def heavy_tails() -> Comparison:
    """Return files on which only weights are proven in a few seconds."""
    random = np.random.default_rng(0)
    original = np.exp(random.normal(0.0, 1.9, (150, 5)))
    return make_comparison(
        pair_files(original, original * np.exp(random.normal(0.0, 0.35, original.shape))), "original"
    )


@pytest.mark.slow
def test_stronger_families_do_no_worse_when_stopped() -> None:
    """Where nothing is proven in time, who contains weighted means or OWA makes no fewer links than they do."""
    comparison = heavy_tails()
    weaker = {name: learn(FAMILIES[name], comparison) for name in ("weighted_mean", "owa")}
    weights, ordered = (one.links for one in weaker.values())
    starts = [Start(None, comparison, one.links, one.family, one.theta) for one in weaker.values()]
    for name in ("choquet", "choquet_metric", "choquet, additivity 2", "bilinear", "bilinear_free", "bilinear_psd"):
        learned = learn(FAMILIES[name], comparison, time_limit=0.1, starts=starts)
        assert learned.links >= (max(weights, ordered) if name == "choquet" else weights)
        assert learned.links <= learned.bound


@pytest.mark.slow
def test_stronger_families_start_from_weaker_ones_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a weighted mean links, the Choquet integral links, too, though nobody has told it which weights.

    Without weaker families it links 25 to 27 in this time, the weighted mean 28.
    """
    monkeypatch.setattr(learning, "LEAST_LEFT", 0.0)
    monkeypatch.setattr(learning._Learner, "_short_clock", lambda _: Clock(10.0))  # however busy the machine is
    comparison = noisy(3, 100, 5, 1.0)
    learned = learn(FAMILIES["choquet"], comparison, time_limit=0.5)
    assert learned.links >= learn(FAMILIES["weighted_mean"], comparison).links


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_mixed_attributes(name: str) -> None:
    """Nominal, ordinal, text and date attributes, and holes, are learned on like numbers (forms: numbers and dates)."""
    import pandas as pd  # noqa: PLC0415

    random = np.random.default_rng(2)
    original = pd.DataFrame(
        {
            "age": random.integers(20, 80, 30).astype(float),
            "sex": random.choice(["f", "m"], 30),
            "name": random.choice(["Anna", "Hanna", "Otto", "Paul", "Paula"], 30),
            "born": pd.to_datetime("1960-01-01") + pd.to_timedelta(random.integers(0, 9000, 30), unit="D"),
        }
    )
    protected = original.copy()
    protected["age"] += random.integers(-6, 7, 30)
    protected.loc[3, "age"] = np.nan
    protected["born"] += pd.to_timedelta(random.integers(-900, 900, 30), unit="D")
    comparison = make_comparison(pair_files(original, protected))
    assert optimum(FAMILIES[name], comparison) >= 1


def test_own_family() -> None:
    """A class with features, parameter set and distance is all it takes."""
    comparison = noisy(1, 25, 3, 0.6)
    learned = learn(LargestAndSum(), comparison)
    assert learned.status is Status.OPTIMAL
    assert nearest(Mean().distance(comparison)).links() <= learned.links <= optimum(OWAFamily(), comparison)


@pytest.mark.slow
def test_record_weights() -> None:
    """What a record weighs decides who is given up."""
    comparison = noisy(1, 30, 3, 1.0)
    plain = learn(WeightedMeanFamily(), comparison)
    lost = [i for i in plain.problem.records.tolist() if not plain.linkage.is_linked()[i]]
    found = 0
    for i in lost:
        weights = np.ones(30)
        weights[i] = 50.0
        heavy = learn(WeightedMeanFamily(), comparison, weights=weights)
        assert heavy.status is Status.OPTIMAL
        assert heavy.linkage.is_linked()[i] == (heavy.links >= 50.0)
        found += heavy.linkage.is_linked()[i]
    assert found, "choose a seed where somebody is given up who could be linked"


@pytest.mark.parametrize("odd", [0.0, -1.0, np.nan, np.inf])
def test_record_weights_that_cannot_count(odd: float) -> None:
    """Weights that are all 0, negative or no numbers are refused in a sentence."""
    comparison = noisy(1, 30, 3, 1.0)
    with pytest.raises(ParameterError, match="are 0, so that no link counts" if odd == 0.0 else "for record 1"):
        learn(WeightedMeanFamily(), comparison, weights=np.full(30, odd))


@pytest.mark.parametrize("margin", [0.0, 0.2, 0.6])
def test_margin(margin: float) -> None:
    """Links asked to be nearer by a margin are, and the more is asked the fewer they are."""
    comparison = noisy(4, 30, 3, 0.5)
    learned = learn(WeightedMeanFamily(), comparison, margin=margin)
    linked = learned.linkage.is_linked()
    assert (learned.linkage.own[linked] < (1.0 - margin) * learned.linkage.nearest_other[linked]).all()
    assert learned.links <= learn(WeightedMeanFamily(), comparison).links


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_time_limit_zero(name: str) -> None:
    """Without time there is an answer all the same, and its bound holds."""
    comparison = noisy(6, 20, 3, 0.8)
    hasty = learn(FAMILIES[name], comparison, time_limit=0.0)
    assert hasty.links <= optimum(FAMILIES[name], comparison) <= hasty.bound
    assert hasty.status in {Status.TIME_LIMIT, Status.OPTIMAL}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_same_seed_same_answer(name: str) -> None:
    """Everything random hangs on the seed."""
    comparison = noisy(7, 18, 3, 0.8)
    first, second = (learn(FAMILIES[name], comparison, seed=3) for _ in range(2))
    assert first.theta.tolist() == second.theta.tolist()
    assert (first.links, first.bound) == (second.links, second.bound)


ODD: dict[str, tuple[Any, Any]] = {
    "one attribute": (np.arange(6.0)[:, None], np.arange(6.0)[:, None] + 0.1),
    "identical": (np.arange(12.0).reshape(6, 2) ** 2, np.arange(12.0).reshape(6, 2) ** 2),
    "all protected equal": (np.arange(12.0).reshape(6, 2), np.ones((6, 2))),
    "two records": (np.array([[0.0, 1.0], [1.0, 3.0]]), np.array([[0.5, 1.0], [1.0, 2.0]])),
    "more attributes than records": (np.eye(3, 5) * 2.0 + np.arange(5.0), np.eye(3, 5) + np.arange(5.0)),
    "nobody can be linked": (np.array([[0.0, 0.0], [9.0, 9.0]]), np.array([[9.0, 9.0], [0.0, 0.0]])),
}


@pytest.mark.parametrize("file", sorted(ODD))
@pytest.mark.parametrize("name", sorted(FAMILIES))
@pytest.mark.filterwarnings("error")
def test_odd_files(name: str, file: str) -> None:
    """Files without anything to learn give a proven answer, and no division by zero."""
    comparison = make_comparison(pair_files(*ODD[file]), "original")
    learned = learn(FAMILIES[name], comparison)
    assert learned.status is Status.OPTIMAL
    assert 0 <= learned.links == learned.bound <= len(comparison.coordinates.original)
    if file in {"identical", "one attribute"}:
        assert learned.links == 6
    if file == "all protected equal":
        assert learned.links == 1  # one of six, by chance
    if file == "nobody can be linked" and name not in {"bilinear_free"}:
        assert learned.links == 0


def test_too_many_attributes_for_a_measure() -> None:
    """A full measure over more than 10 attributes is refused by naming additivity; with it, it is learned."""
    random = np.random.default_rng(0)
    original = random.normal(size=(12, 11))
    comparison = make_comparison(pair_files(original, original + random.normal(size=original.shape)))
    with pytest.raises(ParameterError, match="additivity"):
        learn(ChoquetFamily(), comparison)
    assert learn(AdditiveChoquetFamily(2), comparison, time_limit=20.0).bound <= 12


@pytest.mark.parametrize("margin", [-0.1, 1.0, math.nan])
def test_bad_margin(margin: float) -> None:
    """A margin is a share."""
    with pytest.raises(ParameterError, match="margin"):
        learn(WeightedMeanFamily(), noisy(0, 5, 2, 0.1), margin=margin)


def test_parameters_can_be_used_again() -> None:
    """Given what was learned, the attacker makes the same links; so does the family itself."""
    comparison = noisy(8, 40, 3, 0.7)
    learned: Learned = learn(WeightedMeanFamily(), comparison)
    given = WeightedMean().with_parameters(learned.theta, comparison.names)
    assert not given.is_learned
    assert nearest(given.distance(comparison)).links() == learned.links
    assert nearest(learned.family.distance(learned.theta, comparison)).links() == learned.links
