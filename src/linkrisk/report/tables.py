"""A table described once, and rendered as plain text, for a terminal and as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from linkrisk.printable import printable

if TYPE_CHECKING:
    import rich.table


@dataclass(frozen=True)
class Column:
    """The head of a column; numbers are aligned to the right."""

    head: str
    is_number: bool = False


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
        columns = tuple(Column(printable(column.head), column.is_number) for column in self.columns)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "rows", tuple(tuple(map(printable, row)) for row in self.rows))
        object.__setattr__(self, "title", printable(self.title))


def make_columns(texts: tuple[str, ...], numbers: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """Return columns of text followed by columns of numbers.

    >>> make_columns(("attacker",), ("links",))
    (Column(head='attacker', is_number=False), Column(head='links', is_number=True))
    """
    return (*(Column(head) for head in texts), *(Column(head, is_number=True) for head in numbers))


def table_lines(table: Table) -> list[str]:
    """Return a table as lines of plain text, the cells of a column below each other.

    >>> table_lines(Table(make_columns(("who",), ("links",)), (("mean", "3"), ("kernel", "12"))))
    ['who     links', 'mean        3', 'kernel     12']
    """
    rows = [tuple(column.head for column in table.columns), *table.rows]
    widths = [max(len(row[place]) for row in rows) for place in range(len(table.columns))]
    lines = [
        "  ".join(
            cell.rjust(width) if column.is_number else cell.ljust(width)
            for cell, width, column in zip(row, widths, table.columns, strict=True)
        ).rstrip()
        for row in rows
    ]
    return [table.title, *lines] if table.title else lines


def rich_table(table: Table) -> rich.table.Table:
    """Return a table for a terminal; names are escaped, because rich would read some of them as markup."""
    import rich.markup  # noqa: PLC0415  (not needed for plain text)
    import rich.table  # noqa: PLC0415

    made = rich.table.Table(title=rich.markup.escape(table.title) or None, title_justify="left", title_style="bold")
    for column in table.columns:
        made.add_column(rich.markup.escape(column.head), justify="right" if column.is_number else "left")
    for row in table.rows:
        made.add_row(*(rich.markup.escape(cell) for cell in row))
    return made


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
