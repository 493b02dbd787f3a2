"""The order of the pages, in one place: pages hold no lists for the site alone, since a code host shows them, too.

A page that stands in no list is a warning of the build, and so is one that stands here and nobody wrote.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from docs.extensions.interface import FOLDER, packages
from linkrisk.attackers import ATTACKERS
from linkrisk.protection import METHODS

_LIST = """
```{{toctree}}
:hidden:
:glob:
{caption}
{entries}
```
"""

PARTS: dict[str, dict[str, list[str]]] = {
    "index": {
        "Start": ["first-assessment", "notebooks/first-assessment"],
        "Guide": ["guide/README", "attackers/README", "protection/README", "losses/README"],
        "Reference": ["reference", f"{FOLDER}/index"],
        "Why it can be trusted": ["trust", "mathematics", "certificates", "axioms", "experiment", "decisions/README"],
        "The project": ["project/readme", "project/architecture", "project/contributing", "project/changelog"],
    },
    "guide/README": {
        "": [
            *(f"guide/{page}" for page in ("assess", "assessment-file", "protect", "loss", "compare", "tune", "match")),
            "guide/verify",
            "guide/files",
            "guide/attackers",
            "guide/*",
        ]
    },
    "attackers/README": {"": [f"attackers/{name}" for name in ATTACKERS]},
    "protection/README": {"": [f"protection/{name}" for name in METHODS]},
    "losses/README": {"": ["losses/*"]},
    "decisions/README": {"": ["decisions/*"]},
    f"{FOLDER}/index": {"": [f"{FOLDER}/{name}" for name in packages()]},
}
"""Below each page the lists of those that belong to it, by their headings; ``*`` stands for all that were not named."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Give pages their lists as they are read."""
    app.connect("source-read", _add_lists)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _add_lists(app: Sphinx, docname: str, source: list[str]) -> None:
    del app
    for caption, pages in PARTS.get(docname, {}).items():
        entries = "\n".join(f"/{page}" for page in pages)
        source[0] += _LIST.format(caption=f":caption: {caption}\n" if caption else "", entries=entries)
