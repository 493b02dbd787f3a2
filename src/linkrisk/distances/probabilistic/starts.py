"""Where EM starts from: matches that agree more than other pairs, by guess, by lot, or as the nearest records do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linkrisk.distances.probabilistic.em import Problem, State, shares

SHARPNESS = (0.5, 2.0, 6.0)
"""How many bits farther apart the ends of an attribute's levels are among matches than among other pairs."""

N_DRAWN = 2
"""Further starts, with a sharpness for each attribute drawn with the seed."""

FIRST_SHARE = 0.9
"""Share of the largest possible number of matches that EM starts from."""


@dataclass(frozen=True)
class Start:
    """A start of EM, and how it ended: the objective it came to, after how many iterations, and a word on it."""

    name: str
    objective: float
    iterations: int
    outcome: str

    def __str__(self) -> str:
        return f"{self.name}: {self.outcome}"


def make_starts(problem: Problem, seed: int) -> Iterator[tuple[str, State]]:
    """Yield names and starts: other pairs are as all pairs are, matches as a guess or the nearest records have it.

    Matches are more probable at closer levels by one sharpness for all attributes (three starts) or drawn for each
    (two); or they are as probable as among the nearest records by the mean of the d_k, which need not be matches.
    """
    random = np.random.default_rng(seed)
    n_attributes = len(problem.prior)
    drawn = random.uniform(0.0, max(SHARPNESS), size=(N_DRAWN, n_attributes))
    guesses = {f"{s:g} bits": np.full(n_attributes, s) for s in SHARPNESS}
    guesses |= {f"drawn {place + 1}": sharpness for place, sharpness in enumerate(drawn)}
    for name, sharpness in guesses.items():
        m = problem.prior * 2.0 ** (-sharpness[:, None] * problem.farness)
        yield name, _start(problem, shares(m))
    nearest = problem.patterns.nearest
    if nearest is not None:
        among = np.where(problem.prior > 0.0, nearest, 0.0) + problem.prior
        yield "nearest by mean", _start(problem, shares(among))


def _start(problem: Problem, m: np.ndarray) -> State:
    first = problem.largest_share * (1.0 if problem.is_share_known else FIRST_SHARE)
    return State(m, problem.prior, first)
