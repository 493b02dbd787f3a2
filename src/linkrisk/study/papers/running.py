"""Running the experiments of the papers: the verb."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from linkrisk.attack.reporter import Reporter
from linkrisk.data.opening import read_toml
from linkrisk.errors import SettingsError
from linkrisk.options import takes
from linkrisk.study.papers.census import find_census
from linkrisk.study.papers.comparison import PaperComparison, compare_with
from linkrisk.study.papers.experiments import EXPERIMENTS, Experiment
from linkrisk.study.papers.options import PaperKeywords, PaperOptions
from linkrisk.study.result import StudyRun, show
from linkrisk.study.running import ENDING
from linkrisk.study.running import run as run_study
from linkrisk.study.specification.reading import make_specification
from linkrisk.study.specification.specification import Specification

CENSUS = "census.csv"
"""What the shipped specifications call the papers' data."""

N_RECORDS = 1080
"""Records of the papers' data, and of generated data in their place."""


def specification(name: str, census: Path | None = None, *, generated: bool = False) -> Specification:
    """Return the specification of an experiment, with the file of the papers' data or generated data in its place.

    >>> specification("smith-elliot").name
    'smith-elliot'
    """
    experiment = find_experiment(name)
    contents = dict(read_toml(experiment.specification))
    source: dict[str, Any] = {}
    if experiment.needs_census:
        source = {"generated": "census_like", "records": N_RECORDS} if generated else {"file": str(find_census(census))}
    contents["data"] = [_with_source(table, source) for table in contents.get("data", [])]
    return make_specification(contents, name=name, source=f"the specification of {name}")


def _with_source(table: Mapping[str, Any], source: Mapping[str, Any]) -> dict[str, Any]:
    if table.get("file") != CENSUS:
        return dict(table)
    return {**{name: value for name, value in table.items() if name != "file"}, **source}


def find_experiment(name: str) -> Experiment:
    """Return an experiment by its name.

    Raises
    ------
    SettingsError
        If there is none of that name.
    """
    if name not in EXPERIMENTS:
        raise SettingsError(f"there is no experiment {name!r}; choose {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name]


def default_store(name: str, *, generated: bool = False) -> Path:
    """Return where an experiment is kept, unless it is said: a file in the working folder.

    >>> default_store("choquet").name, default_store("choquet", generated=True).name
    ('choquet.study', 'choquet-generated.study')
    """
    return Path(f"{name}{'-generated' if generated else ''}{ENDING}")


@takes(PaperOptions)
def run(name: str, *, reporter: Reporter | None = None, **options: Unpack[PaperKeywords]) -> StudyRun:
    """Run an experiment of the papers; what is finished is kept, and the next run goes on there.

    Parameters
    ----------
    name
        The experiment: a key of `EXPERIMENTS`.
    @options
    reporter
        Told what is being done.

    Returns
    -------
    StudyRun
        How many cells were done; `compare` lays the papers' figures beside those in its ``store``.

    Raises
    ------
    InputError
        If there is no such experiment, or the papers' data are not there.

    Notes
    -----
    The papers' data are no part of linkrisk: they come with the R package sdcMicro, as CASCrefmicrodata.
    """
    asked = PaperOptions.of(options)
    found = specification(name, asked.census, generated=asked.generated)
    own = {key: value for key, value in asked.keywords().items() if key not in {"census", "generated"}}
    own["store"] = asked.store or default_store(name, generated=asked.generated)
    return run_study(found, reporter=reporter, **own)


def compare(name: str, store: str | Path) -> PaperComparison:
    """Lay the tables of a paper beside what an experiment has found so far.

    Parameters
    ----------
    name
        The experiment: a key of `EXPERIMENTS`.
    store
        The file in which it is kept.

    Raises
    ------
    InputError
        If there is no such experiment, or the file is no store.
    """
    return compare_with(find_experiment(name), show(store))
