"""Blocks as plain text, for `print`, files and pipes."""

from __future__ import annotations

from collections.abc import Sequence

from linkrisk.printable import printable, printable_lines
from linkrisk.report.blocks import Block, Drawing, Fault, Line, Note, opens_paragraph
from linkrisk.report.tables import Table, table_lines


def blocks_as_text(blocks: Sequence[Block], *, confidential: bool = True) -> str:
    """Return a report as plain text, tables of single records only if ``confidential``.

    >>> print(blocks_as_text([Fault("the file holds names"), Note("be careful")]))
    FAULT: the file holds names
    note: be careful
    """
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Table) and block.is_confidential and not confidential:
            continue
        if lines and opens_paragraph(block):
            lines.append("")
        lines += _lines(block)
    return "\n".join(lines)


def _lines(block: Block) -> list[str]:
    if isinstance(block, Table):
        return table_lines(block)
    if isinstance(block, Drawing):
        return [printable(line) for line in block.lines]
    return [line_of(block)]


def line_of(block: Line) -> str:
    r"""Return the text of a block, marked as what it is; control characters in it are shown, not sent.

    >>> line_of(Fault("column a\x1b[2J is as it was"))
    'FAULT: column a\\x1b[2J is as it was'
    """
    if isinstance(block, Fault):
        return f"FAULT: {printable(block.text)}"
    return f"note: {printable(block.text)}" if isinstance(block, Note) else printable_lines(block.text)
