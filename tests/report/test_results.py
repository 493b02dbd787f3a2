"""What every result offers, whichever it is."""

from __future__ import annotations

import dataclasses
import importlib
import io
import json
import pkgutil
import re
import stat
from pathlib import Path
from typing import Any

import narwhals as nw
import pytest
from rich.console import Console

import linkrisk
from linkrisk import report
from linkrisk.errors import FileError
from linkrisk.linkage.ties import Ties
from linkrisk.report.tables import Table
from linkrisk.result import ReportedResult, Result, make_frame
from linkrisk.tables import MatchReport
from tests.report.samples import KINDS, MAKERS, OF_STORES, PLANTED, SCRIPT, people, released, sample

NAMES = sorted(MAKERS)

N_ROWS = {
    "Assessment": 1,  # one attack
    "MatchReport": 1,  # one table
    "PaperComparison": 90,  # the printed figures, and those of three populations
    "Protection": 2,  # two attributes
    "Releases": 2,  # two releases
    "StudyResult": 2,  # two attackers
    "StudyRun": 1,
    "Verification": 1,
}

WRITTEN: dict[str, dict[str, bool]] = {
    "Assessment": {"json": True, "records": True},
    "Loss": {"json": False},
    "MatchReport": {"json": False, "matches": True},
    "PaperComparison": {"json": False},
    "Protection": {"out": False, "record": False, "secret": True},
    "Releases": {"json": False},
    "StudyResult": {"json": False},
    "Tuning": {"json": False},
    "Verification": {"json": False},
}
"""What the ``write`` of each class writes, and whether it is confidential."""


def test_the_list_is_complete() -> None:
    """Every class that derives from `Result` has a renderer, and is tried here."""
    for module in pkgutil.walk_packages(linkrisk.__path__, "linkrisk."):
        importlib.import_module(module.name)
    bases = (Result, ReportedResult)
    found = {kind.__name__ for base in bases for kind in base.__subclasses__() if kind not in bases}
    assert found == set(MAKERS) == set(report._MODULES)


def test_a_result_without_renderer_says_so() -> None:
    """A new class that was forgotten in the list is told by name."""

    class Forgotten(Result):
        pass

    with pytest.raises(TypeError, match="Forgotten has no renderer"):
        str(Forgotten())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_frozen(name: str) -> None:
    """No field can be set."""
    result: Any = sample(name)
    field = dataclasses.fields(result)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, field, None)


@pytest.mark.parametrize("name", NAMES)
def test_printed_and_shown_on_a_terminal(name: str) -> None:
    """Text and terminal show the same blocks: every cell of every table is in both."""
    result = sample(name)
    output = io.StringIO()
    report.show(result, Console(file=output, width=1000))
    text, terminal = str(result), output.getvalue()
    assert text
    for block in report._module(result).blocks(result):
        words = [cell for row in block.rows for cell in row] if isinstance(block, Table) else []
        for word in words:
            assert word in text
            assert word in terminal


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_what_a_notebook_keeps(name: str, kind: str) -> None:
    """HTML and repr hold nothing of a record; a browser runs nothing of them and fetches nothing."""
    result = sample(name, kind)
    html = result._repr_html_()
    for planted in PLANTED:
        assert planted not in html + repr(result)
    assert "<script" not in html
    assert not re.search(r'src=|href=|url\((?!#)|http(?!://www\.w3\.org/2000/svg")', html)
    if name not in {"Verification", "Releases"} | OF_STORES:  # these name no column
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_matches_are_listed_for_print_alone() -> None:
    """Rows of records are for the user's eyes, not for a notebook that is passed on."""
    result = sample("MatchReport")
    assert "the most probable first" in str(result)
    assert "the most probable first" not in repr(result) + result._repr_html_()
    assert "not shown here" in result._repr_html_()


@pytest.mark.parametrize("name", NAMES)
def test_to_dict(name: str) -> None:
    """Plain values that JSON has, and nothing of a record."""
    contents = sample(name).to_dict()
    assert list(contents)[:3] == ["confidential", "schema", "version"] or list(contents)[:2] == ["schema", "version"]
    assert (contents["schema"], contents["version"]) == (report.SCHEMA, linkrisk.__version__)
    assert ("notes" in contents) == hasattr(sample(name), "notes")
    assert all(note.endswith(".") for note in contents.get("notes", ()))
    text = json.dumps(contents, allow_nan=False)
    assert json.loads(text) == contents
    for planted in PLANTED:
        assert planted not in text


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"Verification"} - OF_STORES))
def test_notes_end_in_a_full_stop(name: str) -> None:
    """In the report and in the JSON document, however they were written."""
    made: Any = sample(name)
    result = dataclasses.replace(made, notes=("one is left out", "another is constant."))
    assert result.to_dict()["notes"] == ["one is left out.", "another is constant."]
    assert "note: one is left out.\nnote: another is constant." in str(result)


