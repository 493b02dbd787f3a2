"""The whole way through the page, in a browser: from two files to a protected version and the command for the same."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.cli.command import linkrisk_command
from tests.web.browser.conftest import PATIENCE
from tests.web.browser.steps import (
    attack,
    begin_long_search,
    check_access,
    check_width,
    choose,
    go_to_attackers,
    open_files,
)
from tests.web.server import Server

pytestmark = pytest.mark.slow

LONG = 60_000
"""Milliseconds for what computes."""


@pytest.fixture(scope="module")
def tab(context: BrowserContext) -> Page:
    """Return a tab in which the journey goes on from test to test."""
    return context.new_page()


def correct_columns(tab: Page, server: Server, people: tuple[Path, Path]) -> None:
    """See what was found, with kinds; a name is said to identify people; education is what an intruder is after."""
    open_files(tab, server, people)
    expect(tab.get_by_label("Kind of birth_date")).to_contain_text("date (found)")
    expect(tab.get_by_label("Kind of AGI")).to_contain_text("numeric (found)")
    check_access(tab)
    tab.get_by_label("Role of surname").select_option("identifier")
    tab.get_by_label("Role of education").select_option("confidential")
    tab.get_by_role("button", name="Go on to the attackers").click()
    expect(tab.get_by_label("Role of surname")).to_have_value("identifier", timeout=LONG)
    expect(tab.get_by_label("Role of education")).to_have_value("confidential")


def choose_attackers(tab: Page) -> None:
    """Each with a sentence; what learning takes at most is told as it is chosen."""
    go_to_attackers(tab)
    expect(tab.get_by_text("learning takes at most 30 s")).to_be_visible()
    check_access(tab)
    choose(tab, "mean", "weighted_mean", seconds="0.5")
    expect(tab.get_by_text("learning takes at most 0.5 s")).to_be_visible()
    attack(tab)


def read_result(tab: Page) -> None:
    """See the verdict, a number, charts that are there, what to do."""
    tab.wait_for_url("**/release/1", timeout=LONG)
    expect(tab.get_by_text("More than you allow", exact=True)).to_be_visible()
    expect(tab.get_by_role("listitem").filter(has_text="The strongest attack")).to_be_visible()
    widths = tab.evaluate("[...document.images].map((image) => image.complete ? image.naturalWidth : -1)")
    assert len(widths) >= 2
    assert min(widths) > 0
    check_access(tab)
    tab.get_by_role("link", name="Read the report to hand on").click()
    expect(tab.get_by_role("heading", level=1)).to_be_visible()
    tab.go_back()


def try_a_protection(tab: Page) -> None:
    """Choose a method and a strength for each column, as proposed, and before and after side by side."""
    tab.get_by_role("link", name="Try a protection").click()
    expect(tab.get_by_label("What is done to surname")).to_have_value("drop")
    expect(tab.get_by_label("What is done to education")).to_have_value("leave")
    check_access(tab)
    tab.get_by_label("What is done to birth_date").select_option("generalise")
    tab.get_by_label("How strongly birth_date is protected").fill("year")
    tab.get_by_role("button", name="Protect and attack").click()
    expect(tab.get_by_role("heading", name="Before and after")).to_be_visible()
    expect(tab.get_by_role("heading", name="Side by side")).to_be_visible(timeout=LONG)
    expect(tab.get_by_text("Before: released.csv")).to_be_visible()
    expect(tab.get_by_text("After: people 2020-protected-1.csv")).to_be_visible()
    check_access(tab)


def take_everything_along(
    tab: Page, people: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file comes under its name; the commands, typed in a folder with them, find the same figures."""
    tab.get_by_role("navigation", name="Steps").get_by_role("link", name="Downloads").click()
    check_access(tab)
    for link in tab.get_by_role("link", name=re.compile("^Download .")).all():
        with tab.expect_download() as started:
            link.click()
        started.value.save_as(tmp_path / started.value.suggested_filename)
    with tab.expect_download() as started:
        tab.get_by_role("link", name="schema.toml").click()
    started.value.save_as(tmp_path / "schema.toml")
    names = {path.name for path in tmp_path.iterdir()}
    stem = "people 2020-protected-1"
    assert {
        f"{stem}.csv",
        f"{stem}.csv.secret",
        f"{stem}.json",
        f"{stem}-report.html",
        f"{stem}-assessment.json",
    } <= names
    for path in people:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    commands = [shlex.split(text) for text in tab.locator(".command code").all_inner_texts()]
    monkeypatch.chdir(tmp_path)
    assess = next(words for words in commands if words[1] == "assess")
    outcome = linkrisk_command(*assess[1:], "--json", "again.json")
    assert outcome.code == 1, outcome.errors  # more than is allowed
    assert _figures(tmp_path / "again.json") == _figures(tmp_path / f"{stem}-assessment.json")
    compare = next(words for words in commands if words[1] == "compare")
    linkrisk_command(*compare[1:], "--json", "both.json")
    told, again = (json.loads(Path(name).read_text())["releases"] for name in (f"{stem}-comparison.json", "both.json"))
    assert [(each["name"], each["risk"]["rate"], each["loss"]) for each in told] == [
        (each["name"], each["risk"]["rate"], each["loss"]) for each in again
    ]
    protect = next(words for words in commands if words[1] == "protect")
    linkrisk_command(*protect[1:], "--overwrite").check_success()
    assert Path(f"{stem}.csv").read_text().splitlines()[0] == Path(unquote(f"{stem}.csv")).read_text().splitlines()[0]


