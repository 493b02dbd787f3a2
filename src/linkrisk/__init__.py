"""Tell how many people an intruder could find again in a protected microdata file.

>>> import linkrisk
>>> original = linkrisk.datasets.census_like(100, seed=1)
>>> protected = linkrisk.protect.add_noise(original, 10.0, seed=2).data
>>> print(linkrisk.assess(original, protected, attackers=["mean"], scales=["ranks"]).n_pairs)
100

Everything is imported when first used: ``import linkrisk`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkrisk import aggregate as attackers
    from linkrisk import datasets, loss, protect
    from linkrisk.advise.releases import compare_releases
    from linkrisk.advise.tune import tune
    from linkrisk.assessment.result import Assessment
    from linkrisk.assessment.run import assess
    from linkrisk.assessment.scenario import Scenario
    from linkrisk.data.pair import pair_files
    from linkrisk.learn.estimators import (
        OWA,
        Bilinear,
        BilinearFree,
        BilinearHigham,
        BilinearPSD,
        Choquet,
        ChoquetMetric,
        WeightedMean,
        WeightedMeanMetric,
    )
    from linkrisk.link.nearest import nearest
    from linkrisk.verify.files import verify_files
    from linkrisk.version import __version__

_HOMES = {
    "OWA": ("linkrisk.learn.estimators", "OWA"),
    "Assessment": ("linkrisk.assessment.result", "Assessment"),
    "Bilinear": ("linkrisk.learn.estimators", "Bilinear"),
    "BilinearFree": ("linkrisk.learn.estimators", "BilinearFree"),
    "BilinearHigham": ("linkrisk.learn.estimators", "BilinearHigham"),
    "BilinearPSD": ("linkrisk.learn.estimators", "BilinearPSD"),
    "Choquet": ("linkrisk.learn.estimators", "Choquet"),
    "ChoquetMetric": ("linkrisk.learn.estimators", "ChoquetMetric"),
    "Scenario": ("linkrisk.assessment.scenario", "Scenario"),
    "WeightedMean": ("linkrisk.learn.estimators", "WeightedMean"),
    "WeightedMeanMetric": ("linkrisk.learn.estimators", "WeightedMeanMetric"),
    "__version__": ("linkrisk.version", "__version__"),
    "assess": ("linkrisk.assessment.run", "assess"),
    "attackers": ("linkrisk.aggregate", None),
    "compare_releases": ("linkrisk.advise.releases", "compare_releases"),
    "datasets": ("linkrisk.datasets", None),
    "loss": ("linkrisk.loss", None),
    "nearest": ("linkrisk.link.nearest", "nearest"),
    "pair_files": ("linkrisk.data.pair", "pair_files"),
    "protect": ("linkrisk.protect", None),
    "tune": ("linkrisk.advise.tune", "tune"),
    "verify_files": ("linkrisk.verify.files", "verify_files"),
}

__all__ = [
    "OWA",
    "Assessment",
    "Bilinear",
    "BilinearFree",
    "BilinearHigham",
    "BilinearPSD",
    "Choquet",
    "ChoquetMetric",
    "Scenario",
    "WeightedMean",
    "WeightedMeanMetric",
    "__version__",
    "assess",
    "attackers",
    "compare_releases",
    "datasets",
    "loss",
    "nearest",
    "pair_files",
    "protect",
    "tune",
    "verify_files",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'linkrisk' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    loaded = importlib.import_module(module)
    return loaded if attribute is None else getattr(loaded, attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
