"""The options of the verbs of studies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypedDict

from linkrisk.options import Choice, File, Flag, Options, Text, Whole, option

ENGINES = ("local", "dask")
"""What does the work: processes of this machine, or a Dask cluster."""


@dataclass(frozen=True, kw_only=True)
class RunOptions(Options):
    """What does the work of a study, and where it is kept."""

    title: ClassVar[str] = "How the work is done"

    store: Path | None = option(
        None, File(), "File that keeps every finished cell, confidential; by default SPEC.study. A study goes on there."
    )
    retry: bool = option(False, Flag(), "Run cells again that have failed before.")
    engine: str = option("local", Choice(ENGINES), "Processes of this machine, or a Dask cluster.")
    workers: int | None = option(None, Whole(1, 4096), "Processes, each with one core; by default one for each core.")
    scheduler: str | None = option(
        None,
        Text("ADDRESS"),
        "dask: a scheduler that runs already, such as tls://host:8786; else a cluster is started.",
    )
    tls_ca: Path | None = option(None, File(), "dask: certificate of who signed the keys of the cluster.")
    tls_cert: Path | None = option(None, File(), "dask: certificate of this process.")
    tls_key: Path | None = option(None, File(), "dask: key of this process.")


class RunKeywords(TypedDict, total=False):
    """The options of `RunOptions`, for type checkers."""

    store: Path | None
    retry: bool
    engine: str
    workers: int | None
    scheduler: str | None
    tls_ca: Path | None
    tls_cert: Path | None
    tls_key: Path | None
