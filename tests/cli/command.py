"""The command line, run in this process as a user would run it."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from unittest.mock import patch

from linkrisk.cli.main import main


@dataclass(frozen=True)
class Outcome:
    """What a command printed and how it ended."""

    code: int
    output: str
    errors: str

    def check_success(self) -> None:
        """Fail with what was printed unless the command succeeded."""
        assert self.code == 0, self.errors

    def check_mistake(self, *words: str) -> None:
        """Fail unless the command ended with 2 and one sentence that holds all the words."""
        assert self.code == 2, f"{self.code}: {self.errors}"
        assert self.output == ""
        lines = self.errors.splitlines()
        assert len(lines) == 1, self.errors
        assert lines[0].startswith("linkrisk: ")
        assert lines[0].endswith("."), lines[0]
        missing = [word for word in words if word not in lines[0]]
        assert not missing, f"{missing} not in: {lines[0]}"


def new_output() -> io.StringIO:
    """Return what stands for standard output; tests put a faulty one in its place."""
    return io.StringIO()


def linkrisk_command(*arguments: object) -> Outcome:
    """Run ``linkrisk`` with some arguments; what it does not catch itself comes through."""
    output, errors = new_output(), io.StringIO()
    code: object = 0
    with (
        patch("sys.argv", ["linkrisk", *map(str, arguments)]),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    return Outcome(code if isinstance(code, int) else 0, output.getvalue(), errors.getvalue())
