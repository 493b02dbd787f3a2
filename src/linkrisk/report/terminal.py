"""Blocks on a terminal: faults in red, what matters in bold, tables with frames."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from linkrisk.printable import printable
from linkrisk.report.blocks import Block, Drawing, Fault, Sentence, Weight, opens_paragraph
from linkrisk.report.tables import Table, rich_table
from linkrisk.report.text import line_of

_STYLES = {Weight.USUAL: "", Weight.MAIN: "bold", Weight.ALARM: "bold red"}


def show_blocks(blocks: Sequence[Block], console: Console) -> None:
    """Print a report; lines of text are left to the terminal to wrap."""
    for place, block in enumerate(blocks):
        if place and opens_paragraph(block):
            console.print()
        if isinstance(block, Table):
            console.print(rich_table(block))
        elif isinstance(block, Drawing):
            _say(console, "\n".join(map(printable, block.lines)))
        else:
            _say(console, line_of(block), _style(block))


def _style(block: Block) -> str:
    if isinstance(block, Fault):
        return _STYLES[Weight.ALARM]
    return _STYLES[block.weight] if isinstance(block, Sentence) else ""


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)
