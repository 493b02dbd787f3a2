"""Tell how many people an intruder could find again in a protected microdata file.

>>> import linkrisk
>>> original = linkrisk.datasets.census_like(100, seed=1)
>>> protected = linkrisk.protection.add_noise(original, 10.0, seed=2).data
>>> print(linkrisk.assess(original, protected, attackers=["mean"], scales=["ranks"]).n_pairs)
100

Everything is imported when first used: ``import linkrisk`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkrisk import attackers, datasets, losses, protection
    from linkrisk.advice.releases import compare_releases
    from linkrisk.advice.tune import tune
    from linkrisk.assessment.result import Assessment
    from linkrisk.assessment.run import assess
    from linkrisk.assessment.scenario import Scenario
    from linkrisk.data.pair import pair_files
    from linkrisk.linkage.nearest import nearest
    from linkrisk.verifier.files import verify_files
    from linkrisk.version import __version__

_HOMES = {
    "Assessment": ("linkrisk.assessment.result", "Assessment"),
    "Scenario": ("linkrisk.assessment.scenario", "Scenario"),
    "__version__": ("linkrisk.version", "__version__"),
    "assess": ("linkrisk.assessment.run", "assess"),
    "attackers": ("linkrisk.attackers", None),
    "compare_releases": ("linkrisk.advice.releases", "compare_releases"),
    "datasets": ("linkrisk.datasets", None),
    "losses": ("linkrisk.losses", None),
    "nearest": ("linkrisk.linkage.nearest", "nearest"),
    "pair_files": ("linkrisk.data.pair", "pair_files"),
    "protection": ("linkrisk.protection", None),
    "tune": ("linkrisk.advice.tune", "tune"),
    "verify_files": ("linkrisk.verifier.files", "verify_files"),
}

__all__ = [
    "Assessment",
    "Scenario",
    "__version__",
    "assess",
    "attackers",
    "compare_releases",
    "datasets",
    "losses",
    "nearest",
    "pair_files",
    "protection",
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
