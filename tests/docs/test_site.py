"""The site says what is wrong with its pages, and shows every public name; tried on pages made here."""

from __future__ import annotations

import importlib
import inspect
import io
import re
from pathlib import Path, PurePosixPath

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from docs.extensions.docstrings import turned
from docs.extensions.interface import homes, packages, page_text, public_names
from docs.extensions.outside import moved
from tests.test_public_names import PUBLIC_NAMES

OTHERS = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
"""What Sphinx will change is for the packages to heed that use it so."""

CONFIGURATION = """
extensions = ["myst_nb", "docs.extensions.anchors", "docs.extensions.mathematics", "docs.extensions.names",
    "docs.extensions.offline"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
nitpicky = True
html_theme = "basic"
"""


NOWHERE = (
    "target not found: 'there'",
    "local id not found in doc 'index': 'here'",
    "target not found: 'other.md'",
    "linkrisk has no linkrisk.losses.pill",
    "loads something from the network",
)
"""What is said of links and names that lead nowhere, and of what is far away."""

FAR = '<img src="https://example.org/a.png">'


def built(folder: Path, text: str) -> tuple[str, list[str]]:
    """Return a page as the site shows it, and the warnings."""
    (folder / "conf.py").write_text(CONFIGURATION)
    (folder / "index.md").write_text(text)
    warnings = io.StringIO()
    with patch_docutils(folder), docutils_namespace():
        app = Sphinx(folder, folder, folder / "html", folder / "html", "html", status=None, warning=warnings)
        app.build()
    told = re.sub(r"\x1b\[\d*(;\d+)*m", "", warnings.getvalue())
    return (folder / "html" / "index.html").read_text(encoding="utf-8"), told.splitlines()


@pytest.mark.slow
@OTHERS
def test_what_is_right_is_shown_without_a_warning(tmp_path: Path) -> None:
    """Anchors as a code host has them, formulas without a script, names that exist."""
    links, heading = "[a](#here) [b](index.md#here)", '## Part <a id="here"></a>'
    page, warnings = built(tmp_path, f"# Title\n\n{links}\n\n{heading}\n\n$x^2$, `linkrisk.losses.pil.LEVELS`\n")
    assert warnings == []
    assert page.count('href="#here"') == 2
    assert 'id="here"' in page
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in page
    assert re.search("<script[^>]*mathjax", page, re.IGNORECASE) is None


@pytest.mark.slow
@OTHERS
def test_what_leads_nowhere_is_told(tmp_path: Path) -> None:
    """A link within a page, into a page, to a page, a name, and a picture in the network: each by one warning."""
    _, warnings = built(
        tmp_path, f"# Title\n\n[a](#there) [b](index.md#here) [c](other.md) `linkrisk.losses.pill`\n\n{FAR}\n"
    )
    assert len(warnings) == len(NOWHERE)
    for what in NOWHERE:
        assert any(what in line for line in warnings), what


def test_every_public_name_is_on_a_page() -> None:
    """On that of its home, among the members or by name; the page of another package that offers it says where."""
    assert {*PUBLIC_NAMES} <= {*packages()}
    for package in PUBLIC_NAMES:
        names = {f"{package}.{name}" for name in public_names(package)}
        told_elsewhere = {name for name in names if homes()[name] != name}
        text = page_text(package)
        assert all(f"`{homes()[name]}`" in text for name in told_elsewhere)
        assert {homes()[homes()[name]] for name in names} == {homes()[name] for name in names}
        assert f".. automodule:: {package}\n   :members:" in text


def test_public_names_are_those_of_the_packages() -> None:
    """All of them, without modules and the version."""
    for package, names in PUBLIC_NAMES.items():
        module = importlib.import_module(package)
        assert {name for name in names if name not in public_names(package)} == {
            name for name in names if name == "__version__" or inspect.ismodule(getattr(module, name))
        }


def test_links_are_turned_outside_of_examples() -> None:
    """What stands in an example is no link."""
    page = PurePosixPath("README.md")
    text = "[a](docs/trust.md)\n\n```console\n[a](docs/trust.md)\n```\n[b](CHANGELOG.md) [c](https://example.org)\n"
    assert moved(text, page, PurePosixPath("docs/project/readme.md")) == (
        "[a](../trust.md)\n\n```console\n[a](docs/trust.md)\n```\n[b](changelog.md) [c](https://example.org)\n"
    )


def test_docstrings_keep_code_and_examples() -> None:
    """Only running text has signs that mean something else."""
    lines = ["|x| of links_ and `|x|`, ``links_``::", "", "    |x|", "", ">>> links_", "|y|"]
    assert turned(lines) == [r"\|x\| of links\_ and `|x|`, ``links_``::", "", "    |x|", "", ">>> links_", r"\|y\|"]
