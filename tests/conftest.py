"""Settings of the test run: the same examples every time in CI, new ones at a developer's desk; how many of them."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

import pytest
import typer.main
from hypothesis import is_hypothesis_test, settings

from linkrisk.linkage.matching import chain

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("desk", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

EXAMPLES = float(os.environ.get("LINKRISK_EXAMPLES", "0.25"))
"""Share of the examples stated that a property is tried on: a quarter of them by ``make test``, to be run often,
all of them by ``.ci/run`` before anything lands, ten times as many by ``make thorough``."""

LEAST_EXAMPLES = 10
"""Properties stated for no more examples than these are tried on all of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each property its share of examples, once, however many parameters it has."""
    functions = {getattr(item.obj, "__func__", item.obj) for item in items if isinstance(item, pytest.Function)}
    properties = filter(is_hypothesis_test, functions)
    for test in properties:
        stated = test._hypothesis_internal_use_settings  # hypothesis tells it nowhere else
        wanted = max(min(stated.max_examples, LEAST_EXAMPLES), round(EXAMPLES * stated.max_examples))
        test._hypothesis_internal_use_settings = settings(stated, max_examples=wanted)


gc.disable()  # while packages and tests are imported, nearly all of which stay


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over packages and tests, a million objects that stay, and come less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(400_000)
    gc.enable()


@pytest.fixture
def heard_signals() -> Iterator[None]:
    """Hear SIGHUP even where the tests were started with ``nohup``, which linkrisk respects."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


SHORT_CHAINS = ("advice", "assessment", "attack", "cli", "report")
"""Folders of tests of what is not drawn: ceilings are looked at in tests of linkage and of who knows the method."""


@pytest.fixture
def short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw a tenth of the matchings where no test looks at them: attacks on small files spend much of their time so."""
    monkeypatch.setattr(chain, "MOST_SWEEPS", 100)


@pytest.fixture(autouse=True)
def _short_chains(request: pytest.FixtureRequest) -> None:
    """Draw few matchings in folders whose tests look at none."""
    if request.path.parent.name in SHORT_CHAINS:
        request.getfixturevalue("short_chains")


@pytest.fixture(autouse=True)
def _room_for_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lines be as long as they are, so that tests find what they look for; tests of lines say how long."""
    monkeypatch.setenv("COLUMNS", "2000")


@pytest.fixture(scope="session", autouse=True)
def _commands_are_made_once() -> Iterator[None]:
    """Keep the commands that typer makes of linkrisk's functions: making them takes as long as a short command."""
    with patch("typer.main.get_command", cache(typer.main.get_command)):
        yield
