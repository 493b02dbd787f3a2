"""Parameters that users give: weights by name or in order, numbers, whole numbers; checked, with one sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TypeGuard

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.errors import ParameterError

WEIGHT_SLACK = 1e-6
"""How far the sum of given weights may be from 1: printed weights are rounded. They are used as they are, because a
common factor changes no order."""


def named_weights(weights: Mapping[str, float] | Sequence[float], names: Sequence[str], attacker: str) -> FloatArray:
    """Weights in the order of the attributes, checked: finite, not negative, sum 1."""
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
    return checked_weights(weights, len(names), attacker, names)


def checked_weights(
    weights: Sequence[float], n_attributes: int, attacker: str, names: Sequence[str] = ()
) -> FloatArray:
    """Weights as an array, checked: finite, not negative, sum 1; ``names`` are for error messages."""
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{attacker}: the weights must be numbers, one for each attribute") from None
    if values.shape != (n_attributes,):
        raise ParameterError(f"{attacker}: {values.size} weights for {n_attributes} attributes; give one for each")
    if not np.isfinite(values).all():
        culprit = _weight_label(int((~np.isfinite(values)).argmax()), names)
        raise ParameterError(f"{attacker}: {culprit} is not a finite number; give a number >= 0")
    if (values < 0).any():
        culprit = _weight_label(int((values < 0).argmax()), names)
        raise ParameterError(f"{attacker}: {culprit} is negative; weights are >= 0")
    total = math.fsum(values.tolist())
    if abs(total - 1.0) > WEIGHT_SLACK:
        raise ParameterError(f"{attacker}: the weights sum to {total:.6g}, not 1; divide them by their sum")
    return values


def is_whole_number(value: object) -> TypeGuard[int]:
    """Whether a parameter is a whole number (2 and 2.0 are; NaN, True and "2" are not).

    >>> is_whole_number(2.0), is_whole_number(float("nan")), is_whole_number(True)
    (True, False, False)
    """
    if isinstance(value, bool):
        return False
    return isinstance(value, Real) and float(value).is_integer()


def is_number(value: object) -> TypeGuard[float]:
    """Whether a parameter is a number (True, NaN and "2" are not).

    >>> is_number(0.5), is_number(float("nan")), is_number(True)
    (True, False, False)
    """
    return not isinstance(value, bool) and isinstance(value, Real) and not math.isnan(value)


def _weight_label(place: int, names: Sequence[str]) -> str:
    return f"the weight of {names[place]!r}" if names else f"weight {place + 1}"
