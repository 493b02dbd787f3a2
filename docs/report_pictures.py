"""The pictures of reports in these pages: what linkrisk writes today, as a browser shows and prints it.

``make pictures`` draws them anew; look at them before you keep them. It needs chromium, and pdftoppm for the printed
page.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import linkrisk
from linkrisk.assessment.demo import make_demo
from linkrisk.assessment.file import load_assessment_file, run_assessment

FOLDER = Path(__file__).parent / "images"
SWITCHES = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")

NOTEBOOK = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>notebook</title>
<style>body {{ font: 14px/1.45 Arial, "Liberation Sans", sans-serif; margin: 16px 24px; }}
pre {{ background: #f5f5f5; border: 1px solid #e0e0e0; padding: 8px 10px; }} td, th {{ padding: 2px 8px; }}</style>
<pre>result = linkrisk.assess("original.csv", "protected.csv", loss=True)
result</pre>{shown}</html>"""
"""A cell of a notebook, and what it shows."""


@dataclass(frozen=True)
class View:
    """A picture of a page: its name, how wide the screen is, and how much of the page is seen."""

    name: str
    width: int
    height: int


REPORT_VIEWS = (View("report", 1000, 860), View("report-phone", 390, 844))
NOTEBOOK_VIEW = View("notebook", 900, 980)


def main() -> None:
    """Draw all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        result = _demo(folder)
        result.report(folder / "report.html")
        shown = NOTEBOOK.format(shown=result._repr_html_())  # what a notebook asks for
        (folder / "notebook.html").write_text(shown, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=SWITCHES)
        for view in REPORT_VIEWS:
            _draw(browser, folder / "report.html", view)
        _draw(browser, folder / "notebook.html", NOTEBOOK_VIEW)
        _print(browser, folder / "report.html", folder)
        browser.close()


def _demo(folder: Path) -> linkrisk.Assessment:
    """Assess the file of the demo, with more time for who learns, and a limit."""
    make_demo(folder / "demo", n_records=1000, seed=1, overwrite=False)
    asked = load_assessment_file(folder / "demo" / "assessment.toml")
    options = {**asked.keywords(), "report": folder / "report.html", "max_rate": 0.05, "time_limit": 3.0}
    return run_assessment(type(asked)(**options))


def _draw(browser: Browser, page: Path, view: View) -> None:
    """Take a picture of the top of a page."""
    tab = browser.new_page(viewport={"width": view.width, "height": view.height})
    tab.goto(page.as_uri())
    tab.screenshot(path=FOLDER / f"{view.name}.png")
    tab.close()


def _print(browser: Browser, page: Path, folder: Path) -> None:
    """Print a page, and take a picture of the second sheet, where the charts are."""
    tab = browser.new_page()
    tab.goto(page.as_uri())
    tab.pdf(path=folder / "report.pdf", format="A4", prefer_css_page_size=True)
    tab.close()
    command = ["pdftoppm", "-r", "70", "-f", "2", "-l", "2", "-singlefile", "-png", "report.pdf", "printed"]
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603  (our own command)
    shutil.copy(folder / "printed.png", FOLDER / "report-printed.png")


if __name__ == "__main__":
    main()
