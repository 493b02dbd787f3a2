"""The attackers by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import fields

from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.bilinear import Bilinear, BilinearFree, BilinearHigham, BilinearPSD
from linkrisk.attackers.choquet import Choquet, ChoquetMetric
from linkrisk.attackers.informed import Informed
from linkrisk.attackers.kernel import Kernel
from linkrisk.attackers.mahalanobis import Mahalanobis, Mahalanobis0
from linkrisk.attackers.mean import Mean
from linkrisk.attackers.median import Median
from linkrisk.attackers.owa import OWA
from linkrisk.attackers.own import OwnAttacker
from linkrisk.attackers.probabilistic import Probabilistic
from linkrisk.attackers.standardised import DistanceStandardised
from linkrisk.attackers.weighted_mean import WeightedMean, WeightedMeanMetric
from linkrisk.distances.family import Family
from linkrisk.errors import ParameterError

ATTACKERS: dict[str, type[Attacker]] = {
    "mean": Mean,
    "median": Median,
    "distance_standardised": DistanceStandardised,
    "mahalanobis": Mahalanobis,
    "mahalanobis0": Mahalanobis0,
    "kernel": Kernel,
    "probabilistic": Probabilistic,
    "informed": Informed,
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
"""All built-in attackers, in the order in which they are listed."""


def make_attacker(name: str, parameters: Mapping[str, object] | None = None) -> Attacker:
    """Return the attacker of a name with his parameters, checked as far as possible without files.

    An attacker who can be learned, and gets no parameters, is learned.

    >>> make_attacker("kernel", {"degree": 3}).get_params()
    {'degree': 3}
    >>> make_attacker("owa").is_learned, make_attacker("owa", {"weights": [0.5, 0.5]}).is_learned
    (True, False)
    """
    if name not in ATTACKERS:
        raise ParameterError(f"unknown attacker {name!r}{_nearest(name)}; the attackers are {', '.join(ATTACKERS)}")
    kind = ATTACKERS[name]
    accepted = [field.name for field in fields(kind)]
    given = dict(parameters or {})
    unknown = [key for key in given if key not in accepted]
    if unknown:
        offer = f"it takes {', '.join(accepted)}" if accepted else "it takes none"
        raise ParameterError(f"{name}: unknown parameter {unknown[0]!r}; {offer}")
    attacker = kind(**given)
    attacker.check_parameters()
    return attacker


def as_attacker(entry: object) -> Attacker:
    """Return the attacker meant by a name, a mapping with a name and parameters, an attacker, or a user's own family.

    >>> as_attacker({"name": "kernel", "degree": 3}).name
    'kernel'
    """
    if isinstance(entry, str):
        return make_attacker(entry)
    if isinstance(entry, Mapping):
        if not isinstance(entry.get("name"), str):
            raise ParameterError(f"an attacker given as a table needs a name; the attackers are {', '.join(ATTACKERS)}")
        return make_attacker(entry["name"], {key: value for key, value in entry.items() if key != "name"})
    if hasattr(entry, "attacker_"):
        raise ParameterError(
            f"{type(entry).__name__} is fitted already; give its attacker_ to use what it has learned, or a new "
            f"{type(entry).__name__}() to learn again"
        )
    if isinstance(entry, type):
        raise ParameterError(f"{entry.__name__} is a class, not an attacker; write {entry.__name__}()")
    attacker = OwnAttacker(entry) if isinstance(entry, Family) else entry
    if not isinstance(attacker, Attacker):
        raise ParameterError(
            f"{type(entry).__name__} is no attacker; give a name such as 'weighted_mean', a table with a name and "
            "parameters, an attacker of linkrisk.attackers, or a family of distances derived from Family"
        )
    attacker.check_parameters()
    return attacker


def learned_families(attackers: Iterable[Attacker]) -> list[Family]:
    """Return the families of those attackers whose parameters are still to be learned."""
    families = [attacker.family() for attacker in attackers if attacker.is_learned]
    return [family for family in families if family is not None]


def _nearest(name: str) -> str:
    matches = difflib.get_close_matches(name, ATTACKERS, n=1)
    return f", did you mean {matches[0]!r}?" if matches else ""
