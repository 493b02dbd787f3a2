"""The attackers by name."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping

from linkrisk.aggregate.attacker import Attacker
from linkrisk.aggregate.bilinear import Bilinear, BilinearFree, BilinearHigham, BilinearPSD
from linkrisk.aggregate.choquet import Choquet, ChoquetMetric
from linkrisk.aggregate.mahalanobis import Mahalanobis, Mahalanobis0
from linkrisk.aggregate.owa import OWA
from linkrisk.aggregate.polynomial import Kernel
from linkrisk.aggregate.standardised import DistanceStandardised
from linkrisk.aggregate.weighted_mean import Mean, WeightedMean, WeightedMeanMetric
from linkrisk.errors import ParameterError

ATTACKERS: dict[str, Callable[..., Attacker]] = {
    "mean": Mean,
    "distance_standardised": DistanceStandardised,
    "mahalanobis": Mahalanobis,
    "mahalanobis0": Mahalanobis0,
    "kernel": Kernel,
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
"""Attackers that need no parameters: what an assessment runs unless told otherwise."""


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
    if needed or (name.startswith("choquet") and not given):
        what = needed[0] if needed else "measure or mobius"
        raise ParameterError(
            f"{name}: needs its parameter {what}; give it in a parameters file (--parameters) or an assessment file, "
            f"or choose among {', '.join(UNLEARNED)}, which need none"
        )
    return factory(**given)


def _nearest(name: str) -> str:
    matches = difflib.get_close_matches(name, ATTACKERS, n=1)
    return f", did you mean {matches[0]!r}?" if matches else ""
