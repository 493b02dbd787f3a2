"""What descriptions say about pairs, held against definitions."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.informed.attack import InformedLinkage, attack_informed
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.methods.rank_swap import has_clear_windows, window_shares
from linkrisk.informed.model import is_a_model, make_terms
from linkrisk.informed.term_kernels import cost_of
from linkrisk.linkage.matching.link import link_scores
from tests.oracle import informed as twin

seeds = st.integers(0, 2**32 - 1)


def shuffled(original: pd.DataFrame, protection: Any, seed: int) -> FilePair:
    """Return the two files, the released rows in another order."""
    order = np.random.default_rng(seed).permutation(len(original))
    pairs = np.column_stack([order + 1, np.arange(1, len(order) + 1)])
    return pair_files(original, protection.data.iloc[order].reset_index(drop=True), pairs=pairs)


def attacked(original: pd.DataFrame, protection: Any, seed: int = 0) -> InformedLinkage:
    """Let somebody attack who has read the record of a protection."""
    description = Description.of_record(protection.to_dict())
    return attack_informed(shuffled(original, protection, seed), [description])[0]


def costs(description: Description, files: FilePair) -> np.ndarray[Any, Any]:
    """Return all costs of a description."""
    terms = make_terms(description, Known(files)).finished()
    return np.array([[cost_of(terms, i, j, np.inf) for j in range(files.n_protected)] for i in range(files.n_original)])


@settings(max_examples=20)
@given(seed=seeds)
def test_noise_is_its_density(seed: int) -> None:
    """(y - x)^2 / (2 s^2) with s of the original file."""
    random = np.random.default_rng(seed)
    original = pd.DataFrame(random.normal(size=(8, 3)) * [1.0, 10.0, 100.0], columns=list("abc"))
    protection = linkrisk.protect(original, "noise", p="a:10,b:20,c:5", continuous=True, secret_seed=seed % 1000)
    files = pair_files(original, protection.data)
    found = costs(Description.of_record(protection.to_dict()), files)
    deviations = [share * original[name].std(ddof=1) for name, share in (("a", 0.1), ("b", 0.2), ("c", 0.05))]
    for i, x in enumerate(original.to_numpy()):
        for j, y in enumerate(protection.data.to_numpy()):
            assert found[i, j] == pytest.approx(twin.noise_cost(x.tolist(), y.tolist(), deviations), rel=1e-9)


@settings(max_examples=20)
@given(seed=seeds)
def test_pram_and_random_rounding_are_their_probabilities(seed: int) -> None:
    """-log of the chance, infinite where it is 0."""
    random = np.random.default_rng(seed)
    original = pd.DataFrame({"c": random.choice(list("abc"), 8), "v": random.uniform(0, 50, 8).round(3)})
    first = linkrisk.protection.pram(original, {"c": 0.6}, leave=["v"], secret_seed=seed % 1000)
    second = linkrisk.protection.round_values(original, {"v": 10}, random=True, leave=["c"], secret_seed=seed % 1000)
    released = pd.DataFrame({"c": first.data["c"], "v": second.data["v"]})
    plan = Description(
        (Treatment("pram", ("c",), {"keep": 0.6}), Treatment("rounding", ("v",), {"base": 10, "random": True}))
    )
    found = costs(plan, pair_files(original, released))
    for i in range(8):
        for j in range(8):
            chance = twin.pram_probability(original["c"][i], released["c"][j], 0.6, list(original["c"]))
            chance *= twin.random_rounding_probability(original["v"][i], released["v"][j], 10.0)
            expected = -math.log(chance) if chance > 0.0 else math.inf
            assert found[i, j] == pytest.approx(expected, rel=1e-6, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(seed=seeds, window=st.integers(1, 4))
def test_no_pair_that_a_swap_allows_is_ruled_out(seed: int, window: int) -> None:
    """Statement 14.4: of 6 records every matching in which values changed places in pairs survives."""
    random = np.random.default_rng(seed)
    original = pd.DataFrame(random.permuted(np.tile(np.arange(6.0), (3, 1)), axis=1).T, columns=list("abc"))
    protection = linkrisk.protection.rank_swap(
        original, p=100 * window / 6 + 1e-9, variant="pairs", secret_seed=seed % 1000
    )
    files = shuffled(original, protection, seed)
    found = attack_informed(files, [Description.of_record(protection.to_dict())])[0]
    released = np.column_stack([column.protected for column in files.columns])
    allowed = twin.swapped_matchings(original.to_numpy().tolist(), released.tolist(), window)
    listed = set(zip(found.scores.original.tolist(), found.scores.protected().tolist(), strict=True))
    assert tuple(files.own.tolist()) in allowed
    assert {(i, j) for matching in allowed for i, j in enumerate(matching)} <= listed


@settings(max_examples=40)
@given(sizes=st.lists(st.integers(1, 5), min_size=1, max_size=6), window=st.integers(0, 12))
def test_shares_within_a_window_are_those_of_the_twin(sizes: list[int], window: int) -> None:
    """Of any two ranges of ranks."""
    ends = np.cumsum(sizes)
    found = window_shares((ends - sizes).astype(float), ends - 1.0, window)
    ranges = [range(end - size, end) for end, size in zip(ends.tolist(), sizes, strict=True)]
    for a, first in enumerate(ranges):
        for b, second in enumerate(ranges):
            assert found[a, b] == pytest.approx(twin.window_share(first, second, window), abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(values=st.lists(st.integers(0, 3), min_size=2, max_size=5), window=st.integers(1, 4))
def test_equal_values_leave_a_model_just_where_windows_are_clear(values: list[int], window: int) -> None:
    """There every column that can be released is as likely as any other; elsewhere some are not, or cannot be."""
    n = len(values)
    column = pd.DataFrame({"a": [float(value) for value in values]})
    files = pair_files(column, column.iloc[::-1].reset_index(drop=True), pairs=[(i + 1, n - i) for i in range(n)])
    part = Treatment("rank_swap", ("a",), {"p": 100 * window / n + 1e-9, "variant": "permutation"})
    is_clear = has_clear_windows(part, Known(files))  # of so few pairs one is more than may be unclear
    assert is_a_model(Description((part,)), Known(files)) == is_clear
    counts = twin.permuted_columns(column["a"].tolist(), window)
    ordered = sorted(column["a"])
    ranks = {value: [rank for rank, other in enumerate(ordered) if other == value] for value in ordered}
    shares = {(a, b): twin.window_share(ranks[a], ranks[b], window) for a in ranks for b in ranks}
    allowed = [
        each for each in set(permutations(ordered)) if all(shares[a, b] for a, b in zip(column["a"], each, strict=True))
    ]
    is_uniform = len(set(counts.values())) == 1 and set(counts) == set(allowed)
    assert is_uniform or not is_clear


def test_equal_values_that_hardly_move() -> None:
    """The smallest case: three zeros, three ones, a window of one rank. Nothing changes in 69 % of the draws."""
    people = pd.DataFrame({"a": [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]})
    counts = twin.permuted_columns(people["a"].tolist(), 1)
    assert counts[tuple(people["a"])] / counts.total() == pytest.approx(0.6923, abs=1e-4)
    part = Treatment("rank_swap", ("a",), {"p": 17.0, "variant": "permutation"})
    files = pair_files(people, people)
    found = costs(Description((part,)), files)
    assert found[0, 0] < found[0, 5]
    assert not is_a_model(Description((part,)), Known(files))


def test_what_is_no_model_has_no_ceiling() -> None:
    """Strangers, another programme, an attribute nobody speaks of, values suppressed: somebody could know more."""
    random = np.random.default_rng(3)
    people = pd.DataFrame(random.normal(size=(40, 2)), columns=list("ab"))
    noisy = linkrisk.protect(people, "noise", p=40, secret_seed=1)
    clustered = linkrisk.protect(people, "mdav", k=4)
    told, cluster = Description.of_record(noisy.to_dict()), Description.of_record(clustered.to_dict())
    everybody = shuffled(people, noisy, 1)
    part = everybody.restricted(["a", "b"], np.arange(0, 40, 2))
    other = replace(cluster.treatments[0], parameters={**cluster.treatments[0].parameters, "k": 5})
    holes = noisy.data.mask(random.random((40, 2)) < 0.1)
    models = {
        "noise": (told, everybody),
        "mdav": (cluster, shuffled(people, clustered, 1)),
    }
    others = {
        "strangers": (told, part),
        "another k": (Description((other,)), shuffled(people, clustered, 1)),
        "one attribute": (told.restricted(["a"]), everybody),
        "suppressed": (told, pair_files(people, holes)),
    }
    assert all(is_a_model(description, Known(files)) for description, files in models.values())
    assert not any(is_a_model(description, Known(files)) for description, files in others.values())


@pytest.mark.slow
@pytest.mark.parametrize("p", [20.0, 30.0])
def test_swapped_in_pairs_means_found(p: float) -> None:
    """Values that changed places in pairs give everybody away, for certain."""
    original = linkrisk.datasets.census_like(600, seed=1).iloc[:, :7]
    found = attacked(original, linkrisk.protection.rank_swap(original, p, variant="pairs", secret_seed=5))
    assert found.linkage.links("unique") >= 0.97 * len(original)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("mdav", {"k": 4}),
        ("individual_ranking", {"k": 4}),
        ("z_scores", {"k": 4}),
        ("principal_components", {"k": 4}),
        ("rounding", {"base": 20000}),
        ("coding", {"top_percent": 20, "bottom_percent": 20}),
        ("generalise", {"into": 20000}),
    ],
)
def test_a_method_that_draws_nothing_is_run_again(method: str, parameters: dict[str, Any]) -> None:
    """Everybody is found up to the records released alike: as many in expectation as there are different ones."""
    original = linkrisk.datasets.census_like(200, seed=2).iloc[:, :4]
    protection = linkrisk.protect(original, method, **parameters)
    found = attacked(original, protection)
    assert found.linkage.links("expected") == pytest.approx(len(protection.data.drop_duplicates()))


def test_the_order_of_the_rows_does_not_matter() -> None:
    """Links are those of other orders of both files, for a method of each kind."""
    original = linkrisk.datasets.census_like(80, seed=3).iloc[:, :4]
    releases = (
        linkrisk.protect(original, "noise", p=30, secret_seed=4),
        linkrisk.protect(original, "rank_swap", p=20, variant="pairs", secret_seed=4),
        linkrisk.protect(original, "mdav", k=3),
    )
    for protection in releases:
        description = Description.of_record(protection.to_dict())
        files = shuffled(original, protection, 1)
        turned = np.random.default_rng(7).permutation(80)
        other = files.restricted([a.name for a in files.attributes], turned)
        links = [attack_informed(part, [description])[0].linkage.links("expected") for part in (files, other)]
        assert links[0] == pytest.approx(links[1])


@settings(max_examples=30)
@given(seed=seeds, digits=st.integers(0, 2))
def test_values_lie_between_the_centroids_beside_their_own(seed: int, digits: int) -> None:
    """Individual ranking of people known in part: possible is what does not reach beyond the next centroid."""
    random = np.random.default_rng(seed)
    original = pd.DataFrame({"a": random.normal(size=14).round(digits)})
    released = pd.DataFrame({"a": np.sort(original["a"]).reshape(-1, 2).mean(axis=1).repeat(2)})
    files = pair_files(original.iloc[:6], released, pairs=[(row, row) for row in range(1, 7)])
    found = costs(Description((Treatment("individual_ranking", ("a",), {"k": 2}),)), files)
    centroids = sorted(set(released["a"]))
    for i, x in enumerate(original["a"][:6]):
        for j, y in enumerate(released["a"]):
            place = centroids.index(y)
            least = -math.inf if place == 0 else centroids[place - 1]
            most = math.inf if place == len(centroids) - 1 else centroids[place + 1]
            assert math.isfinite(found[i, j]) == (least <= x <= most)


@pytest.mark.slow
@pytest.mark.usefixtures("short_chains")
@pytest.mark.parametrize("rounds", [5, 300])
def test_who_else_a_record_can_be_counts(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links by all matchings are more than record by record, even if messages had no time to settle and no chain ran.

    Measured on Census, means of 4 files: rank swapping by permutation, 13 attributes, p = 30: 553 against 492; noise of
    40 %, 7 attributes: 327 against 308.
    """
    monkeypatch.setattr("linkrisk.linkage.matching.belief.MOST_ROUNDS", rounds)
    monkeypatch.setattr("linkrisk.informed.attack.MAX_CHAIN", 0)
    people = linkrisk.datasets.census_like(150, seed=6).iloc[:, :7]
    together, alone = [], []
    for seed in range(4):
        protection = linkrisk.protect(people, "noise", p=30, secret_seed=seed)
        found = attacked(people, protection, seed)
        own = shuffled(people, protection, seed).own
        together.append(found.linkage.links("expected"))
        alone.append(link_scores(found.scores, found.scores.normalised(), own).links("expected"))
    assert np.mean(together) > 1.03 * np.mean(alone)


