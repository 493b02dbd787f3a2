"""The commands compare and tune: results, files, and mistakes in one sentence."""

from __future__ import annotations

import io
import json
import shlex
import stat
from pathlib import Path

import pandas as pd
import pytest

import linkrisk
from tests.assessment.samples import numeric_frames
from tests.cli.command import linkrisk_command

QUICK = ("--attackers", "mean,weighted_mean", "--scales", "separate")
LOOK = (*QUICK, "--no-confirm")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an original and two protected files."""
    numeric_frames()[0].to_csv(tmp_path / "original.csv", index=False)
    for noise in (0.1, 0.8):
        numeric_frames(noise=noise)[1].to_csv(tmp_path / f"noise{noise}.csv", index=False)
    return tmp_path


def test_compare_prints_a_table_and_a_map(folder: Path) -> None:
    """Both releases with their figures, and the same in JSON."""
    files = [folder / name for name in ("original.csv", "noise0.1.csv", "noise0.8.csv")]
    outcome = linkrisk_command("compare", *files, *QUICK, "--json", folder / "compared.json")
    outcome.check_success()
    assert "Undominated" in outcome.output
    assert "risk %" in outcome.output
    contents = json.loads((folder / "compared.json").read_text())
    assert {release["name"] for release in contents["releases"]} == {"noise0.1.csv", "noise0.8.csv"}
    assert all(release["undominated"] for release in contents["releases"])


def test_compare_is_told_how_releases_were_made(folder: Path) -> None:
    """By the names of the files; who knows the method then attacks by it, whoever else was asked for."""
    original, swapped = folder / "original.csv", folder / "swapped.csv"
    swap = ("--method", "rank_swap", "--p", 30, "--variant", "pairs", "--secret-seed", 1)
    linkrisk_command("protect", original, *swap, "--out", swapped, "--record", folder / "r.json").check_success()
    told = ("compare", original, swapped, "--attackers", "mean", "--scales", "ranks", "--json", folder / "c.json")
    outcome = linkrisk_command(*told, "--published", f"swapped.csv={folder / 'r.json'}")
    outcome.check_success()
    (release,) = json.loads((folder / "c.json").read_text())["releases"]
    assert release["risk"]["attacker"] == "informed"
    assert "nothing is published" not in outcome.output
    assert "nothing is published about the method" in linkrisk_command(*told, "--overwrite").output
    again = (*told, "--overwrite", "--published")
    linkrisk_command(*again, f"other.csv={folder / 'r.json'}").check_mistake("no release 'other.csv'", "swapped.csv")
    linkrisk_command(*again, str(folder / "r.json")).check_mistake("--published", "NAME=VALUE")
    linkrisk_command(
        *told[:-1], folder / "r.json", "--overwrite", "--published", f"swapped.csv={folder / 'r.json'}"
    ).check_mistake("r.json is an input file")


def test_compare_without_links_one_to_one(folder: Path) -> None:
    """They count unless told otherwise."""
    files = (folder / "original.csv", folder / "noise0.8.csv")
    rates = []
    for more in ((), ("--one-to-one",), ("--no-one-to-one",)):
        options = ("--attackers", "mean", "--scales", "separate", "--json", folder / "compared.json", "--overwrite")
        linkrisk_command("compare", *files, *options, *more).check_success()
        (release,) = json.loads((folder / "compared.json").read_text())["releases"]
        rates += [attack["rates_by_ties"]["expected"] for attack in release["risk"]["attacks"][:1]]
    assert rates[0] == rates[1] > rates[2]


def test_compare_matches_columns(folder: Path) -> None:
    """A column that the releases call otherwise is attacked too."""
    original = pd.read_csv(folder / "original.csv").rename(columns={"AGI": "INCOME"})
    original.to_csv(folder / "renamed.csv", index=False)
    files = (folder / "renamed.csv", folder / "noise0.1.csv")
    options = ("--attackers", "mean", "--scales", "separate", "--json", folder / "compared.json")
    linkrisk_command("compare", *files, *options, "--renamed", "INCOME=AGI").check_success()
    assert "INCOME" in json.loads((folder / "compared.json").read_text())["attributes"]
    linkrisk_command("compare", *files, "--renamed", "INCOME").check_mistake("--renamed")


def test_compare_takes_a_list_of_true_pairs(folder: Path) -> None:
    """Shuffled releases, paired by a list, give the figures of those in order; Python takes it too."""
    order = list(range(60))[::-1]
    shuffled = []
    for noise in (0.1, 0.8):
        shuffled.append(folder / f"shuffled{noise}.csv")
        pd.read_csv(folder / f"noise{noise}.csv").iloc[order].to_csv(shuffled[-1], index=False)
    pairs = pd.DataFrame({"original": range(1, 61), "protected": [60 - i for i in range(60)]})
    pairs.to_csv(folder / "pairs.csv", index=False)
    quick = ("--attackers", "mean", "--scales", "separate", "--json")
    straight = [folder / f"noise{noise}.csv" for noise in (0.1, 0.8)]
    linkrisk_command("compare", folder / "original.csv", *straight, *quick, folder / "a.json").check_success()
    linkrisk_command(
        "compare", folder / "original.csv", *shuffled, *quick, folder / "b.json", "--pairs", folder / "pairs.csv"
    ).check_success()
    rates = [
        [release["risk"]["rate"] for release in json.loads((folder / name).read_text())["releases"]]
        for name in ("a.json", "b.json")
    ]
    assert rates[0] == rates[1]
    assert rates[0][0] > 0.0
    found = linkrisk.compare(folder / "original.csv", shuffled, pairs=pairs, attackers=["mean"], scales=["separate"])
    assert [release.risk.rate for release in found.releases] == rates[0]
    linkrisk_command(
        "compare", folder / "original.csv", *shuffled, "--pairs", folder / "pairs.csv", "--overwrite",
        "--json", folder / "pairs.csv",
    ).check_mistake("pairs.csv is an input file")  # fmt: skip


@pytest.mark.parametrize(
    "fault", [BrokenPipeError(32, "Broken pipe"), OSError(28, "No space left on device"), ValueError("it is closed")]
)
def test_what_cannot_be_shown_costs_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    """A reader that has gone says nothing; a full disk or a closed output is told once, with exit code 2."""

    class Lost(io.StringIO):
        def write(self, _: str) -> int:
            raise fault

    monkeypatch.setattr("tests.cli.command.new_output", Lost)
    original, quick = folder / "original.csv", ("--attackers", "mean", "--scales", "separate")
    tuned = ("tune", original, "--method", "rank_swap", "--target-rate", 1, *quick, "--no-confirm", "--trials", 1)
    for outcome in (
        linkrisk_command("compare", original, folder / "noise0.1.csv", *quick, "--json", folder / "c.json"),
        linkrisk_command(*tuned, "--out", folder / "r.csv", "--json", folder / "t.json", "--record", folder / "r.json"),
    ):
        is_gone = isinstance(fault, BrokenPipeError)
        assert outcome.code == (0 if is_gone else 2)
        assert outcome.errors.count("linkrisk: standard output cannot be written") == (0 if is_gone else 1)
    assert all((folder / name).exists() for name in ("c.json", "t.json", "r.csv", "r.csv.secret", "r.json"))


@pytest.mark.slow
def test_tune_writes_the_release_it_describes(folder: Path) -> None:
    """Protected file, record and trials for everyone, the seed for the owner alone."""
    out = folder / "release.csv"
    outcome = linkrisk_command(
        "tune", folder / "original.csv", "--method", "noise", "--target-rate", 0.3, *LOOK, "--trials", 8,
        "--out", out, "--record", folder / "record.json", "--json", folder / "trials.json",
    )  # fmt: skip
    outcome.check_success()
    trials = json.loads((folder / "trials.json").read_text())
    assert trials["best"]["rate"] <= 0.3
    assert len(trials["trials"]) <= 8
    released = pd.read_csv(out)
    assert released.shape == numeric_frames()[0].shape
    secret = folder / "release.csv.secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    seed = secret.read_text().split("seed = ")[1].split()[0]
    others = [path for path in folder.iterdir() if path != secret]
    assert not any(seed in path.read_text() for path in others)
    assert seed not in outcome.output + outcome.errors


@pytest.mark.slow
def test_tune_without_a_file_says_how_to_make_it(folder: Path) -> None:
    """The command it prints works and gives the risk it promises."""
    outcome = linkrisk_command(
        "tune", folder / "original.csv", "--method", "mdav", "--groups", "AFNLWGT,AGI;EMCONTRB,FEDTAX",
        "--target-rate", 0.4, *LOOK, "--trials", 8,
    )  # fmt: skip
    outcome.check_success()
    (line,) = [line for line in outcome.output.splitlines() if line.startswith("To make it: ")]
    groups = line.split("--groups ")[1].split(" --out")[0].strip("'")
    made = folder / "made.csv"
    linkrisk_command(
        "protect", folder / "original.csv", "--method", "mdav", "--groups", groups, "--out", made
    ).check_success()
    result = folder / "made.json"
    linkrisk_command(
        "assess", folder / "original.csv", made, *QUICK, "--ties", "expected", "--json", result
    ).check_success()
    assert max(attack["rate"] for attack in json.loads(result.read_text())["attackers"]) <= 0.4


def test_the_command_of_a_random_method_makes_another_file(folder: Path) -> None:
    """The target was reached by draws that are gone; the output says so."""
    outcome = linkrisk_command(
        "tune", folder / "original.csv", "--method", "noise", "--target-rate", 1, *LOOK, "--trials", 1
    )
    outcome.check_success()
    assert "It draws new random numbers: attack that file before you release it" in outcome.output


def test_the_command_tune_prints_runs_as_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the file where it is, the attributes that are left, and how the file is read."""
    path = folder / "with semicolons.csv"
    path.write_text((folder / "original.csv").read_text().replace(",", ";"))
    (folder / "schema.toml").write_text("")
    options = (
        "--leave",
        "AGI,EMCONTRB",
        "--attributes",
        "AGI,FEDTAX,AFNLWGT",
        "--schema",
        folder / "schema.toml",
        "--missing",
        "-9",
        "--delimiter",
        ";",
    )
    outcome = linkrisk_command(
        "tune", path, "--method", "individual_ranking", "--target-rate", 1, *LOOK, "--trials", 1, *options
    )
    outcome.check_success()
    (line,) = [line for line in outcome.output.splitlines() if line.startswith("To make it: ")]
    (elsewhere := folder / "elsewhere").mkdir()
    monkeypatch.chdir(elsewhere)
    linkrisk_command(*shlex.split(line.removeprefix("To make it: linkrisk "))).check_success()
    assert (elsewhere / "protected.csv").exists()


