"""The process that runs the notebook says nothing of its own: its connection on this machine is no fault of a page."""

from __future__ import annotations

import os
from pathlib import Path

from sphinx.application import Sphinx

SETTINGS = 'c.IPKernelApp.log_level = "ERROR"\n'


def setup(app: Sphinx) -> dict[str, bool]:
    """Give that process a folder of its own, with its settings."""
    folder = Path(app.outdir).parent / "ipython"
    profile = folder / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(SETTINGS, encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(folder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
