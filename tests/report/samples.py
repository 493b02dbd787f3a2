"""One result of every kind, made from frames of a chosen library that hold values nobody may see again."""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

import linkrisk
from linkrisk.result import Result
from linkrisk.tables import publish_table

SCRIPT = "<script>alert(1)</script>"
"""A name of a column that a browser must never run."""

PLANTED = ("zebra", "77770", "okapi")
"""What is in the cells, and nowhere else."""

KINDS = ("pandas", "polars", "pyarrow")

QUICK: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"]}


def people(n_records: int = 40) -> pd.DataFrame:
    """Return records with an id, two numbers and a category, all of them recognisable."""
    random = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "who": [f"zebra{number}" for number in range(n_records)],
            SCRIPT: 7777_000.0 + 7.0 * random.permutation(n_records),
            "income": 7777_000.0 + random.permutation(n_records) / 2,
            "job": random.choice(["okapi one", "okapi two", "okapi three"], n_records),
        }
    )


def released(original: pd.DataFrame) -> pd.DataFrame:
    """Return them with a little noise."""
    noise = np.random.default_rng(6).normal(size=len(original))
    return original.assign(**{SCRIPT: original[SCRIPT] + noise, "income": original["income"] + noise[::-1]})


def as_kind(frame: pd.DataFrame, kind: str) -> Any:
    """Return a pandas frame as one of another library."""
    backend: Any = kind
    return nw.from_dict({str(name): frame[name].to_list() for name in frame}, backend=backend).to_native()


def assessment(kind: str) -> linkrisk.Assessment:
    """Attack, with a scenario and a confidential attribute."""
    original, protected = as_kind(people(), kind), as_kind(released(people()), kind)
    scenario = linkrisk.Scenario("a neighbour", (SCRIPT,))
    schema = {"attributes": {"job": {"role": "confidential"}}}
    return linkrisk.assess(original, protected, id="who", schema=schema, scenarios=[scenario], one_to_one=True, **QUICK)


def loss(kind: str) -> Result:
    """Measure what is lost."""
    return linkrisk.loss(as_kind(people(), kind), as_kind(released(people()), kind), id="who")


def releases(kind: str) -> Result:
    """Compare two releases."""
    protected = as_kind(released(people()), kind)
    return linkrisk.compare(as_kind(people(), kind), {"one": protected, "two": protected}, id="who", **QUICK)


def tuning(kind: str) -> Result:
    """Tune noise."""
    numbers = as_kind(people()[[SCRIPT, "income"]], kind)
    return linkrisk.tune(numbers, "noise", 0.9, trials=3, confirm=False, secret_seed=3, **QUICK)


def protection(kind: str) -> Result:
    """Add noise."""
    return linkrisk.protection.add_noise(as_kind(people()[[SCRIPT, "income"]], kind), 10.0, secret_seed=2)


def match_report(kind: str) -> Result:
    """Match two samples, a table released."""
    crowd = people(200)
    both = crowd.assign(**{SCRIPT: crowd.index % 17, "income": crowd.index % 5}).astype(str)
    samples = {"s": both.iloc[:60][[SCRIPT, "job", "income"]], "t": both.iloc[30:90][[SCRIPT, "job", "who"]]}
    table = publish_table(both, [SCRIPT, "job"], "exact")
    return linkrisk.match({name: as_kind(sample, kind) for name, sample in samples.items()}, [table], bounds="naive")


def verification(kind: str) -> Result:
    """Check a certificate that proves nothing."""
    claim = {"certificate": 1, "reading": {"id": "who"}, "attributes": [SCRIPT, "income"], "scale": "ranks"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "none.certificate.json"
        path.write_text(json.dumps(claim), encoding="utf-8")
        return linkrisk.verify(path, as_kind(people(), kind), as_kind(released(people()), kind))


def study_run(kind: str) -> linkrisk.study.StudyRun:
    """Run a study of a file, whatever the kind: its store holds the parameters that are learned."""
    del kind
    folder = Path(tempfile.mkdtemp())
    people()[[SCRIPT, "income"]].to_csv(folder / "people.csv", index=False)
    specification = {
        "seed": 4,
        "attackers": ["mean", "weighted_mean"],
        "data": [{"name": "people", "file": str(folder / "people.csv")}],
        "protection": [{"name": "noise", "method": "noise", "grid": {"p": [10]}}],
    }
    return linkrisk.study.run(specification, store=folder / "people.study", workers=1)


def study_result(kind: str) -> linkrisk.study.StudyResult:
    """Show what its store keeps."""
    run: Any = sample("StudyRun", kind)
    return linkrisk.study.show(run.store)


def paper_comparison(kind: str) -> linkrisk.study.papers.PaperComparison:
    """Lay the tables of a paper beside the store of another study: only what is worked out anew has figures."""
    run: Any = sample("StudyRun", kind)
    return linkrisk.study.papers.compare("smith-elliot", run.store)


MAKERS: dict[str, Callable[[str], Result]] = {
    "Assessment": assessment,
    "Loss": loss,
    "MatchReport": match_report,
    "PaperComparison": paper_comparison,
    "Protection": protection,
    "Releases": releases,
    "StudyResult": study_result,
    "StudyRun": study_run,
    "Tuning": tuning,
    "Verification": verification,
}


OF_STORES = {"PaperComparison", "StudyResult", "StudyRun"}
"""Results that are not made of frames, and name no column."""


@functools.cache
def sample(name: str, kind: str = "pandas") -> Result:
    """Return a result of a class, made once."""
    return MAKERS[name](kind)
