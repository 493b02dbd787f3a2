"""What a person does on the page, step by step, and how it is looked at."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.server import Server

AXE = Path(__file__).with_name("axe.min.js")
GRAVE = ("serious", "critical")


@cache
def axe_source() -> str:
    """Return the checker."""
    return AXE.read_text(encoding="utf-8")


def check_access(page: Page) -> None:
    """Fail where the view has something that keeps people from using it."""
    page.evaluate(axe_source())
    found: list[dict[str, Any]] = page.evaluate("axe.run(document).then((found) => found.violations)")
    grave = [each for each in found if each["impact"] in GRAVE]
    told = [(each["id"], each["help"], [node["html"] for node in each["nodes"]][:3]) for each in grave]
    assert not told, json.dumps(told, indent=1)


def check_width(page: Page) -> None:
    """Fail where the view has to be moved sideways to be read."""
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0, f"{over} pixels too wide"


def open_files(page: Page, server: Server, files: tuple[Path, Path]) -> None:
    """Choose two files, and wait for their columns."""
    page.goto(f"{server.base}/")
    page.get_by_label("The original file").set_input_files(files[0])
    page.get_by_label("Its protected version").set_input_files(files[1])
    page.get_by_role("button", name="Look at the columns").click()
    expect(page.get_by_role("heading", name="Columns", exact=True)).to_be_visible(timeout=30_000)


def go_to_attackers(page: Page) -> None:
    """Accept the columns."""
    page.get_by_role("button", name="Go on to the attackers").click()
    page.wait_for_url("**/attackers")


def choose(page: Page, *attackers: str, seconds: str = "0.2", scales: tuple[str, ...] = ("ranks",)) -> None:
    """Choose attackers, time and scales, and nothing else."""
    for box in page.locator("input[name=attackers]").all():
        box.set_checked(box.get_attribute("value") in attackers)
    page.get_by_label("Seconds for each who learns").fill(seconds)
    page.get_by_text("More choices").click()
    for box in page.locator("input[name=scales]").all():
        box.set_checked(box.get_attribute("value") in scales)


def begin_long_search(page: Page, server: Server) -> None:
    """Let somebody search the files of the demo who finds no end."""
    page.goto(f"{server.base}/")
    page.get_by_role("button", name="Use the demo").click()
    expect(page.get_by_role("heading", name="Columns", exact=True)).to_be_visible(timeout=30_000)
    go_to_attackers(page)
    choose(page, "mean", "bilinear_psd", seconds="300")
    attack(page)


def attack(page: Page) -> None:
    """Let them attack."""
    page.get_by_role("button", name="Attack").click()
