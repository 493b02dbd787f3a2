"""A learned attacker of a user's own: any family of distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Self

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.attackers.learned import LearnedAttacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.parameters import is_number
from linkrisk.learning.problem.contract import check_members


@dataclass(eq=False)
class OwnAttacker(LearnedAttacker):
    """The intruder who measures distance by a user's own family of distances.

    distance = theta . phi, with the features phi of ``own`` and parameters theta that are learned unless they are
    given; ``parameters_`` are the learned ones, normalised.

    Parameters
    ----------
    own
        An instance of a subclass of `Family`.
    theta
        Its parameters; None to learn them.

    Ties, missing values, cost: those of the family. `linkrisk.assess` makes an OwnAttacker of any family it is given.

    >>> from linkrisk.distances.owa import OWAFamily
    >>> OwnAttacker(OWAFamily()).name
    'owa'
    """

    own: Family
    theta: Sequence[float] | FloatArray | None = None

    @property
    def name(self) -> str:
        """Name of the family."""
        return self.own.name

    @property
    def is_learned(self) -> bool:
        """Whether the parameters are still to be learned."""
        return self.theta is None

    @property
    def options(self) -> dict[str, float]:
        """What tells two families of one name apart: their fields that are single numbers."""
        names: list[str] = [field.name for field in fields(self.own)] if is_dataclass(self.own) else []
        return {name: getattr(self.own, name) for name in names if is_number(getattr(self.own, name))}

    def check_parameters(self) -> None:
        """Raise unless the family has all that a family must have."""
        check_members(self.own)

    def family(self) -> Family:
        """Return the family."""
        return self.own

    def _given(self, values: FloatArray, names: Sequence[str]) -> Self:
        del names
        return replace(self, theta=tuple(values.tolist()))

    def _given_distance(self, comparison: Comparison) -> Distance:
        return self.own.distance(np.asarray(self.theta, dtype=np.float64), comparison)

    def _keep_parameters(self, values: FloatArray) -> None:
        self.parameters_ = values
