"""Probabilistic linkage: linked as by the double loop, whatever the kinds; laws; hand-made ties; odd files."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.attackers import Mean, Probabilistic, make_attacker
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from linkrisk.errors import NotApplicableError, ParameterError
from linkrisk.linkage import Linkage
from linkrisk.linkage.assignment import assign
from linkrisk.linkage.probabilistic import link_probabilistically
from linkrisk.linkage.search import distances, nearest
from linkrisk.protection import add_noise, microaggregate, rank_swap
from tests.census import needs_census, read_census
from tests.linkage.agreement import short_em, slow_level
from tests.linkage.files import label_column, mixed_file_pairs, numeric_file_pairs, numeric_files, paired
from tests.linkage.twins import Twin, check_linkage, check_others, exact_differences
from tests.oracle.linking import have_same_differences

SCALES = ("separate", "original", "ranks")


def slow_distances(files: FilePair, comparison: Comparison, distance: AgreementDistance) -> list[list[Fraction]]:
    """Sum of the costs of the levels, and what each protected record costs besides, for every pair."""
    return [
        [
            sum(
                (
                    Fraction(float(distance.costs[k, slow_level(files, comparison, distance, k, i, j)]))
                    for k in range(comparison.n_attributes)
                ),
                Fraction(float(distance.extras[1][j])),
            )
            for j in range(files.n_protected)
        ]
        for i in range(files.n_original)
    ]


def slow_weights(files: FilePair, comparison: Comparison, distance: AgreementDistance) -> list[list[float]]:
    """log2 of the probability that each protected record was made of each original one, by its definition."""
    weights, share = distance.mixture.weights, distance.mixture.share
    ratios = [
        [
            2.0 ** sum(weights[k, slow_level(files, comparison, distance, k, i, j)] for k in range(len(weights)))
            for j in range(files.n_protected)
        ]
        for i in range(files.n_original)
    ]
    none = max(1.0 - share * files.n_original, 0.0)
    totals = [none + share * math.fsum(row[j] for row in ratios) for j in range(files.n_protected)]
    return [[math.log2(share * r / total) for r, total in zip(row, totals, strict=True)] for row in ratios]


def check_against_twin(files: FilePair, scale: str, attacker: Probabilistic) -> None:
    """Link by the kernels and by the double loop."""
    comparison = make_comparison(files, scale)
    with short_em():
        distance = attacker.distance(comparison)
    slow = slow_distances(files, comparison, distance)
    fast = distances(distance)
    assert fast == pytest.approx(np.array(slow, dtype=np.float64), rel=1e-12, abs=1e-12)
    if attacker.unit == "protected":
        weights = np.array(slow_weights(files, comparison, distance))
        assert distance.largest_weight - fast == pytest.approx(weights, rel=1e-9, abs=1e-9)
    own = files.own.tolist()
    d = exact_differences(comparison, files)
    # Sums of floats are rounded: where two patterns weigh nearly the same, rounding decides.
    twin = Twin(
        distance=lambda i, j: slow[i][j],
        is_twin=lambda i, j: have_same_differences(d(i, own[i]), d(i, j)),
        margin=2.0**-38,
        is_copy=lambda i, j: fast[i, j] == fast[i, own[i]],
    )
    linkage = nearest(distance, is_ranking=True, threads=1)
    check_linkage(linkage, twin, own, files.n_protected)
    check_others(linkage, fast, own)


ATTACKERS = (
    Probabilistic(),
    Probabilistic(levels=0),
    Probabilistic(levels=3, unit="pair"),
    Probabilistic(levels=5, missing="level", monotone=False),
    Probabilistic(levels=4, unit="original", values="alike"),
)


@pytest.mark.slow
@given(numeric_file_pairs(), st.sampled_from(SCALES), st.sampled_from(ATTACKERS))
@settings(max_examples=60, deadline=None)
def test_numbers_are_linked_as_by_the_twin(files: FilePair, scale: str, attacker: Probabilistic) -> None:
    """Copies, ties, holes, other lengths, records without counterpart."""
    check_against_twin(files, scale, attacker)


@pytest.mark.slow
@given(mixed_file_pairs(), st.sampled_from(SCALES), st.sampled_from(ATTACKERS), st.sampled_from([1, 3, 20]))
@settings(max_examples=60, deadline=None)
def test_mixed_kinds_are_linked_as_by_the_twin(
    files: FilePair, scale: str, attacker: Probabilistic, least: int
) -> None:
    """Nominal, ordinal, text and date columns with holes; values of few records in classes of their own, or joined."""
    with patch("linkrisk.distances.probabilistic.values.LEAST_RECORDS", least):
        check_against_twin(files, scale, attacker)


def noisy(n_records: int = 300, n_attributes: int = 4, noise: float = 0.1, seed: int = 0) -> FilePair:
    """Make normal values and a version with noise."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_records, n_attributes))
    return numeric_files(values, values + noise * rng.normal(size=values.shape))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("unit", ["protected", "original", "pair"])
