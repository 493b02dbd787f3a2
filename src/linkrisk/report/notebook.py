"""A result in a notebook: verdict, two charts and one table, and nothing of a single record.

What a cell shows is stored in the notebook, and notebooks are passed on. So there is no script in it, nothing is
fetched, and a hundred results still make a small file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from html import escape

from linkrisk.printable import printable
from linkrisk.report.blocks import Block, Fault, Sentence, Weight
from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.picture import as_svg
from linkrisk.report.html import LEFT_OUT, blocks_as_html
from linkrisk.report.tables import Table, html_table
from linkrisk.report.verdict import Verdict

MOST_CHARTS = 2
"""Charts that are shown; `Result.plot` draws the others."""

_BOX = "border-left:5px solid #2a6ca6;padding:2px 0 2px 12px;margin:6px 0 12px"
_PICTURE = "max-width:600px;background:#fff;padding:6px;margin:6px 0"
_SHRINK = 'style="max-width:100%;height:auto" role="img"'


def as_notebook(blocks: Sequence[Block], verdict: Verdict | None, figures: Iterable[Figure]) -> str:
    """Return what a notebook shows of a result: of one without verdict the whole report."""
    if verdict is None:
        return blocks_as_html(blocks)
    alarms = [block for block in blocks if isinstance(block, Fault) or _is_alarm(block)]
    parts = [_verdict(verdict), blocks_as_html(alarms) if alarms else "", *_pictures(figures), *_table(blocks)]
    return f"<div>{''.join(parts)}</div>"


def _is_alarm(block: Block) -> bool:
    return isinstance(block, Sentence) and block.weight is Weight.ALARM


def _verdict(verdict: Verdict) -> str:
    first, *others = (escape(printable(sentence)) for sentence in verdict)
    rest = "".join(f"<br>{sentence}" for sentence in others)
    return f'<div style="{_BOX}"><strong>{first}</strong>{rest}</div>'


def _pictures(figures: Iterable[Figure]) -> Iterator[str]:
    """Yield the first charts; ids in them are made of what they show, for a notebook holds many results."""
    for figure in list(figures)[:MOST_CHARTS]:
        prefix = f"lr{blake2b(repr(figure).encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
        picture = as_svg(figure, prefix).replace('role="img"', _SHRINK, 1)
        yield f'<figure style="{_PICTURE}"><strong>{escape(printable(figure.title))}</strong>{picture}</figure>'


def _table(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the first table, and say where there are tables of records that are not shown."""
    tables = [block for block in blocks if isinstance(block, Table)]
    yield from (html_table(table) for table in [table for table in tables if not table.is_confidential][:1])
    if any(table.is_confidential for table in tables):
        yield LEFT_OUT
