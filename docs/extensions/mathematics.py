"""Formulas as MathML, which browsers show by themselves: no script, no picture, no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

RENDERER = "mathml"


def setup(app: Sphinx) -> dict[str, Any]:
    """Make it the way in which HTML shows formulas."""
    app.add_html_math_renderer(RENDERER, (_inline, None), (_block, None))
    app.config.html_math_renderer = RENDERER
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_written(node, "inline"))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="formula">{_written(node, "block")}</div>\n')
    raise nodes.SkipNode


def _written(node: nodes.math | nodes.math_block, display: str) -> str:
    return convert(node.astext(), display=display)
