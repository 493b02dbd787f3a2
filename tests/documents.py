"""The examples in documents: found, and run as a reader would run them.

In ``console`` blocks lines that begin with ``$`` are commands, run in a folder of the page's own; what follows is
their output, ``...`` standing for anything. ``python`` blocks of a page are run one after the other in one namespace;
``>>>`` examples are compared, too. Comments before a block say more::

    <!-- file: assessment.toml -->      the block is the contents of that file
    <!-- not run: why -->               the block is not run
    <!-- exit: 1 -->                    the last command ends with that exit code

``python -m tests.documents README.md docs/guide/loss.md`` runs pages and puts the output that commands have today in
place of the output shown; of one that is cut short by a last line ``...`` as many lines are kept. Read the difference
before you keep it.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.cli.command import linkrisk_command

ROOT = Path(__file__).parents[1]

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SECONDS = re.compile(r"\d+\.\d+(?=( s\)?)?\.?$)")
_PROGRESS = re.compile(r"^.* \(\d+\.\d s\)\n", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_COMMENT = re.compile(r"<!--\s*(file|not run|exit):\s*(.*?)\s*-->")

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """One example: its language, its text, the line it begins at, and what the comment before it says."""

    language: str
    text: str
    line: int
    said: dict[str, str]
    start: int = 0
    """Where the text of the block begins in the text of the page."""


@dataclass(frozen=True)
class Command:
    """One command of a console block, and the output that is shown for it."""

    text: str
    output: str


WRITTEN = ("_build", "api", "project")
"""Folders of docs/ that are written by ``make docs``, from what is looked at elsewhere."""


def pages() -> list[Path]:
    """Return the documents with examples: README and those below docs/."""
    kept = [page for page in (ROOT / "docs").rglob("*.md") if page.relative_to(ROOT / "docs").parts[0] not in WRITTEN]
    return [ROOT / "README.md", *sorted(kept)]


def blocks(page: Path) -> Iterator[Block]:
    """Return the examples of a document in their order."""
    text = page.read_text(encoding="utf-8")
    end = 0
    for found in _FENCE.finditer(text):
        before = text[end : found.start()].rstrip().split("\n\n")[-1]
        said = dict(_COMMENT.findall(before))
        end = found.end()
        yield Block(found[1], found[2], text[: found.start()].count("\n") + 1, said, found.start(2))


def commands(text: str) -> list[Command]:
    """Return the commands of a console block."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    result = []
    for part in parts:
        lines = part.split("\n")
        n_lines = next(k for k, line in enumerate(lines, start=1) if not line.rstrip().endswith("\\"))
        result.append(Command("\n".join(lines[:n_lines]), "\n".join(lines[n_lines:]).strip()))
    return result


def split_command(text: str) -> tuple[list[str], str]:
    """Return the words of a command, and what a shell does with its output, as written.

    >>> split_command("linkrisk assess 'a|b.csv' --k 3 | tail -3")
    (['linkrisk', 'assess', 'a|b.csv', '--k', '3'], '| tail -3')
    """
    found = re.match(r"""(?:[^|>&;'"]|'[^']*'|"[^"]*")*""", text)
    end = found.end() if found else 0
    return shlex.split(text[:end].replace("\\\n", " ")), text[end:]


def check_output(expected: str, shown: str, what: str) -> None:
    """Compare what was shown with what a document shows."""
    checker = doctest.OutputChecker()
    if not checker.check_output(f"{expected}\n", shown, FLAGS):
        raise AssertionError(f"{what}\nthe document shows:\n{expected}\nand the program:\n{shown}")


