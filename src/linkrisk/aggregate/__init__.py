"""Attackers: from the differences of all attributes to one distance, one file per distance."""

from linkrisk.aggregate.attacker import Attacker
from linkrisk.aggregate.bilinear import Bilinear, BilinearFree, BilinearHigham, BilinearPSD
from linkrisk.aggregate.choquet import Choquet, ChoquetMetric
from linkrisk.aggregate.distance import TOLERANCE, Distance
from linkrisk.aggregate.mahalanobis import Mahalanobis, Mahalanobis0
from linkrisk.aggregate.owa import OWA
from linkrisk.aggregate.polynomial import Kernel
from linkrisk.aggregate.probabilistic import Probabilistic
from linkrisk.aggregate.registry import ATTACKERS, UNLEARNED, make_attacker
from linkrisk.aggregate.standardised import DistanceStandardised
from linkrisk.aggregate.weighted_mean import Mean, WeightedMean, WeightedMeanMetric

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
