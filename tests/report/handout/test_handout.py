"""Reports: what may leave the building holds nothing of any record, and what may not says so on every page."""

from __future__ import annotations

import dataclasses
import re
import stat
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

import html5lib
import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk import report
from linkrisk.attack.result import RecordAttack
from linkrisk.errors import FileError, LinkriskError, SettingsError
from linkrisk.report.handout.contents import Kind
from linkrisk.report.handout.make import MODULES, make_handout
from linkrisk.report.shareable.assessment import SharedAssessment
from linkrisk.report.shareable.figures import checked
from linkrisk.report.shareable.matches import SharedMatches
from linkrisk.report.shareable.releases import SharedReleases
from linkrisk.report.shareable.tuning import SharedTuning
from linkrisk.result import ReportedResult
from tests.report.samples import PLANTED, SCRIPT, sample

NAMES = sorted(MODULES)

SHARED: dict[str, Any] = {
    "Assessment": SharedAssessment,
    "MatchReport": SharedMatches,
    "Releases": SharedReleases,
    "Tuning": SharedTuning,
}

TIMINGS = re.compile(r"<footer>.*</footer>|## Timings.*", re.DOTALL)


def text_of(name: str, kind: str = "shareable", ending: str = ".html") -> str:
    """Return the report on the sample of a class."""
    return report.as_report(sample(name), kind, ending)


