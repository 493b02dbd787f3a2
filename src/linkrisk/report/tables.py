"""A table described once; `linkrisk.report.layout` fits it into lines, and here it becomes HTML."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from html import escape

from linkrisk.printable import printable


@dataclass(frozen=True)
class Column:
    """The head of a column; numbers are aligned to the right.

    Where lines would be too long, columns that are ``optional`` are left out: those with the largest number first, of
    equals the widest. 0: never.
    """

    head: str
    is_number: bool = False
    optional: int = 0


@dataclass(frozen=True)
class Table:
    """Rows of texts under the heads of their columns; control characters in them are shown, not sent.

    ``is_confidential``: the rows are about single records, and are shown only where a user asks for them by `print` or
    a command, never in a notebook.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    is_confidential: bool = False

    def __post_init__(self) -> None:
        columns = tuple(replace(column, head=printable(column.head)) for column in self.columns)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "rows", tuple(tuple(map(printable, row)) for row in self.rows))
        object.__setattr__(self, "title", printable(self.title))


def make_columns(
    texts: tuple[str, ...], numbers: tuple[str, ...] = (), optional: Mapping[str, int] | Collection[str] = ()
) -> tuple[Column, ...]:
    """Return columns of text followed by columns of numbers; those in ``optional`` may be left out.

    >>> make_columns(("attacker",), ("links",), ["links"])[1]
    Column(head='links', is_number=True, optional=1)
    """
    ranks = optional if isinstance(optional, Mapping) else dict.fromkeys(optional, 1)
    heads = [*((head, False) for head in texts), *((head, True) for head in numbers)]
    return tuple(Column(head, is_number, ranks.get(head, 0)) for head, is_number in heads)


def without_empty(table: Table) -> Table:
    """Return a table without the columns in which there is only a dash, for which nothing is known.

    >>> table = without_empty(Table(make_columns(("who",), ("links", "bound")), (("mean", "3", "-"),)))
    >>> [column.head for column in table.columns], table.rows
    (['who', 'links'], (('mean', '3'),))
    """
    kept = [place for place in range(len(table.columns)) if any(row[place] != "-" for row in table.rows)]
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, columns=tuple(table.columns[place] for place in kept), rows=rows)


def html_table(table: Table) -> str:
    """Return a table as HTML.

    >>> html_table(Table(make_columns(("who",)), (("<mean>",),)))
    '<table><tr><th>who</th></tr><tr><td>&lt;mean&gt;</td></tr></table>'
    """
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = "".join(f"<th>{escape(column.head)}</th>" for column in table.columns)
    rows = "".join(
        "<tr>" + "".join(map(_html_cell, row, (column.is_number for column in table.columns))) + "</tr>"
        for row in table.rows
    )
    return f"<table>{caption}<tr>{head}</tr>{rows}</table>"


def _html_cell(cell: str, is_number: bool) -> str:
    return f'<td style="text-align:right">{escape(cell)}</td>' if is_number else f"<td>{escape(cell)}</td>"


def share_text(share: float | None) -> str:
    """Return a share as a cell of a table, a dash where there is none.

    >>> share_text(0.1234), share_text(None)
    ('12.3%', '-')
    """
    return "-" if share is None else f"{share:.1%}"
