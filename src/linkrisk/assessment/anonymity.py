"""k-anonymity: how many records share their combination of attribute values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.data.columns import FilePair
from linkrisk.data.same_values import record_classes

SIZES = (2, 3, 5, 10)
"""Sizes of classes: records in smaller classes are counted."""


@dataclass(frozen=True)
class Anonymity:
    """Classes of records of one file whose quasi-identifiers are all equal.

    ``smallest`` is the k of k-anonymity; ``below`` counts the records in classes smaller than each of `SIZES` (the
    first: records that are unique).
    """

    n_records: int
    n_classes: int
    smallest: int
    below: tuple[int, ...]

    @property
    def n_unique(self) -> int:
        """Records whose combination of values no other record of the file has."""
        return self.below[0]


def anonymity(files: FilePair) -> tuple[Anonymity, Anonymity]:
    """Return the anonymity of the original and of the protected file by their quasi-identifiers.

    Values are compared exactly; missing values equal each other. A unique record is not yet a link, and records that
    share all their values can still be linked as a group. Cost: a sort for each attribute.

    Reference: Samarati (2001), Protecting respondents' identities in microdata release.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.data import pair_files
    >>> original = pd.DataFrame({"age": [31, 32, 47, 48, 49], "sex": ["f", "f", "m", "m", "m"]})
    >>> protected = pd.DataFrame({"age": [30, 30, 45, 45, 50], "sex": ["f", "f", "m", "m", "m"]})
    >>> before, after = anonymity(pair_files(original, protected))
    >>> before.n_unique, after.n_unique, after.smallest, after.below
    (5, 1, 1, (1, 5, 5, 5))
    """
    return (
        _anonymity([column.original for column in files.columns]),
        _anonymity([column.protected for column in files.columns]),
    )


def _anonymity(columns: Sequence[NDArray[Any]]) -> Anonymity:
    classes = record_classes(columns)
    sizes = np.bincount(classes)
    below = tuple(int(sizes[sizes < size].sum()) for size in SIZES)
    return Anonymity(len(classes), len(sizes), int(sizes.min()), below)
