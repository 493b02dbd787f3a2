"""Anchors that pages write as ``<a id="name"></a>``, as a code host needs them: links to them work, and are checked."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

_ANCHOR = re.compile(r'<a id="([^"]+)">(</a>)?\s*')


def setup(app: Sphinx) -> dict[str, Any]:
    """Look for anchors in every page that is read."""
    app.add_transform(Anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Anchors(SphinxTransform):
    """Makes each anchor a target that MyST knows beside those of headings."""

    default_priority = 690  # once ids are given, before MyST follows links within a page

    def apply(self, **kwargs: Any) -> None:
        """Put a target in place of the HTML."""
        del kwargs
        for node in list(self.document.findall(nodes.raw)):
            found = _ANCHOR.fullmatch(node.astext())
            if found:
                self._make_target(node, found[1])

    def _make_target(self, node: nodes.raw, name: str) -> None:
        following = node.next_node(descend=False, siblings=True)
        if isinstance(following, nodes.raw) and following.astext() == "</a>":
            following.parent.remove(following)
        target = nodes.target(ids=[name])
        node.replace_self(target)
        self.document.ids[name] = target
        self.document.myst_slugs[name] = (node.line or 0, name, name)  # type: ignore[attr-defined]  # as MyST keeps them
