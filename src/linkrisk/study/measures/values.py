"""Original beside protected values (abril2012-weights.txt, Figure 1)."""

from __future__ import annotations

import numpy as np

from linkrisk.errors import SettingsError
from linkrisk.study.measures.measured import Measured
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:  # noqa: ARG001  (nothing is drawn)
    """Return the correlation of the first number with its protected values, and all pairs of values in the details."""
    column = next((each for each in release.files.columns if each.original.dtype.kind == "f"), None)
    if column is None:
        raise SettingsError("there are no numbers; values are those of the first number")
    own = release.files.own
    original = np.asarray(column.original[own >= 0], dtype=np.float64)
    protected = np.asarray(column.protected[own[own >= 0]], dtype=np.float64)
    known = ~(np.isnan(original) | np.isnan(protected))
    original, protected = original[known], protected[known]
    varies = len(original) > 1 and original.std() > 0.0 and protected.std() > 0.0
    correlation = float(np.corrcoef(original, protected)[0, 1]) if varies else None
    details = {"attribute": column.attribute.name, "original": original.tolist(), "protected": protected.tolist()}
    return Measured({"correlation": correlation}, details)