def _figures(path: Path) -> object:
    """Return what an assessment found, without what the clock says."""
    told = json.loads(path.read_text())
    attacks = [(a["label"], a["scale"], a["links"], a["found"], a["bound"]) for a in told["attackers"]]
    return told["verdict"], attacks, told["attribute_table"], told["diversity"], told["settings"]["schema"]


def open_a_second_tab_and_reload(tab: Page, context: BrowserContext, server: Server) -> None:
    """See that the start leads back to where the work stands; what is reloaded is the same."""
    second = context.new_page()
    second.goto(f"{server.base}/")
    check_access(second)
    second.get_by_role("link", name="people 2020.csv").click()
    expect(second.get_by_role("heading", name="Before and after")).to_be_visible()
    before = tab.content()
    tab.reload()
    assert tab.content() == before
    second.close()


def look_narrow_and_dark(tab: Page, browser: Browser, server: Server, context: BrowserContext) -> None:
    """On a telephone no view is moved sideways, and nothing is too pale in either scheme."""
    del browser, context
    case = re.sub(r"(/case/\d+)/.*", r"\1", tab.url)
    views = [
        f"{server.base}/",
        *(
            f"{case}/{step}"
            for step in ("columns", "attackers", "release/1", "protect", "release/2", "release/2/downloads")
        ),
    ]
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.emulate_media(color_scheme="dark", reduced_motion="reduce")
    for view in views:
        tab.goto(view)
        check_width(tab)
        check_access(tab)
    assert tab.evaluate("getComputedStyle(document.querySelector('.skip')).transitionDuration") == "0s"
    tab.emulate_media(color_scheme="light", reduced_motion="no-preference")
    tab.set_viewport_size({"width": 640, "height": 450})  # 1280 at a zoom of 200 %
    for view in views:
        tab.goto(view)
        check_width(tab)
    tab.set_viewport_size({"width": 1280, "height": 900})


def test_the_journey(
    tab: Page,
    server: Server,
    people: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    context: BrowserContext,
    browser: Browser,
) -> None:
    """Step by step, in one test: each goes on where the one before it ended."""
    correct_columns(tab, server, people)
    choose_attackers(tab)
    read_result(tab)
    try_a_protection(tab)
    take_everything_along(tab, people, tmp_path, monkeypatch)
    open_a_second_tab_and_reload(tab, context, server)
    look_narrow_and_dark(tab, browser, server, context)


def test_stop_keeps_the_best_so_far(page: Page, server: Server) -> None:
    """A search that would go on is watched live, reloaded, stopped; its result says that it is not all."""
    begin_long_search(page, server)
    expect(page.locator("[data-searched]")).to_contain_text("bilinear_psd", timeout=LONG)
    check_access(page)
    page.reload()
    expect(page.locator("[data-course-told]")).to_contain_text("at most", timeout=LONG)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_url("**/release/1", timeout=LONG)
    expect(page.get_by_text("The attacks were stopped")).to_be_visible()
    expect(page.get_by_role("cell", name="interrupted").first).to_be_visible()


