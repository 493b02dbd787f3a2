"""The attackers: one class each, learned where no parameters are given.

``WeightedMean()`` is learned, by `linkrisk.assess` or by its ``fit`` in the manner of scikit-learn;
``WeightedMean({"age": 0.7, "income": 0.3})`` is given. A learned attacker of one's own is a subclass of `Family`, any
other a subclass of `Attacker`. `ATTACKERS` has those that are built in by name, and `make_attacker` makes one.
"""

from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.bilinear import Bilinear, BilinearFree, BilinearHigham, BilinearPSD
from linkrisk.attackers.choquet import Choquet, ChoquetMetric
from linkrisk.attackers.kernel import Kernel
from linkrisk.attackers.learned import LearnedAttacker
from linkrisk.attackers.mahalanobis import Mahalanobis, Mahalanobis0
from linkrisk.attackers.mean import Mean
from linkrisk.attackers.owa import OWA
from linkrisk.attackers.own import OwnAttacker
from linkrisk.attackers.probabilistic import Probabilistic
from linkrisk.attackers.registry import ATTACKERS, as_attacker, make_attacker
from linkrisk.attackers.standardised import DistanceStandardised
from linkrisk.attackers.weighted_mean import WeightedMean, WeightedMeanMetric
from linkrisk.distances.family import Family
from linkrisk.distances.parameter_set import ParameterSet

__all__ = [
    "ATTACKERS",
    "OWA",
    "Attacker",
    "Bilinear",
    "BilinearFree",
    "BilinearHigham",
    "BilinearPSD",
    "Choquet",
    "ChoquetMetric",
    "DistanceStandardised",
    "Family",
    "Kernel",
    "LearnedAttacker",
    "Mahalanobis",
    "Mahalanobis0",
    "Mean",
    "OwnAttacker",
    "ParameterSet",
    "Probabilistic",
    "WeightedMean",
    "WeightedMeanMetric",
    "as_attacker",
    "make_attacker",
]
