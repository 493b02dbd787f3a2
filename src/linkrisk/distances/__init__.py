"""Attackers: from the differences of all attributes to one distance, one file per distance."""

from linkrisk.distances.attacker import Attacker
from linkrisk.distances.bilinear import Bilinear, BilinearFree, BilinearHigham, BilinearPSD
from linkrisk.distances.choquet import Choquet, ChoquetMetric
from linkrisk.distances.distance import TOLERANCE, Distance
from linkrisk.distances.mahalanobis import Mahalanobis, Mahalanobis0
from linkrisk.distances.owa import OWA
from linkrisk.distances.polynomial import Kernel
from linkrisk.distances.probabilistic.probabilistic import Probabilistic
from linkrisk.distances.registry import ATTACKERS, UNLEARNED, make_attacker
from linkrisk.distances.standardised import DistanceStandardised
from linkrisk.distances.weighted_mean import Mean, WeightedMean, WeightedMeanMetric

__all__ = [
    "ATTACKERS",
    "OWA",
    "TOLERANCE",
    "UNLEARNED",
    "Attacker",
    "Bilinear",
    "BilinearFree",
    "BilinearHigham",
    "BilinearPSD",
    "Choquet",
    "ChoquetMetric",
    "Distance",
    "DistanceStandardised",
    "Kernel",
    "Mahalanobis",
    "Mahalanobis0",
    "Mean",
    "Probabilistic",
    "WeightedMean",
    "WeightedMeanMetric",
    "make_attacker",
]
