"""Who learns is never weaker than an attacker of his family who was there before him, however soon he is stopped."""

from __future__ import annotations

import signal
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.attack.loop import Attacks
from linkrisk.attack.plan import AttackPlan
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import ATTACKERS, make_attacker
from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.differences import Comparison, make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.distance import Rule
from linkrisk.distances.family import Family, embedded_parameters
from linkrisk.distances.formula import Formula, make_formula
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning.learn import learn
from linkrisk.learning.options import Learning
from linkrisk.learning.problem.pairs import Pairs
from linkrisk.learning.problem.problem import make_problem
from linkrisk.learning.search import Status
from linkrisk.learning.starts import Start, starting_points
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties

ONE_SCALE = (Scale.ORIGINAL,)


def learned_attackers() -> list[Attacker]:
    """Return every attacker who learns, as the registry has them, and one who has an option."""
    made = [make_attacker(name) for name in ATTACKERS if name not in {"probabilistic", "informed"}]
    return [one for one in made if one.is_learned] + [make_attacker("choquet", {"additivity": 2})]


def family_of(attacker: Attacker) -> Family:
    """Return the family of an attacker who learns."""
    family = attacker.family()
    assert family is not None
    return family


NESTED = [
    pytest.param(inner, outer, id=f"{family_of(inner).file_stem} in {family_of(outer).file_stem}")
    for inner, outer in permutations(learned_attackers(), 2)
    if family_of(outer).contains(family_of(inner))
]
"""All pairs of attackers who learn, the family of the second containing that of the first: by the families' word."""


def links_by(attackers: list[Attacker], files: FilePair, ties: Ties, scales: Any = ONE_SCALE) -> dict[Any, float]:
    """Return the links of attackers who have no time to learn, by label and scale."""
    comparisons = {scale: make_comparison(files, scale) for scale in scales}
    plan = AttackPlan(ties=ties, one_to_one=False, learning=Learning(time_limit=0.0), threads=1)
    attacks = Attacks(attackers, comparisons, plan, files)
    return {(made.result.label, made.result.scale): made.result.links[ties] for made in attacks.run()}


def noisy_files(seed: int, n_records: int = 24, digits: int = 1) -> FilePair:
    """Return files in which one attribute is hardly protected and others are little but noise, with some ties."""
    random = np.random.default_rng(seed)
    original = random.normal(size=(n_records, 3)).round(digits)
    noise = random.normal(size=original.shape) * 10.0 ** random.uniform(-3.0, 0.7, 3)
    return pair_files(original, (original + noise).round(digits + 1))


def test_families_name_what_they_contain() -> None:
    """Everybody contains himself; who contains another is contained in that one only if they are the same."""
    families = [family_of(one) for one in learned_attackers()]
    for one in families:
        assert one.contains(one)
        for other in families:
            assert not (one.contains(other) and other.contains(one) and one != other)
    assert len(NESTED) == 19  # by the table of docs/mathematics.md#never-weaker, also through others
    full, metric, additive = ChoquetFamily(), ChoquetFamily(is_metric=True), AdditiveChoquetFamily(2)
    assert full.contains(additive)
    assert not metric.contains(additive)
    assert not metric.contains(full)
    assert AdditiveChoquetFamily(3).contains(additive)
    assert WeightedMeanFamily().contains(WeightedMeanFamily(0.01))
    assert not WeightedMeanFamily(0.01).contains(WeightedMeanFamily())


@pytest.mark.parametrize(("inner", "outer"), NESTED)
@given(seed=st.integers(0, 2**32 - 1), ties=st.sampled_from(Ties))
@settings(max_examples=3, deadline=None)
def test_never_weaker_than_a_member(inner: Attacker, outer: Attacker, seed: int, ties: Ties) -> None:
    """The inner one is learned, the outer one has no time at all."""
    files = noisy_files(seed)
    comparison = make_comparison(files, Scale.ORIGINAL)
    found = learn(family_of(inner), comparison, ties=ties, time_limit=0.5, threads=1)
    start = Start(make_formula(found.distance, comparison), comparison, found.links, found.family, found.theta)
    stopped = learn(family_of(outer), comparison, ties=ties, time_limit=0.0, threads=1, starts=[start])
    assert stopped.links >= found.links
    assert stopped.links <= stopped.bound


