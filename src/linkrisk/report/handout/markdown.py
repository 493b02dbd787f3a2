"""A report as Markdown: the same sentences and figures, the data of each chart in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkrisk.data.writing import CONFIDENTIAL_NOTICE
from linkrisk.printable import printable, printable_lines
from linkrisk.report.blocks import INTERRUPTED, Drawing, Fault, Note, Sentence, Weight
from linkrisk.report.handout.contents import KINDS_TOLD, Facts, Handout, Heading, Items, Part, Picture, Section
from linkrisk.report.tables import Table, share_text
from linkrisk.report.verdict import Verdict

_SIGNS = re.compile(r"([\\`*_{}\[\]()#+!|<>~&$^=-])")
"""Signs that mean something to one Markdown or another."""


def as_markdown(handout: Handout) -> str:
    """Return a report as Markdown; names in it are escaped, so that none is taken for markup."""
    return "\n".join([*_lines(handout), ""])


def _lines(handout: Handout) -> Iterator[str]:
    if handout.is_confidential:
        yield f"<!-- {CONFIDENTIAL_NOTICE} -->"
        yield ""
    yield f"# {plain(handout.title)}"
    yield from _paragraph(f"*{plain(KINDS_TOLD[handout.kind])}*")
    yield from _paragraph(plain(handout.about))
    yield from () if handout.is_complete else _paragraph(f"**{plain(INTERRUPTED.text)}**")
    yield from _verdict(handout.verdict)
    for section in (*handout.sections, handout.timings):
        yield from _section(section)


def _verdict(verdict: Verdict) -> Iterator[str]:
    yield from ("", "## Verdict")
    if verdict.headline is not None:
        yield from _paragraph(f"**{share_text(verdict.headline.share)}** {plain(verdict.headline.told)}")
    for sentence in verdict:
        yield from _paragraph(plain(sentence))


def _section(section: Section) -> Iterator[str]:
    yield from ("", f"## {plain(section.heading)}")
    for part in section.parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    """Yield the lines of a part; a picture is its caption and its data."""
    if isinstance(part, Heading):
        yield from ("", f"### {plain(part.text)}")
    elif isinstance(part, Picture):
        yield from ("", f"### {plain(part.figure.title)}")
        yield from _paragraph(plain(part.figure.caption))
        yield from table_lines(part.figure.table())
    elif isinstance(part, Table):
        yield from _paragraph(f"**{plain(part.title)}**" if part.title else "")
        yield from table_lines(part)
    elif isinstance(part, Facts):
        yield from ("", *(f"- **{plain(word)}**: {plain(told)}" for word, told in part.entries))
    elif isinstance(part, Items):
        yield from ("", *(f"- {plain(text)}" for text in part.texts))
    elif isinstance(part, Drawing):
        yield from ("", *(f"    {printable(line)}" for line in part.lines))
    else:
        yield from _paragraph(_told(part))


def _told(part: Sentence | Fault | Note) -> str:
    """Return the words of a part, faults and warnings in bold."""
    text = plain(part.text)
    if isinstance(part, Note):
        return f"> {text}"
    is_alarm = isinstance(part, Fault) or part.weight is Weight.ALARM
    return f"**{'Fault: ' if isinstance(part, Fault) else ''}{text}**" if is_alarm else text


def _paragraph(text: str) -> Iterable[str]:
    return ("", text) if text else ()


def table_lines(table: Table) -> Iterator[str]:
    """Yield a table with bars, numbers to the right."""
    yield ""
    yield _row(column.head or " " for column in table.columns)
    yield f"| {' | '.join('---:' if column.is_number else '---' for column in table.columns)} |"
    for row in table.rows:
        yield _row(row)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(plain, cells))} |"


def plain(text: str) -> str:
    r"""Return a text in which no sign is taken for markup; lines become one paragraph.

    >>> plain("a_b | <i>")
    'a\\_b \\| \\<i\\>'
    """
    return _SIGNS.sub(r"\\\1", printable_lines(text)).replace("\n", "  \n")
