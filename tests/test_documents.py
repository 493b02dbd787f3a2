"""Every example in README and the guide runs, and comes out as shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents import (
    ROOT,
    Block,
    Reader,
    blocks,
    check_output,
    commands,
    leads_somewhere,
    links,
    pages,
    refresh,
)

PAGES = [page for page in pages() if "decisions" not in page.parts]
LINKING = [*pages(), *(ROOT / name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"))]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_come_out_as_shown(page: Path, tmp_path: Path) -> None:
    """A reader who follows the page in an empty folder sees what it shows: README with the command as installed."""
    reader = Reader(tmp_path, has_shell=page == ROOT / "README.md")
    for block in blocks(page):
        try:
            reader.follow(block)
        except Exception as problem:
            raise AssertionError(f"{page.name}, line {block.line}: {problem}") from problem


@pytest.mark.parametrize("page", LINKING, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of the project finds the file, and the heading in it."""
    broken = [link for link in links(page) if not leads_somewhere(page, link)]
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_only_installing_is_not_run(page: Path) -> None:
    """Blocks that are not run call make or pip, or what runs until it is stopped, or for long: a page, a paper."""
    left_out = [block for block in blocks(page) if "not run" in block.said]
    called = {command.text for block in left_out for command in commands(block.text)}
    others = {text for text in called if not text.startswith(("linkrisk serve", "linkrisk study papers "))}
    assert {text.split()[0] for text in others} <= {"make", "pip"}


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    """A file that is not there, and a heading that is not."""
    page = tmp_path / "page.md"
    page.write_text("# One thing\n[a](page.md#one-thing) [b](page.md#two) [c](other.md) [d](https://example.org)\n")
    assert [leads_somewhere(page, link) for link in links(page)] == [True, False, False]


def test_an_output_is_refreshed(tmp_path: Path) -> None:
    """Today's output takes the place of yesterday's, cut where that was cut."""
    page = tmp_path / "page.md"
    text = "```console\n$ seq 3\n{}\n$ echo same\nsame\n```\n\n```python\n>>> 1 + 1\n{}\n```\n"
    page.write_text(text.format("4\n...", "3"))
    assert refresh(page, tmp_path)
    assert page.read_text() == text.format("1\n...", "2")
    assert not refresh(page, tmp_path)


def test_a_wrong_output_is_noticed() -> None:
    """The check can fail."""
    check_output("3 of ... people", "3 of 10 people\n", "$ command")
    with pytest.raises(AssertionError, match="the document shows"):
        check_output("4 of ... people", "3 of 10 people\n", "$ command")


def test_a_command_that_fails_is_noticed(tmp_path: Path) -> None:
    """So is one that ends well where the page says it does not."""
    with pytest.raises(AssertionError):
        Reader(tmp_path).follow(Block("console", "$ false\n", 1, {}))
    with pytest.raises(AssertionError):
        Reader(tmp_path).follow(Block("console", "$ true\n", 1, {"exit": "1"}))
    Reader(tmp_path).follow(Block("console", "$ false\n", 1, {"exit": "1"}))


def test_python_of_one_page_is_one_session(tmp_path: Path) -> None:
    """Later blocks know what earlier ones named, and comparisons count."""
    reader = Reader(tmp_path)
    reader.follow(Block("python", "x = 2\n", 1, {}))
    reader.follow(Block("python", ">>> x + 1\n3\n", 1, {}))
    with pytest.raises(AssertionError):
        reader.follow(Block("python", ">>> x\n3\n", 1, {}))


def test_commands_go_on_over_lines() -> None:
    """A backslash at the end of a line, as shells have it."""
    found = commands("$ linkrisk assess a.csv \\\n    b.csv\nout\n$ ls\n")
    assert [command.output for command in found] == ["out", ""]
    assert found[0].text.endswith("b.csv")