def test_identical_files_are_linked(scale: str, unit: str) -> None:
    """Every record is found in a copy of its file, and EM says that all are matches."""
    files = noisy(noise=0.0)
    found = link_probabilistically(Probabilistic(unit=unit).distance(make_comparison(files, scale)))
    assert found.linkage.links() == found.assignment.links() == 300
    assert found.distance.mixture.share == pytest.approx(1 / 300, rel=0.02)
    assert found.classes.true_pairs[2] == 0


def swapped_ranks(n_records: int = 400) -> FilePair:
    """People whose six attributes go together, each attribute then swapped within a fourth of the ranks."""
    values = alike_people(n_records)
    return numeric_files(values, np.asarray(rank_swap(values, 24, secret_seed=1).data))


def alike_people(n_records: int) -> FloatArray:
    """Six attributes with a correlation of 0.81."""
    rng = np.random.default_rng(3)
    common = rng.normal(size=(n_records, 1))
    return np.asarray(0.9 * common + math.sqrt(0.19) * rng.normal(size=(n_records, 6)))


@pytest.mark.slow
def test_originals_compete_where_attributes_go_together() -> None:
    """Look-alikes are many. Protected records that compete for an original one pass for matches; originals do not."""
    comparison = make_comparison(swapped_ranks(), "ranks")
    links = {unit: nearest(Probabilistic(unit=unit).distance(comparison)).links() for unit in ("protected", "original")}
    mean = nearest(Mean().distance(comparison)).links()
    assert links["protected"] > 2 * max(mean, links["original"])


@pytest.mark.slow
def test_fewer_links_than_mean_are_told() -> None:
    """A note and both numbers where it links fewer; none where it links more."""
    values = alike_people(400)
    noise = 0.35 * np.random.default_rng(4).normal(size=values.shape)
    comparison = make_comparison(numeric_files(values, values + noise))
    mean = nearest(Mean().distance(comparison)).links("expected")
    for unit, is_fewer in (("original", True), ("protected", False)):
        found = link_probabilistically(Probabilistic(unit=unit).distance(comparison))
        assert found.distance.parameters["links_of_mean"] == mean
        told = f"fewer than mean, which links {mean:.6g}"
        assert any(told in note for note in found.distance.notes) == is_fewer
        assert (told in repr(found)) == is_fewer


def nominal_files(n_records: int, keep: float = 0.7) -> FilePair:
    """Six nominal attributes with frequent and rare values, kept with a probability, otherwise drawn anew."""
    rng = np.random.default_rng(2)
    columns = []
    for k, n_values in enumerate((3, 6, 12, 20, 40, 60)):
        shares = 1.0 / np.arange(1, n_values + 1)
        before, drawn = (rng.choice(n_values, n_records, p=shares / shares.sum()) for _ in range(2))
        after = np.where(rng.random(n_records) < keep, before, drawn)
        cells = [[f"v{code}" for code in codes] for codes in (before, after)]
        columns.append(label_column(f"n{k}", Kind.NOMINAL, *cells))
    return paired(columns)


