"""Text and tables in lines that are no longer than there is room for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import combining, east_asian_width

from linkrisk.report.tables import Column, Table

USUAL_WIDTH = 80
"""Characters in a line where nobody tells how many there is room for."""

LEAST_WIDTH = 40
"""Characters for which lines are made at least."""

GAP = "  "
"""What is between two columns."""

NARROWEST = 10
"""Characters that a column of text is not made narrower than."""

HIGHEST_HEAD = 3
"""Lines of a head that columns are not made wider for: a higher one gets the room that is left."""

CUT_AFTER = (",", ";", ":", "/")
"""Signs after which a word may be cut, before it is cut anywhere."""


def room() -> int:
    """Return how many characters a line may have: those of the terminal, of COLUMNS, or 80 where there is neither."""
    return max(LEAST_WIDTH, shutil.get_terminal_size((USUAL_WIDTH, 24)).columns)


def width_of(text: str) -> int:
    """Return how many places a text takes on a terminal: signs of East Asia take two, accents none.

    >>> width_of("Größe"), width_of("年齢")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    r"""Break each line of a text between words; what follows a break is indented.

    >>> wrapped("one two three\nfour", 9, "  ")
    ['one two', '  three', 'four']
    """
    return [piece for line in text.split("\n") for piece in _broken(line, width, _further(line, indent))]


