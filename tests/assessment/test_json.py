"""The JSON of an assessment: what it must hold, and what it must not."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.attack.options import DEFAULT_ATTACKERS
from tests.assessment.samples import numeric_frames
from tests.cli.command import linkrisk_command


def load(path: Path) -> dict[str, Any]:
    """Read a result."""
    contents: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return contents


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Two files on disk."""
    original, protected = numeric_frames()
    original.to_csv(tmp_path / "original.csv", index=False)
    protected.to_csv(tmp_path / "protected.csv", index=False)
    return tmp_path / "original.csv", tmp_path / "protected.csv"


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["unique", "class", "expected"])
def test_keys_of_the_promised_format(files: tuple[Path, Path], tmp_path: Path, ties: str) -> None:
    """One entry per attacker and scale, with its links under the tie rule asked for."""
    original, protected = files
    json_file = tmp_path / "result.json"
    linkrisk_command("assess", original, protected, "--ties", ties, "--json", json_file).check_success()
    contents = load(json_file)
    assert contents["schema"] == 2
    assert (contents["n_original"], contents["n_protected"]) == (60, 60)
    assert contents["attributes"] == ["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX"]
    expected = linkrisk.assess(original, protected, ties=ties)
    names = [name for name in DEFAULT_ATTACKERS if name != "informed"]
    wanted = [(name, scale) for scale in ("separate", "original", "ranks") for name in names]
    wanted.append(("informed", "values"))
    assert [(entry["name"], entry["scale"]) for entry in contents["attackers"]] == wanted
    for entry, attack in zip(contents["attackers"], expected.attacks, strict=True):
        assert entry["ties"] == ties
        assert entry["links"] == attack.links[expected.ties]
        assert entry["rate"] == entry["found"] / 60
        is_learned = entry["name"] == "weighted_mean"
        assert (entry["bound"] is not None) == is_learned
        assert entry["status"] == ("optimal" if is_learned else "evaluated")
        assert entry["seconds"] >= 0
        assert isinstance(entry["parameters"], dict)
        assert entry["links"] == entry["links_by_ties"][ties]
        assert (entry["interval"] is None) == entry["has_true_pairs"]
        fitted = {"distance_standardised", "mahalanobis", "weighted_mean"}
        assert entry["has_true_pairs"] == (entry["name"] in fitted)


def test_provenance(files: tuple[Path, Path]) -> None:
    """A result carries version, seed, resolved settings and the hashes of both files."""
    original, protected = files
    contents = linkrisk.assess(original, protected, attackers=["mean"], seed=7).to_dict()
    assert contents["version"] == linkrisk.__version__
    assert contents["seed"] == 7
    assert contents["settings"]["scales"] == ["separate", "original", "ranks"]
    assert contents["settings"]["attributes"]["AGI"]["kind"] == "numeric"
    for side, path in (("original", original), ("protected", protected)):
        assert contents["files"][side]["name"] == path.name
        assert contents["files"][side]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_result_files_are_confidential(files: tuple[Path, Path], tmp_path: Path) -> None:
    """They say so in their first line and are for their owner alone; no absolute path is in them."""
    json_file, records = tmp_path / "result.json", tmp_path / "records.csv"
    options = ("--attackers", "mean", "--json", json_file, "--records", records)
    linkrisk_command("assess", *files, *options).check_success()
    for path in (json_file, records):
        assert "CONFIDENTIAL" in path.read_text(encoding="utf-8").splitlines()[0]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert str(tmp_path) not in path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_nothing_about_a_single_record(tmp_path: Path) -> None:
    """No id, no label and no number of a record, and no list as long as the file."""
    original, protected = numeric_frames(97)
    ids = [f"zebra{number}" for number in range(97)]
    for frame in (original, protected):
        frame.insert(0, "who", ids)
    scenario = linkrisk.Scenario("listed", people=ids[:53])
    assessment = linkrisk.assess(original, protected, id="who", scenarios=[scenario], one_to_one=True, own_ranks=True)
    assessment.write(json=tmp_path / "result.json")
    text = (tmp_path / "result.json").read_text(encoding="utf-8")
    assert "zebra" not in text
    assert not {97, 53} & set(lengths(json.loads(text)))
    assert str(tmp_path) not in text


def lengths(value: Any) -> list[int]:
    """Lengths of all lists and tables in a JSON value."""
    if isinstance(value, dict):
        return [len(value), *(n for entry in value.values() for n in lengths(entry))]
    if isinstance(value, list):
        return [len(value), *(n for entry in value for n in lengths(entry))]
    return []


def test_strict_json(files: tuple[Path, Path], tmp_path: Path) -> None:
    """No NaN or infinity, which JSON does not have, and text beyond ASCII stays readable."""
    frame = pd.read_csv(files[0]).rename(columns={"AGI": "größe"})

    def refuse(name: str) -> None:
        raise AssertionError(name)

    linkrisk.assess(frame, frame).write(json=tmp_path / "result.json")
    text = (tmp_path / "result.json").read_text(encoding="utf-8")
    assert json.loads(text, parse_constant=refuse)["attributes"][1] == "größe"
    assert "größe" in text


def test_attributes_with_commas_in_their_names() -> None:
    """Subsets of "a", "b" and "a,b" are told apart, and the measure can be given back as it stands."""
    random = np.random.default_rng(2)
    original = pd.DataFrame(random.normal(size=(30, 3)), columns=["a", "b", "a,b"])
    protected = original + random.normal(size=(30, 3)) * [0.1, 0.5, 0.9]
    learned = linkrisk.assess(original, protected, attackers=["choquet"], scales=["ranks"])
    entry = learned.to_dict()["attackers"][0]
    measure = entry["parameters"]["measure"]
    assert list(measure) == ["a", "b", "a,b", '"a,b"', 'a,"a,b"', 'b,"a,b"', 'a,b,"a,b"']
    given = linkrisk.assess(original, protected, attackers=[{"name": "choquet", "measure": measure}], scales=["ranks"])
    assert given.attacks[0].links == learned.attacks[0].links
