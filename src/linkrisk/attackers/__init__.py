"""The attackers: one class each, learned where no parameters are given.

``WeightedMean()`` is learned, by `linkrisk.assess` or by its ``fit`` in the manner of scikit-learn;
``WeightedMean({"age": 0.7, "income": 0.3})`` is given. A learned attacker of your own is a subclass of `Family`, any
other a subclass of `Attacker`. `ATTACKERS` holds the built-in ones by name, and `make_attacker` makes one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.attackers.attacker import Attacker as Attacker
    from linkrisk.attackers.bilinear import Bilinear as Bilinear
    from linkrisk.attackers.bilinear import BilinearFree as BilinearFree
    from linkrisk.attackers.bilinear import BilinearHigham as BilinearHigham
    from linkrisk.attackers.bilinear import BilinearPSD as BilinearPSD
    from linkrisk.attackers.choquet import Choquet as Choquet
    from linkrisk.attackers.choquet import ChoquetMetric as ChoquetMetric
    from linkrisk.attackers.informed import Informed as Informed
    from linkrisk.attackers.kernel import Kernel as Kernel
    from linkrisk.attackers.learned import LearnedAttacker as LearnedAttacker
    from linkrisk.attackers.mahalanobis import Mahalanobis as Mahalanobis
    from linkrisk.attackers.mahalanobis import Mahalanobis0 as Mahalanobis0
    from linkrisk.attackers.mean import Mean as Mean
    from linkrisk.attackers.median import Median as Median
    from linkrisk.attackers.owa import OWA as OWA
    from linkrisk.attackers.own import OwnAttacker as OwnAttacker
    from linkrisk.attackers.probabilistic import Probabilistic as Probabilistic
    from linkrisk.attackers.registry import ATTACKERS as ATTACKERS
    from linkrisk.attackers.registry import as_attacker as as_attacker
    from linkrisk.attackers.registry import make_attacker as make_attacker
    from linkrisk.attackers.standardised import DistanceStandardised as DistanceStandardised
    from linkrisk.attackers.weighted_mean import WeightedMean as WeightedMean
    from linkrisk.attackers.weighted_mean import WeightedMeanMetric as WeightedMeanMetric
    from linkrisk.distances.family import Family as Family
    from linkrisk.distances.parameter_set import ParameterSet as ParameterSet

_HOMES = {
    "ATTACKERS": "linkrisk.attackers.registry:ATTACKERS",
    "Attacker": "linkrisk.attackers.attacker:Attacker",
    "Bilinear": "linkrisk.attackers.bilinear:Bilinear",
    "BilinearFree": "linkrisk.attackers.bilinear:BilinearFree",
    "BilinearHigham": "linkrisk.attackers.bilinear:BilinearHigham",
    "BilinearPSD": "linkrisk.attackers.bilinear:BilinearPSD",
    "Choquet": "linkrisk.attackers.choquet:Choquet",
    "ChoquetMetric": "linkrisk.attackers.choquet:ChoquetMetric",
    "DistanceStandardised": "linkrisk.attackers.standardised:DistanceStandardised",
    "Family": "linkrisk.distances.family:Family",
    "Informed": "linkrisk.attackers.informed:Informed",
    "Kernel": "linkrisk.attackers.kernel:Kernel",
    "LearnedAttacker": "linkrisk.attackers.learned:LearnedAttacker",
    "Mahalanobis": "linkrisk.attackers.mahalanobis:Mahalanobis",
    "Mahalanobis0": "linkrisk.attackers.mahalanobis:Mahalanobis0",
    "Mean": "linkrisk.attackers.mean:Mean",
    "Median": "linkrisk.attackers.median:Median",
    "OWA": "linkrisk.attackers.owa:OWA",
    "OwnAttacker": "linkrisk.attackers.own:OwnAttacker",
    "ParameterSet": "linkrisk.distances.parameter_set:ParameterSet",
    "Probabilistic": "linkrisk.attackers.probabilistic:Probabilistic",
    "WeightedMean": "linkrisk.attackers.weighted_mean:WeightedMean",
    "WeightedMeanMetric": "linkrisk.attackers.weighted_mean:WeightedMeanMetric",
    "as_attacker": "linkrisk.attackers.registry:as_attacker",
    "make_attacker": "linkrisk.attackers.registry:make_attacker",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
