"""What the process writes down: the figures of the verbs themselves, names as the user has given them, no record."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.data.writing import CONFIDENTIAL_NOTICE
from linkrisk.web.worker.channel import Channel, ChannelReporter
from linkrisk.web.worker.outputs import write_records
from linkrisk.web.worker.process import JOBS, do_job
from linkrisk.web.worker.request import Request

MEAN: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"], "max_rate": 0.05, "loss": True}


class Heard(Channel):
    """A channel that keeps what is told."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def tell(self, say: str, **contents: Any) -> None:
        """Keep a message, as it would arrive."""
        self.messages.append(json.loads(json.dumps({"say": say, **contents}, allow_nan=False)))


class Work:
    """Files of a user, and jobs done with them in this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.n_jobs = 0

    def file(self, disk: str, name: str, text: str) -> dict[str, str]:
        """Write a file under a name of ours, and return it with the user's."""
        (self.folder / disk).write_text(text, encoding="utf-8")
        return {"path": str(self.folder / disk), "name": name}

    def do(self, kind: str, **request: Any) -> tuple[Path, dict[str, Any]]:
        """Do a job, and return its folder and its last message."""
        self.n_jobs += 1
        folder = self.folder / f"job-{self.n_jobs}"
        folder.mkdir()
        (folder / "job.json").write_text(json.dumps({"kind": kind, "options": {}, **request}))
        heard = Heard()
        do_job(Request.read(folder), heard)
        return folder, heard.messages[-1]

    def found(self, kind: str, **request: Any) -> tuple[Path, dict[str, Any]]:
        """Do a job that succeeds, and return its folder and what a view shows."""
        folder, last = self.do(kind, **request)
        assert last == {"say": "done", "is_complete": True}, last
        path = folder / "summary.json"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        return folder, json.loads(path.read_text())


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """Return a place to work in."""
    return Work(tmp_path)


@pytest.fixture
def files(work: Work) -> dict[str, dict[str, str]]:
    """Return two files of 60 people."""
    people = linkrisk.datasets.census_like(60, seed=1)[["AGI", "FEDTAX", "PTOTVAL"]]
    noisy = linkrisk.protection.add_noise(people, 30.0, secret_seed=2).data
    return {
        "original": work.file("original-0a.csv", "people.csv", people.to_csv(index=False)),
        "protected": work.file("protected-0b.csv", "released.csv", noisy.to_csv(index=False)),
    }


def test_every_job_has_its_module() -> None:
    """With a function ``work``."""
    for job in JOBS:
        assert callable(__import__(f"linkrisk.web.worker.{job}", fromlist=["work"]).work)


def test_look(work: Work) -> None:
    """Kinds, different values, missing ones, doubts at their column; columns of one file only; who is who."""
    original = work.file(
        "o-1.csv", "o.csv", "id,age,code,born,left\n1,31,007,2001-02-03,x\n2,,008,2002-02-03,y\n3,40,009,2003-02-03,z\n"
    )
    protected = work.file(
        "p-1.csv", "p.csv", "id,age,code,born,more\n1,30,007,2001-02-03,1\n2,31,008,2002-02-03,1\n3,40,,2003-02-03,1\n"
    )
    _, found = work.found("look", original=original, protected=protected, is_demo=False)
    by_name = {column["name"]: column for column in found["columns"]}
    assert list(by_name) == ["id", "age", "code", "born", "left", "more"]
    assert {name: by_name[name]["kind"] for name in ("id", "age", "code", "born")} == {
        "id": "numeric",
        "age": "numeric",
        "code": "nominal",
        "born": "date",
    }
    assert by_name["age"]["distinct"] == [2, 3]
    assert by_name["age"]["missing"] == [1, 0]
    assert by_name["code"]["missing"] == [0, 1]
    assert any("leading zeros" in doubt for doubt in by_name["code"]["doubts"])
    assert any("nearly unique" in doubt for doubt in by_name["born"]["doubts"])
    assert (by_name["left"]["only_in"], by_name["more"]["only_in"]) == ("o.csv", "p.csv")
    assert (found["pairs"], found["paired_by"], found["error"]) == (3, "row order", "")
    assert found["common"] == ["id", "age", "code", "born"]
    assert any("Only o.csv has 'left'" in doubt for doubt in found["doubts"])