@pytest.mark.slow
def test_rare_values_weigh_more() -> None:
    """Weights fall from the rarest class to the most frequent and tell more people apart; one to one as well.

    They come near log2(keep / f + 1 - keep), what agreement on a value of frequency f is worth if values are kept with
    probability keep, and otherwise drawn anew.
    """
    comparison = make_comparison(nominal_files(1000))
    alike, frequency = (Probabilistic(values=values).distance(comparison) for values in ("alike", "frequency"))
    assert nearest(frequency).links() > 1.05 * nearest(alike).links()
    assert assign(frequency).links() > assign(alike).links()
    for k, classes in enumerate(frequency.agreement.values):
        assert classes is not None
        weights = frequency.mixture.weights[k, : classes.n_classes + 1]
        assert (np.diff(weights) <= 0.0).all()
        most_frequent = math.log2(0.7 / classes.shares[-1] + 0.3)
        assert weights[-2] == pytest.approx(most_frequent, abs=0.15)
        assert weights[-1] == pytest.approx(math.log2(0.3), abs=0.3)


def test_noisy_files_are_linked() -> None:
    """Little noise: nearly everybody is found, nearly all claims are right, and it prints without records."""
    found = link_probabilistically(Probabilistic().distance(make_comparison(noisy())))
    assert found.is_converged
    assert found.linkage.links() > 280
    assert found.assignment.links() >= found.linkage.links()
    assert found.classes.precision is not None
    assert found.classes.precision > 0.9
    assert found.thresholds[0] > found.thresholds[1]
    assert "EM converged" in repr(found)
    assert "array" not in repr(found)


@pytest.mark.parametrize("unit", ["protected", "original", "pair"])
def test_order_of_records_and_threads_change_nothing(unit: str) -> None:
    """Shuffle both files: the same m, u and costs to the last bit, the same links."""
    files = noisy(120, noise=0.4)
    rng = np.random.default_rng(5)
    first, second = rng.permutation(120), rng.permutation(120)
    place = np.argsort(second)
    x, y = (np.column_stack([getattr(c, side) for c in files.columns]) for side in ("original", "protected"))
    shuffled = numeric_files(x[first], y[second], place[first])
    one = Probabilistic(unit=unit, threads=1).distance(make_comparison(files))
    two = Probabilistic(unit=unit, threads=2).distance(make_comparison(shuffled))
    assert one.costs.tolist() == two.costs.tolist()
    assert one.mixture.log_likelihood == two.mixture.log_likelihood
    linked, also = nearest(one, threads=1), nearest(two, threads=2)
    assert linked.own[first].tolist() == also.own.tolist()
    assert linked.is_linked()[first].tolist() == also.is_linked().tolist()


def test_order_of_attributes_changes_no_link() -> None:
    """Weights move with their attributes."""
    comparison = make_comparison(noisy(150, noise=0.4))
    turned = comparison.select(reversed(comparison.names))
    one, two = (Probabilistic().distance(c) for c in (comparison, turned))
    assert one.costs == pytest.approx(two.costs[::-1], abs=1e-6)
    assert nearest(one).links() == nearest(two).links()


def fixed(distance: AgreementDistance, costs: FloatArray) -> Linkage:
    """Link with costs of one's own."""
    from dataclasses import replace  # noqa: PLC0415

    return nearest(replace(distance, costs=costs, extras=(distance.extras[0], np.zeros_like(distance.extras[1]))))


def test_ties_by_hand() -> None:
    """Two nominal attributes, agreement on the first worth 2 bits, on the second 1.

    Original (a, x), (b, y), (c, z); protected (a, y), (b, y), (b, y), (c, x); own: 0, 1, 3. Record 0 is 1 from its own,
    2 from (c, x), 3 from the others: linked. Record 1 is 0 from its own and from a copy: a twin. Record 2 is 1 from its
    own: linked.
    """
    columns = [
        label_column("first", Kind.NOMINAL, ["a", "b", "c"], ["a", "b", "b", "c"]),
        label_column("second", Kind.NOMINAL, ["x", "y", "z"], ["y", "y", "y", "x"]),
    ]
    distance = Probabilistic().distance(make_comparison(paired(columns, [0, 1, 3])))
    costs = np.array([[0.0, 2.0, 2.0, 2.0], [0.0, 1.0, 1.0, 1.0]])
    linkage = fixed(distance, costs)
    assert linkage.own.tolist() == [1.0, 0.0, 1.0]
    assert linkage.nearest_other.tolist() == [2.0, 0.0, 3.0]
    assert linkage.tied.tolist() == [0, 1, 0]
    assert linkage.twins.tolist() == [0, 1, 0]
    assert [linkage.links(rule) for rule in ("unique", "class", "expected")] == [2, 3, 2.5]


