"""Random permutations that keep every rank within a window."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.engine import interrupt
from linkrisk.protection.drawing.draws import draw_uniforms
from linkrisk.protection.drawing.secret import Secret


def n_sweeps(n_ranks: int) -> int:
    """Return how often all ranks are gone through: 10 times, and twice for each binary digit of their number.

    >>> n_sweeps(1080), n_sweeps(10**6)
    (32, 50)
    """
    return 10 + 2 * n_ranks.bit_length()


def draw_permutation(secret: Secret, column: str, n_ranks: int, window: int) -> IntArray:
    """Draw a permutation pi of the ranks 0, ..., n - 1 with |pi(r) - r| <= w, nearly uniform among all of these.

    Consecutive blocks of w + 1 ranks are permuted uniformly, which stays within the windows. Then all ranks are gone
    through `n_sweeps` times. In its turn rank r asks for the value of rank t, uniform among those with |t - r| <= w. If
    s holds it, r and s exchange what they hold, unless s would get a value more than w away from it.

    Parameters
    ----------
    secret, column
        Where the draws come from; another column gives unrelated draws.
    n_ranks, window
        n and w, 1 <= w.

    Returns
    -------
    numpy.ndarray
        pi: at place r the rank whose value goes to rank r.

    Notes
    -----
    *Which distribution.* The chain is the switch chain of Diaconis, Graham and Holmes, with r in turn instead of at
    random. The uniform distribution is stationary, for an exchange is as probable as its reversal: r asks for t where
    it holds u exactly as it asks for u where it holds t. Every permutation within the windows can be reached, for the
    windows' ends rise with r (Dyer, Jerrum, Müller), and a rank may keep what it has, so the distribution converges to
    the uniform one and to no other. With w >= n - 1 the first step is Fisher and Yates' shuffle, and it is exact.

    *How near.* That the number of steps needed is polynomial in n is proven (Dyer, Jerrum, Müller), and for w >= n - 1
    that it is of order n log n (Mossel, Peres, Sinclair); for other w no bound is known that could be used as such. By
    enumeration the second eigenvalue of a sweep is at most 0.54 for n up to 6 and all w; it is largest for w = 1, where
    it seems to tend to 0.62 (0.597 for n = 11). Simulated with n = 4,000 and w of 3 to 3,000, what the start leaves in
    moves and in crossings of a rank falls to less than half with each sweep. At 0.62 a sweep, 10 + 2 log2(n) sweeps
    divide it by more than 100 n^1.3. Of m values each is asked for with probability 1 / m up to 2^-53.

    Cost: n times the sweeps, half of it for the draws; 3 to 5 seconds for 10^6 ranks.

    References
    ----------
    Diaconis, Graham, Holmes (2001), Statistical problems involving permutations with restricted positions, IMS Lecture
    Notes 36; Dyer, Jerrum, Müller (2017), On the switch Markov chain for perfect matchings, Journal of the ACM 64(2);
    Mossel, Peres, Sinclair (2004), Shuffling by semi-random transpositions, FOCS.

    Examples
    --------
    >>> pi = draw_permutation(Secret(1), "wage", 8, 2)
    >>> sorted(pi.tolist()) == list(range(8)), bool((np.abs(pi - np.arange(8)) <= 2).all())
    (True, True)
    """
    from linkrisk.protection.drawing.permutation_kernel import permute_blocks, sweep_ranks  # noqa: PLC0415  (imports numba)

    taken = permute_blocks(draw_uniforms(secret, f"rank permutation 0 {column}", n_ranks), window)
    taker = np.empty_like(taken)
    taker[taken] = np.arange(n_ranks)
    for sweep in range(n_sweeps(n_ranks)):
        interrupt.check()
        sweep_ranks(taken, taker, draw_uniforms(secret, f"rank permutation {sweep + 1} {column}", n_ranks), window)
    return taken