GIVEN = {
    "weighted_mean": ("mean", "distance_standardised"),
    "weighted_mean_metric": ("mean",),
    "owa": ("mean", "median"),
    "choquet": ("mean", "median", "distance_standardised"),
    "choquet_metric": ("mean", "distance_standardised"),
    "bilinear": ("mean", "distance_standardised", "mahalanobis", "mahalanobis0"),
    "bilinear_free": ("mean", "distance_standardised", "mahalanobis", "mahalanobis0"),
    "bilinear_psd": ("mean", "distance_standardised", "mahalanobis", "mahalanobis0"),
}
"""Attackers with nothing to learn who lie in a family: docs/mathematics.md#never-weaker."""


@given(seed=st.integers(0, 2**32 - 1), ties=st.sampled_from(Ties))
@settings(max_examples=4, deadline=None)
def test_never_weaker_than_who_has_nothing_to_learn(seed: int, ties: Ties) -> None:
    """All attack in one run, and those who learn have no time.

    Of real numbers no two differ from a third by the same amounts in other directions, so ``expected`` holds of forms.
    """
    names = sorted({*GIVEN, *(name for members in GIVEN.values() for name in members)})
    found = links_by([make_attacker(name) for name in names], noisy_files(seed, digits=6), ties)
    for name, members in GIVEN.items():
        for member in members:
            assert found[name, "original"] >= found[member, "original"], (name, member)


def keyed_files(n_records: int = 60) -> FilePair:
    """Return files with a key that did not change, a number that hardly did, and noise: weights span 10^21."""
    random = np.random.default_rng(3)
    original = np.column_stack([random.integers(0, 9, n_records), *random.normal(size=(3, n_records))]).astype(float)
    noise = np.column_stack([np.zeros(n_records), *(random.normal(size=(3, n_records)) * [[0.02], [2.0], [9.0]])])
    return pair_files(original, original + noise)


@pytest.mark.parametrize("name", ["weighted_mean", "choquet", "choquet_metric", "bilinear", "bilinear_psd"])
def test_weights_that_span_21_orders_of_magnitude(name: str) -> None:
    """A key decides first, and the rest still counts: nothing is lost in rounding."""
    members = [make_attacker(member) for member in ("distance_standardised", "mahalanobis")]
    files = keyed_files()
    weights = members[0].distance(make_comparison(files, Scale.ORIGINAL)).theta
    assert weights.max() / weights.min() > 1e21
    found = links_by([*members, make_attacker(name)], files, Ties.UNIQUE)
    expected = ["distance_standardised", *(["mahalanobis"] if name.startswith("bilinear") else [])]
    for member in expected:
        assert found[name, "original"] >= found[member, "original"] > 40


@pytest.mark.parametrize("name", ["bilinear_psd", "bilinear", "bilinear_free"])
def test_a_combination_that_is_a_key(name: str) -> None:
    """The sum of three attributes did not change: no floats hold the form of Mahalanobis, whole numbers do."""
    random = np.random.default_rng(0)
    original = random.integers(-2000, 2000, (60, 3)) / 1024
    noise = random.integers(-900, 900, (60, 3)) / 1024
    noise[:, 2] = -noise[:, 0] - noise[:, 1]
    comparison = make_comparison(pair_files(original, original + noise), Scale.ORIGINAL)
    distance = make_attacker("mahalanobis").distance(comparison)
    assert distance.parameters["key_directions"] == 1
    expected = nearest(distance).links(Ties.UNIQUE)
    learned = learn(family_of(make_attacker(name)), comparison, time_limit=0.0, threads=1)
    assert learned.links >= expected > 50


