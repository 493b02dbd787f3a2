"""Measures: each against what the package itself finds of the same release, or against a slow count."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.study import StudyResult, run

NAMES = ["AGI", "FEDTAX", "PTOTVAL"]
PEOPLE: pd.DataFrame = linkrisk.datasets.census_like(50, seed=3)[NAMES]
K = 4
PROTECTED: pd.DataFrame = linkrisk.protect(PEOPLE, "mdav", k=K).data


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Return every measure of one release, which draws nothing."""
    folder = tmp_path_factory.mktemp("measures")
    PEOPLE.to_csv(folder / "people.csv", index=False)
    contents: dict[str, Any] = {
        "name": "measures",
        "seed": 1,
        "measures": [
            "links",
            "one_to_one",
            "holdout",
            "alone",
            "average",
            "loss",
            "errors",
            "sizes",
            "moments",
            "values",
        ],
        "attackers": ["mean", "weighted_mean"],
        "ties": ["class"],
        "pool": "test",
        "data": [{"name": "people", "file": str(folder / "people.csv")}],
        "protection": [{"name": "clusters", "method": "mdav", "k": K}],
    }
    done = run(contents, store=folder / "measures.study", workers=1)
    assert done.n_failed == 0, [row.problem for row in done.result().failures]
    return done.result()


def standardised(frame: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Scale each file by its own mean and deviation."""
    return ((frame - frame.mean()) / frame.std(ddof=1)).to_numpy()


def class_rate(columns: list[int]) -> float:
    """Count by brute force: the own record is as near as any, twins aside."""
    a, b = standardised(PEOPLE)[:, columns], standardised(PROTECTED)[:, columns]
    found = 0
    for i in range(len(a)):
        distances = ((a[i] - b) ** 2).sum(axis=1)
        others = [d for j, d in enumerate(distances) if not np.array_equal(b[j], b[i])]
        found += distances[i] < min(others) * (1 - 1e-12)
    return found / len(a)


def test_alone(result: StudyResult) -> None:
    """One attribute at a time."""
    figures = result.group("alone").rows[0].figures
    for place, name in enumerate(NAMES):
        assert figures[f"rate_{name}"] == class_rate([place])
    assert figures["highest"] == max(figures[f"rate_{name}"] for name in NAMES)


def test_average(result: StudyResult) -> None:
    """The mean over sizes of the mean over sets."""
    sets = {1: [[0], [1], [2]], 2: [[0, 1], [0, 2], [1, 2]], 3: [[0, 1, 2]]}
    means = [sum(map(class_rate, own)) / len(own) for own in sets.values()]
    group = result.group("average")
    assert group.main.mean == pytest.approx(sum(means) / 3)
    assert group.rows[0].figures["rate_2"] == pytest.approx(means[1])


def test_one_to_one(result: StudyResult) -> None:
    """As an assessment links one to one, and no fewer than chance."""
    found = linkrisk.assess(PEOPLE, PROTECTED, attackers=["mean"], scales=["separate"], ties="class", one_to_one=True)
    own = found.attacks[0].one_to_one
    assert own is not None
    group = result.group("one_to_one", attacker="mean")
    assert group.main.mean == pytest.approx(own.links[found.ties] / len(PEOPLE))


def test_errors_are_never_better_than_the_optimum(result: StudyResult) -> None:
    """Approach 1 of torra2010-owa.txt counts links of other weights; the learner's are the most there are."""
    errors, links = result.group("errors"), result.group("links", attacker="weighted_mean")
    assert links.n_optimal == 1
    assert errors.main.mean <= links.main.mean


def test_holdout(result: StudyResult) -> None:
    """Half of the people learn, the others are looked for among themselves; those of `mean` beside them."""
    figures = result.group("holdout").rows[0].figures
    assert all(0.0 <= figures[name] <= 1.0 for name in figures)
    assert figures["training"] >= figures["training_mean"]


def test_sizes(result: StudyResult) -> None:
    """N (N - 1) error rows, N binary variables, n weights that are not negative and one sum (Table 2)."""
    figures = result.group("sizes").rows[0].figures
    n, k = len(PEOPLE), len(NAMES)
    assert figures["constraints"] == n * (n - 1) + n + k + 1
    assert figures["variables"] == n + k


def test_moments(result: StudyResult) -> None:
    """As pandas has them."""
    row = result.group("moments").rows[0]
    for name in NAMES:
        assert row.figures[f"mean_{name}"] == pytest.approx(PEOPLE[name].mean())
        assert row.figures[f"sd_{name}"] == pytest.approx(PEOPLE[name].std(ddof=1))
    assert np.allclose(row.details["correlations"], PEOPLE.corr().to_numpy())


def test_values(result: StudyResult) -> None:
    """Pairs of the first number, in the order of the file."""
    row = result.group("values").rows[0]
    assert row.details["original"] == PEOPLE["AGI"].tolist()
    assert row.details["protected"] == PROTECTED["AGI"].tolist()
    expected = np.corrcoef(PEOPLE["AGI"], PROTECTED["AGI"])[0, 1]
    assert row.figures["correlation"] == pytest.approx(expected)


def test_matching(tmp_path: Path) -> None:
    """Before any table all matches look alike; exact counts of the overlap tell everything."""
    contents = {
        "name": "matching",
        "seed": 2,
        "matching": [
            {
                "name": "small",
                "categories": {"a": 2, "b": 6, "c": 4, "d": 2},
                "records": 100,
                "samples": ["a,b,c", "b,c,d"],
                "drawn": 40,
                "draws": 2,
                "tables": ["b,c: exact"],
            }
        ],
    }
    result = run(contents, store=tmp_path / "m.study", workers=1).result()
    before, after = result.group("matching", tables=0), result.group("matching", tables=1)
    assert before.main.mean == 0.0
    assert after.main.mean == pytest.approx(1.0)
    figures = after.rows[0].figures
    assert math.isclose(figures["mean_said"], figures["mean_true"])
