"""The report in these pages: a file like the Adult file, protected by a plan, attacked by everybody.

``make pictures`` writes it anew; read it before you keep it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import linkrisk
from linkrisk.datasets import adult_like

REPORT = Path(__file__).parent / "reports" / "adult-like.html"
NUMERIC = ["education-num"]
PLAN = (
    "age, hours-per-week: mdav k=20; fnlwgt: rank_swap 20; capital-gain, capital-loss: rank_swap 10; "
    "workclass, occupation: pram 0.6; marital-status, relationship, race, native-country: pram 0.8; "
    "education, education-num, sex, income: leave"
)


def main() -> None:
    """Protect, assess and report."""
    REPORT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        original, release, record = (Path(name) / file for file in ("adult-like.csv", "release.csv", "release.json"))
        adult_like(seed=1).to_csv(original, index=False)
        linkrisk.protect(original, plan=PLAN, numeric=NUMERIC, secret_seed=1).write(release, record=record)
        result = linkrisk.assess(
            original, release, numeric=NUMERIC, published=record, by=["sex"], loss=True, max_rate=0.05
        )
        result.report(REPORT, overwrite=True)


if __name__ == "__main__":
    main()
