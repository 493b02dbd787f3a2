"""Sizes of the papers' MILP, against the counts printed in the papers."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.differences import make_comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import ParameterError
from linkrisk.learning.papers import BigM, make_milp
from linkrisk.learning.problem.problem import make_problem
from tests.linkage.files import numeric_files

N = 400
"""Records of the papers' files."""

# abril2012-choquet.txt, section 3.3: the sum over k = 2..n of binomial(n, k) k, worked out by hand.
MONOTONICITY = {4: 28, 5: 75, 6: 186, 7: 441}


@pytest.mark.parametrize("n", MONOTONICITY)
def test_weighted_mean(n: int) -> None:
    """abril2012-weights.txt, section 3.3: N^2 + N + 1 + n; abril-bilinear.txt, Tables 2 and 3: N(N-1) + N + n + 1."""
    result = WeightedMeanFamily().programme_size(N, n)
    assert (result.binary, result.continuous, result.error_rows) == (N, n, N * (N - 1))
    assert (result.normalisation, result.nonnegativity, result.monotonicity, result.submodularity) == (1, n, 0, 0)
    assert [paper.constraints for paper in result.papers] == [160_400 + 1 + n, 160_000 + n + 1]
    assert result.constraints == result.papers[1].constraints
    assert WeightedMeanFamily(1e-4).programme_size(N, n).papers[0].constraints == 160_000 + n + 1
    assert OWAFamily().programme_size(N, n).constraints == result.constraints


@pytest.mark.parametrize(("n", "monotonicity"), MONOTONICITY.items())
def test_choquet(n: int, monotonicity: int) -> None:
    """abril2012-choquet.txt, section 3.3: N^2 + N + 1 + sum; abril-bilinear.txt, Table 2: N(N-1) + N + 2 + sum.

    The latter counts mu(empty) = 0 where we count mu({k}) >= 0 for each attribute.
    """
    result = ChoquetFamily().programme_size(N, n)
    assert result.continuous == 2**n - 1
    assert result.monotonicity == monotonicity
    assert [paper.constraints for paper in result.papers] == [160_401 + monotonicity, 160_002 + monotonicity]
    assert result.constraints == result.papers[1].constraints - 1 + n


@pytest.mark.parametrize(("n", "needed"), [(4, 24), (5, 80), (6, 240)])
def test_choquet_metric(n: int, needed: int) -> None:
    """abril-bilinear.txt, Table 3, counts n(n-1)/2 submodularity constraints; n(n-1)/2 2^(n-2) are needed."""
    result = ChoquetFamily(is_metric=True).programme_size(N, n)
    assert result.submodularity == needed
    plain = ChoquetFamily().programme_size(N, n)
    assert result.papers[0].constraints == plain.papers[1].constraints + n * (n - 1) // 2
    assert result.constraints == plain.constraints + needed


def test_bilinear() -> None:
    """abril-bilinear.txt, section 5.3: n(n+1)/2 parameters; N(N-1) + N + N^2 constraints, and without the last N^2."""
    for n in (4, 5, 6):
        nonnegative, free = (BilinearFamily(form).programme_size(N, n) for form in (Form.NONNEGATIVE, Form.FREE))
        assert nonnegative.continuous == free.continuous == n * (n + 1) // 2
        assert nonnegative.constraints == nonnegative.papers[0].constraints == 320_000
        assert free.constraints == free.papers[0].constraints == 160_000
    assert "semidefinite" in str(BilinearFamily(Form.SEMIDEFINITE).programme_size(N, 4))


def test_additive_choquet() -> None:
    """Two-additive measures have n + n(n-1)/2 parameters, and all the constraints of monotonicity."""
    assert AdditiveChoquetFamily(2).programme_size(100, 13).continuous == 13 + 78
    assert AdditiveChoquetFamily(2).programme_size(100, 5).monotonicity == MONOTONICITY[5]


FAMILIES: list[Family] = [
    WeightedMeanFamily(),
    OWAFamily(),
    ChoquetFamily(),
    ChoquetFamily(is_metric=True),
    BilinearFamily(Form.FREE),
    BilinearFamily(Form.NONNEGATIVE),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_models_have_the_size_counted(family: Family) -> None:
    """The model with one constant is what `programme_size` counts; presolve makes it smaller."""
    random = np.random.default_rng(1)
    original = random.normal(size=(7, 3))
    comparison = make_comparison(numeric_files(original, original + random.normal(size=original.shape)))
    single, tight = (make_milp(family, comparison, big_m=kind) for kind in BigM)
    counted, actual, reduced = make_problem(family, comparison).size(), single.size(), tight.size()
    assert counted == family.programme_size(7, 3)
    assert single.program.n_columns == counted.variables == actual.variables
    assert actual.constraints == counted.constraints
    bounds = 0 if family.is_signed else 3  # theta_k >= 0 are bounds of variables, not rows
    assert single.program.n_rows == counted.constraints - counted.integrality - bounds
    assert reduced.constraints <= actual.constraints
    assert tight.program.n_rows == reduced.constraints - reduced.integrality - bounds


def test_prints_well() -> None:
    """One line per part, the papers' counts below."""
    lines = str(ChoquetFamily().programme_size(N, 5)).splitlines()
    assert lines[0] == "choquet, 400 records, 5 attributes"
    assert lines[1].split() == ["431", "variables:", "400", "binary,", "31", "continuous"]
    assert lines[-1].split()[:3] == ["160,077", "constraints", "by"]


def test_no_records() -> None:
    """A problem has records and attributes."""
    with pytest.raises(ParameterError, match="at least one record"):
        WeightedMeanFamily().programme_size(0, 3)