def test_mixed_file() -> None:
    """Categories, as in the file where it was first seen: noise on numbers, categories as they are or swapped."""
    numbers, labels = linkrisk.datasets.census_like(150, seed=1), linkrisk.datasets.census_like_mixed(150, seed=1)
    original = pd.concat([numbers.iloc[:, :4], labels], axis=1)
    protected = linkrisk.protection.add_noise(numbers.iloc[:, :4], 16.0, secret_seed=2).data
    files = pair_files(original, pd.concat([protected, labels], axis=1))
    found = links_by([make_attacker(name) for name in ("weighted_mean", "distance_standardised")], files, Ties.EXPECTED)
    assert found["weighted_mean", "original"] >= found["distance_standardised", "original"]


def test_order_of_the_attackers_does_not_matter() -> None:
    """Who contains most comes last, however they are named: he starts from all others."""
    names = ["bilinear_free", "bilinear", "bilinear_psd", "weighted_mean", "weighted_mean_metric", "mean"]
    files = noisy_files(5)
    comparisons = {Scale.ORIGINAL: make_comparison(files, Scale.ORIGINAL)}
    plan = AttackPlan(one_to_one=False, learning=Learning(time_limit=0.0), threads=1)
    attacks = Attacks([make_attacker(name) for name in names], comparisons, plan, files)
    assert [made.result.name for made in attacks.run()] == names[::-1]


def test_never_weaker_across_scales() -> None:
    """Values swapped among people: two scales have the same distances. No other start has these weights.

    One attribute is that of others with little noise in two people of three, so weights by deviation are poor.
    """
    random = np.random.default_rng(0)
    original = random.normal(size=(60, 3)) * [1.0, 7.0, 0.3]
    protected = original.copy()
    protected[:, 1:] = original[random.permutation(60), 1:]
    swapped = random.choice(60, size=20, replace=False)
    protected[swapped, 0] = original[np.roll(swapped, 1), 0]
    files = pair_files(original, protected)
    here, there = (make_comparison(files, scale) for scale in (Scale.SEPARATE, Scale.ORIGINAL))
    weights = np.array([1.0, 1e-9, 1e-9])
    family = WeightedMeanFamily()
    links = nearest(family.distance(weights, here)).links(Ties.UNIQUE)
    alone = learn(family, there, time_limit=0.0, threads=1)
    assert alone.links < links
    start = Start(Formula(Rule.WEIGHTED, weights, here.names), here, links)
    assert learn(family, there, time_limit=0.0, threads=1, starts=[start]).links >= links


def test_a_weak_attacker_makes_nobody_weaker() -> None:
    """With no time to learn, who was fitted at once stays so when the mean attacks, too."""
    random = np.random.default_rng(0)
    original = random.normal(size=(100, 5))
    files = pair_files(original, original + random.normal(size=(100, 5)) * [0.01, 0.05, 3.0, 5.0, 8.0])
    learner = make_attacker("weighted_mean")
    alone = links_by([learner], files, Ties.UNIQUE)
    both = links_by([make_attacker("mean"), learner], files, Ties.UNIQUE)
    assert both["weighted_mean", "original"] >= alone["weighted_mean", "original"] > 50


def test_equal_starts_are_counted_once() -> None:
    """The fitted distance is there already: one point, with the links that are known of it."""
    comparison = make_comparison(noisy_files(3), Scale.ORIGINAL)
    formula = make_formula(make_attacker("distance_standardised").distance(comparison), comparison)
    problem = make_problem(WeightedMeanFamily(), comparison, Ties.UNIQUE)
    (point,) = starting_points(problem, [Start(formula, comparison, 5.0)] * 2)
    assert point.links == 5.0


