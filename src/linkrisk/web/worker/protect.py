"""A protected version, made as was chosen for each column."""

from __future__ import annotations

from linkrisk.protection.protect import protect
from linkrisk.web.worker.channel import ChannelReporter
from linkrisk.web.worker.outputs import shown, write_summary
from linkrisk.web.worker.releases import formula_columns, plan_of, write_release
from linkrisk.web.worker.request import Request


def work(request: Request, reporter: ChannelReporter) -> bool:
    """Protect the file, and write it with its secret and its record."""
    plan = plan_of(request)
    reporter.expect([0.0])
    reporter.step("protecting the file")
    made = protect(request.path("original"), plan=plan, progress=reporter.progress, **request.options)
    write_release(request, made)
    found = {**shown(request, made), "plan": str(plan), "formulas": formula_columns(made)}
    write_summary(request, found)
    return True
