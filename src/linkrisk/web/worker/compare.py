"""Protected versions of one file side by side."""

from __future__ import annotations

from typing import Any

from linkrisk.advice.compare import compare
from linkrisk.advice.release import Release
from linkrisk.web.worker.channel import ChannelReporter
from linkrisk.web.worker.outputs import REPORT, shown, write_summary
from linkrisk.web.worker.request import Request

JSON = "comparison.json"


def work(request: Request, reporter: ChannelReporter) -> bool:
    """Judge the versions, and write what was found; those judged before an interrupt are kept."""
    asked = request.values["releases"]
    tables = {entry["file"]["name"]: request.named(entry["file"]) for entry in asked}
    published = {entry["file"]["name"]: _paths(entry["published"]) for entry in asked if entry["published"]}
    found = compare(
        request.table("original"), tables, reporter=reporter, published=published or None, **request.options
    )
    found.write(request.folder / JSON)
    found.report(request.folder / REPORT)
    figures = {release.name: _figures(release) for release in found.releases}
    write_summary(request, {**shown(request, found), "releases": figures})
    return found.is_complete


def _figures(release: Release) -> dict[str, Any]:
    risk = release.risk
    return {"rate": risk.rate, "bound": risk.bound, "loss": release.loss, "score": release.score}


def _paths(files: list[dict[str, str]]) -> list[str]:
    return [file["path"] for file in files]