def test_same_levels_without_being_twins_are_ties() -> None:
    """Two strangers at the same tolerance tie; their differences tell that they are no twins, so it is no link."""
    files = numeric_files([[0.0], [10.0], [20.0]], [[1.0], [10.0], [-2.0]], [0, 1, 2])
    comparison = make_comparison(files, "original")
    spread = float(np.std([0, 10, 20], ddof=1))
    distance = Probabilistic(tolerances={"V1": [3 / spread]}).distance(comparison)
    linkage = fixed(distance, np.array([[0.0, 5.0, 5.0, 5.0]]))
    assert linkage.tied.tolist()[0] == 1
    assert linkage.twins.tolist()[0] == 0
    assert not linkage.is_linked("class")[0]


def test_constant_attributes_get_no_weight() -> None:
    """No pair can be told from another by them: weight 0, said in a note, and the rest as without them."""
    files = noisy(80)
    with_constant = paired([*files.columns, label_column("same", Kind.NOMINAL, ["a"] * 80, ["a"] * 80)])
    plain, more = (Probabilistic().distance(make_comparison(f)) for f in (files, with_constant))
    assert not more.costs[-1].any()
    assert any("same" in note and "weight 0" in note for note in more.notes)
    assert nearest(plain).links() == nearest(more).links()


@pytest.mark.parametrize("unit", ["protected", "original", "pair"])
def test_nothing_to_tell(unit: str) -> None:
    """All records equal: everything ties, nothing is claimed wrongly, EM has nothing to do."""
    files = numeric_files(np.ones((6, 2)), np.ones((6, 2)))
    found = link_probabilistically(Probabilistic(unit=unit).distance(make_comparison(files)))
    assert found.linkage.links("unique") == 0
    assert found.linkage.links("expected") == pytest.approx(1.0)
    assert found.distance.mixture.status == "nothing to learn"
    assert "EM had nothing to learn from" in repr(found)
    assert len(found.distance.notes) == 2


def test_two_records() -> None:
    """The smallest file."""
    linkage = nearest(Probabilistic().distance(make_comparison(numeric_files([[0.0], [1.0]], [[0.1], [0.9]]))))
    assert linkage.links("unique") in {0, 2}


@pytest.mark.parametrize("missing", ["ignored", "level"])
def test_missing_values(missing: str) -> None:
    """A column missing throughout says nothing; ignored holes weigh 0, holes as levels have an m and a u."""
    files = noisy(100)
    x, y = (np.column_stack([getattr(c, side) for c in files.columns]) for side in ("original", "protected"))
    x[:, 3] = y[:, 3] = np.nan
    x[::7, 0] = y[::7, 0] = np.nan
    distance = Probabilistic(missing=missing).distance(make_comparison(numeric_files(x, y)))
    assert not distance.costs[3].any()
    n_levels = distance.agreement.n_levels[0]
    both = distance.mixture.weights[0, n_levels + 1]
    assert both == 0.0 if missing == "ignored" else both > 0.0
    assert nearest(distance).links() > 70


def test_sparse_assignment_covers_the_dense_one() -> None:
    """Lists of candidates give a total between the least one and what the gap allows, either file being longer."""
    for own, n_original, n_protected in ((60, 60, 90), (60, 90, 60)):
        rng = np.random.default_rng(1)
        x, y = rng.normal(size=(n_original, 3)), rng.normal(size=(n_protected, 3))
        y[:own] = x[:own] + 0.3 * rng.normal(size=(own, 3))
        pairs = [i if i < own else -1 for i in range(n_original)]
        distance = Probabilistic().distance(make_comparison(numeric_files(x, y, pairs)))
        dense, sparse = assign(distance), assign(distance, max_dense=0)
        assert sparse.bound <= dense.total + 1e-9
        assert dense.total <= sparse.total + 1e-9


