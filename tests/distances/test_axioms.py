"""Which axioms of a distance and of a metric each attacker satisfies: the table of docs/axioms.md, tested.

Definitions 1 and 2 of abril-bilinear.txt. Both files hold the same points on one scale, so that distances between
the files are distances between points. The triangle inequality is that of the square root.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkrisk.arrays import FloatArray
from linkrisk.attackers import (
    OWA,
    Attacker,
    Bilinear,
    BilinearFree,
    BilinearHigham,
    BilinearPSD,
    Choquet,
    DistanceStandardised,
    Mahalanobis,
    Mahalanobis0,
    Mean,
    Median,
    WeightedMean,
)
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.errors import ParameterError
from linkrisk.linkage.search import distances, nearest
from tests.linkage.attackers import random_attacker, random_semidefinite, random_symmetric
from tests.linkage.files import ORDER, label_column, numeric_files, paired

AXIOMS = ("non-negativity", "reflexivity", "symmetry", "identity", "triangle")
ROUNDING = 1e-9


def violated(d: FloatArray, axiom: str) -> bool:
    """Whether a matrix of squared distances between different points breaks an axiom, beyond rounding."""
    size = max(float(np.abs(d).max()), 1e-300)
    off_diagonal = d[~np.eye(len(d), dtype=bool)]
    if axiom == "non-negativity":
        return bool((d < -ROUNDING * size).any())
    if axiom == "reflexivity":
        return bool((np.abs(np.diag(d)) > ROUNDING * size).any())
    if axiom == "symmetry":
        return bool((np.abs(d - d.T) > ROUNDING * size).any())
    if axiom == "identity":
        is_zero = np.abs(off_diagonal) <= 1e-14 * size
        return bool(is_zero.any()) or violated(d, "reflexivity")
    root = np.sqrt(np.maximum(d, 0.0))
    detour = (root[:, :, None] + root[None, :, :]).min(axis=1)
    return bool((root > detour + ROUNDING * np.sqrt(size)).any()) or violated(d, "non-negativity")


@dataclass(frozen=True)
class Case:
    """An attacker by name, the axioms it fails, random instances of it, and an example of its failures."""

    name: str
    fails: frozenset[str]
    instances: Callable[[int], tuple[FilePair, Attacker]]
    example: Callable[[], tuple[FilePair, Attacker]] | None = None


def points_file(points: Any, own: Any = None) -> FilePair:
    """Put the same points in both files; ``own`` pairs each with another, so that true pairs differ."""
    return numeric_files(points, points, np.roll(np.arange(len(points)), 1) if own is None else own)


def random_points(seed: int) -> FilePair:
    """Different points, some of them alike in some attributes."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 4, (12, int(rng.integers(2, 4)))).astype(float)
    points += rng.normal(size=points.shape) * rng.integers(0, 2)
    points = np.unique(points, axis=0)
    return points_file(points, rng.permutation(len(points)))


def of_kind(kind: str) -> Callable[[int], tuple[FilePair, Attacker]]:
    """Attackers with random parameters on random points."""

    def instance(seed: int) -> tuple[FilePair, Attacker]:
        files = random_points(seed)
        return files, random_attacker(kind, np.random.default_rng(seed), [a.name for a in files.attributes])

    return instance


def fixed(make: Callable[[np.random.Generator, int], Attacker]) -> Callable[[int], tuple[FilePair, Attacker]]:
    """Attackers made from a generator and the number of attributes, on random points."""

    def instance(seed: int) -> tuple[FilePair, Attacker]:
        files = random_points(seed)
        return files, make(np.random.default_rng(seed), len(files.columns))

    return instance


def nonnegative_bilinear(seed: int) -> tuple[FilePair, Attacker]:
    """Find a matrix that `Bilinear` accepts on the points; it raises where a distance is negative."""
    for attempt in range(200):
        files = random_points(seed)
        n = len(files.columns)
        matrix = np.array(random_symmetric(np.random.default_rng([seed, attempt]), n)) + np.eye(n)
        attacker = Bilinear(matrix)
        try:
            nearest(attacker.distance(make_comparison(files, "original")))
        except ParameterError:
            continue
        return files, attacker
    raise AssertionError("no matrix found")


STAIRS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
CORNERS = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
LEAST: dict[str | tuple[str, ...] | frozenset[str], float] = {"V1": 0.0, "V2": 0.0, "V1,V2": 1.0}


def shifted_points() -> FilePair:
    """Each point's own version is the next on a line: all pairs differ by one constant, a shifted key."""
    return numeric_files([[0.0], [1.0], [2.0], [3.0]], [[0.0], [1.0], [2.0], [3.0]], [1, 2, 3, -1])


def light_cone() -> tuple[FilePair, Attacker]:
    """x^2 - y^2 on points such that no two are nearer along x than along y (x and y scaled back)."""
    return points_file([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]), Bilinear([[1.0, 0.0], [0.0, -1 / 3]])


def holes() -> tuple[FilePair, Attacker]:
    """Make a hole, which is near everybody, and so brings strangers together."""
    return points_file([*([float(k)] for k in range(20)), [1000.0], [np.nan]]), Mean()


def ordinals(*, inclusive: bool) -> Callable[[int], tuple[FilePair, Attacker]]:
    """All categories of an ordinal attribute."""

    def instance(seed: int) -> tuple[FilePair, Attacker]:
        labels = [ORDER[k] for k in np.random.default_rng(seed).permutation(4)]
        return paired([label_column("o", Kind.ORDINAL, labels, labels, inclusive=inclusive)]), Mean()

    return instance


