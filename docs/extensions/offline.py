"""Nothing on a page comes from the network: what a browser would load from elsewhere is a warning."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

_LOADED = re.compile(
    r"""<(?:script|link|img|iframe|source|object)\b[^>]*\b(?:src|href|data)=["'](?:https?:)?//[^"']*"""
)

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Look through the pages once all are written."""
    app.connect("build-finished", _check_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _check_pages(app: Sphinx, failure: Exception | None) -> None:
    if failure is None:
        for page in sorted(Path(app.outdir).rglob("*.html")):
            for found in loaded_from_elsewhere(page.read_text(encoding="utf-8")):
                logger.warning("%s loads something from the network: %s", page.name, found)


def loaded_from_elsewhere(page: str) -> list[str]:
    """Return what a page would load from the network; links, which a reader follows, are no such thing.

    >>> loaded_from_elsewhere('<img src="a.svg"> <a href="https://example.org">a</a> <img src="//example.org/b.png">')
    ['<img src="//example.org/b.png']
    """
    return _LOADED.findall(page)