@pytest.mark.parametrize(
    "parameters",
    [
        {"levels": 13},
        {"levels": 1.5},
        {"levels": True},
        {"unit": "file"},
        {"values": "rare"},
        {"missing": "maybe"},
        {"monotone": 1},
        {"false_positive": 2.0},
        {"false_negative": None},
        {"seed": -1},
    ],
)
def test_parameters_out_of_range(parameters: dict[str, Any]) -> None:
    """One sentence that names the parameter, by whichever way the attacker is made or used."""
    key = next(iter(parameters))
    with pytest.raises(ParameterError, match=key):
        make_attacker("probabilistic", parameters)
    with pytest.raises(ParameterError, match=key):
        Probabilistic(**parameters).distance(make_comparison(noisy(10)))
    with pytest.raises(ParameterError, match=key):
        Probabilistic(**parameters).check_usable(make_comparison(noisy(10)))


@pytest.mark.parametrize(
    "tolerances", [{"V9": [0.1]}, {"V1": []}, {"V1": [0.2, 0.1]}, {"V1": [-1.0]}, {"V1": "wide"}, {"V1": ["a"]}, [0.1]]
)
def test_tolerances_out_of_range(tolerances: Any) -> None:
    """Unknown attributes, empty, falling, negative, no numbers."""
    with pytest.raises(ParameterError, match="tolerances"):
        Probabilistic(tolerances=tolerances).check_usable(make_comparison(noisy(10)))


def test_files_too_large_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparing all pairs has a limit, told before any work."""
    monkeypatch.setattr("linkrisk.distances.probabilistic.probabilistic.MOST_PAIRS", 50)
    with pytest.raises(NotApplicableError, match="pairs"):
        Probabilistic().check_usable(make_comparison(noisy(10)))


@pytest.mark.slow
def test_learning_from_some_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the files are large EM sees some records only, says so, and finds nearly the same."""
    comparison = make_comparison(noisy(600))
    everybody = nearest(Probabilistic().distance(comparison)).links()
    home = "linkrisk.distances.probabilistic.probabilistic"
    monkeypatch.setattr(f"{home}.LEARNED_PAIRS", 1000)
    many = Probabilistic().distance(comparison)
    assert many.parameters["records_learned_from"] == 520  # ten for each of 4 times 13 probabilities
    assert any("520 of 600 protected records, 10 for each of the 52 probabilities" in note for note in many.notes)
    monkeypatch.setattr(f"{home}.MOST_LEARNED_PAIRS", 1000)
    some = Probabilistic().distance(comparison)
    assert some.parameters["records_learned_from"] == 400
    assert any("400 of 600" in note for note in some.notes)
    assert nearest(some).links() == pytest.approx(everybody, abs=20)
    assert Probabilistic().distance(comparison).costs.tolist() == some.costs.tolist()
    assert Probabilistic(seed=1).distance(comparison).costs.tolist() != some.costs.tolist()


@pytest.mark.slow
@needs_census
def test_census() -> None:
    """Two samples of 400 Census records, 7 attributes.

    Noise of 16 %: within 6 points of the mean (papers: "very similar results", abril2012-weights.txt, section 5.1).
    M5-38, whose groups of attributes are changed unevenly: at least twice the links of the mean.
    """
    census = np.asarray(read_census().to_numpy(), dtype=np.float64)
    protected = np.asarray(add_noise(census, 16, continuous=True, secret_seed=1).data)
    rates: dict[str, list[tuple[float, float]]] = {"noise": [], "M5-38": []}
    for seed in range(2):
        rows = np.random.default_rng(seed).choice(1080, 400, replace=False)
        small = census[rows, :5]
        micro = np.asarray(microaggregate(small, [[0, 1, 2], [3, 4]], [3, 8], raw=True, continuous=True).data)
        for name, x, y in (("noise", census[rows, :7], protected[rows, :7]), ("M5-38", small, micro)):
            comparison = make_comparison(numeric_files(x, y))
            ours, mean = (nearest(a.distance(comparison)).links() / 4.0 for a in (Probabilistic(), Mean()))
            rates[name].append((ours, mean))
    ours, mean = np.mean(rates["noise"], axis=0)
    assert mean - 6.0 < ours < mean + 6.0
    ours, mean = np.mean(rates["M5-38"], axis=0)
    assert ours > 2.0 * mean
