"""Random numbers in machine code: one generator for all Markov chains, with its state in an array of the chain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkrisk.engine.jit import lean_kernel

UnsignedArray = NDArray[np.uint64]
"""The state of a generator: an array of one number, the seed at the beginning."""


@lean_kernel
def random(dice: UnsignedArray) -> float:
    """Return the next random number from 0 to below 1.

    Reference: splitmix64 of Steele, Lea and Flood (2014), https://doi.org/10.1145/2660193.2660195.
    """
    dice[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = dice[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return float(mixed >> np.uint64(11)) * 2.0**-53


@lean_kernel
def random_below(dice: UnsignedArray, n: int) -> int:
    """Return a random whole number from 0 to below n."""
    return min(int(random(dice) * n), n - 1)