@pytest.mark.parametrize(
    "options",
    [("noise", "--attributes", "AGI,FEDTAX"), ("mdav", "--attributes", "AGI,FEDTAX", "--groups", "AGI,FEDTAX")],
    ids=["attributes", "groups"],
)
def test_tune_leaves_no_quantity_unasked(folder: Path, options: tuple[str, ...]) -> None:
    """The rule of protect: numbers, mixtures and text with digits are named in --leave; words are left and listed."""
    path, out = folder / "more.csv", folder / "release.csv"
    more = {"rent": ["600 EUR", "none"] * 30, "age": ["31", "4o"] * 30, "sex": ["m", "f"] * 30}
    pd.read_csv(folder / "original.csv").assign(**more).to_csv(path, index=False)
    arguments = ("tune", path, "--target-rate", 1, *LOOK, "--trials", 2, "--out", out, "--method", *options)
    linkrisk_command(*arguments).check_mistake("more.csv: column 'age' has text among numbers", "--leave")
    linkrisk_command(*arguments, "--leave", "age").check_mistake(
        f"more.csv: {options[0]} as asked for leaves 'AFNLWGT' (numeric), 'EMCONTRB' (numeric), "
        "'rent' (text with digits) unprotected",
        "--leave",
    )
    assert not list(folder.glob("release.csv*"))
    outcome = linkrisk_command(*arguments, "--leave", "age,AFNLWGT,EMCONTRB,rent", "--record", folder / "r.json")
    outcome.check_success()
    assert "note: nothing is said about 'sex' (nominal): not protected here." in outcome.output
    left = {"AFNLWGT", "EMCONTRB", "rent", "age", "sex"}
    assert set(json.loads((folder / "r.json").read_text())["left_as_they_are"]) == left


