"""Every view with names that are markup, script, formulas or signs that hide others: all of it is shown as text."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from linkrisk.web.cases.asking import ask_assess, ask_compare, ask_look, ask_release
from linkrisk.web.cases.case import Case, Release
from linkrisk.web.cases.treatments import ProtectChoice, Treatment
from linkrisk.web.storage.names import NamedFile
from linkrisk.web.work.job import Job, State
from tests.web.visitor import ADDRESS, Visitor

NASTY = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7 * 7 }}\x1b[31m\u202e</title><!--"
"""A name that would break out of a text, an attribute, a title, a script or a comment, and turn what follows."""

TABLE = {"title": NASTY, "columns": [{"head": NASTY, "is_number": False}], "rows": [[NASTY]]}
FOUND = {
    "verdict": [NASTY],
    "to_do": [NASTY],
    "headline": {"share": 0.25, "told": NASTY, "is_allowed": False},
    "blocks": [
        {"type": "table", **TABLE},
        {"type": "fault", "text": NASTY},
        {"type": "note", "text": NASTY},
        {"type": "sentence", "text": NASTY, "weight": "main"},
    ],
    "details": [{"type": "table", **TABLE}],
    "charts": [{"name": "attackers-1", "title": NASTY, "caption": NASTY, "table": TABLE}],
    "unwritten": [NASTY],
    "plan": NASTY,
    "formulas": [NASTY],
    "asked": NASTY,
}
COLUMN = {
    "name": NASTY,
    "role": "quasi-identifier",
    "kind": "numeric",
    "distinct": [12345, 2],
    "missing": [0, 1],
    "only_in": "",
    "error": "",
    "doubts": [NASTY],
}
LOOK = {
    "files": [{"name": NASTY, "records": 1000}, {"name": NASTY, "records": 1000}],
    "columns": [COLUMN, {**COLUMN, "name": f"{NASTY}2", "error": NASTY}, {**COLUMN, "name": "c", "only_in": NASTY}],
    "common": [NASTY],
    "only_protected": ["d"],
    "paired_by": "row order",
    "pairs": 1000,
    "error": NASTY,
    "doubts": [NASTY],
}


class Tags(HTMLParser):
    """The tags and the visible text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.text += data


def done(job: Job, found: Any) -> Job:
    """Let a job be done, with what it has found."""
    job.folder.mkdir(exist_ok=True)
    (job.folder / "summary.json").write_text(json.dumps(found))
    job.state = State.DONE
    return job


@pytest.fixture
def case(visitor: Visitor) -> Case:
    """Return a case in which everything is called something nasty, with a version made here."""
    folder = visitor.site.folder / "case-1"
    folder.mkdir()
    release = Release(1, NamedFile(folder / "p.csv", NASTY))
    case = Case(1, folder, NamedFile(folder / "o.csv", NASTY), {1: release})
    visitor.site.cases[1] = case
    queue = visitor.site.queue
    done(ask_look(queue, case), LOOK)
    done(ask_assess(queue, case, release), FOUND)
    made = ask_release(queue, case, ProtectChoice({NASTY: Treatment("mdav", NASTY)}, plan=NASTY), is_tuned=True)
    for job in made.jobs:
        done(job, FOUND)
    for job in case.jobs:
        for name in ("report.html", "report-confidential.html", "result.json", "records.csv", "tuning.json"):
            (job.folder / name).write_text(NASTY)
        (job.folder / "charts").mkdir(exist_ok=True)
        (job.folder / "charts" / "attackers-1.svg").write_text("<svg/>")
    made.file.path.write_text("a\n1\n")
    failed = ask_assess(queue, case, made)
    failed.state, failed.sentence = State.FAILED, NASTY
    made.assessed_by = next(job for job in case.jobs if job.kind == "assess" and job.request["about"] == 2)
    running = ask_compare(queue, case, made)
    running.state, running.progress.label = State.RUNNING, NASTY
    case.protect = ProtectChoice({NASTY: Treatment("mdav", NASTY)}, plan=NASTY)
    return case


VIEWS = (
    "/",
    "/case/1/columns",
    "/case/1/attackers",
    "/case/1/release/1",
    "/case/1/release/2",
    "/case/1/release/1/downloads",
    "/case/1/release/2/downloads",
    "/case/1/protect",
    "/case/1/job/6",
    "/case/1/job/7",
)


@pytest.mark.parametrize("path", VIEWS)
def test_names_are_text(visitor: Visitor, case: Case, path: str) -> None:
    """No tag, no attribute, no script comes of them; control characters are written out."""
    assert case.jobs
    answer = visitor.get(path)
    assert answer.status_code == 200
    page = Tags(answer.text)
    assert "alert(1)" in page.text + str(page.tags)
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert tag != "script" or attributes == {"src": f"{ADDRESS.folder}/static/page.js", "defer": None}
        if tag == "img":
            assert (attributes["src"] or "").startswith(f"{ADDRESS.folder}/case/1/job/")
        for name in ("href", "src", "action"):
            assert attributes.get(name) is None or (attributes[name] or "").startswith((ADDRESS.folder, "#main"))
    assert "49" not in page.text.replace("1249", "")
    assert "\x1b" not in answer.text
    assert "\u202e" not in answer.text


@pytest.mark.parametrize("path", VIEWS)
def test_views_can_be_read_without_seeing_them(visitor: Visitor, case: Case, path: str) -> None:
    """One heading of the first rank, a title, a language; every field has a name, every id is there once."""
    assert case.jobs
    page = Tags(visitor.get(path).text)
    names = [tag for tag, _ in page.tags]
    assert names.count("h1") == 1
    assert names.count("title") == names.count("main") == 1
    assert dict(page.tags)["html"]["lang"] == "en"
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    labelled = {attributes.get("for") for tag, attributes in page.tags if tag == "label"}
    for tag, attributes in page.tags:
        if tag in ("input", "select", "textarea") and attributes.get("type") != "hidden":
            assert attributes.get("id") in labelled, attributes
        if "aria-describedby" in attributes:
            assert set((attributes["aria-describedby"] or "").split()) <= set(ids), attributes
        if tag == "img":
            assert attributes["alt"]


