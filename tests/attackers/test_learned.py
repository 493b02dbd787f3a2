"""Learned attackers: manners of scikit-learn, figures of the learner, nothing of the records kept."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.attackers import (
    OWA,
    Bilinear,
    BilinearFree,
    BilinearHigham,
    BilinearPSD,
    Choquet,
    ChoquetMetric,
    LearnedAttacker,
    OwnAttacker,
    WeightedMean,
    WeightedMeanMetric,
)
from linkrisk.data import pair_files
from linkrisk.datasets import census_like, census_like_mixed
from linkrisk.differences import make_comparison
from linkrisk.distances.meaning import FormMeaning, MeasureMeaning, PositionsMeaning, WeightsMeaning
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import InputError, ParameterError
from linkrisk.learning.learn import learn
from linkrisk.linkage.search import distances, nearest
from linkrisk.linkage.ties import Ties
from linkrisk.protection import add_noise
from tests.learning.families import LargestAndSum

ATTACKERS: tuple[type[LearnedAttacker], ...] = (
    WeightedMean,
    WeightedMeanMetric,
    OWA,
    Choquet,
    ChoquetMetric,
    Bilinear,
    BilinearFree,
    BilinearPSD,
    BilinearHigham,
)
COLUMNS = ["AFNLWGT", "AGI", "FEDTAX"]


def files(n_records: int = 60, seed: int = 1, noise: float = 15.0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Census-like records and the same with noise."""
    original = census_like(n_records, seed=seed)[COLUMNS]
    return original, add_noise(original, noise, secret_seed=seed + 1).data


@pytest.fixture(scope="module")
def fitted() -> dict[str, LearnedAttacker]:
    """Every learned attacker, fitted to the same files."""
    original, protected = files()
    return {kind.__name__: kind().fit(original, protected, ties="unique") for kind in ATTACKERS}


@pytest.mark.slow
def test_what_is_known_after_fit(fitted: dict[str, LearnedAttacker]) -> None:
    """Figures of the right kind, and the chain of the families: who may do more links no fewer."""
    for name, estimator in fitted.items():
        assert 0.0 <= estimator.links_ <= estimator.bound_ <= 60, name
        assert estimator.rate_ == pytest.approx(estimator.links_ / 60)
        is_below = name == "BilinearHigham" and estimator.links_ < estimator.bound_
        assert estimator.status_ == ("repaired" if is_below else "optimal")
        assert estimator.n_features_in_ == 3
        assert estimator.feature_names_in_.tolist() == COLUMNS
        assert estimator.seconds_ >= 0.0
        assert str(estimator.meaning_)
    links = {name: estimator.links_ for name, estimator in fitted.items()}
    assert links["WeightedMeanMetric"] <= links["WeightedMean"] <= links["ChoquetMetric"] <= links["Choquet"]
    assert links["OWA"] <= links["Choquet"]
    assert links["WeightedMean"] <= links["BilinearPSD"] <= links["Bilinear"] <= links["BilinearFree"]
    assert links["BilinearHigham"] <= links["BilinearPSD"]
    assert fitted["BilinearHigham"].bound_ == fitted["BilinearFree"].bound_


def test_parameters_by_their_usual_names(fitted: dict[str, Any]) -> None:
    """Weights in order, measures by subset, matrices; and what they mean."""
    for name in ("WeightedMean", "WeightedMeanMetric", "OWA"):
        assert fitted[name].weights_.shape == (3,)
        assert fitted[name].weights_.sum() == pytest.approx(1.0)
    assert fitted["WeightedMeanMetric"].weights_.min() >= 1e-4
    assert isinstance(fitted["WeightedMean"].meaning_, WeightsMeaning)
    assert isinstance(fitted["OWA"].meaning_, PositionsMeaning)
    for name in ("Choquet", "ChoquetMetric"):
        assert fitted[name].measure_[tuple(COLUMNS)] == 1.0
        assert len(fitted[name].mobius_) == 7
        assert isinstance(fitted[name].meaning_, MeasureMeaning)
    for name in ("Bilinear", "BilinearFree", "BilinearPSD", "BilinearHigham"):
        matrix = fitted[name].matrix_
        assert matrix.shape == (3, 3)
        np.testing.assert_array_equal(matrix, matrix.T)
        assert isinstance(fitted[name].meaning_, FormMeaning)
        assert fitted[name].meaning_.precision_distance is not None
    assert np.linalg.eigvalsh(fitted["BilinearPSD"].matrix_).min() >= -1e-9
    assert np.linalg.eigvalsh(fitted["BilinearHigham"].matrix_).min() >= -1e-9


