"""Templates: every text in them is escaped for HTML, and signs that move or hide others are shown, not sent."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from linkrisk.printable import ended, printable_lines
from linkrisk.web.security.address import Address


@cache
def templates() -> Environment:
    """Return the templates, read once; autoescape covers all that is put in."""
    environment = Environment(
        loader=PackageLoader("linkrisk.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "ended": ended,
        "sentence": sentence,
        "percent": percent,
        "number": number,
        "plain_number": plain_number,
    }
    return environment


def page(address: Address, name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a view, made by a template."""
    made = templates().get_template(f"{name}.html").render(base=address.folder, **values)
    return HTMLResponse(made, status)


def sentence(text: str) -> str:
    """Return a text as a sentence: with a capital letter, unless it begins with a name of its own, and a full stop.

    >>> sentence("the disk is full"), sentence("people.csv is empty")
    ('The disk is full.', 'people.csv is empty.')
    """
    first = text.partition(" ")[0]
    return ended(text[:1].upper() + text[1:] if first.isalpha() else text)


def percent(share: float | None) -> str:
    """Return a share in percent.

    >>> percent(0.051), percent(None)
    ('5.1%', '-')
    """
    return "-" if share is None else f"{share:.1%}"


def number(value: float | None) -> str:
    """Return a number as people read it.

    >>> number(12345), number(0.25), number(None)
    ('12,345', '0.25', '-')
    """
    if value is None:
        return "-"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"


def plain_number(value: float) -> str:
    """Return a number as it is typed into a form.

    >>> plain_number(10.0), plain_number(0.07 * 100)
    ('10', '7')
    """
    return f"{value:.10g}"


def _visible(value: Any) -> Any:
    return printable_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value
