"""How the site is built from these pages: ``make docs``. Nothing in it comes from the network."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]
os.environ["PYTHONPATH"] = str(ROOT / "src")  # for the process in which the notebook runs

from linkrisk.version import __version__  # noqa: E402  (found only now)

project = "linkrisk"
author = project_copyright = "The linkrisk developers"
version = release = __version__

root_doc = "index"
exclude_patterns = ["_build", "extensions", "static"]
nitpicky = True
smartquotes = False  # a prime is no quotation mark
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "docs.extensions.anchors",
    "docs.extensions.docstrings",
    "docs.extensions.interface",
    "docs.extensions.kernel",
    "docs.extensions.mathematics",
    "docs.extensions.names",
    "docs.extensions.navigation",
    "docs.extensions.offline",
    "docs.extensions.outside",
]

# Pages are Markdown that a code host shows as well: anchors and mathematics as there, no directives.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

nb_execution_mode = "auto"  # the notebook is kept without outputs
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_ipywidgets_js: dict[str, str] = {}  # they would come from the network

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
autodoc_default_options = {"no-value": True}

html_theme = "furo"
html_title = f"linkrisk {__version__}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