def test_a_formula_on_another_scale_makes_the_same_distances() -> None:
    """Against distances from their definition, on both scales; where there is no common factor there is none."""
    random = np.random.default_rng(1)
    original = random.normal(size=(12, 2)) * [3.0, 0.1]
    files = pair_files(original, original[:, ::-1][:, ::-1][random.permutation(12)])
    here, there = (make_comparison(files, scale) for scale in (Scale.SEPARATE, Scale.ORIGINAL))
    weights = Formula(Rule.WEIGHTED, np.array([0.3, 0.7]), here.names)
    moved = weights.on(here, there)
    assert moved is not None
    for i, j in ((0, 1), (3, 9)):
        one, other = (_distance(formula, on, i, j) for formula, on in ((weights, here), (moved, there)))
        assert one == pytest.approx(other)
    shifted = pair_files(original, original + np.array([1.0, 0.0]))
    here, there = (make_comparison(shifted, scale) for scale in (Scale.SEPARATE, Scale.ORIGINAL))
    assert weights.on(here, there) is None
    assert Formula(Rule.WEIGHTED, np.array([0.0, 1.0]), here.names).on(here, there) is not None


def _distance(formula: Formula, comparison: Comparison, i: int, j: int) -> float:
    x, y = comparison.coordinates.original[i], comparison.coordinates.protected[j]
    return float(formula.theta @ (x - y) ** 2)


def test_mahalanobis_is_a_form() -> None:
    """The matrix of its formula makes the distances of its definition, up to a common factor."""
    comparison = make_comparison(noisy_files(2), Scale.ORIGINAL)
    formula = make_formula(make_attacker("mahalanobis").distance(comparison), comparison)
    assert formula is not None
    x, y = comparison.coordinates.original, comparison.coordinates.protected
    inverse = np.linalg.inv(np.cov((x - y).T))
    np.testing.assert_allclose(formula.matrix, inverse, rtol=1e-8)


def test_additive_measures_and_forms_are_recognised() -> None:
    """A weighted mean in every family that contains it; a form that is no diagonal matrix is no weighted mean."""
    names = ("a", "b")
    form = Formula(Rule.QUADRATIC, np.array([2.0, 1.0, 1.0, 3.0]), names)
    assert embedded_parameters(WeightedMeanFamily(), form, names) is None
    diagonal = Formula(Rule.QUADRATIC, np.array([2.0, 0.0, 0.0, 3.0]), names)
    found = embedded_parameters(AdditiveChoquetFamily(2), diagonal, names)
    assert found is not None
    assert found.tolist() == [2.0, 3.0, 0.0]
    comparison = make_comparison(noisy_files(1), Scale.ORIGINAL)
    kernel = make_formula(make_attacker("kernel", {"degree": 1}).distance(comparison), comparison)
    assert kernel is not None
    assert kernel.weights(comparison.names) == pytest.approx([1.0, 1.0, 1.0])
    assert make_formula(make_attacker("kernel").distance(comparison), comparison) is None
    low = Formula(Rule.WEIGHTED, np.array([1.0, 1e-6]), names)
    assert embedded_parameters(WeightedMeanFamily(1e-4), low, names) is None


def test_interrupted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the first pair is compared: the best start stands, with a bound."""
    comparison = make_comparison(noisy_files(4), Scale.ORIGINAL)
    given = make_attacker("distance_standardised").distance(comparison)
    expected = nearest(given).links(Ties.UNIQUE)
    compare = Pairs.differences
    pressed: list[int] = []

    def press(self: Pairs, i: int) -> Any:
        if not pressed:
            pressed.append(i)
            signal.raise_signal(signal.SIGINT)
        return compare(self, i)

    monkeypatch.setattr(Pairs, "differences", press)
    learned = learn(WeightedMeanFamily(), comparison, threads=1)
    assert learned.status is Status.INTERRUPTED
    assert learned.problem.n_unseen > 0
    assert expected <= learned.links <= learned.bound == 24
