"""The scales on which two files are compared."""

from __future__ import annotations

from enum import StrEnum


class Scale(StrEnum):
    """How the two files are brought to one scale; part of the attacker.

    ``separate``: each file by its own mean and standard deviation (n - 1), as in the papers (DBRL1).
    ``original``: both files by the mean and standard deviation of the original.
    ``ranks``: each file by its own midranks, centred and brought to unit variance.
    """

    SEPARATE = "separate"
    ORIGINAL = "original"
    RANKS = "ranks"
