"""The pictures of the page in these pages: each step with the files of the demo, as a browser shows it.

``make pictures`` draws them anew; look at them before you keep them. It needs chromium.
"""

from __future__ import annotations

import re
import shutil
import signal
import tempfile
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, expect, sync_playwright
from tests.web.server import Server

from linkrisk.attack.options import DEFAULT_ATTACKERS

FOLDER = Path(__file__).parent / "images"
SWITCHES = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
SCREEN: ViewportSize = {"width": 1280, "height": 800}
SEVERAL_STEPS = re.compile(r"(L[^L]+){14}")
"""A line with so many corners that there is something to see."""

PATIENCE = 300_000
"""Milliseconds for what computes."""


def main() -> None:
    """Go through the page, and draw each step."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        server = Server.start(Path(name))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=SWITCHES)
        page = browser.new_page(viewport=SCREEN, color_scheme="light")
        page.set_default_timeout(PATIENCE)
        page.goto(server.start_address)
        _choose(page)
        _attack(page)
        _protect(page)
        browser.close()
        server.end(signal.SIGTERM)


def _choose(page: Page) -> None:
    """Go as far as the attackers."""
    _draw(page, "start")
    page.get_by_role("button", name="Use the demo").click()
    expect(page.get_by_role("heading", name="Columns", exact=True)).to_be_visible(timeout=PATIENCE)
    _draw(page, "columns")
    page.get_by_role("button", name="Go on to the attackers").click()
    page.wait_for_url("**/attackers")
    _draw(page, "attackers")


def _attack(page: Page) -> None:
    """Watch the search of an attacker whose search takes some time, stop it, and see what the usual ones find."""
    for box in page.locator("input[name=attackers]").all():
        box.set_checked(box.get_attribute("value") in {"mean", "bilinear_psd"})
    page.get_by_label("Seconds for each who learns").fill("60")
    page.get_by_text("More choices").click()
    for scale in ("original", "separate"):
        page.locator(f"#scale-{scale}").uncheck()
    page.get_by_role("button", name="Attack").click()
    expect(page.locator("[data-searched]")).to_contain_text("bilinear_psd", timeout=PATIENCE)
    expect(page.locator(".best-line")).to_have_attribute("d", SEVERAL_STEPS, timeout=PATIENCE)
    _draw(page, "run")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_url("**/release/1")
    page.get_by_role("link", name="Attackers").click()
    for box in page.locator("input[name=attackers]").all():
        box.set_checked(box.get_attribute("value") in DEFAULT_ATTACKERS)
    page.get_by_label("Seconds for each who learns").fill("2")
    page.get_by_text("More choices").click()
    for scale in ("original", "separate"):
        page.locator(f"#scale-{scale}").check()
    page.get_by_role("button", name="Attack").click()
    page.wait_for_url("**/release/1")
    _draw(page, "result")


def _protect(page: Page) -> None:
    """Protect more, and see before and after."""
    page.get_by_role("link", name="Try a protection").click()
    for place in range(7):
        page.locator(f"#strength-{place}").fill("25")
    page.locator("#strength-7").fill("0.3")
    _draw(page, "protect")
    page.get_by_role("button", name="Protect and attack").click()
    expect(page.get_by_role("heading", name="Side by side")).to_be_visible(timeout=PATIENCE)
    _draw(page, "before-after")
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="Downloads").click()
    _draw(page, "downloads")


def _draw(page: Page, name: str) -> None:
    """Draw what a screen shows."""
    page.mouse.move(0, 0)
    page.screenshot(path=FOLDER / f"page-{name}.png")


if __name__ == "__main__":
    main()
