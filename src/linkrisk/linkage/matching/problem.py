"""How many records are matched, and which pairs occur in any matching at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.errors import ParameterError
from linkrisk.linkage.matching.scores import PairScores, listed_by


@dataclass(frozen=True, eq=False)
class Problem:
    """Matchings of a given size, over the pairs that occur in one of them.

    Parameters
    ----------
    scores
        The pairs that occur, with values for which a stranger has log-weight 0 at every protected record.
    kept
        Places of these pairs among all that were listed.
    n_matched
        Number of pairs of a matching.
    n_unlisted
        Number of pairs of the model that cannot be listed ones, because no matching of listed pairs is so large; these
        protected records are treated as strangers, and these original ones as absent.
    may_be_stranger, may_be_absent
        Protected records that are a stranger's in some matching, and original ones that are not in the release.
    is_maximum
        No matching of listed pairs is larger.
    partner
        One matching: the original record of each protected one, -1 for a stranger.
    """

    scores: PairScores
    kept: IntArray
    n_matched: int
    n_unlisted: int
    may_be_stranger: BoolArray
    may_be_absent: BoolArray
    is_maximum: bool
    partner: IntArray

    @property
    def n_strangers(self) -> int:
        """Number of protected records that are nobody's who is known, unlisted ones included."""
        return self.scores.n_protected - self.n_matched

    @property
    def n_absent(self) -> int:
        """Number of original records that are not in the release, unlisted ones included."""
        return self.scores.n_original - self.n_matched


def check_strangers(scores: PairScores, n_strangers: int | None) -> int:
    """Return the number of strangers; without one as many as there must be."""
    least = max(0, scores.n_protected - scores.n_original)
    number = least if n_strangers is None else n_strangers
    if not least <= number <= scores.n_protected:
        raise ParameterError(
            f"n_strangers must be between {least}, the protected records less the original ones, and "
            f"{scores.n_protected}, the number of protected records; it is {number}"
        )
    return number


def make_problem(scores: PairScores, n_strangers: int, stranger: FloatArray | None = None) -> Problem:
    """Find the pairs that occur in a matching of M - ``n_strangers`` pairs.

    *Guarantee* (docs/mathematics.md#possible-pairs): a pair is kept if and only if some such matching has it. Where
    ``is_maximum``, every matching of kept pairs that covers all records not said to be possibly unmatched has the right
    number of pairs.

    Cost: a maximum matching (Hopcroft and Karp) and strongly connected components: seconds for millions of pairs.
    """
    partner = maximum_matching(scores)
    largest = int((partner >= 0).sum())
    wanted = scores.n_protected - n_strangers
    value = scores.normalised() if n_strangers == 0 else scores.value - _of_strangers(scores, stranger)
    if largest > wanted:
        everybody = np.ones(scores.n_pairs, dtype=np.bool_)
        is_stranger, is_absent = np.ones(scores.n_protected, np.bool_), np.ones(scores.n_original, np.bool_)
        partner = without_worst(scores, value, partner, largest - wanted)
        is_possible = everybody if wanted > 0 else ~everybody
    else:
        is_possible, is_stranger, is_absent = _in_maximum_matchings(scores, partner)
    return Problem(
        scores=scores.restricted(is_possible, value),
        kept=np.flatnonzero(is_possible),
        n_matched=min(wanted, largest),
        n_unlisted=max(0, wanted - largest),
        may_be_stranger=is_stranger,
        may_be_absent=is_absent,
        is_maximum=largest <= wanted,
        partner=partner,
    )


def _of_strangers(scores: PairScores, stranger: FloatArray | None) -> FloatArray:
    """Return, for each pair, a stranger's log-density at the protected record."""
    if stranger is None:
        return np.zeros(scores.n_pairs)
    if stranger.shape != (scores.n_protected,) or not np.isfinite(stranger).all():
        raise ParameterError("stranger must hold one finite log-density for each protected record")
    return np.repeat(stranger, np.diff(scores.start))


def maximum_matching(scores: PairScores, worth: FloatArray | None = None) -> IntArray:
    """Return the original record of each protected one, -1: none, in a matching with the most pairs.

    It is made larger from one in which each protected record took the free pair most worth to it, by default the
    likeliest. Cost: linear in the pairs for each of a few phases. Reference: Hopcroft and Karp (1973),
    https://doi.org/10.1137/0202019.

    >>> two = PairScores(np.array([0, 2, 3]), np.array([0, 1, 0]), np.zeros(3), n_original=2)
    >>> maximum_matching(two).tolist()
    [1, 0]
    """
    from linkrisk.linkage.matching.maximum_kernels import enlarge, take_best  # noqa: PLC0415

    partner = np.empty(scores.n_protected, dtype=np.int64)
    holder = np.empty(scores.n_original, dtype=np.int64)
    take_best(scores.start, scores.original, scores.value if worth is None else worth, partner, holder)
    enlarge(scores.start, scores.original, partner, holder)
    return partner


def without_worst(scores: PairScores, value: FloatArray, partner: IntArray, n_left_out: int) -> IntArray:
    """Return a matching without its least likely pairs."""
    if n_left_out == 0:
        return partner
    protected = scores.protected()
    pairs = np.flatnonzero(scores.original == partner[protected])
    worst = pairs[np.argsort(value[pairs], kind="stable")[:n_left_out]]
    result = partner.copy()
    result[protected[worst]] = -1
    return result


def _in_maximum_matchings(scores: PairScores, partner: IntArray) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Tell which pairs, strangers and absent people occur in a matching of the greatest size.

    A pair does if it is in the matching at hand, or on an alternating cycle, or on an alternating path of even length
    from a record that is free (Berge 1957). Pairs of the matching point to the original record, others to the
    protected one; two more nodes close the paths that end in a free protected, or original, record.
    """
    from linkrisk.linkage.matching.graph_kernels import label_strong_components  # noqa: PLC0415

    n_original, n_protected = scores.n_original, scores.n_protected
    free_protected, matched_protected = np.flatnonzero(partner < 0), np.flatnonzero(partner >= 0)
    matched_original = partner[matched_protected]
    free_original = np.setdiff1d(np.arange(n_original), matched_original)
    protected_node = n_original + scores.protected()
    is_matched = scores.original == partner[protected_node - n_original]
    strangers, absent = n_original + n_protected, n_original + n_protected + 1
    edges = [
        (scores.original[~is_matched], protected_node[~is_matched]),
        (protected_node[is_matched], scores.original[is_matched]),
        (n_original + free_protected, np.full(len(free_protected), strangers)),
        (np.full(len(matched_protected), strangers), n_original + matched_protected),
        (np.full(len(free_original), absent), free_original),
        (matched_original, np.full(len(matched_original), absent)),
    ]
    tails, heads = (np.concatenate(ends) for ends in zip(*edges, strict=True))
    order, start = listed_by(tails, absent + 1)
    label = np.empty(absent + 1, dtype=np.int64)
    label_strong_components(start, heads[order], label)
    is_possible = is_matched | (label[scores.original] == label[protected_node])
    is_stranger = (label[n_original:strangers] == label[strangers]) | (partner < 0)
    is_absent = label[:n_original] == label[absent]
    is_absent[free_original] = True
    return is_possible, is_stranger, is_absent
