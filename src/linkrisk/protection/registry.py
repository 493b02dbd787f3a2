"""All protection methods by name: the function, the parameters it takes, whether it draws."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from linkrisk.data.attributes import Kind
from linkrisk.errors import ParameterError
from linkrisk.protection.columns import ALL, CATEGORICAL, NUMERIC, ORDERED
from linkrisk.protection.methods.coding import code_extremes
from linkrisk.protection.methods.correlated_noise import add_correlated_noise
from linkrisk.protection.methods.generalise import generalise
from linkrisk.protection.methods.individual_ranking import individual_ranking
from linkrisk.protection.methods.mdav import microaggregate
from linkrisk.protection.methods.noise import add_noise
from linkrisk.protection.methods.pram import pram
from linkrisk.protection.methods.projection import principal_components, z_scores
from linkrisk.protection.methods.rank_swap import rank_swap
from linkrisk.protection.methods.rounding import round_values
from linkrisk.protection.protection import Protection


@dataclass(frozen=True)
class Method:
    """A protection method.

    Parameters
    ----------
    name
        What the command line calls it.
    function
        Takes the data first, all else by name.
    needed
        Parameters it cannot do without; where there are alternatives, none is listed.
    optional
        The others, but for ``leave`` and ``schema``, which every method takes.
    kinds
        Kinds of attributes it can protect.
    by_default
        Kinds of attributes it must be told about: those columns are protected or named in ``leave``.
    """

    name: str
    function: Callable[..., Protection]
    needed: tuple[str, ...]
    optional: tuple[str, ...] = ()
    kinds: frozenset[Kind] = ALL
    by_default: frozenset[Kind] = NUMERIC

    @property
    def is_random(self) -> bool:
        """Whether it can draw, and so takes a ``seed`` and returns a secret."""
        return "seed" in inspect.signature(self.function).parameters

    def draws(self, parameters: Mapping[str, Any]) -> bool:
        """Whether it draws with these parameters; rounding does so only if asked."""
        return self.is_random and bool(parameters.get("random", "random" not in self.optional))

    @property
    def shared(self) -> tuple[str, ...]:
        """Parameters that are one for all attributes."""
        return ("p",) if self.name == "correlated_noise" else ("centroid",)

    @property
    def takes_groups(self) -> bool:
        """Whether it protects groups of attributes together."""
        return "groups" in self.needed

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameters it takes."""
        return (*self.needed, *self.optional, *(("seed",) if self.is_random else ()), "leave", "schema")


_ALL_METHODS = (
    Method("mdav", microaggregate, ("groups", "k"), ("standardise", "centroid", "variant", "progress")),
    Method("individual_ranking", individual_ranking, ("k",), ("centroid",), ORDERED),
    Method("z_scores", z_scores, ("groups", "k"), ("centroid",), ORDERED),
    Method("principal_components", principal_components, ("groups", "k"), ("centroid",), ORDERED),
    Method("rank_swap", rank_swap, ("p",), (), ORDERED),
    Method("noise", add_noise, ("p",), (), NUMERIC),
    Method("correlated_noise", add_correlated_noise, ("p",), (), NUMERIC),
    Method("pram", pram, (), ("keep", "matrices"), CATEGORICAL, CATEGORICAL),
    Method("rounding", round_values, ("base",), ("random",), NUMERIC),
    Method("coding", code_extremes, (), ("top", "bottom", "top_percent", "bottom_percent"), ORDERED),
    Method("generalise", generalise, ("into",)),
)

METHODS: Mapping[str, Method] = {method.name: method for method in _ALL_METHODS}
"""Every method by its name."""


def find_method(name: str) -> Method:
    """Return a method by its name, or raise ParameterError naming those there are."""
    if name not in METHODS:
        raise ParameterError(f"There is no protection method {name!r}; choose {', '.join(METHODS)}.")
    return METHODS[name]


def apply_method(data: Any, method: str, **parameters: Any) -> Protection:
    """Protect data by a method given by its name.

    Parameters
    ----------
    data
        Whatever the method itself takes: a frame, an array, a table read by `linkrisk.data.read_file`.
    method
        A name in `METHODS`.
    parameters
        Those of the method's function; None stands for one that is not given.

    Raises
    ------
    ParameterError
        If there is no such method, or a parameter is unknown or lacking; and whatever the method raises.

    Examples
    --------
    >>> import numpy as np
    >>> apply_method(np.array([[1.0], [9.0], [3.0], [7.0]]), "individual_ranking", k=2).data[:, 0].tolist()
    [2.0, 8.0, 2.0, 8.0]
    """
    chosen = find_method(method)
    given = {name: value for name, value in parameters.items() if value is not None}
    unknown = [name for name in given if name not in chosen.parameters]
    if unknown:
        raise ParameterError(
            f"{method} takes no parameter {', '.join(map(_with_option, unknown))}; it takes "
            f"{', '.join(name for name in chosen.parameters if name != 'progress')}."
        )
    lacking = [name for name in chosen.needed if name not in given]
    if lacking:
        raise ParameterError(f"{method} needs {', '.join(map(_with_option, lacking))}; give a value for it.")
    return chosen.function(data, **given)


def _with_option(parameter: str) -> str:
    """Return a parameter's name, and that of its option on the command line.

    >>> _with_option("top_percent")
    'top_percent (--top-percent)'
    """
    return f"{parameter} (--{parameter.replace('_', '-')})"
