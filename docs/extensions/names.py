"""Names of the code lead to what they name: those in docstrings, and in pages those that begin with ``linkrisk.``.

A name that begins so and is not there is a warning.
"""

from __future__ import annotations

import re
from pkgutil import resolve_name
from typing import Any

from docutils import nodes
from docutils.parsers.rst import roles
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

from docs.extensions.interface import homes
from linkrisk.attackers import ATTACKERS
from linkrisk.protection import METHODS

ROLE = "name"
"""What single backticks mean in docstrings."""

_IN_DOCSTRING = "named-in-docstring"
_FULL = re.compile(r"linkrisk(\.\w+)+")

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the role, and look at all code in running text when pages are written."""
    roles.register_local_role(ROLE, _named)  # type: ignore[arg-type]  # the role of docutils has defaults
    app.config.default_role = ROLE
    app.connect("missing-reference", _public)
    app.connect("doctree-resolved", _look)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _named(
    role: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = ()
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Return the code that single backticks of a docstring stand for."""
    del role, lineno, inliner, options, content
    return [nodes.literal(rawtext, text, classes=[_IN_DOCSTRING])], []


def _look(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Look at all code of a page that is not part of a link or a heading."""
    for node in list(page.findall(nodes.literal)):
        if not isinstance(node.parent, nodes.reference | nodes.title):
            place = _place_meant(app.env, node)
            if place is not None:
                node.replace_self(make_refnode(app.builder, docname, *place, node.deepcopy()))


def _place_meant(env: BuildEnvironment, node: nodes.literal) -> tuple[str, str] | None:
    """Return page and anchor of what code names, if it names anything; warn of a full name that nothing has."""
    name = node.astext().removesuffix("()")
    if _FULL.fullmatch(name):
        place = place_of(env, name)
        if place is None and not is_there(name):
            logger.warning("linkrisk has no %s", name, location=node)
        return place
    if _IN_DOCSTRING in node["classes"]:
        return _page_of(env, name) or place_of(env, _by_last_word(name))
    return None


def place_of(env: BuildEnvironment, name: str) -> tuple[str, str] | None:
    """Return page and anchor of a public name, by whatever name it is called; None where it is on no page."""
    domain = env.domains.python_domain
    owner, _, member = name.rpartition(".")
    full = homes().get(name) or (f"{homes()[owner]}.{member}" if owner in homes() else name)
    found = domain.objects.get(full)
    if found is None and name in domain.modules:
        return domain.modules[name].docname, domain.modules[name].node_id
    return None if found is None else (found.docname, found.node_id)


def _page_of(env: BuildEnvironment, name: str) -> tuple[str, str] | None:
    """Return the page of an attacker or a method of protection."""
    page = f"attackers/{name}" if name in ATTACKERS else f"protection/{name}" if name in METHODS else ""
    return (page, "") if page in env.found_docs else None


def _by_last_word(name: str) -> str:
    """Return the full name of the only public object that ends so; the name itself where there is none, or several."""
    found = {full for full in homes().values() if full.endswith(f".{name}")}
    return found.pop() if len(found) == 1 else name


def is_there(name: str) -> bool:
    """Tell whether linkrisk has a module, class, function or member of that name.

    >>> is_there("linkrisk.losses.pil.LEVELS"), is_there("linkrisk.losses.pill")
    (True, False)
    """
    try:
        resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


def _public(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element) -> nodes.Element | None:
    """Lead a type in a signature to its page; one that is on no page, as those of other packages, stays text."""
    if node.get("refdomain") != "py":
        return None
    place = place_of(env, node["reftarget"])
    return content if place is None else make_refnode(app.builder, node["refdoc"], *place, content)
