"""The information loss of a protected file; nothing in it is about a single record."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from linkrisk.data.writing import write_json
from linkrisk.losses.categories import CategoricalLoss
from linkrisk.losses.microaggregation import VariationLoss
from linkrisk.losses.missing import MissingShares
from linkrisk.losses.moments import MomentDifferences
from linkrisk.losses.pil import ProbabilisticLoss
from linkrisk.losses.propensity import PropensityLoss
from linkrisk.losses.regression import RegressionLoss
from linkrisk.losses.value_changes import ValueLoss
from linkrisk.result import DEFAULT_FRAME, Result


@dataclass(frozen=True, repr=False)
class Loss(Result):
    """Information loss by every figure; made by `linkrisk.loss`.

    Figures about numbers (``probabilistic``, ``value_changes``, ``variation``, ``moments``, ``regression``) are None
    where the files have no numeric attribute and no date; ``categories`` is None where they have no categorical one.
    Print it for a table with one line per figure; its frame has one row per figure.
    """

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
    frame_kind: str = DEFAULT_FRAME

    @property
    def pil(self) -> float:
        """Probabilistic information loss, 0 to 100; NaN where no numeric attribute varies."""
        return math.nan if self.probabilistic is None else self.probabilistic.pil

    @property
    def il1s(self) -> float:
        """IL1s, the mean distance of a value from its original; NaN where no numeric attribute varies."""
        return math.nan if self.value_changes is None else self.value_changes.il1s

    def write(self, json: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write every measure as JSON, which may be shared.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        if json is not None:
            write_json(json, self.to_dict(), overwrite=overwrite)
