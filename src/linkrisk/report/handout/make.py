"""The report on a result: made of what may be shared, and for its owner of what may not."""

from __future__ import annotations

import importlib

from linkrisk.report.handout.contents import Handout, Kind
from linkrisk.result import Result

MODULES = {"Assessment": "assessment", "Releases": "releases", "Tuning": "tuning", "MatchReport": "matches"}
"""The module of each result, loaded when the first report on one of its kind is made."""


def make_handout(result: Result, kind: Kind) -> Handout:
    """Return the report on a result; a shareable one is made of a type that holds nothing of any record."""
    module = importlib.import_module(f"linkrisk.report.handout.{MODULES[type(result).__name__]}")
    handout: Handout = module.handout(result, kind)
    return handout
