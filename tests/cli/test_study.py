"""The commands of ``study``: run, show, export, papers; mistakes are told in sentences, before any work."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pandas as pd
import pytest

from linkrisk.study.papers import EXPERIMENTS
from linkrisk.study.papers.census import VARIABLE
from tests.cli.command import linkrisk_command
from tests.study.studies import N_CELLS, SMALL_TOML


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the small study as a file, in a folder of its own that is the working one."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.toml"
    path.write_text(SMALL_TOML, encoding="utf-8")
    return path


def test_run_show_export(small: Path) -> None:
    """A store beside the specification, for its owner alone; shown as means; written as a table."""
    done = linkrisk_command("study", "run", small, "--workers", "1")
    done.check_success()
    assert f"Study small: {N_CELLS} of {N_CELLS} cells" in done.output
    store = small.with_suffix(".study")
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    again = linkrisk_command("study", "run", small, "--workers", "1")
    assert f"{N_CELLS} were done before" in again.output
    shown = linkrisk_command("study", "show", store, "--json", "means.json")
    shown.check_success()
    assert "links: share of people linked" in shown.output
    groups = json.loads(Path("means.json").read_text(encoding="utf-8"))["groups"]
    assert len(groups) == N_CELLS // 2
    linkrisk_command("study", "export", store, "cells.csv").check_success()
    assert len(pd.read_csv("cells.csv", comment="#")) == N_CELLS
    linkrisk_command("study", "export", store, "cells.csv").check_mistake("cells.csv", "--overwrite")


def test_all_mistakes_of_a_specification_are_lines(small: Path) -> None:
    """Each a sentence; no store is made."""
    small.write_text(SMALL_TOML.replace('"mean"', '"meen"').replace("repeats", "repets"), encoding="utf-8")
    told = linkrisk_command("study", "run", small)
    assert told.code == 2
    assert len(told.errors.splitlines()) == 2
    assert "meen" in told.errors
    assert "repets" in told.errors
    assert not small.with_suffix(".study").exists()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (("run", "nobody.toml"), ["nobody.toml does not exist"]),
        (("show", "nobody.study"), ["nobody.study does not exist"]),
        (("show", "small.toml"), ["small.toml", "no store"]),
        (("run", "small.toml", "--engine", "dask", "--scheduler", "tcp://10.1.2.3:8786"), ["10.1.2.3", "TLS"]),
        (("run", "small.toml", "--scheduler", "tcp://127.0.0.1:8786"), ["scheduler", "engine"]),
        (("run", "small.toml", "--engine", "dask", "--tls-ca", "ca.pem"), ["tls_ca", "tls_cert", "tls_key"]),
        (("run", "small.toml", "--store", "small.toml"), ["small.toml"]),
        (("papers", "chocket"), ["chocket", "choose"]),
        (("papers", "choquet"), ["Census", "sdcMicro", "--generated"]),
        (("papers", "choquet", "--census", "nobody.csv"), ["nobody.csv does not exist", "sdcMicro"]),
        (("papers", "all", "--store", "one.study"), ["store"]),
    ],
)
def test_mistakes(small: Path, typed: tuple[str, ...], words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence, and nothing is left behind."""
    monkeypatch.delenv(VARIABLE, raising=False)
    linkrisk_command("study", *typed).check_mistake(*words)
    assert [path.name for path in small.parent.iterdir()] == ["small.toml"]


def test_papers_are_listed() -> None:
    """Without a name."""
    told = linkrisk_command("study", "papers")
    told.check_success()
    assert all(name in told.output for name in EXPERIMENTS)
