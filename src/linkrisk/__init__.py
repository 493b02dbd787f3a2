"""Tell how many people an intruder could find again in a protected microdata file.

>>> import linkrisk
>>> original = linkrisk.datasets.census_like(100, seed=1)
>>> protected = linkrisk.protection.add_noise(original, 10.0, secret_seed=2).data
>>> print(linkrisk.assess(original, protected, attackers=["mean"], scales=["ranks"]).n_pairs)
100

The functions here are the commands of the command line, with the same words; the packages are nouns. Everything is
imported when it is first used, so that ``import linkrisk`` is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk import advice as advice
    from linkrisk import assessment as assessment
    from linkrisk import attackers as attackers
    from linkrisk import data as data
    from linkrisk import datasets as datasets
    from linkrisk import differences as differences
    from linkrisk import distances as distances
    from linkrisk import errors as errors
    from linkrisk import frequencies as frequencies
    from linkrisk import learning as learning
    from linkrisk import linkage as linkage
    from linkrisk import losses as losses
    from linkrisk import protection as protection
    from linkrisk import report as report
    from linkrisk import study as study
    from linkrisk import tables as tables
    from linkrisk import verifier as verifier
    from linkrisk.advice.compare import compare as compare
    from linkrisk.advice.tune import tune as tune
    from linkrisk.assessment.assess import assess as assess
    from linkrisk.assessment.result import Assessment as Assessment
    from linkrisk.assessment.scenario import Scenario as Scenario
    from linkrisk.attack.rules import ReleaseRules as ReleaseRules
    from linkrisk.learning.options import Learning as Learning
    from linkrisk.losses.loss import loss as loss
    from linkrisk.protection.protect import protect as protect
    from linkrisk.tables.match import match as match
    from linkrisk.verifier.verify import verify as verify
    from linkrisk.version import __version__ as __version__

_HOMES = {
    "Assessment": "linkrisk.assessment.result:Assessment",
    "Learning": "linkrisk.learning.options:Learning",
    "ReleaseRules": "linkrisk.attack.rules:ReleaseRules",
    "Scenario": "linkrisk.assessment.scenario:Scenario",
    "__version__": "linkrisk.version:__version__",
    "advice": "linkrisk.advice",
    "assess": "linkrisk.assessment.assess:assess",
    "assessment": "linkrisk.assessment",
    "attackers": "linkrisk.attackers",
    "compare": "linkrisk.advice.compare:compare",
    "data": "linkrisk.data",
    "datasets": "linkrisk.datasets",
    "differences": "linkrisk.differences",
    "distances": "linkrisk.distances",
    "errors": "linkrisk.errors",
    "frequencies": "linkrisk.frequencies",
    "learning": "linkrisk.learning",
    "linkage": "linkrisk.linkage",
    "loss": "linkrisk.losses.loss:loss",
    "losses": "linkrisk.losses",
    "match": "linkrisk.tables.match:match",
    "protect": "linkrisk.protection.protect:protect",
    "protection": "linkrisk.protection",
    "report": "linkrisk.report",
    "study": "linkrisk.study",
    "tables": "linkrisk.tables",
    "tune": "linkrisk.advice.tune:tune",
    "verifier": "linkrisk.verifier",
    "verify": "linkrisk.verifier.verify:verify",
}
"""Every public name, and where it is found: a package, or ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
