"""HiGHS beside other packages that use it in the same process."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEFORE = """
import highspy, numpy as np
other = highspy.Highs()
other.setOptionValue("output_flag", False)
other.setOptionValue("threads", {threads})
other.addVars(2, np.zeros(2), np.ones(2))
other.addRow(1.0, highspy.kHighsInf, 2, np.arange(2, dtype=np.int32), np.ones(2))
assert other.run() == highspy.HighsStatus.kOk
"""

CODE = """
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.learning.learn import learn
from linkrisk.learning.papers import minimise_wrong_links
from linkrisk.learning.explanation.ranges import parameter_ranges
from tests.learning.families import noisy

comparison = noisy(1, 12, 3, 0.7)
learned = learn(ChoquetFamily(), comparison)
ranges = parameter_ranges(learned)
milp = minimise_wrong_links(ChoquetFamily(), comparison, time_limit=60.0)
print(learned.status, bool((ranges.low <= ranges.high).all()), milp.status, milp.links == learned.links)
"""


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
def test_another_number_of_threads(threads: int) -> None:
    """HiGHS has one scheduler per process: whatever number of threads it was started with, we can still solve."""
    code = BEFORE.format(threads=threads) + CODE
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603  (own code)
    assert run.stdout.strip() == "optimal True optimal True", run.stderr
