"""Where the Census file is, for the tests that repeat figures of the papers; it is not part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest

CENSUS = Path(os.environ.get("LINKRISK_CENSUS", Path(__file__).parents[2] / "shared" / "data" / "census.csv"))

needs_census = pytest.mark.skipif(
    not CENSUS.exists(),
    reason="no census.csv: export CASCrefmicrodata of the R package sdcMicro, name it in LINKRISK_CENSUS",
)


def read_census() -> pd.DataFrame:
    """Return the 1,080 records of 13 attributes, in the papers' order."""
    return pd.read_csv(CENSUS)
