"""What learning returns: the best parameters found, and the bound that no others exceed."""

from __future__ import annotations

from dataclasses import dataclass

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.meaning import Meaning, true_pair_covariance
from linkrisk.learning.boxes.search import BoxResult
from linkrisk.learning.cover.feasibility import Feasibility
from linkrisk.learning.cover.search import CoverResult
from linkrisk.learning.large.search import LargeBound
from linkrisk.learning.memory import PeopleSample
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.search import Status
from linkrisk.linkage.linkage import Linkage


@dataclass(frozen=True, eq=False, repr=False)
class Learned:
    """The best parameters of a family on two files, and the proof that no others link more.

    ``links`` are counted exactly: they are the worth of those original records that ``is_linked`` names, as the float
    nearest to it. ``theta`` makes them; where no floats do, ``wholes`` are parameters in whole numbers that do, and
    theta is near them. ``linkage`` is that of ``distance``, which theta makes. No admissible parameters make more links
    than ``bound``. ``status`` is ``"optimal"`` only when the two are proven
    to be equal. ``proof`` is what the engine leaves behind, ``cover`` what the search for covers does, also where
    boxes had the last word. ``sample`` are the people learned from, where memory did not suffice for all.
    ``partition`` is what large learning found, where there are too many people for rows of all pairs.
    """

    family: Family
    theta: FloatArray
    wholes: tuple[int, ...] | None
    links: float
    bound: float
    status: Status
    seconds: float
    problem: Problem
    proof: BoxResult | CoverResult | None
    distance: Distance
    linkage: Linkage
    is_linked: BoolArray
    feasibility: Feasibility
    cover: CoverResult | None = None
    weights: FloatArray | None = None
    sample: PeopleSample | None = None
    partition: LargeBound | None = None

    def meaning(self) -> Meaning:
        """Say what the parameters mean; forms are compared with the covariance of the differences of true pairs."""
        problem = self.problem
        covariance = true_pair_covariance(problem.comparison, self.family.name) if self.family.is_signed else None
        return self.family.meaning(self.theta, problem.names, covariance)

    def __repr__(self) -> str:
        return f"<{self.family.name}: {self.links:g} links, at most {self.bound:g}, {self.status}>"