def test_fit_is_the_learner(fitted: dict[str, Any]) -> None:
    """The same links, bound and parameters as `learn` on the same comparison."""
    learned = learn(WeightedMeanFamily(), make_comparison(pair_files(*files())))
    estimator = fitted["WeightedMean"]
    assert (estimator.links_, estimator.bound_) == (learned.links, learned.bound)
    np.testing.assert_array_equal(estimator.weights_, learned.family.normalised(learned.theta))


def test_distance_and_score_on_the_same_files(fitted: dict[str, Any]) -> None:
    """The matrix is that of the attacker; counting own records that are nearest gives links and rate again."""
    original, protected = files()
    comparison = make_comparison(pair_files(original, protected))
    for name, estimator in fitted.items():
        matrix = estimator.distances(original, protected)
        np.testing.assert_array_equal(matrix, distances(estimator.attacker_.distance(comparison)))
        others = np.where(np.eye(60, dtype=bool), np.inf, matrix).min(axis=1)
        assert int((np.diag(matrix) < others * (1 - 2.0**-40)).sum()) == estimator.links_, name
        assert estimator.score(original, protected) == estimator.rate_, name


def test_other_files(fitted: dict[str, Any]) -> None:
    """Files of other people and other lengths are scaled as that pair of files, not as those of ``fit``."""
    original, protected = files(20, seed=9)
    estimator = fitted["WeightedMean"]
    assert 0.0 <= estimator.score(original, protected) <= 1.0
    matrix = estimator.distances(original, protected.iloc[:7])
    assert matrix.shape == (20, 7)
    assert (matrix >= 0).all()
    weights = dict(zip(COLUMNS, estimator.weights_, strict=True))
    x, y = ((frame - frame.mean()) / frame.std() for frame in (original, protected.iloc[:7]))
    expected = sum(weights[c] * (x[c].iloc[3] - y[c].iloc[2]) ** 2 for c in COLUMNS)
    assert matrix[3, 2] == pytest.approx(expected)
    shuffled = original[COLUMNS[::-1]]  # attributes are found by name
    np.testing.assert_array_equal(estimator.distances(shuffled, protected), estimator.distances(original, protected))


@pytest.mark.parametrize("kind", ATTACKERS)
def test_parameters_are_kept_as_given(kind: type[LearnedAttacker]) -> None:
    """get_params gives back what went in, set_params sets it, a copy made of them is the same attacker."""
    attacker = kind()
    params = attacker.get_params()
    assert params
    assert not {"scale", "ties", "time_limit", "seed", "margin"} & params.keys()  # they belong to fit
    copy = kind(**attacker.get_params(deep=False))
    assert repr(copy) == repr(attacker)
    assert all(f"{name}={value!r}" in repr(attacker) for name, value in params.items())
    name = next(iter(params))
    given = {"V1": 1.0}
    assert attacker.set_params(**{name: given}) is attacker
    assert attacker.get_params()[name] is given
    assert not attacker.is_learned
    with pytest.raises(ParameterError, match="no parameter 'depth'"):
        attacker.set_params(depth=3)


@pytest.mark.parametrize("kind", ATTACKERS)
def test_the_learned_attacker_is_the_same_class_given(kind: type[LearnedAttacker]) -> None:
    """attacker_ needs no fit: he scores the same on the same files, and is not learned again."""
    original, protected = files(40)
    learned = kind().fit(original, protected, ties="unique", scale="ranks")
    given = learned.attacker_
    assert type(given) is kind
    assert learned.is_learned
    assert not given.is_learned
    assert given.score(original, protected, ties="unique", scale="ranks") == learned.rate_
    np.testing.assert_array_equal(
        given.distances(original, protected, scale="ranks"), learned.distances(original, protected)
    )
    with pytest.raises(ParameterError, match="its parameters are given; leave them out to learn them"):
        given.fit(original, protected)


