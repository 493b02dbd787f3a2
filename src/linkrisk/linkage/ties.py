"""What counts as a link when others are as near."""

from __future__ import annotations

from enum import StrEnum


class Ties(StrEnum):
    """What counts as a link when other protected records are as near as one's own.

    Twins of a record are the protected records with the same d_k as its own on every attribute the attacker compares,
    whatever he makes of the differences afterwards. ``unique``: its own is strictly nearer than every other. ``class``:
    twins do not count against it. ``expected``: as ``class``, each link worth 1 / (twins at least as near + 1), the
    gain of an intruder who picks at random; a twin that a vector attacker sees farther is no rival. A record that ties
    with one that is no twin counts 0 under all three, although an intruder who draws lots is right now and then: where
    distances take few values (levels of `probabilistic`, categories) he gains more than ``expected``.
    """

    UNIQUE = "unique"
    CLASS = "class"
    EXPECTED = "expected"


DEFAULT_TIES = Ties.EXPECTED
"""The rule that counts unless another is asked for: counted by unique links, a file in which every record has a twin
looks safe however near the twins are."""
