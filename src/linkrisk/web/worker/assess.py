"""The attacks on one protected version."""

from __future__ import annotations

from typing import Any

from linkrisk.assessment.assess import assess
from linkrisk.assessment.result import Assessment
from linkrisk.web.worker.channel import ChannelReporter
from linkrisk.web.worker.outputs import shown, write_records, write_reports, write_summary
from linkrisk.web.worker.request import Request

JSON = "result.json"
RECORDS = "records.csv"
CERTIFICATES = "certificates"
"""What is written into the folder of the job besides reports; the last is a folder itself."""


def work(request: Request, reporter: ChannelReporter) -> bool:
    """Let every attacker attack, and write what they found; what is finished at an interrupt is kept."""
    options = request.options | request.published()
    if request.values["certificates"]:
        options["certificates"] = request.folder / CERTIFICATES
    found = assess(request.table("original"), request.table("protected"), reporter=reporter, **options)
    reporter.aside("writing the report")
    found.write(request.folder / JSON)
    write_records(request.folder / RECORDS, found.records.columns())
    write_reports(request, found)
    write_summary(request, {**shown(request, found), **_figures(found)})
    return found.is_complete


def _figures(found: Assessment) -> dict[str, Any]:
    best = found.strongest
    return {
        "verdict": found.to_dict()["verdict"],
        "people": found.n_pairs,
        "rate": None if best is None else best.rate(),
        "found": None if best is None else best.found(),
        "broken": found.broken(),
        "kept": found.rules.kept(),
        "unwritten": list(found.unwritten),
    }
