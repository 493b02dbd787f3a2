"""One server and one browser for all tests here; without chromium they are skipped by name, in CI they fail."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

import linkrisk
from tests.web.server import Server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What keeps chromium from asking anybody for anything."""

PATIENCE = 30_000
"""Milliseconds after which a view is given up."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start chromium; what it asks of other machines than this is seen by `no_request_leaves`."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("needs chromium, and CI must have it: apt-get install chromium")
        pytest.skip("needs chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    """Start the page as a user does."""
    del browser  # without one there is nothing to serve
    started = Server.start(tmp_path_factory.mktemp("server"), "--upload-limit", "2")
    yield started
    started.end(signal.SIGTERM)


@pytest.fixture(scope="module")
def context(server: Server, browser: Browser) -> Iterator[BrowserContext]:
    """Open the start address once: tabs share the key."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    opened.set_default_timeout(PATIENCE)
    page = opened.new_page()
    page.goto(server.start_address)
    page.close()
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, server: Server) -> Iterator[Page]:
    """Open a tab; fail where a request leaves this machine, a script fails, or the policy of the page is broken."""
    opened = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []

    def heed(request: Request) -> None:
        asked.append(request.url)

    opened.on("request", heed)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield opened
    opened.close()
    origin = server.base.rpartition("/")[0]
    assert not [url for url in asked if not url.startswith((f"{origin}/", "data:", "about:", "blob:"))]
    assert not [text for text in complaints if "status of 4" not in text], complaints


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Write a mixed file of 80 people: numbers, dates, categories, names, holes; and a noisy version."""
    folder = tmp_path_factory.mktemp("people")
    numbers, words = linkrisk.datasets.census_like(80, seed=3), linkrisk.datasets.census_like_mixed(80, seed=3)
    original = numbers[["AGI", "FEDTAX"]].join(words[["sex", "education", "birth_date", "surname"]])
    plan = "AGI,FEDTAX: noise 10; sex: pram 0.9; education,birth_date,surname: leave"
    protected = linkrisk.protect(original, plan=plan, secret_seed=1).data
    paths = folder / "people 2020.csv", folder / "released.csv"
    original.to_csv(paths[0], index=False)
    protected.to_csv(paths[1], index=False)
    return paths
