"""Learning from the command line: certificates that hold, and one changed digit that does not."""

from __future__ import annotations

import gzip
import json
import re
import stat
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from linkrisk.verifier import certificate_digest
from tests.cli.command import linkrisk_command

ATTACKERS = ("weighted_mean", "choquet", "bilinear_psd", "bilinear_free")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files, and the certificates of an assessment of them."""
    folder = tmp_path_factory.mktemp("learning")
    random = np.random.default_rng(1)
    original = pd.DataFrame(random.normal(size=(40, 3)).round(2), columns=["a", "b", "c"])
    protected = (original + random.normal(size=(40, 3)) * [0.1, 0.6, 0.9]).round(2)
    original.to_csv(folder / "original.csv", index=False)
    protected.to_csv(folder / "protected.csv", index=False)
    run = linkrisk_command(
        "assess",
        folder / "original.csv",
        folder / "protected.csv",
        "--attackers",
        ",".join(ATTACKERS),
        "--scales",
        "separate",
        "--time-limit",
        "30",
        "--holdout",
        "0.5",
        "--repeats",
        "2",
        "--certificates",
        folder / "certificates",
        "--json",
        folder / "result.json",
    )
    assert run.code == 0, run.errors
    return folder


@pytest.mark.slow
def test_result(folder: Path) -> None:
    """The JSON gives links, rate, bound, status, parameters by name and the held-out rate of each attacker."""
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    for attack in result["attackers"]:
        assert attack["status"] == "optimal"
        assert attack["links"] == attack["bound"] <= 40
        assert attack["rate"] == attack["links"] / 40
        assert len(attack["holdout"]["testing_rates"]) == 2
        assert attack["has_true_pairs"]
    weights = result["attackers"][0]["parameters"]["weights"]
    assert list(weights) == ["a", "b", "c"]
    assert max(weights, key=weights.__getitem__) == "a"


@pytest.mark.parametrize("attacker", ATTACKERS)
def test_certificates_hold(folder: Path, attacker: str) -> None:
    """Each is accepted for its files, is its owner's alone, and is rejected with one digit changed or other files."""
    path = folder / "certificates" / f"{attacker}.separate.certificate.json.gz"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    original, protected = folder / "original.csv", folder / "protected.csv"
    accepted = linkrisk_command("verify", path, original, protected)
    assert accepted.code == 0, accepted.output
    assert "valid" in accepted.output
    contents = json.loads(gzip.decompress(path.read_bytes()))
    contents["bound"] += 1
    changed = folder / f"{attacker}.changed.json.gz"
    changed.write_bytes(gzip.compress(json.dumps(contents).encode()))
    assert linkrisk_command("verify", changed, original, protected).code == 1
    swapped = linkrisk_command("verify", path, protected, original)
    assert swapped.code == 1
    assert "REJECTED" in swapped.output


def test_certificates_are_not_replaced_unasked(folder: Path) -> None:
    """A second run into the same folder is refused before any work."""
    run = linkrisk_command(
        "assess",
        folder / "original.csv",
        folder / "protected.csv",
        "--attackers",
        "weighted_mean",
        "--scales",
        "separate",
        "--certificates",
        folder / "certificates",
    )
    assert run.code == 2
    assert "exists already" in run.errors


def test_a_damaged_reading_is_rejected(folder: Path) -> None:
    """A certificate that says nothing usable about how files are read is rejected, without a traceback."""
    path = folder / "certificates" / "choquet.separate.certificate.json.gz"
    contents = json.loads(gzip.decompress(path.read_bytes()))
    contents["reading"]["schema"] = 5
    contents["digest"] = certificate_digest(contents)
    changed = folder / "damaged.json.gz"
    changed.write_bytes(gzip.compress(json.dumps(contents).encode()))
    run = linkrisk_command("verify", changed, folder / "original.csv", folder / "protected.csv")
    assert run.code == 1
    assert "has a schema that is not a JSON object" in run.output
    assert "Traceback" not in run.errors


def test_what_is_no_certificate(folder: Path) -> None:
    """Another file gets one sentence."""
    run = linkrisk_command("verify", folder / "original.csv", folder / "original.csv", folder / "protected.csv")
    assert run.code == 2
    assert "Traceback" not in run.errors
    assert "original.csv" in run.errors


def test_scenarios_show_the_bound(folder: Path) -> None:
    """A learned attacker in a scenario is shown with what is proven of him; the JSON document tells the status."""
    files = folder / "original.csv", folder / "protected.csv"
    run = linkrisk_command("assess", *files, "--attackers", "owa", "--scales", "ranks", "--scenario", "two=a,b")
    assert run.code == 0, run.errors
    table = run.output[run.output.index("Scenarios:") :]
    bound = re.search(r"^two +a, b +owa, ranks +\d+ +[\d.]+ +[\d.]+% +([\d.]+)$", table, re.MULTILINE)
    assert bound
    assert float(bound[1]) > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("which", ["original", "protected"])
def test_a_copy_saved_again_is_told(folder: Path, tmp_path: Path, which: str) -> None:
    """Other line ends are other bytes: the verdict says so, and that the values are the same."""
    files = {name: folder / f"{name}.csv" for name in ("original", "protected")}
    copy = tmp_path / "copy.csv"
    copy.write_bytes(files[which].read_bytes().replace(b"\n", b"\r\n"))
    path = folder / "certificates" / "weighted_mean.separate.certificate.json.gz"
    run = linkrisk_command("verify", path, *(files | {which: copy}).values())
    assert run.code == 1
    assert f"but the bytes of the {which} file are not: give the file it was made with" in run.output


def test_pairs_that_were_not_given_are_refused(folder: Path) -> None:
    """A list of pairs has no say where the certificate was made without one."""
    (folder / "pairs.csv").write_text("o,p\n1,1\n2,2\n", encoding="utf-8")
    path = folder / "certificates" / "weighted_mean.separate.certificate.json.gz"
    files = folder / "original.csv", folder / "protected.csv"
    run = linkrisk_command("verify", path, *files, "--pairs", folder / "pairs.csv")
    assert run.code == 2
    assert "no file of pairs was given when the certificate was made; leave out pairs (--pairs)" in run.errors