@pytest.mark.parametrize(
    ("name", "kind"), [(n, k) for n in NAMES for k in KINDS if k == "pandas" or n not in OF_STORES]
)
def test_to_frame(name: str, kind: str) -> None:
    """The caller's own kind of frame, with the rows the class promises and nothing of a record."""
    result = sample(name, kind)
    frame = nw.from_native(result.to_frame(), eager_only=True)
    assert frame.implementation.value == kind == result.frame_kind
    assert frame.shape[0] == N_ROWS.get(name, frame.shape[0])
    assert frame.shape[0] > 0
    for planted in PLANTED:
        assert planted not in str(frame.rows())


@pytest.mark.parametrize("kind", KINDS)
def test_single_records_as_frames(kind: str) -> None:
    """One row per record, and per match; confidential, and asked for by name."""
    assessment, matches = sample("Assessment", kind), sample("MatchReport", kind)
    assert isinstance(assessment, linkrisk.Assessment)
    assert isinstance(matches, MatchReport)
    for frame, n_rows in ((assessment.records.to_frame(), 40), (matches.matches.to_frame(), matches.n_matches)):
        known = nw.from_native(frame, eager_only=True)
        assert (known.implementation.value, known.shape[0]) == (kind, n_rows)


def test_frames_of_paths_and_arrays_are_pandas(tmp_path: Path) -> None:
    """Who gave no frame gets one of pandas."""
    original, protected = (frame[[SCRIPT, "income"]] for frame in (people(), released(people())))
    original.to_csv(tmp_path / "o.csv", index=False)
    protected.to_csv(tmp_path / "p.csv", index=False)
    of_files = linkrisk.loss(tmp_path / "o.csv", tmp_path / "p.csv")
    of_arrays = linkrisk.loss(original.to_numpy(), protected.to_numpy())
    assert of_files.frame_kind == of_arrays.frame_kind == "pandas"
    assert of_files.to_frame()["value"].equals(of_arrays.to_frame()["value"])


def test_figures_of_an_assessment() -> None:
    """The frame holds what the attacks hold."""
    result = sample("Assessment")
    assert isinstance(result, linkrisk.Assessment)
    (row,) = result.to_frame().to_dict("records")
    attack = result.attacks[0]
    assert (row["attacker"], row["scale"], row["n_pairs"]) == (attack.label, attack.scale, attack.n_pairs)
    assert row["links_unique"] == attack.links[Ties.UNIQUE]
    assert row["rate"] == attack.rate(result.ties)
    assert (row["interval_low"], row["interval_high"]) == attack.interval


def test_figures_of_a_loss() -> None:
    """Whole files and single attributes, each figure once."""
    frame = sample("Loss").to_frame()
    assert not frame.duplicated(["part", "figure", "attribute"]).any()
    whole = frame[frame["attribute"].isna()].set_index(["part", "figure"])["value"]
    assert whole["probabilistic", "pil"] == sample("Loss").to_dict()["probabilistic"]["pil"]
    assert "is_converged" not in set(frame["figure"])
    assert set(frame[frame["part"] == "value_changes"]["attribute"].dropna()) == {SCRIPT, "income"}


@pytest.mark.parametrize("kind", KINDS)
def test_columns_without_values_are_numbers(kind: str) -> None:
    """A bound that no attack has does not change the type of its column."""
    frame = nw.from_native(make_frame({"a": ["x", "y"], "bound": [None, None]}, kind), eager_only=True)
    assert frame.schema["bound"] == nw.Float64


@pytest.mark.parametrize(("name", "file"), [(name, file) for name, files in WRITTEN.items() for file in files])
def test_write(name: str, file: str, tmp_path: Path) -> None:
    """No file is replaced unless that is allowed; confidential files say so first and are for their owner only."""
    result: Any = sample(name)
    path = tmp_path / f"result.{'json' if file in {'json', 'record'} else 'csv'}"
    files = {file: path} | ({"out": tmp_path / "release.csv"} if file in {"record", "secret"} else {})
    result.write(**files)
    before = path.read_text(encoding="utf-8")
    is_confidential = WRITTEN[name][file]
    assert ("CONFIDENTIAL" in before.splitlines()[0]) == is_confidential
    assert (stat.S_IMODE(path.stat().st_mode) == 0o600) == is_confidential
    if file == "json":
        assert json.loads(before) == result.to_dict()
    if file == "record":
        assert json.loads(before) == result.to_dict() | {
            "original": None,
            "protected": "release.csv",
        }
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileError, match="exists already"):
        result.write(**files)
    assert path.read_text(encoding="utf-8") == "mine"
    result.write(**files, overwrite=True)
    assert path.read_text(encoding="utf-8") == before


def test_all_files_or_none(tmp_path: Path) -> None:
    """One that cannot be written stops the others before they are."""
    result: Any = sample("Assessment")
    with pytest.raises(FileError):
        result.write(json=tmp_path / "a.json", records=tmp_path / "missing" / "b.csv")
    assert not (tmp_path / "a.json").exists()