def environment() -> dict[str, str]:
    """Return the environment in which ``linkrisk`` is the one of this checkout."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src")}


class Runner(doctest.DocTestRunner):
    """Runs ``>>>`` examples, and keeps what came out where it is not what is shown."""

    def __init__(self, optionflags: int) -> None:
        super().__init__(optionflags=optionflags)
        self.seen: list[tuple[str, str]] = []

        self.is_broken = False

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        """Remember that an example ended in an error."""
        self.is_broken = True
        super().report_unexpected_exception(out, test, example, exc_info)

    def report_failure(self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        """Keep the output, and tell of it as usual."""
        self.seen.append((example.want.rstrip(), got))
        super().report_failure(out, test, example, got)


@dataclass
class Reader:
    """Someone who tries the examples of one page in an empty folder."""

    folder: Path
    compares: bool = True
    has_shell: bool = False
    """Whether all commands are run by a shell, as a reader runs them."""
    names: dict[str, object] = field(default_factory=dict)
    seen: list[tuple[str, str]] = field(default_factory=list)
    """Every output that a page shows, with the one that came out."""

    def follow(self, block: Block) -> None:
        """Do what a block says; raises AssertionError where it does not come out as shown."""
        with patch.dict(os.environ, COLUMNS="80"):
            self._follow(block)

    def _follow(self, block: Block) -> None:
        if "not run" in block.said:
            assert block.said["not run"], "say why the block is not run"
        elif "file" in block.said:
            path = self.folder / block.said["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            self._run_commands(block)
        elif block.language == "python":
            self._run_python(block)

    def _run_commands(self, block: Block) -> None:
        asked = commands(block.text)
        for place, command in enumerate(asked):
            code, output, errors = self._run(command.text)
            wanted = int(block.said.get("exit", "0")) if place == len(asked) - 1 else 0
            assert code == wanted, f"$ {command.text}\n{output}{errors}"
            if command.output:
                shown = output + (_PROGRESS.sub("", errors) if wanted else "")
                self.seen.append((command.output, shown))
                if self.compares:
                    check_output(command.output, shown, f"$ {command.text}")

    def _run(self, text: str) -> tuple[int, str, str]:
        """Return exit code and output of a command.

        ``linkrisk`` is run in this process, which has all packages, and a shell gets its output, unless it failed, as
        the input of what follows; anything else, and everything with a shell of its own, is the shell's.
        """
        arguments, rest = split_command(text)
        if self.has_shell or arguments[:1] != ["linkrisk"]:
            done = self._run_shell(text, "")
            return done.returncode, done.stdout, done.stderr
        with contextlib.chdir(self.folder):
            outcome = linkrisk_command(*arguments[1:])
        if not rest:
            return outcome.code, outcome.output, outcome.errors
        done = self._run_shell(f"cat {rest}", outcome.output)
        return outcome.code or done.returncode, done.stdout, outcome.errors + done.stderr

    def _run_shell(self, text: str, given: str) -> subprocess.CompletedProcess[str]:
        shell = ["bash", "-c", text]
        return subprocess.run(  # noqa: S603  (the examples of our own documents)
            shell, cwd=self.folder, env=environment(), input=given, capture_output=True, text=True, check=False
        )

    def _run_python(self, block: Block) -> None:
        with contextlib.chdir(self.folder):
            if ">>>" in block.text:
                test = doctest.DocTestParser().get_doctest(block.text, self.names, "example", None, block.line)
                output = io.StringIO()
                runner = Runner(optionflags=FLAGS)
                runner.run(test, out=output.write, clear_globs=False)
                self.seen += runner.seen
                fails = runner.is_broken or (runner.failures and self.compares)
                assert not fails, output.getvalue()
                self.names |= test.globs
            else:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(block.text, "example", "exec"), self.names)  # noqa: S102  (our own documents)


def links(page: Path) -> list[str]:
    """Return the links of a page that lead to files of the project."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return [link for link in _LINK.findall(text) if "://" not in link]


def leads_somewhere(page: Path, link: str) -> bool:
    """Tell whether the file of a link is there, and the heading or anchor in it."""
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not target.exists() or not anchor:
        return target.exists()
    text = target.read_text(encoding="utf-8")
    headings = [_anchor(heading) for heading in re.findall(r"^#+ +(.*)$", text, re.MULTILINE)]
    return anchor in headings or f'<a id="{anchor}">' in text


def _anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading.

    >>> _anchor("What to do, with `the number`")
    'what-to-do-with-the-number'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def refresh(page: Path, folder: Path) -> bool:
    """Put today's output in place of what a page shows, where the two differ; tell whether anything changed."""
    text = page.read_text(encoding="utf-8")
    parts, end = [], 0
    reader = Reader(folder, compares=False)
    for block in blocks(page):
        reader.seen.clear()
        reader.follow(block)
        new = block.text
        for expected, shown in reader.seen:
            if not doctest.OutputChecker().check_output(f"{expected}\n", shown, FLAGS):
                new = new.replace(expected, as_shown(shown, expected), 1)
        parts += [text[end : block.start], new]
        end = block.start + len(block.text)
    changed = "".join([*parts, text[end:]])
    page.write_text(changed, encoding="utf-8")
    return changed != text


def as_shown(output: str, before: str = "") -> str:
    r"""Return an output as a page shows it: without seconds, and cut where it was cut before.

    >>> print(as_shown("attacker  seconds\nmean         0.25\n"))
    attacker  seconds
    mean         ...
    """
    lines = [line.rstrip() for line in output.rstrip("\n").split("\n")]
    in_table = False
    for place, line in enumerate(lines):
        in_table = (in_table or line.endswith(" seconds")) and bool(line)
        is_timed = in_table or re.search(r"\d s\)?\.?$", line)
        lines[place] = _SECONDS.sub("...", line) if is_timed else line
    kept = before.rstrip().split("\n")
    if kept[-1].strip() == "..." and len(kept) > 1:
        lines = [*lines[: len(kept) - 1], "..."]
    return "\n".join(lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            has_changed = refresh(Path(name), Path(folder))
        print(f"{name}: {'changed' if has_changed else 'as it was'}")  # noqa: T201  (a chore for the terminal)
