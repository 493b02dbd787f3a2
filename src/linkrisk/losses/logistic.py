"""Logistic regression by iteratively reweighted least squares, block by block."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.engine import interrupt

Blocks = Callable[[], Iterable[tuple[FloatArray, float]]]
"""Gives blocks of records: one row per term (the first is all 1), and the one answer, 0 or 1, of its records."""

RIDGE = 1e-6
"""Ridge on all coefficients except the intercept, as a share of the information of an ideal column: it keeps the
coefficients finite."""

MAX_STEPS = 60

PRECISION = 1e-16
"""The search has converged when the next step would raise the log-likelihood by less than this."""


@dataclass(frozen=True, eq=False, repr=False)
class LogisticFit:
    """Coefficients, mean of (p - c)^2 over all records, rank of the design, and how the search ended."""

    coefficients: FloatArray
    mean_square: float
    rank: int
    is_converged: bool
    n_steps: int

    def __repr__(self) -> str:
        return f"<LogisticFit of rank {self.rank}, {self.n_steps} steps>"


def fit_logistic(blocks: Blocks, n_terms: int, n_records: int, share: float) -> LogisticFit:
    """Maximise sum_i log P(y_i) - ridge / 2 sum_j b_j^2 by Newton steps, halved where they go too far.

    P(y = 1) = 1 / (1 + exp(-x b)); the ridge is ``RIDGE`` n c (1 - c), with c the ``share`` of records that answer 1.
    The function is strictly concave, so it has exactly one maximum, even where the terms separate the answers
    completely. Cost of a step: n terms^2; memory for one block.

    Examples
    --------
    Three records: those with x = -1 and x = 0 answer 0, another with x = 0 answers 1. The fitted probability goes to 0
    at x = -1 and to 1/2 at x = 0.

    >>> import numpy as np
    >>> x = [(np.array([[1.0, 1.0], [-1.0, 0.0]]), 0.0), (np.array([[1.0], [0.0]]), 1.0)]
    >>> fit = fit_logistic(lambda: x, 2, 3, 1 / 3)
    >>> fit.is_converged, fit.rank, round(fit.mean_square, 3)
    (True, 2, 0.056)
    """
    ridge = np.full(n_terms, RIDGE * n_records * share * (1 - share))
    ridge[0] = 0.0
    coefficients = np.zeros(n_terms)
    coefficients[0] = math.log(share / (1 - share))
    state = _evaluate(blocks, coefficients, ridge, share)
    rank = _rank(state.information)
    is_converged, n_steps = False, 0
    while n_steps < MAX_STEPS and not is_converged:
        n_steps += 1
        step = _solved(state.information + np.diag(ridge), state.gradient)
        is_converged = float(state.gradient @ step) / 2 < PRECISION
        if not is_converged:
            coefficients, state = _advance(blocks, coefficients, step, state, ridge, share)
    return LogisticFit(coefficients, state.squares / n_records, rank, is_converged, n_steps)


@dataclass(frozen=True)
class _State:
    likelihood: float
    gradient: FloatArray
    information: FloatArray
    squares: float


def _evaluate(blocks: Blocks, coefficients: FloatArray, ridge: FloatArray, share: float) -> _State:
    """Return likelihood, gradient, information (without the ridge) and the sum of (p - c)^2 for these coefficients."""
    from scipy.special import expit, log_expit  # noqa: PLC0415  (slow to import)

    likelihood, squares = -0.5 * float(ridge @ coefficients**2), 0.0
    gradient = -ridge * coefficients
    information = np.zeros((coefficients.size, coefficients.size))
    for design, answer in blocks():
        interrupt.check()
        score = coefficients @ design
        probability = expit(score)
        likelihood += float(log_expit(score if answer else -score).sum())
        gradient = gradient + design @ (answer - probability)
        weighted = design * np.sqrt(probability * (1 - probability))
        information += weighted @ weighted.T
        squares += float(((probability - share) ** 2).sum())
    return _State(likelihood, gradient, information, squares)


def _advance(
    blocks: Blocks, coefficients: FloatArray, step: FloatArray, state: _State, ridge: FloatArray, share: float
) -> tuple[FloatArray, _State]:
    """Take a step, halved until the likelihood does not fall (except by rounding)."""
    least = state.likelihood - 1e-12 * abs(state.likelihood)
    for halvings in range(30):
        candidate = coefficients + step / 2**halvings
        found = _evaluate(blocks, candidate, ridge, share)
        if found.likelihood >= least:
            return candidate, found
    return coefficients, state


def _solved(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    """Solve matrix . x = vector, scaled so that the diagonal is 1, because terms may be of very different sizes."""
    sizes = np.sqrt(np.diag(matrix))
    sizes[sizes == 0] = 1.0
    scaled = matrix / np.outer(sizes, sizes)
    return np.asarray(np.linalg.lstsq(scaled, vector / sizes, rcond=None)[0], dtype=np.float64) / sizes


def _rank(information: FloatArray) -> int:
    """Count the terms that are not combinations of others."""
    sizes = np.sqrt(np.diag(information))
    used = sizes > 0
    scaled = information[np.ix_(used, used)] / np.outer(sizes[used], sizes[used])
    return int((np.linalg.eigvalsh(scaled) > 1e-9).sum())
