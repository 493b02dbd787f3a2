"""Blocks on a terminal: faults in red, what matters in bold, heads of tables underlined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console

from linkrisk.report.blocks import Block, Drawing, Fault, Sentence, Weight, opens_paragraph
from linkrisk.report.layout import lay_out, width_of
from linkrisk.report.tables import Table
from linkrisk.report.text import drawn_lines, lines_of

_STYLES = {Weight.USUAL: "", Weight.MAIN: "bold", Weight.ALARM: "bold red"}


def show_blocks(blocks: Sequence[Block], console: Console) -> None:
    """Print a report in lines that the terminal has room for."""
    for place, block in enumerate(blocks):
        if place and opens_paragraph(block):
            console.print()
        if isinstance(block, Table):
            _show_table(block, console)
        elif isinstance(block, Drawing):
            _say(console, drawn_lines(block, console.width))
        else:
            _say(console, lines_of(block, console.width), _style(block))


def _show_table(table: Table, console: Console) -> None:
    lines = lay_out(table, console.width)
    _say(console, lines.title, "bold")
    _say(console, lines.heads)
    _say(console, ["─" * max(map(width_of, (*lines.heads, *lines.rows)))], "dim")
    _say(console, lines.rows)
    _say(console, lines.remark, "dim")


def _style(block: Block) -> str:
    if isinstance(block, Fault):
        return _STYLES[Weight.ALARM]
    return _STYLES[block.weight] if isinstance(block, Sentence) else ""


def _say(console: Console, lines: Iterable[str], style: str = "") -> None:
    for line in lines:
        console.print(line, style=style, highlight=False, markup=False, soft_wrap=True)
