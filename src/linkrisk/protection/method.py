"""What a protection method is: a function, the parameters it takes, and the one that can be tuned."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from linkrisk.data.attributes import Kind
from linkrisk.errors import ParameterError
from linkrisk.protection.ladders import Material
from linkrisk.protection.protection import Protection
from linkrisk.protection.specification import with_option
from linkrisk.protection.values.columns import ALL, NUMERIC


@dataclass(frozen=True)
class Strength:
    """What `linkrisk.tune` searches.

    Parameters
    ----------
    parameter
        Name of the parameter that makes the protection weaker or stronger.
    ladder
        Returns the values to be tried for some columns, from weak to strong; see `linkrisk.protection.ladders`.
    """

    parameter: str
    ladder: Callable[[Material], tuple[float | str, ...]]


@dataclass(frozen=True)
class Method:
    """A protection method, as `linkrisk.protect` and `linkrisk.tune` know it.

    Parameters
    ----------
    name
        What the command line calls it; also the name of its file in ``methods/``.
    function
        Takes the data first and everything else by name.
    summary
        What it does, in one line of the help, with its main parameter.
    needed
        Parameters that must be given. Where one of several is enough, none of them is listed.
    optional
        The other parameters, except ``leave`` and ``schema``, which every method takes, and ``secret_seed``, which
        every method that draws takes.
    variants
        The words that its parameter ``variant`` may be, the default first; empty for a method that has no variants.
    shared
        Parameters that have one value for all attributes; the others may have one for each.
    kinds
        Kinds of attributes it can protect.
    by_default
        Kinds of attributes that it protects unless they are named in ``leave``.
    strength
        What `linkrisk.tune` searches; None for a method that cannot be tuned.

    Examples
    --------
    >>> from linkrisk.protection import METHODS
    >>> METHODS["noise"].is_random, METHODS["noise"].strength.parameter, METHODS["pram"].strength.parameter
    (True, 'p', 'keep')
    """

    name: str
    function: Callable[..., Protection]
    summary: str
    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    kinds: frozenset[Kind] = ALL
    by_default: frozenset[Kind] = NUMERIC
    strength: Strength | None = None

    @property
    def is_random(self) -> bool:
        """Whether it can draw: then it takes a ``secret_seed`` and returns a secret."""
        return "secret_seed" in inspect.signature(self.function).parameters

    def draws(self, *, random: bool = False) -> bool:
        """Whether it draws; a method with the parameter ``random`` does so only if asked."""
        return self.is_random and (random or "random" not in self.optional)

    @property
    def takes_groups(self) -> bool:
        """Whether it protects groups of attributes together."""
        return "groups" in self.needed

    @property
    def main(self) -> str | None:
        """The parameter that a plan may give as a bare value: the one that is tuned, or else the first needed."""
        if self.strength is not None:
            return self.strength.parameter
        return next((name for name in self.needed if name != "groups"), None)

    @property
    def flags(self) -> tuple[str, ...]:
        """The parameters that are yes or no, and no by default."""
        return tuple(
            name for name, each in inspect.signature(self.function).parameters.items() if each.default is False
        )

    @property
    def is_shared_strength(self) -> bool:
        """Whether the parameter that is tuned has one value for all attributes."""
        return self.strength is not None and self.strength.parameter in self.shared

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameters it takes."""
        own = (*self.needed, *self.optional, *(("variant",) if self.variants else ()))
        return (*own, *(("secret_seed",) if self.is_random else ()), "leave", "schema")

    def apply(self, data: Any, **parameters: Any) -> Protection:
        """Check that the parameters are those of the method, and call its function.

        Parameters
        ----------
        data
            What the function itself takes: a frame, an array, or a file read by `linkrisk.data.read_file`.
        parameters
            Those of the function; None stands for one that is not given.

        Raises
        ------
        ParameterError
            If a parameter is unknown or lacking; and whatever the function raises.
        """
        given = {name: value for name, value in parameters.items() if value is not None}
        unknown = [name for name in given if name not in self.parameters]
        if unknown:
            raise ParameterError(
                f"{self.name} takes no parameter {', '.join(map(with_option, unknown))}; it takes "
                f"{', '.join(name for name in self.parameters if name != 'progress')}"
            )
        lacking = [name for name in self.needed if name not in given]
        if lacking:
            raise ParameterError(f"{self.name} needs {', '.join(map(with_option, lacking))}; give a value for it")
        return self.function(data, **given)
