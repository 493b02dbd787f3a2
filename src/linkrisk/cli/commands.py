"""The commands. Heavy modules are imported inside them: ``linkrisk --help`` is quick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from linkrisk.cli import output
from linkrisk.cli.endings import INTERRUPTED_LINE
from linkrisk.cli.examples import example_of
from linkrisk.cli.method_help import Command
from linkrisk.engine import interrupt

MODULES = {
    "assess": "assess",
    "run": "assess",
    "protect": "protect",
    "loss": "loss",
    "compare": "compare",
    "tune": "tune",
    "match": "match",
    "verify": "verify",
    "demo": "demo",
    "serve": "serve",
    "study": "study",
}
"""Each command, and the module of this package in which it is."""

GROUPS = {"study": "Run grids of experiments that go on where they stopped, and repeat the tables of the papers."}
"""Commands that have commands of their own, in ``COMMANDS`` of their module, and what they are for."""


class Commands(TyperGroup):
    """All commands. After a signal they end with one sentence, unless they have a result to show."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            interrupt.check()
            return super().invoke(ctx)
        except (KeyboardInterrupt, Exception) as problem:
            # An import that Ctrl-C has stopped may raise an error of its own.
            if interrupt.is_pending() or isinstance(problem, KeyboardInterrupt):
                interrupt.handled()
                output.warn(INTERRUPTED_LINE)
                raise typer.Exit(interrupt.exit_code()) from None
            raise


@cache
def make_app(names: tuple[str, ...] = tuple(MODULES)) -> typer.Typer:
    """Return the command line with some commands, made once; the others are not even loaded."""
    app = typer.Typer(
        name="linkrisk",
        cls=Commands,
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
        # Tracebacks with local variables would print confidential values.
        pretty_exceptions_enable=False,
        epilog=example_of("linkrisk"),
    )
    app.callback()(linkrisk)
    for name in names:
        module = import_module(f"linkrisk.cli.{MODULES[name]}")
        if name in GROUPS:
            app.add_typer(_make_group(name, module.COMMANDS), name=name)
        else:
            app.command(cls=Command, epilog=example_of(name))(getattr(module, name))
    return app


def _make_group(name: str, commands: Mapping[str, Callable[..., None]]) -> typer.Typer:
    """Return a command that has commands of its own."""
    group = typer.Typer(help=GROUPS[name], no_args_is_help=True, epilog=example_of(name))
    for own, command in commands.items():
        group.command(own, cls=Command, epilog=example_of(f"{name} {own}"))(command)
    return group


def commands_in(words: Sequence[str]) -> tuple[str, ...]:
    """Return the commands that the words of a command line can mean: one where it begins with it, or all.

    >>> commands_in(["tune", "people.csv"]), len(commands_in(["--help"]))
    (('tune',), 11)
    """
    return (words[0],) if words and words[0] in MODULES else tuple(MODULES)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from linkrisk.version import __version__  # noqa: PLC0415  (rarely asked for)

        output.say(__version__)
        raise typer.Exit


def linkrisk(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Tell how many people an intruder could find again in a protected microdata file."""
    del version  # it is shown by its callback