def test_a_faulty_column_hides_no_other(work: Work) -> None:
    """It is named at its place, and what is said to it is heard at the next look."""
    original = work.file("o-2.csv", "o.csv", "age,sex\n" + "31,f\n" * 19 + "x,m\n")
    request = {"original": original, "protected": original, "is_demo": False}
    _, found = work.found("look", **request)
    age, sex = found["columns"]
    assert "column 'age' has text in a numeric column in row 21" in age["error"]
    assert "x" not in age["error"].split()
    assert (sex["error"], sex["kind"]) == ("", "nominal")
    _, found = work.found("look", **request, options={"nominal": ["age"]})
    assert [column["error"] for column in found["columns"]] == ["", ""]
    assert found["pairs"] == 20


def test_files_that_do_not_fit(work: Work) -> None:
    """Are told of as a pair; their columns are seen."""
    original = work.file("o-3.csv", "o.csv", "a\n1\n2\n3\n")
    protected = work.file("p-3.csv", "p.csv", "a\n1\n2\n")
    _, found = work.found("look", original=original, protected=protected, is_demo=False)
    assert "o.csv has 3 records and p.csv has 2" in found["error"]
    assert found["columns"][0]["distinct"] == [3, 2]


@pytest.mark.parametrize("text", ["", "a,b\n1\n", "\x00\x01"])
def test_a_file_that_cannot_be_read(work: Work, text: str) -> None:
    """Is told by the name its user knows, never by ours; a column that is named may be his."""
    wrong = work.file("upload-77aa.csv", "my file.csv", text)
    _, last = work.do("look", original=wrong, protected=wrong, is_demo=False)
    assert last["say"] == "failed"
    assert "my file.csv" in last["sentence"]
    assert "upload-77aa" not in last["sentence"]


def test_mistakes_in_options_are_told_one_by_one(work: Work, files: dict[str, Any]) -> None:
    """So that a view can put each at its field."""
    _, last = work.do("assess", **files, options={"attackers": ["nobody"], "holdout": 3}, certificates=False)
    assert last["say"] == "failed"
    assert [name for name, _ in last["mistakes"]] == ["attackers", "holdout"]


