"""The information loss of a protected file; nothing in it is about a single record."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkrisk.losses.categories import CategoricalLoss
from linkrisk.losses.microaggregation import VariationLoss
from linkrisk.losses.missing import MissingShares
from linkrisk.losses.moments import MomentDifferences
from linkrisk.losses.pil import ProbabilisticLoss
from linkrisk.losses.propensity import PropensityLoss
from linkrisk.losses.regression import RegressionLoss
from linkrisk.losses.value_changes import ValueLoss


@dataclass(frozen=True, repr=False)
class Loss:
    """Information loss by every figure; made by `linkrisk.loss`. Print it for a table.

    Figures about numbers (``probabilistic``, ``value_changes``, ``variation``, ``moments``, ``regression``) are None
    where the files have no numeric attribute and no date; ``categories`` is None where they have no categorical one.
    """

    version: str
    original_name: str
    protected_name: str
    n_original: int
    n_protected: int
    n_pairs: int
    paired_by: str
    numeric: tuple[str, ...]
    categorical: tuple[str, ...]
    missing: MissingShares
    propensity: PropensityLoss
    probabilistic: ProbabilisticLoss | None = None
    value_changes: ValueLoss | None = None
    variation: VariationLoss | None = None
    moments: MomentDifferences | None = None
    regression: RegressionLoss | None = None
    categories: CategoricalLoss | None = None
    notes: tuple[str, ...] = ()

    @property
    def pil(self) -> float:
        """Probabilistic information loss, 0 to 100; NaN where no numeric attribute varies."""
        return math.nan if self.probabilistic is None else self.probabilistic.pil

    @property
    def il1s(self) -> float:
        """IL1s, the mean distance of a value from its original; NaN where no numeric attribute varies."""
        return math.nan if self.value_changes is None else self.value_changes.il1s

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain mappings, lists and numbers for JSON; undefined numbers are None."""
        found: dict[str, Any] = _clean(dataclasses.asdict(self))
        return found

    def __str__(self) -> str:
        from linkrisk.losses.text import loss_text  # noqa: PLC0415  (text knows results, not the reverse)

        return loss_text(self)

    __repr__ = __str__


def _clean(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _clean(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