def _links(page: Tags) -> Iterator[str]:
    for tag, attributes in page.tags:
        if tag in ("a", "img") and (attributes.get("href") or attributes.get("src") or "").startswith(ADDRESS.folder):
            yield (attributes.get("href") or attributes.get("src") or "").removeprefix(ADDRESS.folder)


def test_every_link_leads_somewhere(visitor: Visitor, case: Case) -> None:
    """From the start on, whatever can be reached is there."""
    assert case.jobs
    seen: set[str] = set()
    left = ["/"]
    while left:
        path = left.pop()
        seen.add(path)
        answer = visitor.get(path)
        assert answer.status_code in {200, 303}, path
        if answer.headers["content-type"].startswith("text/html") and "/report/" not in path:
            left += [link for link in _links(Tags(answer.text)) if link not in seen]
    assert {"/case/1/release/1/report/internal", "/case/1/release/2/file/protected"} <= seen


def test_downloads_are_saved_not_shown(visitor: Visitor, case: Case) -> None:
    """Under the name that goes with the version; a report that is shown is in a box of its own."""
    assert case.jobs
    file = visitor.get("/case/1/release/1/file/records")
    assert file.headers["content-disposition"].startswith('attachment; filename="')
    assert file.headers["content-type"] == "application/octet-stream"
    report = visitor.get("/case/1/release/1/report/report")
    assert report.headers["content-security-policy"].startswith("sandbox;")
    assert report.headers["content-type"].startswith("text/html")
    assert "content-disposition" not in report.headers
    assert visitor.get("/case/1/release/1/report/records").status_code == 404


def test_what_is_not_offered_is_not_sent(visitor: Visitor, case: Case) -> None:
    """Nor what belongs to no case, no version, no job."""
    assert case.jobs
    for path in (
        "/case/1/release/1/file/protected",
        "/case/1/release/1/file/job.json",
        "/case/1/release/3",
        "/case/2/columns",
        "/case/1/job/99",
        "/case/1/job/2/chart/job",
        "/case/1/job/1/chart/attackers-1",
        "/case/x/columns",
    ):
        answer = visitor.get(path)
        assert answer.status_code == 404, path
        assert "<h1>" in answer.text


def test_a_case_is_removed_with_its_files(visitor: Visitor, case: Case) -> None:
    """All of them: of the case, and of its jobs."""
    folders = [case.folder, *(job.folder for job in case.jobs)]
    assert visitor.post("/case/1/remove").status_code == 303
    assert not any(folder.exists() for folder in folders)
    assert visitor.get("/case/1/columns").status_code == 404
    assert "Begun since" not in visitor.get("/").text


def test_mistakes_in_forms_come_back_with_what_was_typed(visitor: Visitor, case: Case) -> None:
    """Each at its field, and nothing else is lost."""
    assert case.jobs
    fields = {"attackers": "mean", "scales": "ranks", "ties": "unique", "time_limit": "soon", "max_rate": "7"}
    answer = visitor.post("/case/1/attackers", fields)
    assert answer.status_code == 400
    page = Tags(answer.text)
    fields_now = {attributes.get("id"): attributes for _, attributes in page.tags}
    assert fields_now["time_limit"]["aria-invalid"] == "true"
    assert "time_limit-mistake" in (fields_now["time_limit"]["aria-describedby"] or "").split()
    assert fields_now["max_rate"]["value"] == "7"
    assert "checked" in fields_now["attacker-mean"]
    assert "checked" not in fields_now["attacker-weighted_mean"]
    assert visitor.post("/case/1/protect", {"method-0": "magic", "target": "5"}).status_code == 400


def test_a_form_larger_than_any_is_refused(visitor: Visitor, case: Case) -> None:
    """Nobody types a megabyte."""
    assert case.jobs
    assert visitor.post("/case/1/columns", {"missing": "9" * (2 << 20)}).status_code == 413


def test_nothing_heavy_is_imported(tmp_path: Path) -> None:
    """The process that answers computes nothing: it does not even have what would be needed."""
    code = (
        "import sys, linkrisk.web.serve\nfrom linkrisk.web.pages import templates\ntemplates()\n"
        "print([name for name in ('numpy', 'numba', 'pandas', 'pyarrow', 'pydantic', 'altair') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)  # noqa: S603
    assert found.stdout.strip() == "[]"


def test_a_protection_that_cannot_be_made_is_told_once_with_what_to_do(visitor: Visitor) -> None:
    """Not the jobs that wanted what it was to make; nor commands, where none came of it."""
    folder = visitor.site.folder / "case-1"
    folder.mkdir()
    release = Release(1, NamedFile(folder / "p.csv", "p.csv"))
    case = Case(1, folder, NamedFile(folder / "o.csv", "o.csv"), {1: release})
    visitor.site.cases[1] = case
    done(ask_look(visitor.site.queue, case), LOOK)
    made = ask_release(
        visitor.site.queue, case, ProtectChoice({"AGI": Treatment("mdav", "5")}, plan=""), is_tuned=False
    )
    for job in made.jobs:
        job.state, job.sentence = State.FAILED, "AGI looks like codes" if job.needs is None else "it needs another job"
    text = visitor.get("/case/1/release/2").text
    assert "AGI looks like codes" in text
    assert "it needs another job" not in text
    assert "Change the protection" in text
    assert "command line" not in visitor.get("/case/1/release/2/downloads").text
