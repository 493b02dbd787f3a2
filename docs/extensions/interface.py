"""A page for each package with public names, from their docstrings; that none is left out is checked."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import linkrisk
from docs.extensions.written import write_if_changed

FOLDER = "api"
"""Where the pages are written, below docs/; git ignores it."""

_WITHOUT_LIST = ("linkrisk.errors", "linkrisk.result")
"""Modules in which every class is a public name."""

_INDEX = """# Public names

What Python programs may use. Each package has a page; a name that is not on one of them may change without notice.
The commands are functions of `linkrisk` itself; what they return is told in `linkrisk.result`.
"""

_PAGE = """# {package}

```{{eval-rst}}
.. automodule:: {package}
   :members:
   :show-inheritance:
   :exclude-members: {elsewhere}
{constants}
```
"""

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them, and look in the end whether all names are there."""
    app.connect("builder-inited", _write_pages)
    app.connect("autodoc-process-bases", _leave_out_object)
    app.connect("env-check-consistency", _check_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


@cache
def packages() -> tuple[str, ...]:
    """Return linkrisk and the packages in it that have public names, the errors, and what all results offer."""
    found = [module.name for module in pkgutil.walk_packages(linkrisk.__path__, "linkrisk.") if module.ispkg]
    public = [name for name in found if getattr(importlib.import_module(name), "__all__", ())]
    return ("linkrisk", *sorted({*public, *_WITHOUT_LIST}))


def public_names(package: str) -> list[str]:
    """Return the public names of a package, in the order in which it has them."""
    module = importlib.import_module(package)
    if package in _WITHOUT_LIST:
        classes = [name for name, value in vars(module).items() if inspect.isclass(value)]
        return [name for name in classes if getattr(module, name).__module__ == package]
    return [name for name in module.__all__ if name != "__version__" and not inspect.ismodule(getattr(module, name))]


@cache
def homes() -> dict[str, str]:
    """Return, for every name a public object is called by, that under which it is documented.

    Several packages may offer an object; its home is the one that it comes from.

    >>> homes()["linkrisk.Assessment"], homes()["linkrisk.attackers.mean.Mean"]
    ('linkrisk.assessment.Assessment', 'linkrisk.attackers.Mean')
    """
    found = {}
    for package in packages():
        for name in public_names(package):
            value = getattr(importlib.import_module(package), name)
            home = package if is_constant(value) else _home(package, name, value)
            found[f"{package}.{name}"] = f"{home}.{name}"
            if not is_constant(value):
                found[f"{value.__module__}.{value.__qualname__}"] = f"{home}.{name}"
    return found


def is_constant(value: Any) -> bool:
    """Tell a value from what has a docstring of its own."""
    return not (inspect.isclass(value) or inspect.isfunction(value))


def _home(package: str, name: str, value: Any) -> str:
    """Return the innermost package that the object lies in and that offers it, or else the package itself."""
    within = [other for other in packages() if f"{value.__module__}.".startswith(f"{other}.")]
    offering = [other for other in within if name in public_names(other)]
    return max(offering, key=len, default=package)


def page_text(package: str) -> str:
    """Return the page of a package; what has its home elsewhere is named, not told again."""
    module = importlib.import_module(package)
    full = {name: homes()[f"{package}.{name}"] for name in public_names(package)}
    elsewhere = [name for name in full if full[name] != f"{package}.{name}"]
    constants = [f"\n.. autodata:: {full[name]}" for name in full if is_constant(getattr(module, name))]
    text = _PAGE.format(package=package, elsewhere=", ".join(elsewhere), constants="\n".join(constants))
    if elsewhere:
        text += "\nAlso here: " + ", ".join(f"`{full[name]}`" for name in elsewhere) + ".\n"
    return text


def _write_pages(app: Sphinx) -> None:
    folder = Path(app.srcdir) / FOLDER
    write_if_changed(folder / "index.md", _INDEX)
    for package in packages():
        write_if_changed(folder / f"{package}.md", page_text(package))


def _leave_out_object(app: Sphinx, name: str, value: Any, options: Any, bases: list[type]) -> None:
    """Leave out the base that every class has."""
    del app, name, value, options
    bases[:] = [base for base in bases if base is not object]


def _check_names(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each public name that is on no page."""
    del app
    for name in sorted(set(homes().values()) - set(env.domains.python_domain.objects)):
        logger.warning("%s is public, and on no page; has it a docstring?", name)
