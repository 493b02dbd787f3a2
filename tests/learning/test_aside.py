"""Parameters that never do harm are put aside: nothing is lost, and what is found can be had with all parameters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.data import pair_files
from linkrisk.differences import Comparison, make_comparison
from linkrisk.learning import learn as learning
from linkrisk.learning.boxes.aside import BoxRows, put_aside
from linkrisk.learning.boxes.search import BoxResult
from linkrisk.learning.learn import learn
from linkrisk.learning.lines.search import count_clearly
from linkrisk.learning.problem.rows import Rows
from linkrisk.learning.search import Status
from linkrisk.verifier import check_certificate
from tests.learning.families import FAMILIES
from tests.learning.instances import make_rows
from tests.verifier.certificates import signed
from tests.verifier.test_learned import certificate_of


def aside_of(values: list[list[float]], errors: FloatArray | None = None) -> BoxRows:
    """Put aside what can be of rows of one record each."""
    rows = make_rows([np.array([row]) for row in values])
    return put_aside(rows, np.zeros_like(rows.values) if errors is None else errors)


def test_what_is_put_aside() -> None:
    """Entries of 0 or more, also among the rows left; one parameter stays; errors that reach 0 keep a parameter."""
    found = aside_of([[1, -1, 2, -3], [0, 0, -1, 2], [0, 3, 1, -1], [0, 0, 2, -1]])
    assert found.aside == (0, 1)
    assert (found.kept.tolist(), found.number.tolist()) == ([2, 3], [1, 3])
    assert found.rows.values.tolist() == [[-1, 2], [2, -1]]
    assert found.rows.start.tolist() == [0, 0, 1, 1, 2]
    assert aside_of([[1, 1], [2, 0]]).kept.tolist() == [1]
    assert aside_of([[1, -1], [-1, 2]]).aside == ()
    assert aside_of([[1, -1], [0, 2]], np.full((2, 2), 1e-12)).aside == ()


@given(seed=st.integers(0, 10**6))
def test_nothing_is_lost(seed: int) -> None:
    """Any theta links no more than its part that is kept, and what that links can be had with all parameters."""
    random = np.random.default_rng(seed)
    values = random.integers(-3, 4, (int(random.integers(1, 12)), 4)).astype(float)
    for k in range(int(random.integers(1, 4))):
        of = (values[:, :k] == 0.0).all(axis=1)
        values[of, k] = np.abs(values[of, k]) * (random.random(int(of.sum())) < 0.5)
    records = np.split(values, np.unique(random.integers(0, len(values) + 1, 3)))
    rows = make_rows([part for part in records if len(part)])
    found = put_aside(rows, np.zeros_like(rows.values))
    assert found.aside[:1] == (0,)
    for theta in 10.0 ** random.uniform(-3.0, 3.0, (20, 4)):
        linked = count_clearly(rows, theta)
        kept = count_clearly(found.rows, found.without(theta))
        assert (linked <= kept).all()
        whole = found.with_aside(found.without(theta))
        assert (kept <= count_clearly(rows, whole)).all()
        assert (whole >= 0.0).all()


def left_as_it_was(seed: int, n_left: int, n_records: int = 40) -> Comparison:
    """Two or three noisy attributes beside some that were left as they were, of few values each."""
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(n_records, int(random.integers(2, 4)))).round(1)
    left = random.integers(0, 3, (n_records, n_left)).astype(float)
    noise = random.uniform(0.3, 1.5) * random.normal(size=numbers.shape)
    return make_comparison(pair_files(np.hstack([left, numbers]), np.hstack([left, (numbers + noise).round(1)])))


@pytest.mark.parametrize("ties", ["expected", "class", "unique"])
@pytest.mark.parametrize("name", ["weighted_mean", "owa"])
@pytest.mark.parametrize(("seed", "n_left"), [(0, 1), (1, 1), (2, 2), (3, 1), (4, 2)])
def test_boxes_without_what_was_left_equal_covers(
    name: str, seed: int, n_left: int, ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The optimum is that of covers, which put nothing aside; the certificate says what was, and is accepted."""
    comparison = left_as_it_was(seed, n_left)
    covers = learn(FAMILIES[name], comparison, ties=ties, time_limit=60.0)
    monkeypatch.setattr(learning, "LEAST_CORES", 0)
    monkeypatch.setattr(learning, "CORES_FIRST", 0.0)
    boxes = learn(FAMILIES[name], comparison, ties=ties, time_limit=60.0)
    monkeypatch.setattr(learning, "MAX_BOX_PARAMETERS", 0)
    alone = learn(FAMILIES[name], comparison, ties=ties, time_limit=60.0)
    assert boxes.status is alone.status is covers.status is Status.OPTIMAL
    assert boxes.links == boxes.bound == alone.links == covers.links
    certificate = certificate_of(boxes)
    assert certificate["status"] == "optimal"
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    if isinstance(boxes.proof, BoxResult):
        assert len(certificate["proof"]["aside"]) >= n_left


def test_only_what_does_no_harm_may_be_put_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof that puts another parameter aside, none that there is, one twice or all is rejected."""
    monkeypatch.setattr(learning, "LEAST_CORES", 0)
    monkeypatch.setattr(learning, "CORES_FIRST", 0.0)
    comparison = left_as_it_was(0, 1, 60)
    learned = learn(FAMILIES["weighted_mean"], comparison, time_limit=60.0)
    certificate = certificate_of(learned)
    proof, n = certificate["proof"], comparison.n_attributes
    assert proof["aside"] == [0]
    assert check_certificate(certificate, comparison)
    for aside in ([1], [0, 0], list(range(n)), [n], [-1], [0.5], "0", []):
        assert not check_certificate(signed(certificate, proof=proof | {"aside": aside}), comparison)


def test_weights_far_apart_stay_apart() -> None:
    """Rows that need much weight get it, one parameter after the other, the first put aside the most."""
    rows = Rows(np.array([[1e-9, -5.0, -1.0], [0.0, 1e-9, -1.0]]), np.array([0, 2]), np.zeros(2, np.int64), np.ones(1))
    found = put_aside(rows, np.zeros_like(rows.values))
    assert found.aside == (0, 1)
    theta = found.with_aside(np.ones(1))
    assert count_clearly(rows, theta).all()
    assert theta[0] > theta[1] > theta[2] > 0.0
