"""The learner against the papers' MILP, and against every known solution: at least as good, and never cut off."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning import learn as learning
from linkrisk.learning.learn import learn
from linkrisk.learning.papers import MARGIN, minimise_wrong_links
from linkrisk.learning.search import Status
from linkrisk.linkage.search import nearest
from tests.linkage.files import numeric_files

POLYHEDRAL: tuple[Family, ...] = (
    WeightedMeanFamily(),
    WeightedMeanFamily(floor=0.01),
    OWAFamily(),
    ChoquetFamily(),
    ChoquetFamily(is_metric=True),
    BilinearFamily(Form.FREE),
    BilinearFamily(Form.NONNEGATIVE),
)
EVERY = (*POLYHEDRAL, AdditiveChoquetFamily(2), BilinearFamily(Form.SEMIDEFINITE))


def blurred(n_records: int, n_attributes: int, seed: int, noise: float) -> Comparison:
    """Make a file of whole numbers, and the same blurred: some records are linked by few parameters, some by none."""
    random = np.random.default_rng(seed)
    original = random.integers(0, 9, (n_records, n_attributes)).astype(np.float64)
    return make_comparison(numeric_files(original, np.round(original + noise * random.normal(size=original.shape), 1)))


@pytest.mark.slow
@pytest.mark.parametrize("family", POLYHEDRAL, ids=lambda family: family.name)
@given(seed=st.integers(0, 10**6), n_attributes=st.integers(3, 5), noise=st.sampled_from([1.0, 3.0]))
@settings(max_examples=6)
def test_at_least_the_links_of_the_milp(family: Family, seed: int, n_attributes: int, noise: float) -> None:
    """The papers' MILP makes no more links; as many where a tenth of its margin changes nothing."""
    comparison = blurred(10, n_attributes, seed, noise)
    learned = learn(family, comparison, ties="unique", time_limit=60.0)
    assert learned.status in {Status.OPTIMAL, Status.UNSETTLED}  # rarely rounding decides, and it says so
    coarse, fine = (
        minimise_wrong_links(family, comparison, margin=margin, time_limit=60.0) for margin in (MARGIN, MARGIN / 10)
    )
    assert learned.links >= max(coarse.links, fine.links)
    is_settled = all(one.status is Status.OPTIMAL for one in (learned, coarse, fine))
    if is_settled and coarse.claimed == fine.claimed == coarse.links == fine.links:
        assert learned.links == coarse.links


def known_solutions(family: Family, comparison: Comparison, seed: int) -> list[FloatArray]:
    """Admissible parameters: the optimum of some of the records, for several choices of them.

    Forms that are not negative on some records may be on others; semidefinite ones are not.
    """
    family = BilinearFamily(Form.SEMIDEFINITE) if family.is_nonnegative else family
    random = np.random.default_rng(seed)
    people = np.flatnonzero(comparison.coordinates.own >= 0)
    parts = [comparison.restrict(np.sort(random.permutation(people)[: len(people) // 2])) for _ in range(4)]
    return [learn(family, part, time_limit=30.0).theta for part in parts]


@pytest.mark.slow
@pytest.mark.parametrize("family", EVERY, ids=lambda f: f"{f.name}{getattr(f, 'additivity', '')}")
@given(seed=st.integers(0, 10**6))
@settings(max_examples=4)
def test_no_core_excludes_a_known_solution(family: Family, seed: int) -> None:
    """No admissible parameters link all records of a core: cores are all that the search cuts by."""
    comparison = blurred(12 if family.is_signed else 20, 3, seed, 2.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "MAX_BOX_PARAMETERS", 0)
        learned = learn(family, comparison, ties="unique", time_limit=30.0)
    if learned.cover is None:  # nobody had to be given up
        assert learned.links == learned.problem.total
        return
    for theta in (learned.theta, *known_solutions(family, comparison, seed)):
        linkage = nearest(family.distance(theta, comparison))
        is_linked = linkage.is_linked(learned.problem.ties)[learned.problem.records]
        assert is_linked.sum() <= learned.links
        for core in learned.cover.cores:
            assert not all(is_linked[record] for record in core.members)
