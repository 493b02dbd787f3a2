"""What every attacker offers: a name, and a distance for two files brought to one scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from linkrisk.aggregate.distance import Distance
from linkrisk.compare.comparison import Comparison
from linkrisk.data.columns import FloatArray
from linkrisk.errors import ParameterError

WEIGHT_SLACK = 1e-6
"""How far given weights may be from summing to 1: printed weights are rounded. They are then rescaled."""


class Attacker(Protocol):
    """A way to measure how far an original record is from a protected one.

    ``is_oracle`` tells that the attacker is fitted to the true pairs of the very files he attacks: a worst
    case, for which no interval of sampling error is given.
    """

    @property
    def name(self) -> str:
        """Name used on the command line and in results."""

    @property
    def is_oracle(self) -> bool:
        """Whether the attacker uses the true pairs."""

    def distance(self, comparison: Comparison) -> Distance:
        """Return the distance this attacker uses on the two files."""


def named_weights(
    weights: Mapping[str, float] | Sequence[float], names: Sequence[str], attacker: str
) -> FloatArray:
    """Weights in the order of the attributes, checked (finite, not negative, sum 1) and brought to sum 1."""
    if isinstance(weights, Mapping):
        unknown = [name for name in weights if name not in names]
        if unknown:
            raise ParameterError(
                f"{attacker}: weight for unknown attribute {unknown[0]!r}; the attributes are {', '.join(names)}"
            )
        absent = [name for name in names if name not in weights]
        if absent:
            raise ParameterError(f"{attacker}: no weight for attribute {absent[0]!r}; give 0 to leave it out")
        weights = [weights[name] for name in names]
    return checked_weights(weights, len(names), attacker)


def checked_weights(weights: Sequence[float], n_attributes: int, attacker: str) -> FloatArray:
    """Weights as an array, checked (finite, not negative, sum 1) and brought to sum exactly near 1."""
    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (n_attributes,):
        raise ParameterError(f"{attacker}: {values.size} weights for {n_attributes} attributes; give one for each")
    if not np.isfinite(values).all():
        raise ParameterError(f"{attacker}: weight {int((~np.isfinite(values)).argmax()) + 1} is not a finite number")
    if (values < 0).any():
        raise ParameterError(f"{attacker}: weight {int((values < 0).argmax()) + 1} is negative; weights are >= 0")
    total = math.fsum(values.tolist())
    if abs(total - 1.0) > WEIGHT_SLACK:
        raise ParameterError(f"{attacker}: the weights sum to {total:.6g}, not 1; divide them by their sum")
    return values
