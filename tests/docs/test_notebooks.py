"""The notebooks run from top to bottom, and are kept without what a run leaves in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from docs.extensions.offline import loaded_from_elsewhere
from tests.documents import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def read(path: Path) -> Any:
    """Return a notebook, in the format of today."""
    return nbformat.read(path, 4)  # type: ignore[no-untyped-call]  # it has no types


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_not_kept(path: Path) -> None:
    """They change from run to run; the site makes them."""
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert [cell for cell in cells if cell.outputs or cell.execution_count] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell shows something, charts as pictures, and none warns."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = read(path)
    NotebookClient(
        notebook, kernel_name="python3", timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output for output in outputs if output.output_type != "display_data" or output.data["text/plain"]]
    assert {output.output_type for output in shown} == {"execute_result"}  # of progress nothing is left
    assert sum("image/svg+xml" in output.data for output in outputs) >= 4
    assert [loaded_from_elsewhere(output.data.get("text/html", "")) for output in shown] == [[]] * len(shown)
