"""Files are looked at before they are opened, and settings of any shape end in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from linkrisk.data.opening import read_bytes, read_json, read_toml
from linkrisk.data.read import read_file
from linkrisk.errors import FileError, InputError, SettingsError


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """A pipe would wait for ever, /dev/zero would never end; each is told as what it is."""
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "circle.csv").symlink_to("circle.csv")
    words = {
        "pipe.csv": "pipe or a device; give a file",
        "zero.csv": "pipe or a device; give a file",
        "folder.csv": "is a folder; give a file",
        "circle.csv": "symbolic links.*should lead to",
        "gone.csv": "does not exist; check the path",
        "a\0b.csv": "no file name can hold",
        "n" * 300 + ".csv": "too long.*shorter",
        "folder.csv/x/y.csv": "does not exist",
    }
    for name, said in words.items():
        with pytest.raises(FileError, match=said):
            read_file(tmp_path / name)
    with pytest.raises(FileError, match=r"^/ is a folder"):
        read_file("/")


def test_file_names_are_shown_not_sent(tmp_path: Path) -> None:
    """A name cannot move the cursor of who reads the message."""
    with pytest.raises(FileError, match=r"^a\\x1b\[2J\\n\.csv does not exist"):
        read_file(tmp_path / "a\x1b[2J\n.csv")


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000 + "]" * 5000, "a = " + "{b=" * 3000 + "1" + "}" * 3000, f"a = {'9' * 5000}"]
)
def test_deep_toml_is_a_sentence(tmp_path: Path, text: str) -> None:
    """Neither a RecursionError nor the limit of Python on digits comes through."""
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"s\.toml is nested too deeply.*write it more simply"):
        read_toml(tmp_path / "s.toml")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, f"[{'9' * 5000}]", "{", "\ufeff[1", b"\xff"])
def test_broken_json_is_a_sentence(tmp_path: Path, text: str | bytes) -> None:
    """With the file and a remedy."""
    (tmp_path / "r.json").write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InputError, match=r"^r\.json is .*(correct that line|more simply|save it as UTF-8)"):
        read_json(tmp_path / "r.json")


def test_settings_have_a_size(tmp_path: Path) -> None:
    """A file that is larger is not the one meant."""
    (tmp_path / "s.toml").write_bytes(b"x" * 100)
    assert read_bytes(tmp_path / "s.toml", most=100) == b"x" * 100
    with pytest.raises(FileError, match="larger than 0 MB; check"):
        read_bytes(tmp_path / "s.toml", most=99)
