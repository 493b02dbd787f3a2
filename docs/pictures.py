"""The pictures of terminals in these pages: what linkrisk prints today, drawn as SVG without fonts from elsewhere.

``make pictures`` draws them anew; look at them before you keep them.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

FOLDER = Path(__file__).parent / "images"
COLUMNS, LINES = 80, 24

SVG = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-family: sans-serif; font-size: 18px; font-weight: bold; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""What `rich` fills in; its own has fonts from the network."""


@dataclass(frozen=True)
class Screen:
    """A picture: its name, the commands before it, which nobody sees, and the one whose output is drawn."""

    name: str
    before: tuple[str, ...]
    command: str


SCREENS = (Screen("terminal-demo", (), "linkrisk demo --out demo --records 300"),)


def main() -> None:
    """Draw all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for screen in SCREENS:
        with tempfile.TemporaryDirectory() as folder:
            for command in screen.before:
                printed(command, Path(folder))
            shown = printed(screen.command, Path(folder))
        (FOLDER / f"{screen.name}.svg").write_text(drawn(shown, screen.name, f"$ {screen.command}"), encoding="utf-8")


def printed(command: str, folder: Path) -> str:
    """Return what a command prints on a terminal, with its colours and without its progress."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    program = [sys.executable, "-m", *command.split()]
    surroundings = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    source = str(Path(__file__).parents[1] / "src")
    with subprocess.Popen(  # noqa: S603  (our own command)
        program,
        cwd=folder,
        env={**surroundings, "TERM": "xterm-256color", "PYTHONPATH": source},
        stdout=far,
        stderr=subprocess.DEVNULL,
    ):
        os.close(far)
        return b"".join(_read(near)).decode().replace("\r\n", "\n")


def _read(descriptor: int) -> Iterator[bytes]:
    """Read until nobody writes any more, which a terminal tells by an error."""
    try:
        while part := os.read(descriptor, 4096):
            yield part
    except OSError:
        return
    finally:
        os.close(descriptor)


def drawn(text: str, name: str, title: str) -> str:
    """Return the picture of a terminal that shows a text with colours."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(text), end="")
    return console.export_svg(title=title, code_format=SVG, unique_id=name)


if __name__ == "__main__":
    main()