def test_what_was_left_must_be_equal() -> None:
    """A column released as it is rules out everybody with another value, and missing values stay missing."""
    original = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": ["x", "y", "x", None]})
    released = pd.DataFrame({"a": [1.1, 2.1, 3.1, 3.9], "b": ["x", "y", "x", None]})
    plan = Description((Treatment("noise", ("a",), {"p": 1000.0}),), ("b",))
    found = np.isfinite(costs(plan, pair_files(original, released)))
    assert found.tolist() == [
        [True, False, True, False],
        [False, True, False, False],
        [True, False, True, False],
        [False, False, False, True],
    ]


def test_strangers_in_the_release() -> None:
    """Somebody who knows a part of the people finds many of them, and nobody for certain."""
    original = linkrisk.datasets.census_like(300, seed=1).iloc[:, :7]
    protection = linkrisk.protection.rank_swap(original, 20, variant="pairs", secret_seed=5)
    files = shuffled(original, protection, 2)
    part = files.restricted([a.name for a in files.attributes], np.arange(0, 300, 2))
    found = attack_informed(part, [Description.of_record(protection.to_dict())])[0]
    assert found.n_certain == 0
    assert found.linkage.links("expected") > 0.7 * 150


def test_a_record_reads_as_its_description(tmp_path: Any) -> None:
    """What protect --record writes is read again, and names no secret."""
    original = linkrisk.datasets.census_like(60, seed=1)[["AGI", "FEDTAX"]]
    protection = linkrisk.protect(original, "noise", p=10, secret_seed=3)
    protection.write(tmp_path / "out.csv", record=tmp_path / "record.json")
    found = Description.read(tmp_path / "record.json")
    assert found == replace(Description.of_record(protection.to_dict()))
    assert str(found) == "noise of AGI, FEDTAX (p = 10)"
    assert "seed" not in str(found)
