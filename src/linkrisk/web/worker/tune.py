"""A search for the strengths of a protection that lose least under a target."""

from __future__ import annotations

from linkrisk.advice.tune import tune
from linkrisk.data.writing import json_file, write_together
from linkrisk.web.worker.channel import ChannelReporter
from linkrisk.web.worker.outputs import REPORT, shown, write_summary
from linkrisk.web.worker.releases import formula_columns, plan_of, write_release
from linkrisk.web.worker.request import Request

JSON = "tuning.json"


def work(request: Request, reporter: ChannelReporter) -> bool:
    """Search, and write what was tried and the best release, if one reaches the target."""
    plan = plan_of(request)
    target = request.values["target"]
    tuning = tune(request.path("original"), None, target, plan=plan, reporter=reporter, **request.options)
    document = request.told_values(tuning.to_dict())
    write_together([json_file(request.folder / JSON, document)])
    tuning.report(request.folder / REPORT)
    found = {**shown(request, tuning), "asked": str(plan), "plan": "", "formulas": []}
    if tuning.release is not None and tuning.best is not None:
        write_release(request, tuning.release)
        found |= {"plan": tuning.best.text, "formulas": formula_columns(tuning.release)}
    write_summary(request, found)
    return tuning.is_complete
