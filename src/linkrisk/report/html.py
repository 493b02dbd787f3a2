"""Blocks as HTML for a notebook: complete in itself, without script, and without single records."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linkrisk.report.blocks import Block, Drawing, Fault, Sentence, Weight
from linkrisk.report.tables import Table, html_table
from linkrisk.report.text import line_of

_ALARM = "color:#b00020;font-weight:bold"
LEFT_OUT = "<p>Tables of single records are not shown here; print the result to see them.</p>"
"""What a notebook shows in place of them."""

_STYLES = {Weight.USUAL: "", Weight.MAIN: "font-weight:bold", Weight.ALARM: _ALARM}


def blocks_as_html(blocks: Sequence[Block]) -> str:
    """Return a report as HTML; a sentence stands in place of each table of single records.

    >>> blocks_as_html([Fault("the file holds <names>")])
    '<div><p style="color:#b00020;font-weight:bold">FAULT: the file holds &lt;names&gt;</p></div>'
    """
    return f"<div>{''.join(map(_element, blocks))}</div>"


def _element(block: Block) -> str:
    if isinstance(block, Table):
        return LEFT_OUT if block.is_confidential else html_table(block)
    if isinstance(block, Drawing):
        return f"<pre>{escape(chr(10).join(block.lines))}</pre>"
    style = _style(block)
    text = escape(line_of(block)).replace("\n", "<br>")
    return f'<p style="{style}">{text}</p>' if style else f"<p>{text}</p>"


def _style(block: Block) -> str:
    if isinstance(block, Fault):
        return _ALARM
    return _STYLES[block.weight] if isinstance(block, Sentence) else ""
