"""How many values are missing before and after protection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkrisk.data.columns import FilePair
from linkrisk.data.same_values import is_missing


@dataclass(frozen=True)
class MissingShares:
    """Shares of missing values in the two files: over all attributes, and for each attribute that has any."""

    original: float
    protected: float
    by_attribute: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"missing values {self.original:.2%} before, {self.protected:.2%} after"


def missing_shares(files: FilePair) -> MissingShares:
    """Count what is missing: share_k = missing values of attribute k / records, over all records of each file.

    The overall shares are the means over the attributes. Cost: linear.

    Examples
    --------
    Three records, of which the second loses its value.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> print(missing_shares(pair_files(np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [np.nan], [3.0]]))))
    missing values 0.00% before, 33.33% after
    """
    shares = {column.attribute.name: (_share(column.original), _share(column.protected)) for column in files.columns}
    means = np.mean(list(shares.values()), axis=0)
    return MissingShares(
        original=float(means[0]),
        protected=float(means[1]),
        by_attribute={name: share for name, share in shares.items() if any(share)},
    )


def _share(values: Any) -> float:
    return float(np.mean(is_missing(values)))