def test_wrong_files_are_told(page: Page, server: Server, people: tuple[Path, Path], tmp_path: Path) -> None:
    """What is no file of data, what does not fit, and what is too large, each in a sentence that says what to do."""
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n")
    open_files(page, server, (picture, people[1]))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("picture.png is of no kind that linkrisk reads")
    check_access(page)
    faulty = tmp_path / "faulty.csv"
    faulty.write_text("AGI,sex\n" + "".join(f"{n},f\n" for n in range(19)) + "much,m\n")
    open_files(page, server, (faulty, faulty))
    expect(page.get_by_role("row", name=re.compile("AGI"))).to_contain_text("text in a numeric column in row 21")
    expect(page.get_by_role("button", name="Look again")).to_be_visible()
    check_access(page)
    page.get_by_label("Kind of AGI").select_option("nominal")
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_role("button", name="Go on to the attackers")).to_be_visible(timeout=LONG)
    large = tmp_path / "large.csv"
    large.write_bytes(b"a\n" + b"1\n" * (2 << 20))
    page.goto(f"{server.base}/")
    page.get_by_label("The original file").set_input_files(large)
    page.get_by_label("Its protected version").set_input_files(people[1])
    page.get_by_role("button", name="Look at the columns").click()
    expect(page.get_by_role("alert")).to_contain_text("larger than 2 MB")


def test_too_large_without_script(
    browser: Browser, context: BrowserContext, server: Server, people: tuple[Path, Path], tmp_path: Path
) -> None:
    """The server says it, too; and without script the whole way can be gone: views reload themselves."""
    key = context.cookies(f"{server.base}/")
    plain = browser.new_context(java_script_enabled=False)
    plain.set_default_timeout(PATIENCE)
    plain.add_cookies([{"name": each["name"], "value": each["value"], "url": f"{server.base}/"} for each in key])
    page = plain.new_page()
    large = tmp_path / "large.csv"
    large.write_bytes(b"a\n" + b"1\n" * (3 << 20))
    page.goto(f"{server.base}/")
    page.get_by_label("The original file").set_input_files(large)
    page.get_by_label("Its protected version").set_input_files(people[1])
    page.get_by_role("button", name="Look at the columns").click()
    expect(page.get_by_role("alert")).to_contain_text("larger than 2 MB")
    open_files(page, server, people)
    go_to_attackers(page)
    choose(page, "mean")
    attack(page)
    page.wait_for_url("**/release/1", timeout=LONG)
    plain.close()


def test_by_keyboard_alone(page: Page, server: Server) -> None:
    """From the skip link to the attack: what has the focus is seen, and every step is reached."""
    page.goto(f"{server.base}/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="To the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    _tab_to(page, "Use the demo")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Columns", exact=True)).to_be_visible(timeout=LONG)
    _tab_to(page, "Go on to the attackers")
    page.keyboard.press("Enter")
    page.wait_for_url("**/attackers")
    _tab_to(page, "Seconds for each who learns, on each scale")
    page.keyboard.press("Control+a")
    page.keyboard.type("nothing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("alert")).to_contain_text("must be a number")


def _tab_to(page: Page, name: str) -> None:
    """Press the tabulator until what has the focus is called so."""
    told = """() => {
        const now = document.activeElement;
        const label = now.labels && now.labels.length ? now.labels[0].textContent : now.textContent;
        return label.trim();
    }"""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(told) == name:
            return
    raise AssertionError(f"{name} cannot be reached by the keyboard")


def test_a_killed_process_is_told(page: Page, server: Server) -> None:
    """As the system kills what takes too much memory; what was chosen is still there, and the next job is done."""
    begin_long_search(page, server)
    expect(page.locator("[data-line]")).to_contain_text("Step", timeout=LONG)
    for number in server.workers():
        os.kill(number, 9)
    expect(page.get_by_role("alert")).to_contain_text("memory of this machine was not enough", timeout=LONG)
    page.get_by_role("link", name="Go back and change something").click()
    expect(page.get_by_label("bilinear_psd", exact=True)).to_be_checked()
    choose(page, "mean")
    attack(page)
    page.wait_for_url("**/release/1", timeout=LONG)
