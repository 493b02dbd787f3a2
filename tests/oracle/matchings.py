"""One-to-one matchings the obvious way: every one of them, for files of up to eight records."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

Likelihood = Sequence[Sequence[float]]
"""p(y_j | x_i), a row for each original record; 0 where i cannot be j."""

Matching = tuple[int, ...]
"""The original record of each protected one, -1 for a stranger."""


def all_matchings(n_original: int, n_protected: int, n_strangers: int) -> Iterator[Matching]:
    """Return every way in which so many protected records are strangers', and the others different known people's."""
    for strangers in itertools.combinations(range(n_protected), n_strangers):
        known = [j for j in range(n_protected) if j not in strangers]
        for people in itertools.permutations(range(n_original), len(known)):
            partner = [-1] * n_protected
            for j, i in zip(known, people, strict=True):
                partner[j] = i
            yield tuple(partner)


def posterior(
    likelihood: Likelihood, n_strangers: int, stranger: Sequence[float] | None = None
) -> dict[Matching, float]:
    """Return the probability of each matching that is possible: all are equally likely before looking at the values.

    ``stranger`` holds the density of a stranger's values at each protected record; without it all are equal.
    """
    n_original, n_protected = len(likelihood), len(likelihood[0])
    weights = {}
    for partner in all_matchings(n_original, n_protected, n_strangers):
        weight = 1.0
        for j, i in enumerate(partner):
            if i >= 0:
                weight *= likelihood[i][j]
            elif stranger is not None:
                weight *= stranger[j]
        if weight > 0:
            weights[partner] = weight
    total = sum(weights.values())
    return {partner: weight / total for partner, weight in weights.items()}


def marginals(matchings: dict[Matching, float], n_original: int) -> list[list[float]]:
    """Return the probability that original record i is protected record j."""
    n_protected = len(next(iter(matchings)))
    result = [[0.0] * n_protected for _ in range(n_original)]
    for partner, probability in matchings.items():
        for j, i in enumerate(partner):
            if i >= 0:
                result[i][j] += probability
    return result


def most_links(probability: Sequence[Sequence[float]]) -> float:
    """Return the greatest sum of probabilities over one-to-one assignments, in which records may be left out."""

    def best(i: int, free: frozenset[int]) -> float:
        if i == len(probability):
            return 0.0
        linked = (probability[i][j] + best(i + 1, free - {j}) for j in free)
        return max([best(i + 1, free), *linked])

    return best(0, frozenset(range(len(probability[0]))))


def most_claims(probability: Sequence[Sequence[float]]) -> float:
    """Return the sum over original records of the probability of the likeliest protected one."""
    return sum(max(row) for row in probability)
