"""Lines are no longer than there is room for, and nothing that matters is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.report.layout import GAP, HIGHEST_HEAD, NARROWEST, lay_out, room, width_of, wrapped
from linkrisk.report.tables import Column, Table
from tests.report.samples import MAKERS, sample

words = st.text(st.sampled_from("abcß年,"), min_size=1, max_size=12)
texts = st.lists(words, max_size=6).map(" ".join)


@given(text=texts, width=st.integers(20, 60), indent=st.sampled_from(["", "  "]))
def test_text_is_broken_between_words(text: str, width: int, indent: str) -> None:
    """The words are those of the text, in order; no line could have taken the first word of the next one."""
    lines = wrapped(text, width, indent)
    assert " ".join(lines).split() == text.split()
    assert max(map(width_of, lines)) <= width
    for line, following in pairwise(lines):
        assert width_of(line) + 1 + width_of(following.split()[0]) > width


def test_what_follows_an_indented_line_is_indented_more() -> None:
    """So that it is not taken for a line of its own."""
    assert wrapped("a\n  bb cc dd", 7) == ["a", "  bb cc", "    dd"]
    assert wrapped("", 7) == [""]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table of numbers and texts, some columns optional, each with a head of its own."""
    n_columns, n_rows = draw(st.integers(1, 6)), draw(st.integers(0, 4))
    columns = tuple(
        Column(f"h{place} {draw(texts)}", draw(st.booleans()), optional=draw(st.integers(0, 2)))
        for place in range(n_columns)
    )
    rows = tuple(tuple(draw(words if column.is_number else texts) for column in columns) for _ in range(n_rows))
    return Table(columns, rows)


def least_width(table: Table, *, optional: bool) -> int:
    """Return the width of a table whose heads are broken between words, and cells of text to ten places."""
    widths = []
    for place, column in enumerate(table.columns):
        cells = [width_of(row[place]) for row in table.rows]
        narrow = cells if column.is_number else [min(NARROWEST, width) for width in cells]
        if optional or not column.optional:
            widths.append(max([*map(width_of, column.head.split()), *narrow]))
    return sum(widths) + len(GAP) * max(0, len(widths) - 1)


def left_out(table: Table, width: int) -> set[str]:
    """Return the heads of the columns that are not shown."""
    shown = {word for line in lay_out(table, width).heads for word in line.split()}
    return {column.head for column in table.columns if column.head.split()[0] not in shown}


@given(table=tables(), width=st.integers(10, 120))
def test_tables_fit_where_they_can(table: Table, width: int) -> None:
    """They are within the lines if that is possible at all; only optional columns are left out, and they are named."""
    lines = lay_out(table, width)
    if least_width(table, optional=False) <= width:
        assert max(map(width_of, [*lines.heads, *lines.rows]), default=0) <= width
    gone = left_out(table, width)
    assert gone <= {column.head for column in table.columns if column.optional}
    assert bool(gone) == bool(lines.remark)
    assert all(head.split()[0] in " ".join(lines.remark) for head in gone)
    for place, column in enumerate(table.columns):
        if column.is_number and column.head not in gone:  # numbers are never cut
            assert all(any(row[place] in line for line in lines.rows) for row in table.rows)


@given(table=tables(), width=st.integers(10, 100))
def test_more_room_shows_no_less(table: Table, width: int) -> None:
    """Where lines are longer, no column is left out that was there; with room for everything none is."""
    assert left_out(table, width + 20) <= left_out(table, width)
    assert lay_out(table, 1_000).remark == []
    assert len(lay_out(table, 1_000).rows) == len(table.rows)


def test_heads_are_broken_first_then_columns_left_out_then_cells_broken() -> None:
    """From wide to narrow, one thing after the other."""
    columns = (Column("who"), Column("people found", is_number=True), Column("by which way", optional=1))
    table = Table(columns, (("a plain intruder", "12", "one to one"),))
    assert list(lay_out(table, 80)) == [
        "who               people found  by which way",
        "a plain intruder            12  one to one",
    ]
    assert list(lay_out(table, 36)) == [
        "                  people  by which",
        "who                found  way",
        "a plain intruder      12  one to one",
    ]
    assert list(lay_out(table, 30)) == [
        "                  people",
        "who                found",
        "a plain intruder      12",
        "Not enough room for: by which",
        "way.",
    ]
    assert list(lay_out(table, 18)) == [
        "            people",
        "who          found",
        "a plain         12",
        "intruder",
        "Not enough room",
        "for: by which way.",
    ]


def test_the_widest_column_gives_way_until_it_is_as_wide_as_the_next() -> None:
    """A long name is broken once where that is enough, beside another text that is nearly as long."""
    table = Table(
        (Column("scenario"), Column("attack")), (("somebody who knows a tenth of all", "standardised, ranks"),)
    )
    assert list(lay_out(table, 43)) == [
        "scenario                attack",
        "somebody who knows a    standardised, ranks",
        "tenth of all",
    ]


def test_room_left_over_lowers_the_highest_heads() -> None:
    """A head of five words is not five lines high where lines have room."""
    heads = Column("class of only one value", True), Column("share of people who are found", True)
    table = Table((Column("who"), *heads), (("me", "1", "2"),))
    assert len(lay_out(table, 20).heads) > HIGHEST_HEAD
    assert list(lay_out(table, 28)) == [
        "     class of    share of",
        "     only one  people who",
        "who     value   are found",
        "me          1           2",
    ]


def test_signs_of_two_places_are_in_line() -> None:
    """Columns stay below each other where names are not of this alphabet."""
    table = Table((Column("name"), Column("n", is_number=True)), (("年齢", "1"), ("Größe", "22")))
    assert [width_of(line) for line in lay_out(table, 80).rows] == [9, 9]


def test_room_is_that_of_the_terminal_or_80(monkeypatch: pytest.MonkeyPatch) -> None:
    """COLUMNS says how wide a terminal is; without one lines have 80 characters, and never fewer than 40."""
    for said, width in (("72", 72), ("12", 40)):
        monkeypatch.setenv("COLUMNS", said)
        assert room() == width
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr("sys.__stdout__", None)
    assert room() == 80


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", sorted(MAKERS))
def test_every_result_fits(name: str, width: int) -> None:
    """With all details, on narrow and wide terminals."""
    assert max(map(len, sample(name).to_text(width=width).splitlines())) <= width
