"""All protection methods by name. To add one: write its file in ``methods/``, and its line here."""

from __future__ import annotations

from collections.abc import Mapping

from linkrisk.errors import ParameterError
from linkrisk.protection.method import Method
from linkrisk.protection.methods.coding import CODING
from linkrisk.protection.methods.correlated_noise import CORRELATED_NOISE
from linkrisk.protection.methods.generalise import GENERALISE
from linkrisk.protection.methods.individual_ranking import INDIVIDUAL_RANKING
from linkrisk.protection.methods.mdav import MDAV
from linkrisk.protection.methods.noise import NOISE
from linkrisk.protection.methods.pram import PRAM
from linkrisk.protection.methods.principal_components import PRINCIPAL_COMPONENTS
from linkrisk.protection.methods.rank_swap import RANK_SWAP
from linkrisk.protection.methods.rounding import ROUNDING
from linkrisk.protection.methods.z_scores import Z_SCORES

METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        MDAV,
        INDIVIDUAL_RANKING,
        Z_SCORES,
        PRINCIPAL_COMPONENTS,
        RANK_SWAP,
        NOISE,
        CORRELATED_NOISE,
        PRAM,
        ROUNDING,
        CODING,
        GENERALISE,
    )
}
"""Every method by its name."""


def find_method(name: str) -> Method:
    """Return a method by its name, or raise ParameterError naming those there are."""
    if name not in METHODS:
        raise ParameterError(f"there is no protection method {name!r}; choose {', '.join(METHODS)}")
    return METHODS[name]
