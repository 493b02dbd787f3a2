"""What learning returns: the best parameters found, and the bound that no others exceed."""

from __future__ import annotations

from dataclasses import dataclass

from linkrisk.arrays import FloatArray
from linkrisk.distances.attacker import Attacker
from linkrisk.distances.family import Family
from linkrisk.learning.boxes.search import BoxResult
from linkrisk.learning.cover.feasibility import Feasibility
from linkrisk.learning.cover.search import CoverResult
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.search import Status
from linkrisk.linkage.linkage import Linkage


@dataclass(frozen=True, eq=False, repr=False)
class Learned:
    """An attacker learned on two files, and the proof that none of his family links more.

    ``links`` are counted by the linkage of the package, exactly where that hangs on rounding; no admissible parameters
    make more than ``bound``. ``status`` is ``"optimal"`` only when the two are proven to be equal. ``proof`` is the
    result of the engine that proved the bound, ``cover`` that of the cover search, also where boxes were searched after
    it.
    """

    family: Family
    attacker: Attacker
    theta: FloatArray
    links: float
    bound: float
    status: Status
    seconds: float
    problem: Problem
    proof: BoxResult | CoverResult | None
    linkage: Linkage
    feasibility: Feasibility
    cover: CoverResult | None = None
    weights: FloatArray | None = None

    def __repr__(self) -> str:
        return f"<{self.family.name}: {self.links:g} links, at most {self.bound:g}, {self.status}>"
