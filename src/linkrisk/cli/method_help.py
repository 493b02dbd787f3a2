"""What ``--method`` of protect and tune offers, made from the registry of methods when the help is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from typer.core import TyperCommand, TyperOption


def protecting_methods() -> str:
    """Return every method with what it does, each in a paragraph of its own."""
    from linkrisk.protection.registry import METHODS  # noqa: PLC0415  (imports numpy)

    return "\n\n".join(f"{method.name}: {method.summary}." for method in METHODS.values())


def tuned_methods() -> str:
    """Return every method that can be tuned, with the parameter that is."""
    from linkrisk.protection.registry import METHODS  # noqa: PLC0415  (imports numpy)

    return "\n\n".join(
        f"{method.name} ({method.strength.parameter} is tuned): {method.summary}."
        for method in METHODS.values()
        if method.strength is not None
    )


METHODS_HELP: Mapping[str, Callable[[], str]] = {"protect": protecting_methods, "tune": tuned_methods}
"""What the help of ``--method`` says, by command."""


class Command(TyperCommand):
    """A command whose help lists methods; they are loaded when it is shown, so that ``linkrisk --help`` is quick."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help."""
        listed = METHODS_HELP.get(str(self.name))
        for parameter in self.params:
            if listed is not None and parameter.name == "method" and isinstance(parameter, TyperOption):
                parameter.help = listed()
        super().format_help(ctx, formatter)