def nominals(seed: int) -> tuple[FilePair, Attacker]:
    """Make some categories."""
    labels = [f"c{k}" for k in range(2 + seed % 5)]
    return paired([label_column("c", Kind.NOMINAL, labels, labels)]), Mean()


def texts(seed: int) -> tuple[FilePair, Attacker]:
    """Random strings over a small alphabet."""
    rng = np.random.default_rng(seed)
    words = sorted({"".join(rng.choice(list("abc"), int(rng.integers(1, 8)))) for _ in range(15)})
    return paired([label_column("t", Kind.TEXT, words, words)]), Mean()


def text_detour() -> tuple[FilePair, Attacker]:
    """From a to baa by way of aaa."""
    words = ["a", "aaa", "baa"]
    return paired([label_column("t", Kind.TEXT, words, words)]), Mean()


NONE: frozenset[str] = frozenset()
IDENTITY, METRIC = frozenset({"identity"}), frozenset({"identity", "triangle"})
SHIFT = frozenset({"reflexivity", "symmetry", "identity", "triangle"})

CASES = [
    Case("mean", NONE, fixed(lambda _rng, _n: Mean())),
    Case("median", METRIC, fixed(lambda _rng, _n: Median()), lambda: (points_file(STAIRS), Median())),
    Case("weighted_mean", IDENTITY, of_kind("weighted_mean"), lambda: (points_file(CORNERS), WeightedMean([1, 0]))),
    Case("weighted_mean_metric", NONE, of_kind("weighted_mean_metric")),
    Case("owa", METRIC, of_kind("owa"), lambda: (points_file(CORNERS), OWA([0, 1]))),
    Case("choquet", METRIC, of_kind("choquet"), lambda: (points_file(CORNERS), Choquet(measure=LEAST))),
    Case("choquet_metric", NONE, of_kind("choquet_metric")),
    Case("kernel", NONE, of_kind("kernel")),
    Case(
        "distance_standardised",
        SHIFT,
        fixed(lambda _rng, _n: DistanceStandardised()),
        lambda: (shifted_points(), DistanceStandardised()),
    ),
    Case("distance_standardised, no shifted key", NONE, fixed(lambda _rng, _n: DistanceStandardised())),
    Case("mahalanobis", SHIFT, fixed(lambda _rng, _n: Mahalanobis()), lambda: (shifted_points(), Mahalanobis())),
    Case("mahalanobis, no shifted key", NONE, fixed(lambda _rng, _n: Mahalanobis())),
    Case("mahalanobis0", NONE, fixed(lambda _rng, _n: Mahalanobis0())),
    Case("bilinear", METRIC, nonnegative_bilinear, light_cone),
    Case(
        "bilinear_free",
        METRIC | {"non-negativity"},
        of_kind("bilinear_free"),
        lambda: (points_file([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [0.0, 2.0]]), BilinearFree([[1, 0], [0, -1]])),
    ),
    Case(
        "bilinear_psd",
        IDENTITY,
        fixed(lambda rng, n: BilinearPSD(random_semidefinite(rng, n))),
        lambda: (points_file(CORNERS), BilinearPSD([[1, 0], [0, 0]])),
    ),
    Case(
        "bilinear_higham",
        IDENTITY,
        fixed(lambda rng, n: BilinearHigham(random_symmetric(rng, n))),
        lambda: (points_file(CORNERS), BilinearHigham([[1, 0], [0, -1]])),
    ),
    Case("a nominal attribute", NONE, nominals),
    Case("an ordinal attribute", NONE, ordinals(inclusive=False)),
    Case(
        "an inclusive ordinal attribute",
        frozenset({"reflexivity", "identity"}),
        ordinals(inclusive=True),
        lambda: ordinals(inclusive=True)(0),
    ),
    Case("a text attribute", frozenset({"triangle"}), texts, text_detour),
    Case("missing values", frozenset({"triangle"}), lambda _seed: holes(), holes),
]


def all_distances(files: FilePair, attacker: Attacker) -> FloatArray:
    """Squared distances between all points."""
    return distances(attacker.distance(make_comparison(files, "original")))


def claims(*, is_failing: bool) -> list[Any]:
    """Each attacker with each axiom it satisfies, or fails."""
    return [
        pytest.param(case, axiom, id=f"{case.name}-{axiom}")
        for case in CASES
        for axiom in AXIOMS
        if (axiom in case.fails) == is_failing
    ]


@pytest.mark.parametrize(("case", "axiom"), claims(is_failing=False))
def test_no_counterexample_is_found_to_a_claimed_axiom(case: Case, axiom: str) -> None:
    """Random points, random parameters."""
    for seed in range(15):
        assert not violated(all_distances(*case.instances(seed)), axiom), seed
    if case.example is not None:
        assert not violated(all_distances(*case.example()), axiom)


@pytest.mark.parametrize(("case", "axiom"), claims(is_failing=True))
def test_a_claimed_failure_has_an_example(case: Case, axiom: str) -> None:
    """A few points that break the axiom."""
    assert case.example is not None
    assert violated(all_distances(*case.example()), axiom)


def test_the_documented_table_is_this_one() -> None:
    """Every row of docs/axioms.md says yes and no where the cases here do."""
    page = Path(__file__).parents[2] / "docs" / "axioms.md"
    rows = [line.split("|")[1:7] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    table = {row[0].strip(" `"): [cell.strip() for cell in row[1:]] for row in rows[2:]}
    expected = {case.name: ["no" if axiom in case.fails else "yes" for axiom in AXIOMS] for case in CASES}
    assert {name.replace("`", ""): cells for name, cells in table.items()} == expected
