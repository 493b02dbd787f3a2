"""The attacks on one protected version."""

from __future__ import annotations

from linkrisk.assessment.assess import assess
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
    summary = {**shown(request, found), "unwritten": list(found.unwritten)}
    write_summary(request, summary)
    return found.is_complete
