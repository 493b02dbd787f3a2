"""The order of the pages. Pages hold no lists for the site alone, since a code host shows them, too.

The page of a folder, its README, links to the others in their order; so they stand in the site. A page that stands
nowhere is a warning of the build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from docs.extensions.interface import FOLDER, packages

PARTS = {
    "Start": ("first-assessment", "notebooks/first-assessment"),
    "Guide": ("guide/README", "attackers/README", "protection/README", "losses/README"),
    "Reference": ("reference", f"{FOLDER}/index"),
    "Why it can be trusted": ("trust", "mathematics", "certificates", "axioms", "papers", "decisions/README"),
    "The project": (
        "About linkrisk <project/readme>",
        "project/architecture",
        "project/contributing",
        "project/changelog",
    ),
}
"""What stands beside every page, by headings."""

_LIST = """
```{{toctree}}
:hidden:
{caption}
{entries}
```
"""
_LINK = re.compile(r"\]\(([\w-]+)\.md\)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Give pages their lists as they are read."""
    app.connect("source-read", _add_lists)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _add_lists(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == app.config.root_doc:
        source[0] += "".join(_listed(pages, f":caption: {caption}\n") for caption, pages in PARTS.items())
    elif docname == f"{FOLDER}/index":
        source[0] += _listed(packages())
    elif Path(docname).name == "README":
        source[0] += _listed(pages_of_folder(source[0]))


def _listed(pages: tuple[str, ...], caption: str = "") -> str:
    return _LIST.format(caption=caption, entries="\n".join(pages))


def pages_of_folder(text: str) -> tuple[str, ...]:
    """Return the pages of its own folder that a page links to, in the order of the first links.

    >>> pages_of_folder("[one](one.md), [more of one](one.md), [two](two.md), [elsewhere](../three.md)")
    ('one', 'two')
    """
    return tuple(dict.fromkeys(_LINK.findall(text)))
