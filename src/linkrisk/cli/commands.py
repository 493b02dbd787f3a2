"""The commands. Heavy modules are imported inside them: ``linkrisk --help`` is quick."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from linkrisk.cli.assess import assess, run
from linkrisk.cli.compare import compare
from linkrisk.cli.demo import demo
from linkrisk.cli.endings import INTERRUPTED_LINE
from linkrisk.cli.loss import loss
from linkrisk.cli.match import match
from linkrisk.cli.protect import protect
from linkrisk.cli.tune import tune
from linkrisk.cli.verify import verify
from linkrisk.engine import interrupt


class Commands(TyperGroup):
    """All commands. After Ctrl-C they end with one sentence; if the reader of the output has gone, silently."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            interrupt.check()
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of our output has gone (for instance `| head`): nobody reads what we would write.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except (KeyboardInterrupt, Exception) as problem:
            # An import that Ctrl-C has stopped may raise an error of its own.
            if interrupt.is_pending() or isinstance(problem, KeyboardInterrupt):
                interrupt.handled()
                typer.echo(INTERRUPTED_LINE, err=True)
                raise typer.Exit(interrupt.INTERRUPTED) from None
            raise


app = typer.Typer(
    name="linkrisk",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    # Tracebacks with local variables would print confidential values.
    pretty_exceptions_enable=False,
)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from linkrisk.version import __version__  # noqa: PLC0415  (looks at what is installed)

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def linkrisk(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Tell how many people an intruder could find again in a protected microdata file."""
    del version  # it is shown by its callback


app.command()(assess)
app.command()(run)
app.command()(protect)
app.command()(loss)
app.command()(compare)
app.command()(tune)
app.command()(match)
app.command()(verify)
app.command()(demo)
