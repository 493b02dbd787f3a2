"""The experiments of the papers: what each runs, and the tables and figures it repeats."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

from linkrisk.study.papers.claims import PublishedTable

SPECIFICATIONS = Path(__file__).parent / "specifications"


@dataclass(frozen=True)
class Experiment:
    """One shipped specification: its paper, what it repeats, and about how long that takes on two cores.

    ``tables_in`` is the module of this package with the tables of the paper; empty where only figures are drawn.
    """

    name: str
    paper: str
    repeats: str
    minutes: float
    tables_in: str = ""
    needs_census: bool = True

    @property
    def specification(self) -> Path:
        """The file of the specification."""
        return SPECIFICATIONS / f"{self.name}.toml"

    def tables(self) -> Sequence[PublishedTable]:
        """Return the tables of the paper that the experiment repeats."""
        if not self.tables_in:
            return ()
        return cast("Sequence[PublishedTable]", self._module().TABLES)

    def computed(self) -> Mapping[str, float]:
        """Return figures that need no store, by name."""
        if not self.tables_in:
            return {}
        return cast("Mapping[str, float]", getattr(self._module(), "computed", dict)())

    def _module(self) -> ModuleType:
        return importlib.import_module(f"linkrisk.study.papers.{self.tables_in}")


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "torra2010",
            "Torra, Navarro-Arribas, Abril (2010), weighted mean and OWA",
            "Tables 1 to 5",
            3,
            "torra2010",
        ),
        Experiment(
            "weights",
            "Abril, Navarro-Arribas, Torra (2012), weighted mean",
            "Tables 2 to 9, Figure 1",
            2,
            "abril2012_weights",
        ),
        Experiment("weights-figures", "Abril, Navarro-Arribas, Torra (2012), weighted mean", "Figures 2 to 5", 30),
        Experiment(
            "choquet",
            "Abril, Navarro-Arribas, Torra (2012), Choquet integral",
            "Tables 1 to 5, Figures 1 and 2",
            1,
            "abril2012_choquet",
        ),
        Experiment(
            "bilinear",
            "Abril, Torra, Navarro-Arribas, symmetric bilinear forms",
            "Tables 2 to 8, Figures 1 and 3",
            10,
            "abril_bilinear",
        ),
        Experiment(
            "smith-elliot",
            "Smith, Elliot, matches between samples",
            "the experiment and the worked example",
            1,
            "smith_elliot",
            needs_census=False,
        ),
    )
}
"""All experiments by name, in the order of the papers."""