def test_score_remembers_what_fit_was_told() -> None:
    """Scale, ties and margin are those of fit, unless told otherwise."""
    original, protected = files()
    learned = WeightedMean().fit(original, protected, scale="ranks", ties="class", margin=0.5)
    kept = learned.options_
    assert (kept.scale, kept.ties, kept.margin) == ("ranks", "class", 0.5)
    assert learned.score(original, protected) == learned.rate_
    assert learned.score(original, protected, margin=0.0) > learned.rate_
    other = learned.score(original, protected, scale="separate", ties="unique", margin=0.0)
    assert other == learned.attacker_.score(original, protected, scale="separate", ties="unique")
    assert (learned.distances(original, protected) != learned.distances(original, protected, scale="original")).any()
    wrong: dict[str, Any] = {"scale": "raw", "ties": "some", "margin": 1.0}
    for option, value in wrong.items():
        with pytest.raises(InputError, match=f"{option} must"):
            learned.score(original, protected, **{option: value})


def test_the_default_tie_rule() -> None:
    """Expected links, unless told otherwise."""
    original, protected = files(30)
    copies = pd.concat([protected.iloc[:15]] * 2, ignore_index=True)
    learned = WeightedMean().fit(original, copies)
    assert learned.options_.ties == "expected"
    assert learned.links_ == WeightedMean().fit(original, copies, ties="class").links_ / 2


def test_scikit_learn_clones_them(fitted: dict[str, Any]) -> None:
    """A clone has the parameters and none of what was learned; given ones can be cloned, too."""
    base = pytest.importorskip("sklearn.base")
    for estimator in fitted.values():
        copy = base.clone(estimator)
        assert repr(copy) == repr(estimator)
        assert not hasattr(copy, "links_")
        assert repr(base.clone(estimator.attacker_)) == repr(estimator.attacker_)


def arrays_in(thing: Any) -> list[np.ndarray[Any, Any]]:
    """All arrays that can be reached from an object."""
    if isinstance(thing, np.ndarray):
        return [thing]
    if isinstance(thing, dict):
        return [array for value in thing.values() for array in arrays_in(value)]
    if isinstance(thing, list | tuple):
        return [array for value in thing for array in arrays_in(value)]
    return arrays_in(vars(thing)) if hasattr(thing, "__dict__") else []


@pytest.mark.slow
def test_pickles_are_small_and_hold_no_records(fitted: dict[str, Any]) -> None:
    """A fit on 1,000 records leaves a few figures; they come back from a pickle and go on working."""
    original, protected = files(1000, noise=5.0)
    large = WeightedMean().fit(
        original, protected, record_weights=np.ones(1000), pairs=[(i, i) for i in range(1, 1001)]
    )
    assert len(pickle.dumps(large)) < 4096
    assert max(array.size for array in arrays_in(large)) <= 3
    original, protected = files()
    for estimator in fitted.values():
        back = pickle.loads(pickle.dumps(estimator))  # noqa: S301  (made here)
        assert len(pickle.dumps(estimator)) < 8192
        assert repr(back) == repr(estimator)
        assert back.links_ == estimator.links_
        assert back.score(original, protected) == estimator.rate_


@pytest.mark.slow
@pytest.mark.parametrize("kind", [WeightedMean, Choquet, BilinearPSD])
def test_fitting_again_gives_the_same(kind: type[Any]) -> None:
    """Same files and seed, same parameters to the last bit; other files leave nothing behind."""
    original, protected = files()
    estimator = kind().fit(original, protected)
    first = estimator.meaning_.to_dict()
    estimator.fit(*files(30, seed=5)).fit(original, protected)
    assert estimator.meaning_.to_dict() == first
    assert estimator.n_features_in_ == 3


def test_options_reach_the_learner() -> None:
    """Additivity, margin, ties and time limit do what they say."""
    original, protected = files()
    additive = Choquet(additivity=1).fit(original, protected)
    plain = WeightedMean().fit(original, protected)
    assert additive.links_ == plain.links_
    assert len(additive.mobius_) == 3
    strict = WeightedMean().fit(original, protected, margin=0.9)
    assert strict.links_ < plain.links_
    assert strict.score(original, protected) == strict.rate_
    hurried = Choquet().fit(original, protected, time_limit=0)
    assert hurried.links_ <= hurried.bound_
    copies = pd.concat([protected.iloc[:30]] * 2, ignore_index=True)
    assert WeightedMean().fit(original, copies, ties="unique").links_ == 0
    assert WeightedMean().fit(original, copies, ties="class").links_ > 0


