"""How an assessment is shown: its report, its JSON document, and its figures."""

from linkrisk.report.assessment.figures import columns
from linkrisk.report.assessment.findings import verdict
from linkrisk.report.assessment.json_layout import document
from linkrisk.report.assessment.page import blocks

__all__ = ["blocks", "columns", "document", "verdict"]
