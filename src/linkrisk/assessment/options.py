"""What an assessment is asked for: the options of `linkrisk.assess`, ``linkrisk assess`` and the assessment file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from linkrisk.assessment.scenario import Scenario
from linkrisk.assessment.survey.options import Surveying, SurveyingKeywords
from linkrisk.attack.options import Attacking, AttackingKeywords
from linkrisk.attack.rules import ReleaseKeywords, ReleaseRules
from linkrisk.data.reading import Reading, ReadingKeywords, split_assignment
from linkrisk.informed.options import Describing, DescribingKeywords
from linkrisk.learning.options import Learning, LearningKeywords
from linkrisk.name_list import split_names
from linkrisk.options import Choice, File, Flag, Options, Values, Whole, option, same_option


@dataclass(frozen=True)
class Scenarios(Values):
    """Further intruders: scenarios, or mappings of their fields as an assessment file has them."""

    metavar = "NAME=A,B"
    is_repeatable = True

    def check(self, value: Any) -> tuple[Scenario, ...]:
        """Return the scenarios, each with a name of its own."""
        entries = [value] if isinstance(value, Scenario | Mapping) else value
        is_list = isinstance(entries, Iterable) and not isinstance(entries, str)
        if not is_list or not all(isinstance(entry, Scenario | Mapping) for entry in entries):
            raise ValueError("must be scenarios, each with a name and the attributes or people that are known")
        scenarios = tuple(entry if isinstance(entry, Scenario) else Scenario.of(entry) for entry in entries)
        names = [scenario.name for scenario in scenarios]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"names two scenarios {twice[0]!r}; give each a name of its own")
        return scenarios

    def from_text(self, text: str) -> dict[str, Any]:
        """Return the scenario in ``NAME=a,b``."""
        name, attributes = split_assignment(text)
        return {"name": name, "attributes": split_names(attributes)}

    def plain(self, value: Any) -> list[dict[str, Any]]:
        """Describe the scenarios; of people listed one by one only their number."""
        return [scenario.plain() for scenario in value]


@dataclass(frozen=True, kw_only=True)
class AssessOptions(ReleaseRules, Learning, Surveying, Attacking, Describing, Reading):
    """What an assessment is asked for."""

    title: ClassVar[str] = "What else is worked out"

    scenarios: Sequence[Scenario] = option(
        (), Scenarios(), "Further intruders who know only some attributes, or some people.", word="scenario"
    )
    own_ranks: bool = option(False, Flag(), "Also rank each record's own protected version among all (slower).")
    attribute_sample: int = option(
        10_000,
        Whole(1, 10**9),
        "People, drawn at random, for whom links with all attributes but one are counted where there are more; a 95 % "
        "interval tells what the draw leaves open.",
    )
    exact: bool = option(False, Flag(), "Count those links for everybody, however many there are (slower).")
    loss: bool = option(False, Flag(), "Also measure what users of the data lose; a report always does.")
    certificates: str | os.PathLike[str] | None = option(
        None,
        File(metavar="FOLDER"),
        "Folder for certificates of what was learned (confidential), made if there is none; see verify.",
    )
    overwrite: bool = option(False, Flag(), "Replace files that exist.")


class AssessKeywords(
    ReleaseKeywords,
    LearningKeywords,
    SurveyingKeywords,
    AttackingKeywords,
    DescribingKeywords,
    ReadingKeywords,
    total=False,
):
    """The options of `AssessOptions`, for type checkers."""

    scenarios: Sequence[Scenario]
    own_ranks: bool
    attribute_sample: int
    exact: bool
    loss: bool
    certificates: str | os.PathLike[str] | None
    overwrite: bool


REPORT_KINDS = ("shareable", "internal")
"""Who may read a report: anybody, or the owner of the original alone."""


@dataclass(frozen=True, kw_only=True)
class ReportFile(Options):
    """The report that is written."""

    title: ClassVar[str] = "What is written"

    report: Path | None = option(
        None, File((".html", ".md")), "Write a report to hand on, with charts, .html or .md; see report_kind."
    )
    report_kind: str = option(
        "shareable",
        Choice(REPORT_KINDS),
        "Shareable: nothing of any record. Internal: also records, values and parameters of attackers (confidential).",
    )


@dataclass(frozen=True, kw_only=True)
class ResultFiles(ReportFile):
    """The results of an assessment that are written."""

    title: ClassVar[str] = "What is written"

    json: Path | None = option(None, File(), "Write the result as JSON (confidential).")
    records: Path | None = option(
        None, File((".csv", ".parquet")), "Write the risk of each record, .csv or .parquet (confidential)."
    )
    certificates: str | os.PathLike[str] | None = same_option(AssessOptions, "certificates")
    overwrite: bool = same_option(AssessOptions, "overwrite")
    details: bool = option(False, Flag(), "Show all tables: every scale, how sure the intruder is, intervals, classes.")


@dataclass(frozen=True, kw_only=True)
class AssessmentFile(ResultFiles, AssessOptions):
    """Everything one assessment needs: the files, the options of `linkrisk.assess`, results to write."""

    original: Path = option(Path(), File(), "The original file.")
    protected: Path = option(Path(), File(), "Its protected version.")
