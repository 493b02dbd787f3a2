"""Log-likelihoods of pairs: what an intruder who knows the protection method ends in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class PairScores:
    """Log-likelihoods of pairs, listed for each protected record; others are impossible or negligible.

    Parameters
    ----------
    start
        M + 1 numbers: the candidates of protected record j are ``original[start[j]:start[j + 1]]``.
    original
        The original records, ascending for each j.
    value
        log p(y_j | x_i), finite; up to a constant for each j, or, where there are strangers, one for all j.
    n_original
        Number N of original records.

    Examples
    --------
    >>> scores = PairScores(np.array([0, 2, 3]), np.array([0, 1, 1]), np.log([0.2, 0.6, 0.5]), n_original=2)
    >>> scores
    PairScores(2 original records, 2 protected records, 3 pairs)
    >>> np.exp(scores.normalised()).round(2).tolist()
    [0.25, 0.75, 1.0]
    """

    start: IntArray
    original: IntArray
    value: FloatArray
    n_original: int

    @property
    def n_protected(self) -> int:
        """Number M of protected records."""
        return len(self.start) - 1

    @property
    def n_pairs(self) -> int:
        """Number of pairs that are listed."""
        return len(self.value)

    def __repr__(self) -> str:
        pairs = f"{self.n_original} original records, {self.n_protected} protected records, {self.n_pairs} pairs"
        return f"PairScores({pairs})"

    def protected(self) -> IntArray:
        """Return the protected record of every pair."""
        return np.repeat(np.arange(self.n_protected), np.diff(self.start))

    def by_original(self) -> tuple[IntArray, IntArray]:
        """List the same pairs by original record.

        Returns an order and starts: the pairs of original record i are ``order[start[i]:start[i + 1]]``, places in
        ``value``, with ascending protected records. Cost: linear in the pairs.
        """
        return listed_by(self.original, self.n_original)

    def normalised(self) -> FloatArray:
        """Return log (p(y_j | x_i) / sum over i' of p(y_j | x_i')).

        This is the log of the probability that j is i, if nothing but y_j were known: every known person is as likely
        to be j as any other, and j is one of them.
        """
        is_listed = np.diff(self.start) > 0
        begin = self.start[:-1][is_listed]
        if len(begin) == 0:
            return self.value
        length = np.diff(self.start)[is_listed]
        top = np.repeat(np.maximum.reduceat(self.value, begin), length)
        total = np.add.reduceat(np.exp(self.value - top), begin)
        result: FloatArray = self.value - top - np.repeat(np.log(total), length)
        return result

    def restricted(self, is_kept: BoolArray, value: FloatArray) -> PairScores:
        """Return the scores with some pairs only, and with other values."""
        before = np.concatenate([[0], np.cumsum(is_kept)]).astype(np.int64)
        return replace(self, start=before[self.start], original=self.original[is_kept], value=value[is_kept])


def listed_by(keys: IntArray, n_keys: int) -> tuple[IntArray, IntArray]:
    """List places by their key: an order and starts; those with key k are ``order[start[k]:start[k + 1]]``, ascending.

    >>> listed_by(np.array([1, 0, 1]), 2)
    (array([1, 0, 2]), array([0, 1, 3]))
    """
    from linkrisk.linkage.matching.graph_kernels import list_by  # noqa: PLC0415

    start, order = np.empty(n_keys + 1, dtype=np.int64), np.empty(len(keys), dtype=np.int64)
    list_by(keys, n_keys, start, order)
    return order, start
