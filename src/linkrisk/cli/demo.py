"""The demo: a generated file, protected by microaggregation and noise, ready to be assessed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from linkrisk.cli.assess import carry_out
from linkrisk.errors import InputError


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the files of the demo.")] = Path("demo-output"),
    n_records: Annotated[int, typer.Option("--records", min=50, max=100_000, help="Records to generate.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the generated data.")] = 1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the files of an earlier demo.")] = False,
) -> None:
    """Generate a file, protect it, assess it, and write everything to a folder; a demo that fails leaves nothing."""
    from linkrisk.assessment.demo import make_demo  # noqa: PLC0415
    from linkrisk.assessment.file import load_assessment_file  # noqa: PLC0415

    with _nothing_left(out):
        make_demo(out, n_records, seed, overwrite=overwrite)
        settings = load_assessment_file(out / "assessment.toml")
        carry_out(settings)


@contextmanager
def _nothing_left(folder: Path) -> Iterator[None]:
    """Within, what fails, or is interrupted before any result, takes files and folders along that were not there."""
    from linkrisk.assessment.demo import files_of_demo  # noqa: PLC0415

    before = {path for path in files_of_demo(folder) if _is_there(path)}
    try:
        yield
    except (InputError, KeyboardInterrupt):
        for path in [path for path in files_of_demo(folder) if path not in before and _is_there(path)]:
            with contextlib.suppress(OSError):  # a folder that somebody else uses stays
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        raise


def _is_there(path: Path) -> bool:
    try:
        return path.is_symlink() or path.exists()
    except (OSError, ValueError):
        return False
