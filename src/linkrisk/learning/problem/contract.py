"""What learning asks of a family, tried out on a few differences: a user's own class may break it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import REQUIRED, Family, Numbers
from linkrisk.distances.meaning import Meaning
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.errors import LinkriskError, ParameterError


def check_members(family: object) -> None:
    """Raise where a family lacks something that every family has."""
    if not isinstance(family, Family):
        raise ParameterError(f"{type(family).__name__} is no family of distances; derive it from Family")
    absent = [member for member in REQUIRED if getattr(type(family), member) is getattr(Family, member)]
    if absent:
        raise ParameterError(
            f"{type(family).__name__} lacks {absent[0]}; a family of distances has {', '.join(REQUIRED)}"
        )


def check_contract(family: Family, parameters: ParameterSet, comparison: Comparison) -> None:
    """Raise where a family does not keep to what learning and its proofs rest on, as far as a few rows show it."""
    if not isinstance(parameters, ParameterSet):
        raise ParameterError(f"{family.name}: parameter_set must return a ParameterSet")
    whole = _whole_differences(comparison.n_attributes)
    features = _features(family, whole.astype(np.float64), parameters.n_parameters)
    exact = _features(family, whole, parameters.n_parameters)
    for value in exact.ravel():
        checked_whole(value, family)
    if not np.array_equal(exact.astype(np.float64), features):
        raise ParameterError(f"{family.name}: features of whole numbers must be the same for floats")
    factor = 4 if family.is_signed else 2
    if not np.array_equal(_features(family, 2 * whole, parameters.n_parameters), factor * exact):
        raise ParameterError(
            f"{family.name}: features must scale with the differences: twice as large, they are {factor} times as large"
        )
    _check_profile(family, whole.astype(np.float64))
    distance = _called(family, "distance", family.distance, parameters.interior, comparison)
    if not isinstance(distance, Distance):
        raise ParameterError(f"{family.name}: distance must return a Distance, as ordered_distance does")
    _check_words(family, parameters, comparison.names)


def checked_whole(value: object, family: Family) -> int:
    """Return a feature of whole differences, which must be whole: proofs are made with it."""
    if isinstance(value, int | np.integer):
        return int(value)
    raise ParameterError(
        f"{family.name}: features must turn whole differences into whole numbers; multiply by a common factor instead "
        "of dividing"
    )


def _whole_differences(n_attributes: int) -> Numbers:
    """Return rows of whole numbers, as objects: all 0, rising, falling, and one larger than the others."""
    rising = list(range(1, n_attributes + 1))
    return np.array([[0] * n_attributes, rising, rising[::-1], [9, *rising[1:]]], dtype=object)


def _features(family: Family, differences: Numbers, n_parameters: int) -> Numbers:
    result = np.asarray(_called(family, "features", family.features, differences))
    if result.shape != (len(differences), n_parameters):
        raise ParameterError(
            f"{family.name}: features must return {n_parameters} numbers, one for each parameter, for each row of "
            f"differences; for {len(differences)} rows the shape is {result.shape}"
        )
    if result.dtype != object and not np.isfinite(result).all():
        raise ParameterError(f"{family.name}: features must be finite numbers")
    return result


def _check_profile(family: Family, differences: Numbers) -> None:
    profile = _called(family, "profile", family.profile, differences)
    if profile is None:
        return
    values = np.asarray(profile)
    if values.ndim != 2 or len(values) != len(differences) or not np.isfinite(values).all():
        raise ParameterError(
            f"{family.name}: profile must return None, or a row of finite numbers for each row of differences"
        )


def _check_words(family: Family, parameters: ParameterSet, names: tuple[str, ...]) -> None:
    """Raise where a family cannot say what its parameters mean, before they are learned."""
    labels = _called(family, "parameter_labels", family.parameter_labels, names)
    if len(set(labels)) != parameters.n_parameters or len(labels) != parameters.n_parameters:
        raise ParameterError(f"{family.name}: parameter_labels must return a different label for each parameter")
    if not isinstance(_called(family, "meaning", family.meaning, parameters.interior, names), Meaning):
        raise ParameterError(f"{family.name}: meaning must return a Meaning, such as PlainMeaning of a mapping")


def _called(family: Family, what: str, method: Callable[..., Any], *arguments: Any) -> Any:
    """Call a method of a family; what goes wrong inside is told in one sentence."""
    try:
        return method(*arguments)
    except LinkriskError:
        raise
    except Exception as problem:
        raise ParameterError(
            f"{family.name}: {what} ends in {type(problem).__name__} ({problem}); it must take arrays of floats, and "
            "of whole numbers as objects"
        ) from problem