def _broken(line: str, width: int, further: str = "", *, is_cut: bool = False) -> list[str]:
    """Break a line that is too long between words; a word that is too long for any line is left, or cut."""
    if width_of(line) <= width:
        return [line]
    lead = line[: len(line) - len(line.lstrip())]
    words = [piece for word in line.split() for piece in (_cut(word, width) if is_cut else [word])]
    lines = [lead + words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(further + word)
    return lines


def _cut(word: str, width: int) -> list[str]:
    """Cut a word into pieces that are no wider: after a comma or the like where one piece has one, else anywhere.

    >>> _cut("age,education,sex", 10), _cut("education", 5)
    (['age,', 'education,', 'sex'], ['educa', 'tion'])
    """
    pieces = [""]
    for sign in word:
        while pieces[-1] and width_of(pieces[-1] + sign) > width:
            last = max(pieces[-1].rfind(each) for each in CUT_AFTER) + 1
            pieces[-1:] = [pieces[-1][:last], pieces[-1][last:]] if last else [pieces[-1], ""]
        pieces[-1] += sign
    return [piece for piece in pieces if piece]


def _further(line: str, indent: str) -> str:
    """Return the indent of what follows a break: below an indented line it is deeper."""
    lead = len(line) - len(line.lstrip())
    return indent + " " * (lead + 2 if lead else 0)


@dataclass(frozen=True)
class TableLines:
    """A table in lines: its title, its heads, its rows, and a remark on columns for which there was no room."""

    title: list[str]
    heads: list[str]
    rows: list[str]
    remark: list[str]

    def __iter__(self) -> Iterator[str]:
        yield from (*self.title, *self.heads, *self.rows, *self.remark)


def lay_out(table: Table, width: int) -> TableLines:
    """Put a table into lines, the cells of a column below each other.

    Where there is not enough room heads are broken between words, then optional columns are left out, then
    cells of text are broken, the widest column first until it is as wide as the next one, between words while that is
    enough. A table that is wider even so stays so: numbers are never cut. Room that is left over goes to heads of more
    than three lines.

    >>> narrow = Table((Column("who"), Column("links", True), Column("how", False, 1)), (("mean", "3", "by rank"),))
    >>> list(lay_out(narrow, 80))
    ['who   links  how', 'mean      3  by rank']
    >>> list(lay_out(narrow, 18))
    ['who   links', 'mean      3', 'Not enough room', 'for: how.']
    """
    columns = [_Cells.of(table, place) for place in range(len(table.columns))]
    if _length(columns) > width:
        columns = [column.with_narrow_head() for column in columns]
    left_out = []
    while _length(columns) > width and any(column.column.optional for column in columns):
        first = max(columns, key=lambda column: (column.column.optional, column.width))
        columns.remove(first)
        left_out.append(first.column.head)
    for is_within_words in (False, True):
        while _length(columns) > width and any(column.spare(is_within_words) for column in columns):
            columns = _with_widest_narrower(columns, width, is_within_words=is_within_words)
    columns = _with_lower_heads(columns, width)
    heads = _side_by_side([column.broken_head() for column in columns], columns, is_at_end=True)
    rows = [
        line
        for place in range(len(table.rows))
        for line in _side_by_side([column.broken_cell(place) for column in columns], columns)
    ]
    in_order = ", ".join(column.head for column in table.columns if column.head in left_out)
    remark = wrapped(f"Not enough room for: {in_order}.", width) if left_out else []
    return TableLines(wrapped(table.title, width) if table.title else [], heads, rows, remark)


@dataclass(frozen=True)
class _Cells:
    """The cells of one column, and how wide it is to be."""

    column: Column
    cells: tuple[str, ...]
    width: int

    @classmethod
    def of(cls, table: Table, place: int) -> _Cells:
        column, cells = table.columns[place], tuple(row[place] for row in table.rows)
        return cls(column, cells, max(map(width_of, (column.head, *cells))))

    def spare(self, is_within_words: bool) -> int:
        """Return by how much a column of text can be narrower, broken between words or within them."""
        if self.column.is_number:
            return 0
        words = [] if is_within_words else [width_of(word) for cell in self.cells for word in cell.split()]
        return max(0, self.width - max([NARROWEST, *words, *map(width_of, self.column.head.split())]))

    def with_narrow_head(self) -> _Cells:
        """Break the head between words, as far as cells leave room for them."""
        return self.shrunk(max([0, *map(width_of, (*self.column.head.split(), *self.cells))]))

    def shrunk(self, width: int) -> _Cells:
        return replace(self, width=min(width, self.width))

    def with_lower_head(self) -> _Cells:
        """Return the column just so wide that its head has a line less."""
        lines, whole = len(self.broken_head()), width_of(self.column.head)
        widths = (width for width in range(self.width, whole) if len(_broken(self.column.head, width)) < lines)
        return replace(self, width=next(widths, whole))

    def broken_head(self) -> list[str]:
        return _broken(self.column.head, self.width)

    def broken_cell(self, place: int) -> list[str]:
        return _broken(self.cells[place], self.width, is_cut=True)

    def aligned(self, text: str) -> str:
        blanks = " " * (self.width - width_of(text))
        return blanks + text if self.column.is_number else text + blanks


def _length(columns: Sequence[_Cells]) -> int:
    return sum(column.width for column in columns) + len(GAP) * max(0, len(columns) - 1)


def _with_widest_narrower(columns: Sequence[_Cells], width: int, *, is_within_words: bool) -> list[_Cells]:
    """Narrow the widest column of text that can be, at most until another one is the widest."""
    spare = [column.spare(is_within_words) for column in columns]
    places = sorted((place for place, more in enumerate(spare) if more), key=lambda place: -columns[place].width)
    first, second = places[0], places[1] if len(places) > 1 else None
    ahead = spare[first] if second is None else max(1, columns[first].width - columns[second].width)
    less = min(spare[first], ahead, _length(columns) - width)
    narrowed = list(columns)
    narrowed[first] = columns[first].shrunk(columns[first].width - less)
    return narrowed


def _with_lower_heads(columns: Sequence[_Cells], width: int) -> list[_Cells]:
    """Widen the columns of the highest heads as far as there is room."""
    wider = list(columns)
    while any(len(column.broken_head()) > HIGHEST_HEAD for column in wider):
        place = max(range(len(wider)), key=lambda place: len(wider[place].broken_head()))
        lower = wider[place].with_lower_head()
        if _length(wider) + lower.width - wider[place].width > width:
            break
        wider[place] = lower
    return wider


def _side_by_side(cells: Sequence[list[str]], columns: Sequence[_Cells], *, is_at_end: bool = False) -> list[str]:
    """Put broken cells beside each other; short ones stand at the top, or at the end, of the row."""
    height = max(map(len, cells), default=0)
    empty = [[""] * (height - len(cell)) for cell in cells]
    full = [above + cell if is_at_end else cell + above for cell, above in zip(cells, empty, strict=True)]
    return [
        GAP.join(column.aligned(cell[line]) for column, cell in zip(columns, full, strict=True)).rstrip()
        for line in range(height)
    ]
