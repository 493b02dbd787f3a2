"""The random numbers of the chains: those of the generator as published, and evenly spread."""

from __future__ import annotations

import numpy as np

from linkrisk.engine.dice_kernels import random, random_below

PUBLISHED = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
"""First numbers of splitmix64 with seed 1234567 (https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64)."""


def test_the_numbers_are_those_of_splitmix() -> None:
    """The upper 53 bits of each, as a fraction."""
    dice = np.array([1234567], dtype=np.uint64)
    assert [random(dice) for _ in PUBLISHED] == [(number >> 11) / 2**53 for number in PUBLISHED]


def test_whole_numbers_are_evenly_spread() -> None:
    """Of 30,000 numbers below 3 each is about a third; none is 3."""
    dice = np.array([5], dtype=np.uint64)
    counts = np.bincount([random_below(dice, 3) for _ in range(30_000)])
    assert len(counts) == 3
    assert np.abs(counts - 10_000).max() < 5 * np.sqrt(30_000 * 2 / 9)