@pytest.mark.slow
def test_assess(work: Work, files: dict[str, Any]) -> None:
    """The figures of `linkrisk.assess`; reports of both kinds, JSON and records; nothing on records in the summary."""
    folder, found = work.found("assess", **files, options=MEAN, certificates=False)
    wanted = linkrisk.assess(files["original"]["path"], files["protected"]["path"], **MEAN)
    assert wanted.strongest is not None
    assert found["headline"]["share"] == wanted.strongest.rate()
    assert found["headline"]["is_allowed"] is False
    told = json.loads((folder / "result.json").read_text())
    assert told["verdict"] == [*found["verdict"], *found["to_do"]]
    assert told["files"]["original"]["name"] == "people.csv"
    records = pd.read_csv(folder / "records.csv", comment="#")
    assert records["mean.ranks.linked"].tolist() == wanted.records.columns()["mean.ranks.linked"].tolist()
    for name in ("result.json", "records.csv", "report-confidential.html"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert CONFIDENTIAL_NOTICE in (folder / "records.csv").read_text().splitlines()[0]
    assert "CONFIDENTIAL" in (folder / "report-confidential.html").read_text()
    assert "CONFIDENTIAL" not in (folder / "report.html").read_text()
    for chart in found["charts"]:
        assert (folder / "charts" / f"{chart['name']}.svg").read_text().startswith("<svg")
    assert "0a.csv" not in json.dumps(found)
    for blocks in (found["blocks"], found["details"]):  # the verdict stands apart from them
        assert not set(found["verdict"]) & set(_sentences(blocks))
        assert {block["type"] for block in blocks} <= {"sentence", "table", "note", "fault"}


def _sentences(blocks: list[dict[str, Any]]) -> Iterator[str]:
    for block in blocks:
        yield from block.get("text", "").split("\n")


@pytest.mark.slow
def test_certificates(work: Work, files: dict[str, Any]) -> None:
    """They are written into the folder of the job, and hold for the files of the user."""
    options = {"attackers": ["weighted_mean"], "scales": ["ranks"], "time_limit": 1.0}
    folder, _ = work.found("assess", **files, options=options, certificates=True)
    (certificate,) = (folder / "certificates").iterdir()
    verification = linkrisk.verify(certificate, files["original"]["path"], files["protected"]["path"])
    assert verification.is_valid


@pytest.mark.slow
def test_protect(work: Work, files: dict[str, Any], tmp_path: Path) -> None:
    """The plan that was chosen, made; file, secret and record together, the record by the names of the user."""
    treatments = [
        {"columns": ["AGI", "FEDTAX"], "method": "mdav", "strength": "5"},
        {"columns": ["PTOTVAL"], "method": "noise", "strength": "p=20"},
    ]
    release = {"path": str(tmp_path / "protected-9c.csv"), "name": "made.csv"}
    record = {"path": str(tmp_path / "record-9c.json"), "name": "made.json"}
    request = {
        "original": files["original"],
        "plan": "",
        "treatments": treatments,
        "release": release,
        "record": record,
    }
    _, found = work.found("protect", **request)
    assert found["plan"] == "AGI,FEDTAX: mdav k=5; PTOTVAL: noise p=20"
    assert found["formulas"] == []
    made = pd.read_csv(release["path"])
    assert made.groupby(["AGI", "FEDTAX"]).size().min() >= 5
    told = json.loads(Path(record["path"]).read_text())
    assert (told["original"], told["protected"]) == ("people.csv", "made.csv")
    assert stat.S_IMODE(Path(f"{release['path']}.secret").stat().st_mode) == 0o600
    assert "seed" not in json.dumps(found).replace("seed: kept apart, as a secret", "")


@pytest.mark.parametrize(
    ("treatment", "said"),
    [
        ({"method": "mdav", "strength": "x"}, "k"),
        ({"method": "noise", "strength": ""}, "p"),
        ({"method": "mdav", "strength": "5; b: leave"}, "AGI"),
        ({"method": "mdav", "strength": "5 6"}, "AGI"),
    ],
)
def test_strengths_that_are_none(work: Work, files: dict[str, Any], treatment: dict[str, str], said: str) -> None:
    """Are told with the column; no second step is smuggled in."""
    treatments = [
        {"columns": ["AGI"], **treatment},
        {"columns": ["FEDTAX", "PTOTVAL"], "method": "leave", "strength": ""},
    ]
    file = {"path": str(work.folder / "r.csv"), "name": "r.csv"}
    _, last = work.do("protect", original=files["original"], plan="", treatments=treatments, release=file, record=file)
    assert last["say"] == "failed"
    assert said in last["sentence"]
    assert not Path(file["path"]).exists()


@pytest.mark.slow
def test_tune_and_compare(work: Work, files: dict[str, Any], tmp_path: Path) -> None:
    """The best release is written; before and after are judged by the same attackers, by the names of the user."""
    treatments = [{"columns": ["AGI", "FEDTAX", "PTOTVAL"], "method": "rank_swap", "strength": ""}]
    release = {"path": str(tmp_path / "protected-9d.csv"), "name": "tuned.csv"}
    record = {"path": str(tmp_path / "record-9d.json"), "name": "tuned.json"}
    options: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"]}
    folder, found = work.found(
        "tune",
        original=files["original"],
        plan="",
        treatments=treatments,
        release=release,
        record=record,
        target=0.6,
        options={**options, "trials": 6, "confirm": False, "secret_seed": 1},
    )
    assert found["asked"] == "AGI,FEDTAX,PTOTVAL: rank_swap"
    assert found["plan"].startswith("AGI")
    assert Path(release["path"]).exists()
    assert (folder / "report.html").exists()
    both = [{"file": files["protected"], "published": []}, {"file": release, "published": [record]}]
    folder, found = work.found("compare", original=files["original"], releases=both, options=options)
    assert set(found["releases"]) == {"released.csv", "tuned.csv"}
    wanted = linkrisk.compare(
        files["original"]["path"],
        {"released.csv": files["protected"]["path"], "tuned.csv": release["path"]},
        published={"tuned.csv": record["path"]},
        **options,
    )
    for judged in wanted.releases:
        assert found["releases"][judged.name]["rate"] == judged.risk.rate
        assert found["releases"][judged.name]["loss"] == judged.loss


def test_a_version_that_no_search_has_made(work: Work, files: dict[str, Any], tmp_path: Path) -> None:
    """Cannot be attacked, and the sentence says why."""
    gone = {"path": str(tmp_path / "protected-0f.csv"), "name": "tuned.csv"}
    _, last = work.do("assess", original=files["original"], protected=gone, options=MEAN, certificates=False)
    assert "tuned.csv was not made, because no version tried reaches the target" in last["sentence"]


def test_records_hold_no_formulas(tmp_path: Path) -> None:
    """Texts that a spreadsheet would compute are shown by it; numbers stay numbers."""
    ids = np.array(["=1+1", "@x", "-5", "plain", None], dtype=object)
    write_records(tmp_path / "r.csv", {"=name": ids, "margin": np.array([-1.5, 2.0, 0.0, 1.0, 2.0])})
    lines = (tmp_path / "r.csv").read_text().splitlines()
    assert lines[0].startswith("# CONFIDENTIAL")
    assert lines[1] == '"\'=name","margin"'
    assert [line.split(",")[0] for line in lines[2:]] == ['"\'=1+1"', '"\'@x"', '"\'-5"', '"plain"', ""]
    assert [line.split(",")[1] for line in lines[2:]] == ["-1.5", "2", "0", "1", "2"]


@pytest.mark.slow
def test_formulas_in_a_protected_file_are_told_of(work: Work, tmp_path: Path) -> None:
    """They are not changed: the file is the one that was attacked."""
    rows = "".join(f"=cmd{n % 2},-{n},{n}\n" for n in range(20))
    original = work.file("o-4.csv", "o.csv", f"note,debt,age\n{rows}")
    treatments = [
        {"columns": ["note", "debt"], "method": "leave", "strength": ""},
        {"columns": ["age"], "method": "mdav", "strength": "4"},
    ]
    release = {"path": str(tmp_path / "made-4.csv"), "name": "made.csv"}
    record = {"path": str(tmp_path / "made-4.json"), "name": "made.json"}
    _, found = work.found("protect", original=original, plan="", treatments=treatments, release=release, record=record)
    assert found["formulas"] == ["note"]
    assert "=cmd1" in Path(release["path"]).read_text()


def test_progress_is_told_now_and_then() -> None:
    """At most ten times a second, and the first of each step at once."""
    heard = Heard()
    reporter = ChannelReporter(heard)
    reporter.expect([0.0, float("inf")])
    for step in ("one", "two"):
        reporter.step(step)
        for done in range(1000):
            reporter.progress(done, 1000)
    assert heard.messages[0] == {"say": "expect", "limits": [0.0, None]}
    shares = [message for message in heard.messages if message["say"] == "share"]
    assert 2 <= len(shares) <= 4
