"""The attackers by name."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real

from typing_extensions import TypeIs

from linkrisk.distances.attacker import Attacker, is_whole_number
from linkrisk.distances.bilinear import (
    Bilinear,
    BilinearFamily,
    BilinearFree,
    BilinearHigham,
    BilinearPSD,
    Form,
    HighamFamily,
)
from linkrisk.distances.choquet import AdditiveChoquetFamily, Choquet, ChoquetFamily, ChoquetMetric
from linkrisk.distances.family import Family
from linkrisk.distances.mahalanobis import Mahalanobis, Mahalanobis0
from linkrisk.distances.owa import OWA, OWAFamily
from linkrisk.distances.polynomial import Kernel
from linkrisk.distances.probabilistic.probabilistic import Probabilistic
from linkrisk.distances.standardised import DistanceStandardised
from linkrisk.distances.weighted_mean import (
    METRIC_FLOOR,
    Mean,
    WeightedMean,
    WeightedMeanFamily,
    WeightedMeanMetric,
)
from linkrisk.errors import ParameterError


def metric_family(floor: float = METRIC_FLOOR) -> Family:
    """Return the weighted means whose weights are all at least ``floor``."""
    return WeightedMeanFamily(floor)


def choquet_family(additivity: int | None = None) -> Family:
    """Return the Choquet integrals over all measures, or over the q-additive ones."""
    return ChoquetFamily() if additivity is None else AdditiveChoquetFamily(additivity)


FAMILIES: dict[str, Callable[..., Family]] = {
    "weighted_mean": WeightedMeanFamily,
    "weighted_mean_metric": metric_family,
    "owa": OWAFamily,
    "choquet": choquet_family,
    "choquet_metric": partial(ChoquetFamily, is_metric=True),
    "bilinear": partial(BilinearFamily, Form.NONNEGATIVE),
    "bilinear_free": partial(BilinearFamily, Form.FREE),
    "bilinear_psd": partial(BilinearFamily, Form.SEMIDEFINITE),
    "bilinear_higham": HighamFamily,
}
"""Families whose parameters are learned when none are given."""

LEARNING_OPTIONS = {"weighted_mean_metric": "floor", "choquet": "additivity"}
"""What may be said about a family without giving its parameters."""

ATTACKERS: dict[str, Callable[..., Attacker]] = {
    "mean": Mean,
    "distance_standardised": DistanceStandardised,
    "mahalanobis": Mahalanobis,
    "mahalanobis0": Mahalanobis0,
    "kernel": Kernel,
    "probabilistic": Probabilistic,
    "weighted_mean": WeightedMean,
    "weighted_mean_metric": WeightedMeanMetric,
    "owa": OWA,
    "choquet": Choquet,
    "choquet_metric": ChoquetMetric,
    "bilinear": Bilinear,
    "bilinear_free": BilinearFree,
    "bilinear_psd": BilinearPSD,
    "bilinear_higham": BilinearHigham,
}

UNLEARNED = ("mean", "distance_standardised", "mahalanobis", "mahalanobis0", "kernel")
"""What an assessment runs unless told otherwise: attackers that need no parameters and need not look at all pairs."""


def attacker_or_family(name: str, parameters: Mapping[str, object] | None = None) -> Attacker | Family:
    """Return the attacker of a name with its parameters, or, without them, the family they are to be learned from.

    >>> is_family(attacker_or_family("owa")), is_family(attacker_or_family("owa", {"weights": [0.5, 0.5]}))
    (True, False)
    """
    given = dict(parameters or {})
    if name in FAMILIES and set(given) <= {LEARNING_OPTIONS.get(name)}:
        return _make_family(name, given)
    return make_attacker(name, parameters)


def make_attacker(name: str, parameters: Mapping[str, object] | None = None) -> Attacker:
    """Return the attacker of a name with its parameters.

    >>> make_attacker("kernel", {"degree": 3}).name
    'kernel'
    """
    if name not in ATTACKERS:
        raise ParameterError(f"unknown attacker {name!r}{_nearest(name)}; the attackers are {', '.join(ATTACKERS)}")
    factory = ATTACKERS[name]
    accepted = inspect.signature(factory).parameters
    given = dict(parameters or {})
    unknown = [key for key in given if key not in accepted]
    if unknown:
        offer = f"it takes {', '.join(accepted)}" if accepted else "it takes none"
        raise ParameterError(f"{name}: unknown parameter {unknown[0]!r}; {offer}")
    needed = [key for key, value in accepted.items() if value.default is inspect.Parameter.empty and key not in given]
    if needed or (name in FAMILIES and set(given) <= {LEARNING_OPTIONS.get(name)}):
        what = needed[0] if needed else "measure or mobius"
        raise ParameterError(
            f"{name}: needs its parameter {what}; give it in a parameters file (--parameters) or an assessment file, "
            "or give none in an assessment, and they are learned"
        )
    return factory(**given)


def is_family(attacker: Attacker | Family) -> TypeIs[Family]:
    """Whether the parameters of an attacker are still to be learned."""
    return hasattr(attacker, "parameter_set")


def _make_family(name: str, options: dict[str, object]) -> Family:
    for key, value in options.items():
        is_right = (
            value is None or (is_whole_number(value) and int(value) >= 1)  # type: ignore[call-overload]  # a number here
            if key == "additivity"
            else isinstance(value, Real) and 0.0 < float(value) < 1.0
        )
        if not is_right:
            what = "a whole number of at least 1" if key == "additivity" else "a number between 0 and 1"
            raise ParameterError(f"{name}: {key} must be {what}")
    return FAMILIES[name](**options)


def _nearest(name: str) -> str:
    matches = difflib.get_close_matches(name, ATTACKERS, n=1)
    return f", did you mean {matches[0]!r}?" if matches else ""
