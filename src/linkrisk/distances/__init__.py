"""The mathematics of distances: from the differences of all attributes to one distance, and families of distances.

Each file holds one distance or family of distances; what users call are the classes of `linkrisk.attackers`.
"""

from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.distances.family import Family
from linkrisk.distances.parameter_set import ParameterSet

__all__ = ["TOLERANCE", "Distance", "Family", "ParameterSet", "Rule"]
