"""Likelihoods of pairs from a matrix."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.linkage.matching.scores import PairScores


def listed(likelihood: FloatArray) -> PairScores:
    """List the pairs with a likelihood above 0, given a row for each original record."""
    protected, original = np.nonzero(likelihood.T)
    start = np.concatenate([[0], np.cumsum((likelihood > 0).sum(axis=0))]).astype(np.int64)
    return PairScores(start, original.astype(np.int64), np.log(likelihood[original, protected]), len(likelihood))
