"""The commands. Heavy modules are imported inside them: ``linkrisk --help`` is quick."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from linkrisk.cli import output
from linkrisk.cli.assess import assess, run
from linkrisk.cli.compare import compare
from linkrisk.cli.demo import demo
from linkrisk.cli.endings import INTERRUPTED_LINE
from linkrisk.cli.examples import example_of
from linkrisk.cli.loss import loss
from linkrisk.cli.match import match
from linkrisk.cli.method_help import Command
from linkrisk.cli.protect import protect
from linkrisk.cli.tune import tune
from linkrisk.cli.verify import verify
from linkrisk.engine import interrupt


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


app = typer.Typer(
    name="linkrisk",
    cls=Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    # Tracebacks with local variables would print confidential values.
    pretty_exceptions_enable=False,
    epilog=example_of("linkrisk"),
)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from linkrisk.version import __version__  # noqa: PLC0415  (looks at what is installed)

        output.say(__version__)
        raise typer.Exit


@app.callback()
def linkrisk(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Tell how many people an intruder could find again in a protected microdata file."""
    del version  # it is shown by its callback


for _command in (assess, run, protect, loss, compare, tune, match, verify, demo):
    app.command(cls=Command, epilog=example_of(_command.__name__))(_command)