def values_in(entry: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value of a type that is shared, through dataclasses, tuples and mappings, with where it is."""
    if dataclasses.is_dataclass(entry) and not isinstance(entry, type):
        for field in dataclasses.fields(entry):
            yield from values_in(getattr(entry, field.name), f"{path}.{field.name}")
    elif isinstance(entry, tuple | list):
        for place, each in enumerate(entry):
            yield from values_in(each, f"{path}[{place}]")
    elif isinstance(entry, dict):
        for key, each in entry.items():
            yield from values_in(key, f"{path} key")
            yield from values_in(each, f"{path}[{key}]")
    else:
        yield path, entry


def test_the_list_is_complete() -> None:
    """Every result with a report has one made of a type of its own."""
    assert {kind.__name__ for kind in ReportedResult.__subclasses__()} == set(NAMES) == set(SHARED)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shared_holds_plain_values_alone(name: str) -> None:
    """No array, no result, no parameter: sentences, numbers, names, and tables of them."""
    shared = SHARED[name].of(sample(name))
    for path, value in values_in(shared):
        assert value is None or isinstance(value, str | int | float | bool | Enum), f"{path}: {type(value).__name__}"


@pytest.mark.parametrize("ending", [".html", ".md"])
@pytest.mark.parametrize("name", NAMES)
def test_no_value_of_a_record_is_in_a_shareable_report(name: str, ending: str) -> None:
    """Ids, numbers and categories that were planted in the cells are not in it."""
    text = text_of(name, ending=ending)
    for planted in PLANTED:
        assert planted not in text


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("name", NAMES)
def test_valid_html_that_fetches_nothing(name: str, kind: str) -> None:
    """Parsed strictly; ids are unique; no script, no address outside the page; names are texts."""
    text = text_of(name, kind)
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    page = parser.parse(text)
    ids = [element.get("id") for element in page.iter() if isinstance(element.tag, str) and element.get("id")]
    assert len(ids) == len(set(ids))
    assert {link.get("href") for link in page.iter("a")} <= {f"#{name}" for name in ids}
    assert next(page.iter("script"), None) is None
    outside = re.sub(r"http://www\.w3\.org/(2000/svg|1999/xhtml|1999/xlink)", "", text)
    assert not re.search(r"https?://|src=|@import|url\((?!#)", outside)
    assert SCRIPT not in text


@pytest.mark.parametrize("name", NAMES)
def test_labels_refer_to_what_is_there(name: str) -> None:
    """Sections and pictures are named by headings and texts of the page."""
    page = html5lib.parse(text_of(name), namespaceHTMLElements=False)
    elements = [element for element in page.iter() if isinstance(element.tag, str)]
    ids = {element.get("id") for element in elements}
    named = [words for element in elements if (words := element.get("aria-labelledby"))]
    assert named
    assert {word for words in named for word in words.split()} <= ids
    assert all(table.find(".//th[@scope='col']") is not None for table in page.iter("table"))


def test_the_verdict_is_the_same_everywhere() -> None:
    """Terminal, report, notebook and JSON say the same sentences."""
    found = sample("Assessment")
    page = " ".join("".join(html5lib.parse(text_of("Assessment"), namespaceHTMLElements=False).itertext()).split())
    verdict = report.as_verdict(found)
    assert verdict is not None
    for sentence in verdict:
        told = sentence.replace("\n", " ")
        assert told in page
        assert told in str(found)
        assert sentence in found.to_dict()["verdict"]


def test_the_data_of_every_chart_are_in_the_page() -> None:
    """Each cell of the table behind a chart is a cell of the page, and of the Markdown."""
    handout = make_handout(sample("Assessment"), Kind.SHAREABLE)
    page = html5lib.parse(text_of("Assessment"), namespaceHTMLElements=False)
    cells = {"".join(cell.itertext()) for cell in page.iter("td")}
    figures = [part.figure for section in handout.sections for part in section.parts if hasattr(part, "figure")]
    assert {figure.name for figure in figures} >= {"attackers", "attributes"}
    for figure in figures:
        assert {cell for row in figure.table().rows for cell in row} <= cells


def attacked(order: Any, ids: Any) -> linkrisk.Assessment:
    """Attack a file whose records come in some order, under some ids, with a confidential column of their own."""
    random = np.random.default_rng(3)
    people = pd.DataFrame({"income": random.normal(size=60), "age": random.normal(size=60)})
    noisy = people + random.normal(scale=0.4, size=people.shape)
    names = np.array([f"okapi{number}" for number in range(60)])[ids]
    original, protected = people.assign(who=names).iloc[order], noisy.assign(who=names).iloc[order]
    return linkrisk.assess(
        original.reset_index(drop=True),
        protected.reset_index(drop=True),
        id="who",
        attackers=["mean", "kernel"],
        scales=["original"],
        one_to_one=False,
    )


def test_who_is_who_does_not_show() -> None:
    """Records in another order, and under other ids, give the same bytes but for the hash of the protected file."""
    plain = np.arange(60)
    shuffled = np.random.default_rng(8).permutation(60)
    texts = [
        re.sub(r"[0-9a-f]{64}", "hash", TIMINGS.sub("", report.as_report(attacked(order, ids))))
        for order, ids in ((plain, plain), (shuffled, plain), (plain, shuffled))
    ]
    assert texts[0] == texts[1] == texts[2]


def in_order(attack: RecordAttack, order: Any) -> RecordAttack:
    """Return what an attack does to the records, in another order."""
    told: dict[str, Any] = {n: v[order] if isinstance(v, np.ndarray) else v for n, v in vars(attack).items()}
    return RecordAttack(**told)


def test_records_with_equal_results_may_change_places() -> None:
    """Whatever is known of each record is counted, and nothing else of it comes in."""
    found = attacked(np.arange(60), np.arange(60))
    order = np.argsort(found.records.highest_chance, kind="stable")[::-1]
    attacks = tuple(in_order(each, order) for each in found.records.attacks)
    other = replace(found, records=replace(found.records, record=np.zeros(60, dtype=int), attacks=attacks))
    assert TIMINGS.sub("", report.as_report(other)) == TIMINGS.sub("", report.as_report(found))


@pytest.mark.parametrize("ending", [".html", ".md"])
def test_same_seed_same_bytes(ending: str) -> None:
    """But for the timings."""
    first, second = (attacked(np.arange(60), np.arange(60)) for _ in range(2))
    texts = [TIMINGS.sub("", report.as_report(found, "internal", ending)) for found in (first, second)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("ending", [".html", ".md"])
@pytest.mark.parametrize("name", NAMES)
def test_an_internal_report_is_for_its_owner(name: str, ending: str, tmp_path: Path) -> None:
    """Marked in its first line and on every page, readable by the owner alone; a shareable one is not marked."""
    found: Any = sample(name)
    found.report(tmp_path / f"own{ending}", kind="internal")
    found.report(tmp_path / f"all{ending}")
    own, everybody = (tmp_path / f"{which}{ending}" for which in ("own", "all"))
    assert "CONFIDENTIAL" in own.read_text(encoding="utf-8").split("\n")[0]
    assert "CONFIDENTIAL" not in everybody.read_text(encoding="utf-8")
    assert stat.S_IMODE(own.stat().st_mode) == 0o600
    if ending == ".html":
        assert '@top-center { content: "CONFIDENTIAL' in own.read_text(encoding="utf-8")


def test_an_internal_report_pairs_the_records() -> None:
    """Record and protected row, those found most easily first."""
    text = text_of("Assessment", "internal")
    assert "zebra" in text
    assert "protected row" in text


@pytest.mark.parametrize("name", NAMES)
def test_an_internal_report_leaves_no_note_out(name: str) -> None:
    """What is left out of a shareable one because it tells figures."""
    found: Any = sample(name)
    own, everybody = (
        report.as_report(replace(found, notes=("3 okapi are odd",)), kind) for kind in ("internal", "shareable")
    )
    assert "3 okapi are odd" in own
    assert "okapi" not in everybody


def test_mistakes(tmp_path: Path) -> None:
    """A kind or an ending that there is not, a file that exists."""
    found: Any = sample("Assessment")
    with pytest.raises(SettingsError, match="shareable, internal"):
        found.report(tmp_path / "r.html", kind="public")
    with pytest.raises(FileError, match=r"must end in \.html or \.md"):
        found.report(tmp_path / "r.pdf")
    found.report(tmp_path / "r.md")
    before = (tmp_path / "r.md").read_bytes()
    with pytest.raises(FileError, match="exists already"):
        found.report(tmp_path / "r.md")
    assert (tmp_path / "r.md").read_bytes() == before
    found.report(tmp_path / "r.md", overwrite=True)


def test_a_confidential_chart_is_never_shared() -> None:
    """Whoever puts one among those that are."""
    confidential = [figure for figure in _figures() if figure.is_confidential]
    assert confidential
    with pytest.raises(LinkriskError, match="is confidential"):
        checked(confidential)


def _figures() -> list[Any]:
    from linkrisk.report.charts import figures_of  # noqa: PLC0415

    return figures_of(sample("Assessment"), confidential=True)
