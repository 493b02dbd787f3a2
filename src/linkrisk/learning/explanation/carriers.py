"""Which attributes carry the risk: those without which fewer records can be linked, whatever the parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Watcher, watch_nothing

SLACK = 2.0**-40
"""Links that differ by no more than this share are the same: sums of weights are rounded."""


class Carrying(StrEnum):
    """Whether an attribute carries risk: proven, proven not to, or neither within the time given."""

    CARRIER = "carrier"
    NOT_A_CARRIER = "not a carrier"
    OPEN = "open"


@dataclass(frozen=True)
class Carrier:
    """An attribute, the links made with all attributes, and what is left without it.

    No parameters make more than ``bound`` links with all attributes, or ``bound_without`` without this one.
    """

    attribute: str
    links: float
    bound: float
    links_without: float
    bound_without: float

    @property
    def verdict(self) -> Carrying:
        """A carrier, if the optimum is proven to fall without the attribute; not one, if it is proven not to.

        *Guarantee* (docs/mathematics.md#carriers): ``links`` is at most, and ``bound`` at least, the optimum with all
        attributes; the same holds without. So the optimum falls if ``bound_without`` < ``links``, and does not if
        ``links_without`` >= ``bound``.
        """
        if self.bound_without < (1.0 - SLACK) * self.links:
            return Carrying.CARRIER
        return Carrying.NOT_A_CARRIER if self.links_without >= (1.0 - SLACK) * self.bound else Carrying.OPEN

    def __str__(self) -> str:
        without = f"{self.links_without:g} links without it (at most {self.bound_without:g})"
        return f"{self.attribute}: {self.verdict}; {without}, {self.links:g} with it"

    def to_dict(self) -> dict[str, str | float]:
        """Return plain texts and numbers."""
        return {
            "attribute": self.attribute,
            "verdict": str(self.verdict),
            "links": self.links,
            "bound": self.bound,
            "links_without": self.links_without,
            "bound_without": self.bound_without,
        }


def carriers(
    learned: Learned,
    *,
    time_limit: float = math.inf,
    seed: int = 0,
    watcher: Watcher = watch_nothing,
    threads: int | None = None,
) -> tuple[Carrier, ...]:
    """Learn again without each attribute, and say of each whether the proven optimum falls.

    Everything else stays as ``learned`` has it: family, scaled values, ties, record weights and margin; ``time_limit``
    holds for each attribute. Two attributes that can stand in for each other are both no carriers. Ties follow the
    differences that are left: records told apart by one attribute only become twins without it. Missing values as
    before. If there is one attribute only, nothing is left to link by without it, and it carries all links there are.
    Cost: one more run of the learner for each attribute.

    >>> import numpy as np
    >>> from linkrisk.distances.weighted_mean import WeightedMeanFamily
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> original = np.array([[1.0, 7.0], [2.0, 7.0], [4.0, 7.0]])
    >>> for carrier in carriers(learn(WeightedMeanFamily(), make_comparison(pair_files(original, original)))):
    ...     print(carrier)
    V1: carrier; 1 links without it (at most 1), 3 with it
    V2: not a carrier; 3 links without it (at most 3), 3 with it
    """
    problem = learned.problem
    result = []
    for name in problem.names:
        others = [other for other in problem.names if other != name]
        links, bound = 0.0, 0.0
        if others:
            without = learn(
                learned.family,
                problem.comparison.select(others),
                ties=problem.ties,
                weights=learned.weights,
                margin=problem.tolerance,
                time_limit=time_limit,
                seed=seed,
                watcher=watcher,
                threads=threads,
            )
            links, bound = without.links, without.bound
        result.append(Carrier(name, learned.links, learned.bound, links, bound))
    return tuple(result)
