"""The command ``loss``: the information that is lost in a protected file."""

from __future__ import annotations

from dataclasses import dataclass

from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.options import JsonResult, Original, Protected, paths_among
from linkrisk.cli.output import ResultFile, deliver
from linkrisk.losses.options import LossOptions


@dataclass(frozen=True, kw_only=True)
class LossCommand(JsonResult, LossOptions):
    """What the command takes besides the files."""


@with_options(LossCommand)
def loss(original: Original, protected: Protected, given: Given) -> None:
    """Measure the information lost in a protected file: PIL, IL1s, moments, regression, pMSE, categories."""
    from linkrisk.data.writing import check_results  # noqa: PLC0415
    from linkrisk.losses.loss import loss as lost  # noqa: PLC0415

    asked = LossCommand.of(given)
    inputs = [original, protected, *paths_among(given.get("schema"), asked.pairs)]
    check_results([asked.json], inputs, overwrite=asked.overwrite)
    found = lost(original, protected, **asked.part(LossOptions).keywords())
    deliver(found, ResultFile.among(asked.json, lambda: found.write(asked.json, overwrite=asked.overwrite)))
