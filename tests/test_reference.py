"""The reference is what the code says today."""

from __future__ import annotations

import inspect

import pytest

import linkrisk
from tests.reference import PAGE, RESULTS, all_commands, command_text, reference


def test_the_reference_is_up_to_date() -> None:
    """After an option was added or changed, the page has to be written again."""
    assert PAGE.read_text(encoding="utf-8") == reference(), "run make reference, and commit docs/reference.md"


def test_every_command_is_there() -> None:
    """None is left out, and a command that changed would change the page."""
    text = reference()
    assert [name for name in all_commands() if f"\n## {name}\n" not in text] == []
    assert {"assess", "study run"} <= all_commands().keys()


@pytest.mark.parametrize("verb", RESULTS)
def test_every_keyword_is_there(verb: str) -> None:
    """What a verb takes by keyword is an option of its command, or about progress."""
    text = command_text(verb, all_commands()[verb])
    for name, parameter in inspect.signature(getattr(linkrisk, verb)).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and name not in {"progress", "reporter", "learning"}:
            assert f"`--{name.replace('_', '-')}`" in text or f"`{name}`" in text, name