def test_no_weight_is_below_the_floor() -> None:
    """Not by a rounding, either: the attacker must accept his own weights."""
    original, protected = files()
    for floor in (0.01, 0.1, 0.2, 0.3):
        assert WeightedMeanMetric(floor=floor).fit(original, protected).weights_.min() >= floor


def test_record_weights_count() -> None:
    """Only the records that weigh something are worth linking; the rate is over all weights."""
    original, protected = files()
    weights = np.zeros(60)
    weights[:10] = 2.0
    estimator = WeightedMean().fit(original, protected, record_weights=weights)
    assert estimator.links_ <= 20.0
    assert estimator.rate_ == estimator.links_ / 20.0
    everybody = WeightedMean().fit(original, protected).attacker_
    linked = nearest(everybody.distance(make_comparison(pair_files(original, protected)))).is_linked()
    assert estimator.links_ >= 2.0 * linked[:10].sum()
    assert estimator.score(original, protected, record_weights=weights) == estimator.rate_


@pytest.mark.slow
def test_record_weights_count_alike_for_every_engine() -> None:
    """A 1-additive measure is a weighted mean: by boxes or by covers, the same weighted optimum."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        original = rng.normal(size=(30, 3))
        protected = original + rng.normal(0.0, 0.5, original.shape)
        weights = rng.choice([1.0, 1.0, 10.0], 30)
        found = [
            estimator.fit(original, protected, record_weights=weights)
            for estimator in (WeightedMean(), Choquet(additivity=1))
        ]
        assert [estimator.status_ for estimator in found] == ["optimal", "optimal"]
        assert found[0].links_ == found[1].links_


def test_reading_options_are_kept_except_for_the_pairs() -> None:
    """Id and names in the other file hold for new files; the list of pairs, which names records, is forgotten."""
    original, protected = files()
    original, protected = original.assign(ID=range(60)), protected.assign(PID=range(60)).sample(frac=1, random_state=3)
    protected = protected.rename(columns={"AGI": "A"})
    renamed = {"ID": "PID", "AGI": "A"}
    estimator = WeightedMean().fit(original, protected, id="ID", renamed=renamed)
    assert estimator.feature_names_in_.tolist() == COLUMNS
    assert estimator.score(original, protected) == estimator.rate_
    without_ids = protected.drop(columns="PID")
    assert estimator.distances(original, without_ids).shape == (60, 60)
    assert WeightedMean().fit(*files(), pairs=[(i, i) for i in range(1, 61)]).options_.pairs is None


def test_kinds_are_those_of_the_fit() -> None:
    """A code that was called nominal stays nominal in new files, without a schema."""
    original, protected = files()
    codes = np.arange(60) % 4 + 1
    original, protected = original.assign(REGION=codes), protected.assign(REGION=codes)
    schema = {"attributes": {"REGION": {"kind": "nominal"}}}
    estimator = WeightedMean().fit(original, protected, attributes=["REGION"], schema=schema)
    assert set(np.unique(estimator.distances(original, protected))) == {0.0, 1.0}


def test_mixed_kinds() -> None:
    """Numbers, categories and dates alike; forms take the numeric ones and say which."""
    original = census_like_mixed(40, seed=2)
    estimator = WeightedMean().fit(original, original)
    assert estimator.rate_ == 1.0
    assert estimator.n_features_in_ == len(estimator.weights_) == original.shape[1]
    form = BilinearPSD().fit(original, original)
    assert 0 < form.n_features_in_ < original.shape[1]
    assert form.score(original, original) == form.rate_


@pytest.mark.parametrize(
    ("attacker", "options", "sentence"),
    [
        (WeightedMean(), {"scale": "raw"}, "scale must be one of separate, original, ranks"),
        (WeightedMean(), {"ties": "some"}, "ties must be one of unique, class, expected"),
        (WeightedMean(), {"time_limit": -1.0}, "time_limit must be a number of at least 0"),
        (WeightedMean(), {"time_limit": float("nan")}, "time_limit must be a number of at least 0"),
        (WeightedMean(), {"seed": -1}, "seed must be a whole number"),
        (WeightedMean(), {"margin": 1.0}, "margin must be a number from 0 to below 1"),
        (WeightedMean(), {"margin": "much"}, "margin must be a number from 0 to below 1"),
        (WeightedMeanMetric(floor=0.0), {}, "floor must be a number above 0 and below 1"),
        (WeightedMeanMetric(floor=0.4), {}, "choose one below"),
        (Choquet(additivity=0), {}, "additivity must be a whole number of at least 1"),
        (ChoquetMetric(additivity=2), {}, "submodular measures are learned in full; leave out additivity"),
    ],
)
def test_what_cannot_be_learned_is_told_in_a_sentence(
    attacker: LearnedAttacker, options: dict[str, Any], sentence: str
) -> None:
    """At fit, not before, as scikit-learn wants it; nothing is learned."""
    with pytest.raises(InputError, match=sentence):
        attacker.fit(*files(10), **options)
    assert not hasattr(attacker, "links_")


def test_bad_input_is_told_in_a_sentence() -> None:
    """Wrong options, weights and files; and what was not fitted cannot be asked."""
    original, protected = files(10)
    with pytest.raises(ParameterError, match=r"call fit\(original, protected\) first"):
        WeightedMean().score(original, protected)
    with pytest.raises(ParameterError, match="call fit"):
        WeightedMean().distances(original, protected)
    with pytest.raises(InputError, match="ids is not an option"):
        WeightedMean().fit(original, protected, ids="ID")  # type: ignore[call-arg]  # the mistake
    for weights, sentence in (
        (np.ones(9), "one entry for each of the 10 original records"),
        (["a"] * 10, "must be numbers"),
        ([1.0] * 9 + [-1.0], "for record 10"),
        ([1.0, np.nan] + [1.0] * 8, "for record 2"),
        ([0.0] * 10, "no link counts"),
    ):
        with pytest.raises(ParameterError, match=sentence):
            WeightedMean().fit(original, protected, record_weights=weights)
    estimator = WeightedMean().fit(original, protected)
    with pytest.raises(InputError, match="AGI"):
        estimator.score(original, protected.drop(columns="AGI"))
    with pytest.raises(ParameterError, match="no link counts"):
        estimator.score(original, protected, record_weights=[0.0] * 10)
    with pytest.raises(InputError, match="additivity="):
        Choquet().fit(np.ones((3, 17)) * np.arange(3.0)[:, None], np.ones((3, 17)) * np.arange(3.0)[:, None])


def test_own_families_are_fitted_too() -> None:
    """OwnAttacker has the same manners."""
    original, protected = files(30)
    learned = OwnAttacker(LargestAndSum()).fit(original, protected)
    assert learned.name == "largest_and_sum"
    assert learned.parameters_.shape == (2,)
    assert learned.score(original, protected) == learned.rate_
    assert learned.attacker_.score(original, protected) == learned.rate_
    assert pickle.loads(pickle.dumps(learned)).links_ == learned.links_  # noqa: S301  (made here)


def test_a_fitted_model_is_not_silently_learned_anew() -> None:
    """Whoever gives one to `assess` is asked which of the two is meant; what it learned is `attacker_`."""
    original, protected = files(20)
    model = WeightedMean().fit(original, protected)
    with pytest.raises(ParameterError, match="fitted already; give its attacker_"):
        linkrisk.assess(original, protected, attackers=[model])
    found = linkrisk.assess(original, protected, attackers=[model.attacker_], scales=["separate"]).attacks[0]
    assert found.links[Ties.EXPECTED] == model.links_
    assert found.bound is None


def test_distances_of_columns_named_differently() -> None:
    """The names in the other file are remembered from ``fit``."""
    original, protected = files(20)
    renamed = {"AGI": "income"}
    model = WeightedMean().fit(original, protected.rename(columns=renamed), renamed=renamed)
    there = model.distances(original, protected.rename(columns=renamed))
    assert np.array_equal(there, WeightedMean().fit(original, protected).distances(original, protected))
