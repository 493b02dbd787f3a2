"""Nothing that holds records prints them."""

from __future__ import annotations

import numpy as np

from linkrisk.differences import make_comparison
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning.learn import learn
from tests.linkage.files import numeric_files

SECRET = 731.5


def test_what_is_learned_prints_no_record() -> None:
    """Neither original nor scaled values, nor who is linked, stand in what a notebook shows."""
    random = np.random.default_rng(2)
    original = random.normal(size=(12, 3)).round(3)
    original[0, 0] = SECRET
    comparison = make_comparison(numeric_files(original, original + random.normal(size=original.shape)), "original")
    for family in (WeightedMeanFamily(), BilinearFamily(Form.FREE)):
        learned = learn(family, comparison)
        for thing in (learned, learned.problem, learned.problem.source, learned.cover, comparison, learned.linkage):
            text = repr(thing)
            assert str(SECRET) not in text
            assert "array(" not in text
    coordinates = repr(comparison.coordinates)
    assert "array(" not in coordinates
