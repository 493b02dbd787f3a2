"""Odd files and the intruder who knows the method: a result, or one clear sentence."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tests.cli.command import linkrisk_command

ROWS = [(i * 1.5, i * 7 % 13, "xyz"[i % 3]) for i in range(1, 13)]
PLAIN = "a,b,c\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS)
CHANGED = "a,b,c\n" + "".join(f"{a + 0.25},{(b + 1) % 13},{c}\n" for a, b, c in ROWS)

FILES: dict[str, tuple[str, str]] = {
    "empty": ("", ""),
    "header only": ("a,b\n", "a,b\n"),
    "one record": ("a,b\n1,2\n", "a,b\n1,3\n"),
    "two records": ("a,b\n1,2\n3,5\n", "a,b\n1,3\n3,4\n"),
    "two equal records": ("a,b\n1,2\n1,2\n", "a,b\n1,2\n1,2\n"),
    "constant column": ("a,b\n1,2\n1,3\n1,5\n1,9\n", "a,b\n1,3\n1,2\n1,5\n1,8\n"),
    "everything constant": ("a,b\n1,2\n1,2\n1,2\n", "a,b\n1,2\n1,2\n1,2\n"),
    "duplicated records": (PLAIN + PLAIN[6:], CHANGED + CHANGED[6:]),
    "all missing": ("a,b\n,\n,\n,\n", "a,b\n,\n,\n,\n"),
    "one column missing": ("a,b\n1,\n2,\n4,\n", "a,b\n1,\n3,\n4,\n"),
    "missing after protection": ("a,b\n1,2\n2,5\n4,7\n8,1\n", "a,b\n1,\n2,5\n,7\n8,\n"),
    "missing before protection": ("a,b\n1,\n,5\n4,7\n8,1\n", "a,b\n1,2\n2,5\n4,7\n8,1\n"),
    "hardly a value in common": ("a,b\n1,\n,5\n,7\n8,\n", "a,b\n,2\n2,\n4,\n,1\n"),
    "text only": ("n\nAnna Berg\nBo Ek\nCy Dahl\nDi Falk\n", "n\nAnna Berk\nBo Eek\nCy Dahl\nDi Falk\n"),
    "categories only": ("c,d\nx,u\ny,v\nx,v\ny,u\n", "c,d\ny,u\ny,v\nx,u\ny,u\n"),
    "categories that were not there": ("c,d\nx,u\ny,v\nx,v\ny,u\n", "c,d\np,u\nq,v\np,v\nq,w\n"),
    "dates": ("a\n2020-01-01\n2021-05-05\n1999-12-31\n", "a\n2020-01-03\n2021-05-01\n2000-01-02\n"),
    "tiny numbers": ("a,b\n1e-308,5e-324\n2e-308,1e-320\n3e-308,0\n", "a,b\n2e-308,5e-324\n1e-308,1e-320\n3e-308,0\n"),
    "huge numbers": (
        "a,b\n1e308,-1e308\n-1e308,1e308\n1.7e308,5e307\n7,8e307\n",
        "a,b\n1e308,-1e308\n-1e308,1e308\n1.6e308,5e307\n9,8e307\n",
    ),
    "tiny beside huge": (
        "a,b\n1e-300,1e300\n2e-300,2e300\n3e-300,5e300\n",
        "a,b\n2e-300,1e300\n1e-300,2e300\n3e-300,4e300\n",
    ),
    "one column": ("a\n1\n3\n7\n9\n", "a\n1\n4\n7\n8\n"),
    "one distinct value protected": ("a,b\n1,2\n3,4\n5,9\n", "a,b\n3,5\n3,5\n3,5\n"),
    "original as it is": (PLAIN, PLAIN),
    "more protected than original": ("id,a,b\n1,1,2\n2,3,4\n3,5,9\n", "id,a,b\n5,2,2\n3,5,8\n9,1,1\n1,1,3\n2,3,4\n"),
    "more original than protected": ("id,a,b\n5,2,2\n3,5,8\n9,1,1\n1,1,3\n2,3,4\n", "id,a,b\n1,1,2\n2,3,4\n3,5,9\n"),
    "nobody in common": ("id,a\n1,1\n2,3\n3,5\n", "id,a\n4,1\n5,3\n6,5\n"),
}

METHODS: dict[str, tuple[object, ...]] = {
    "nothing published": (),
    "noise": ("--method", "noise", "--p", 10),
    "noise of no size": ("--method", "noise", "--p", 0),
    "noise of unknown size": ("--method", "noise"),
    "correlated noise": ("--method", "correlated_noise", "--p", 10),
    "pairs": ("--method", "rank_swap", "--p", 20, "--variant", "pairs"),
    "permutation": ("--method", "rank_swap", "--p", 20, "--variant", "permutation"),
    "rank swapping, unknown window": ("--method", "rank_swap"),
    "pram": ("--method", "pram", "--keep", 0.7),
    "pram, unknown keep": ("--method", "pram"),
    "mdav": ("--method", "mdav", "--k", 2),
    "mdav, unknown k": ("--method", "mdav"),
    "individual ranking": ("--method", "individual_ranking", "--k", 2),
    "projection": ("--method", "principal_components", "--k", 2),
    "rounding": ("--method", "rounding", "--base", 2),
    "random rounding": ("--method", "rounding", "--base", 2, "--random"),
    "coding": ("--method", "coding", "--top-percent", 25),
    "generalise": ("--method", "generalise", "--into", 2),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("case", FILES)
def test_odd_files_are_attacked_by_who_knows_the_method(case: str) -> None:
    """Whatever is published, true of the files or not: figures that can be, or one sentence and exit code 2."""
    original, protected = FILES[case]
    Path("original.csv").write_text(original, encoding="utf-8")
    Path("protected.csv").write_text(protected, encoding="utf-8")
    by = ("--id", "id") if original.startswith("id,") else ()
    for options in METHODS.values():
        outcome = linkrisk_command(
            *("assess", "original.csv", "protected.csv", "--attackers", "mean,informed", "--scales", "separate"),
            *("--json", "result.json", "--overwrite", *by, *options),
        )
        if outcome.code != 0:
            outcome.check_mistake()
            continue
        result = json.loads(Path("result.json").read_text(encoding="utf-8"))
        informed = next(entry for entry in result["attackers"] if entry["name"] == "informed")
        assert "informed" in outcome.output
        for links in informed["links_by_ties"].values():
            assert math.isfinite(links)
            assert 0.0 <= links <= result["n_pairs"]


USED = ("two records", "constant column", "duplicated records", "categories only", "one column", "original as it is")


@pytest.mark.parametrize("case", USED)
def test_files_that_can_be_attacked_are(case: str) -> None:
    """A refusal would be no answer here, and where nothing was changed everybody is found."""
    original, protected = FILES[case]
    Path("original.csv").write_text(original, encoding="utf-8")
    Path("protected.csv").write_text(protected, encoding="utf-8")
    command = ("assess", "original.csv", "protected.csv", "--attackers", "mean,informed", "--json", "result.json")
    linkrisk_command(*command, "--scales", "separate").check_success()
    if case == "original as it is":
        result = json.loads(Path("result.json").read_text(encoding="utf-8"))
        found = [entry["links_by_ties"]["expected"] for entry in result["attackers"]]
        assert found == [len(ROWS)] * 2


@pytest.mark.parametrize("told", METHODS)
def test_every_method_can_be_named(told: str) -> None:
    """With its parameters and without, on files with numbers and categories: the result says what he goes by."""
    Path("original.csv").write_text(PLAIN, encoding="utf-8")
    Path("protected.csv").write_text(CHANGED, encoding="utf-8")
    command = ("assess", "original.csv", "protected.csv", "--attackers", "informed", "--json", "result.json")
    linkrisk_command(*command, *METHODS[told]).check_success()
    if METHODS[told]:
        (entry,) = json.loads(Path("result.json").read_text(encoding="utf-8"))["attackers"]
        method, variant = METHODS[told][1], [word for word in METHODS[told] if word in {"pairs", "permutation"}]
        assert entry["parameters"]["method"].startswith(f"{method} of ")
        assert all(f"variant = {word}" in entry["parameters"]["method"] for word in variant)
