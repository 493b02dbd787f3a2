"""The examples in documents: found, and run as a reader would run them.

In ``console`` blocks lines that begin with ``$`` are commands, run by a shell in a folder of the page's own; what
follows is their output, ``...`` standing for anything. ``python`` blocks of a page are run one after the other in one
namespace; ``>>>`` examples are compared, too. Comments before a block say more::

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
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SECONDS = re.compile(r"\d+\.\d+(?=( s\)?)?\.?$)")
_PROGRESS = re.compile(r"^.* \(\d+\.\d s\)\n", re.MULTILINE)
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


def pages() -> list[Path]:
    """Return the documents with examples: README and the guide."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


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

    def report_unexpected_exception(self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any) -> None:
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
    names: dict[str, object] = field(default_factory=dict)
    seen: list[tuple[str, str]] = field(default_factory=list)
    """Every output that a page shows, with the one that came out."""

    def follow(self, block: Block) -> None:
        """Do what a block says; raises AssertionError where it does not come out as shown."""
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
            shell = ["bash", "-c", command.text]
            done = subprocess.run(  # noqa: S603  (the examples of our own documents)
                shell, cwd=self.folder, env=environment(), capture_output=True, text=True, check=False
            )
            wanted = int(block.said.get("exit", "0")) if place == len(asked) - 1 else 0
            assert done.returncode == wanted, f"$ {command.text}\n{done.stdout}{done.stderr}"
            if command.output:
                shown = done.stdout + (_PROGRESS.sub("", done.stderr) if wanted else "")
                self.seen.append((command.output, shown))
                if self.compares:
                    check_output(command.output, shown, f"$ {command.text}")

    def _run_python(self, block: Block) -> None:
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            if ">>>" in block.text:
                test = doctest.DocTestParser().get_doctest(block.text, self.names, "example", None, block.line)
                output = io.StringIO()
                runner = Runner(optionflags=FLAGS)
                runner.run(test, out=output.write, clear_globs=False)
                self.seen += runner.seen
                assert not (runner.is_broken or (runner.failures and self.compares)), output.getvalue()
                self.names |= test.globs
            else:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(block.text, "example", "exec"), self.names)  # noqa: S102  (our own documents)
        finally:
            os.chdir(before)


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
