"""Pages of the project that stand outside of docs/: the site shows them, and links to them lead to what it shows."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

from sphinx.application import Sphinx

from docs.extensions.written import write_if_changed

ROOT = Path(__file__).parents[2]
FOLDER = "project"
"""Where they are written, below docs/; git ignores it."""

PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_TARGET = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them, and turn the links of all others as they are read."""
    app.connect("builder-inited", _write_pages)
    app.connect("source-read", _turn_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write_pages(app: Sphinx) -> None:
    for name in PAGES:
        text = moved((ROOT / name).read_text(encoding="utf-8"), PurePosixPath(name), shown(name))
        write_if_changed(Path(app.srcdir) / FOLDER / name.lower(), text)


def _turn_links(app: Sphinx, docname: str, source: list[str]) -> None:
    del app
    page = PurePosixPath("docs", f"{docname}.md")
    if page.parts[1] != FOLDER and (ROOT / page).exists():
        source[0] = moved(source[0], page, page)


def shown(name: str) -> PurePosixPath:
    """Return where the site shows a page, from the root of the project.

    >>> shown("README.md"), shown("LICENSE"), shown("docs/trust.md")
    (PurePosixPath('docs/project/readme.md'), PurePosixPath('LICENSE'), PurePosixPath('docs/trust.md'))
    """
    return PurePosixPath("docs", FOLDER, name.lower()) if name in PAGES else PurePosixPath(name)


def moved(text: str, before: PurePosixPath, after: PurePosixPath) -> str:
    """Return a page with its links as they must be where the site shows it; examples stay as they are.

    >>> moved("[a](docs/trust.md#words) [b](#here)", PurePosixPath("README.md"), shown("README.md"))
    '[a](../trust.md#words) [b](#here)'
    >>> page = PurePosixPath("docs/guide/loss.md")
    >>> moved("[limits](../../README.md#limits)", page, page)
    '[limits](../project/readme.md#limits)'
    """

    def turned(found: re.Match[str]) -> str:
        target = os.path.normpath(before.parent / found[1])
        return Path(os.path.relpath(shown(target), after.parent)).as_posix()

    parts, end = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_TARGET.sub(turned, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, _TARGET.sub(turned, text[end:])])
