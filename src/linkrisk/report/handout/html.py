"""A report as one HTML file: complete in itself, without script and without anything from a network."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from linkrisk.data.writing import CONFIDENTIAL_NOTICE
from linkrisk.printable import printable, printable_lines
from linkrisk.report.blocks import INTERRUPTED, Drawing, Fault, Note, Sentence, Weight
from linkrisk.report.charts.picture import as_svg
from linkrisk.report.handout.contents import KINDS_TOLD, Facts, Handout, Heading, Items, Part, Picture
from linkrisk.report.tables import Table, share_text

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

OPTION = re.compile(r"--[a-z][a-z-]*")
"""The name of an option on the command line."""


KINDS = {
    Table: "table",
    Picture: "picture",
    Heading: "heading",
    Drawing: "drawing",
    Facts: "facts",
    Items: "items",
    Fault: "fault",
    Note: "note",
}
"""The macros of the template, by what they show."""


def as_page(handout: Handout) -> str:
    """Return a report as HTML; names in it are escaped for where they stand."""
    template = _environment().get_template("report.html")
    return template.render(
        handout=handout, notice=CONFIDENTIAL_NOTICE, kind_told=KINDS_TOLD[handout.kind], interrupted=INTERRUPTED.text
    ).lstrip()


@cache
def _environment() -> Environment:
    """Return the templates, which escape everything that is not marked as safe."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  (only reports need it)

    environment = Environment(
        loader=PackageLoader("linkrisk.report.handout"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"printable": printable, "lines": _lines, "share": share_text}
    environment.globals |= {"kind_of": _kind_of, "svg": as_svg, "address": _address}
    return environment


def _kind_of(part: Part) -> str:
    """Return the macro by which a part is shown."""
    if isinstance(part, Sentence):
        return "alarm" if part.weight is Weight.ALARM else "sentence"
    return KINDS[type(part)]


def _lines(text: str) -> list[Markup]:
    """Return the lines of a text; control characters are shown, not sent, and names of options do not break.

    >>> _lines("<b> by --max-rate")
    [Markup('&lt;b&gt; by <span class="word">--max-rate</span>')]
    """
    from markupsafe import Markup, escape  # noqa: PLC0415  (only reports need it)

    lines = printable_lines(text).split("\n")
    return [Markup(OPTION.sub(r'<span class="word">\g<0></span>', str(escape(line)))) for line in lines]  # noqa: S704


def _address(*words: str) -> str:
    """Return a name that can stand in an address and as an id.

    >>> _address("people", "Age of mother")
    'people-age-of-mother'
    """
    kept = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in "-".join(words).lower())
    return "-".join(filter(None, kept.split("-")))
