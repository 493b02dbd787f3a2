"""Small files to assess, and what two assessments must have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from linkrisk.assessment import Assessment
from linkrisk.datasets import census_like

COLUMNS = ["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX"]


def numeric_frames(n_records: int = 60, seed: int = 1, noise: float = 0.3) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a numeric file and a noisy copy, records in the same order; values exact to two decimals."""
    original = census_like(n_records, seed=seed)[COLUMNS].astype(float)
    rng = np.random.default_rng(seed)
    spread = original.std().to_numpy() * noise
    protected = (original + spread * rng.normal(size=original.shape)).round(2)
    return original, protected


def mixed_frames(n_records: int = 80, seed: int = 3) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a file with a column of every kind, some values missing, and a protected version of it."""
    rng = np.random.default_rng(seed)
    original = pd.DataFrame(
        {
            "income": rng.lognormal(10, 1, n_records).round(2),
            "region": rng.choice(["north", "south", "east"], n_records),
            "school": rng.choice(["low", "middle", "high"], n_records),
            "job": rng.choice(["carpenter", "teacher", "nurse", "clerk", "farmer", "baker"], n_records),
            "born": pd.to_datetime("1950-01-01") + pd.to_timedelta(rng.integers(0, 15000, n_records), unit="D"),
            "illness": rng.choice(["none", "asthma"], n_records),
        }
    )
    protected = original.copy()
    protected["income"] = (original["income"] * rng.lognormal(0, 0.1, n_records)).round(2)
    protected["born"] = original["born"] + pd.to_timedelta(rng.integers(-200, 200, n_records), unit="D")
    protected["job"] = [
        word[:-1] if flip else word for word, flip in zip(original["job"], rng.random(n_records) < 0.3, strict=True)
    ]
    for frame in (original, protected):
        frame["born"] = frame["born"].dt.strftime("%Y-%m-%d")
        for name in ("income", "region", "school", "job", "born"):
            frame.loc[rng.random(n_records) < 0.05, name] = None
    return original, protected


MIXED_SCHEMA: dict[str, Any] = {
    "attributes": {
        "school": {"kind": "ordinal", "order": ["low", "middle", "high"]},
        "job": {"kind": "text"},
        "illness": {"role": "confidential"},
    }
}


def without_seconds(assessment: Assessment | dict[str, Any]) -> Any:
    """Return the JSON of an assessment without the time it took."""
    contents = assessment.to_dict() if isinstance(assessment, Assessment) else assessment
    for attack in [*contents["attackers"], *(a for s in contents["scenarios"] for a in s["attackers"])]:
        del attack["seconds"], attack["course"]
    return contents


def answers(assessment: Assessment | dict[str, Any]) -> Any:
    """Return the figures of an assessment, without names of files, their hashes, and notes."""
    contents = without_seconds(assessment)
    return {key: contents[key] for key in ("n_original", "n_protected", "n_pairs", "attackers", "attribute_table")}
