"""Means, deviations and correlations of the original (abril-bilinear.txt, Table 4 and Figure 3)."""

from __future__ import annotations

import numpy as np

from linkrisk.errors import SettingsError
from linkrisk.study.measures.measured import Measured
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:  # noqa: ARG001  (nothing is drawn)
    """Return mean and standard deviation (n - 1) of each number as ``mean_NAME``, ``sd_NAME``; correlations beside."""
    columns = [column for column in release.files.columns if column.original.dtype.kind == "f"]
    if not columns:
        raise SettingsError("there are no numbers; moments are those of numbers")
    names = [column.attribute.name for column in columns]
    values = np.array([column.original for column in columns], dtype=np.float64)
    means, deviations = np.nanmean(values, axis=1), np.nanstd(values, axis=1, ddof=1)
    whole = values[:, ~np.isnan(values).any(axis=0)]
    centred = whole - whole.mean(axis=1, keepdims=True)
    lengths = np.sqrt((centred**2).sum(axis=1))
    lengths[lengths == 0.0] = np.nan
    correlations = centred @ centred.T / np.outer(lengths, lengths)
    figures = {f"mean_{name}": float(mean) for name, mean in zip(names, means, strict=True)}
    figures |= {f"sd_{name}": float(sd) for name, sd in zip(names, deviations, strict=True)}
    table = [[None if np.isnan(one) else float(one) for one in row] for row in correlations]
    return Measured({"mean": float(means[0]), **figures}, {"attributes": names, "correlations": table})
