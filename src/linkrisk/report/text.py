"""Blocks as plain text, for `print`, files and pipes."""

from __future__ import annotations

from collections.abc import Sequence

from linkrisk.printable import printable, printable_lines
from linkrisk.report.blocks import Block, Drawing, Fault, Line, Note, Sentence, opens_paragraph
from linkrisk.report.layout import lay_out, room, width_of, wrapped
from linkrisk.report.tables import Table


def blocks_as_text(blocks: Sequence[Block], *, confidential: bool = True, width: int | None = None) -> str:
    """Return a report as plain text, tables of single records only if ``confidential``.

    Lines have at most ``width`` characters, by default as many as there is room for (`linkrisk.report.layout.room`).

    >>> print(blocks_as_text([Fault("the file holds names"), Note("be careful")]))
    FAULT: the file holds names
    note: be careful
    """
    lines: list[str] = []
    width = room() if width is None else width
    for block in blocks:
        if isinstance(block, Table) and block.is_confidential and not confidential:
            continue
        if lines and opens_paragraph(block):
            lines.append("")
        lines += _lines(block, width)
    return "\n".join(lines)


def _lines(block: Block, width: int) -> list[str]:
    if isinstance(block, Table):
        return list(lay_out(block, width))
    if isinstance(block, Drawing):
        return drawn_lines(block, width)
    return lines_of(block, width)


def drawn_lines(drawing: Drawing, width: int) -> list[str]:
    """Return the lines of a drawing, or a sentence in its place where they are too long."""
    lines = [printable(line) for line in drawing.lines]
    needed = max(map(width_of, lines), default=0)
    return lines if needed <= width else wrapped(f"The drawing needs lines of {needed} characters.", width)


def lines_of(block: Line, width: int) -> list[str]:
    """Return the text of a block in lines; those of a fault or a note that follow the first are indented."""
    return wrapped(line_of(block), width, "" if isinstance(block, Sentence) else "  ")


def line_of(block: Line) -> str:
    r"""Return the text of a block, marked as what it is; control characters in it are shown, not sent.

    >>> line_of(Fault("column a\x1b[2J is as it was"))
    'FAULT: column a\\x1b[2J is as it was'
    """
    if isinstance(block, Fault):
        return f"FAULT: {printable(block.text)}"
    return f"note: {printable(block.text)}" if isinstance(block, Note) else printable_lines(block.text)