def test_tune_that_reaches_no_target_fails(folder: Path) -> None:
    """A script that would publish the file must notice, and so must one that only looks."""
    arguments = ("tune", folder / "original.csv", "--method", "noise", "--target-rate", 0, *LOOK, "--trials", 1)
    more = ("--leave", "AGI,FEDTAX", "--record", folder / "r.json", "--json", folder / "t.json")
    out = folder / "release.csv"
    outcome = linkrisk_command(*arguments, *more, "--out", out)
    assert outcome.code == 1
    assert "linkrisk: no release tried reaches the target, and release.csv is not written; " in outcome.errors
    assert "No release tried reaches the target of 0.0%" in outcome.output
    assert (folder / "t.json").exists()
    assert not [*folder.glob("release.csv*"), *folder.glob("r.json")]
    outcome = linkrisk_command(*arguments, "--leave", "AGI,FEDTAX")
    assert outcome.code == 1
    assert "linkrisk: no release tried reaches the target; allow more" in outcome.errors


def test_tune_does_not_protect_identifiers(folder: Path) -> None:
    """They are taken out or left by name, and then pointed out."""
    (folder / "roles.toml").write_text('[attributes.AGI]\nrole = "identifier"\n')
    arguments = (
        *("tune", folder / "original.csv", "--method", "noise", "--target-rate", 1, *LOOK, "--trials", 1),
        *("--schema", folder / "roles.toml"),
    )
    linkrisk_command(*arguments).check_mistake("original.csv: no method protects an identifier (column 'AGI')")
    outcome = linkrisk_command(*arguments, "--leave", "AGI")
    outcome.check_success()
    assert "note: AGI is an identifier and is in the protected file; take it out before the release." in outcome.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("compare", "original.csv", "nothing.csv"), ("nothing.csv does not exist",)),
        (("compare", "original.csv", "noise0.1.csv", "noise0.1.csv"), ("twice",)),
        (("compare", "original.csv", "noise0.1.csv", "--attackers", "meen"), ("meen", "mean")),
        (("compare", "original.csv", "noise0.1.csv", "--json", "noise0.8.csv"), ("noise0.8.csv exists",)),
        (
            ("compare", "original.csv", "noise0.1.csv", "--json", "noise0.1.csv", "--overwrite"),
            ("noise0.1.csv is an input file",),
        ),
        (
            (
                *("tune", "original.csv", "--method", "noise", "--target-rate", "0.1"),
                "--json",
                "original.csv",
                "--overwrite",
            ),
            ("original.csv is an input file",),
        ),
        (
            ("tune", "original.csv", "--method", "noise", "--target-rate", "0.1", "--out", "."),
            ("--out must end in .csv or .parquet",),
        ),
        (("tune", "original.csv", "--method", "rounding", "--target-rate", "0.1"), ("rounding", "choose")),
        (
            ("tune", "mixed.csv", "--method", "noise", "--target-rate", "0.1"),
            ("mixed.csv: noise cannot protect 'sex' (nominal), 'region' (nominal)", "--leave"),
        ),
        (
            ("tune", "slip.csv", "--method", "noise", "--target-rate", "0.1"),
            ("slip.csv: column 'age' has text among numbers in row 3 (and in 29 more)", "--leave"),
        ),
        (
            ("tune", "original.csv", "--method", "noise", "--target-rate", "0.1", "--secret-seed", "-1"),
            ("--secret-seed",),
        ),
        (("tune", "original.csv", "--method", "noise", "--target-rate", "5"), ("--target-rate", "from 0 to 1")),
        (
            ("tune", "original.csv", "--method", "noise", "--target-rate", "0.1", "--trials", "0"),
            ("--trials", "from 1 to 1000000"),
        ),
        (("tune", ".", "--method", "noise", "--target-rate", "0.1"), ("linkrisk: . is a folder; give a file",)),
        (
            ("tune", "original.csv", "--method", "mdav", "--target-rate", "0.1", "--groups", "AGI,FEDTAX:3"),
            ("k is what is tuned",),
        ),
        (
            ("tune", "original.csv", "--method", "mdav", "--target-rate", "0.1", "--groups", "AGI,FEDTAX"),
            ("AFNLWGT",),
        ),
        (
            ("tune", "original.csv", "--method", "mdav", "--target-rate", "0.1", "--groups", "AGI,FEDTAXES"),
            ("no attribute 'FEDTAXES'", "FEDTAX"),
        ),
        (
            (
                *("tune", "original.csv", "--method", "mdav", "--target-rate", "0.1"),
                "--out",
                "new.csv",
                "--secret",
                "s",
            ),
            ("mdav draws nothing", "--secret"),
        ),
        (("tune", "original.csv", "--method", "noise", "--target-rate", "0.1", "--record", "r.json"), ("--out",)),
        (
            ("tune", "original.csv", "--method", "noise", "--target-rate", "0.1", "--out", "noise0.1.csv"),
            ("noise0.1.csv exists",),
        ),
    ],
)
def test_mistakes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """One sentence, exit code 2, nothing replaced."""
    monkeypatch.chdir(folder)
    pd.read_csv("original.csv").assign(sex=["m", "f"] * 30, region=["n", "s", "w"] * 20).to_csv(
        "mixed.csv", index=False
    )
    pd.read_csv("original.csv").assign(age=["31", "4o"] * 30).to_csv("slip.csv", index=False)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    linkrisk_command(*arguments).check_mistake(*words)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
