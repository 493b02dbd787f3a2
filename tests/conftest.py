"""Settings of the test run: the same examples every time in CI, new ones at a developer's desk; how many of them."""

from __future__ import annotations

import gc
import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

import pytest
import typer.main
from hypothesis import is_hypothesis_test, settings

from linkrisk.linkage.matching import chain
from tests.examples import share

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("desk", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

LEAST_EXAMPLES = 10
"""Properties stated for no more examples than these are tried on all of them."""

LEAST_SEEDS = 2
"""So many seeds are always tried, where a test is stated for seeds from 0 on."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give each property its share of examples, or of seeds; and put first what waits for a browser.

    Processes of pytest-xdist begin with equal parts of the list and share what is left at the end: what comes first is
    done by one of them, which starts one browser and one server for all of it while the others compute.
    """
    functions = {getattr(item.obj, "__func__", item.obj) for item in items if isinstance(item, pytest.Function)}
    for test in filter(is_hypothesis_test, functions):  # once, however many parameters it has
        stated = test._hypothesis_internal_use_settings  # hypothesis tells it nowhere else
        wanted = share(stated.max_examples, LEAST_EXAMPLES)
        test._hypothesis_internal_use_settings = settings(stated, max_examples=wanted)
    left_out = set(_seeds_left_out(items))
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: "browser" not in item.path.parts)


def _seeds_left_out(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the runs of tests with seeds that are beyond the share of theirs."""
    by_test: dict[str, dict[int, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        seed = (
            item.callspec.params.get("seed")
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else None
        )
        if isinstance(seed, int):
            by_test[item.nodeid.partition("[")[0]][seed].append(item)
    for runs in by_test.values():
        for seed in sorted(runs)[share(len(runs), LEAST_SEEDS) :]:
            yield from runs[seed]


gc.disable()  # while packages and tests are imported, nearly all of which stay


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over packages and tests, a million objects that stay, and come less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(400_000)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Collect what the tests have left once: pytest does so five times, and would look at all that stays."""
    gc.collect()
    gc.freeze()


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
