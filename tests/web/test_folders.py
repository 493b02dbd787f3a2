"""The private folder: nobody else reads it, nothing of it stays, and nothing else is ever removed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linkrisk.errors import FileError
from linkrisk.web.storage.folders import MARKER, PREFIX, private_folder, remove_left_over


def left_over(above: Path, name: str = "dead") -> Path:
    """Return a folder as a killed server leaves it."""
    folder = above / f"{PREFIX}{name}"
    folder.mkdir(mode=0o700)
    (folder / MARKER).write_text("1\n")
    (folder / "case-1").mkdir()
    (folder / "case-1" / "original.csv").write_text("a\n1\n")
    return folder


def test_it_is_for_its_owner_and_removed(tmp_path: Path) -> None:
    """Also where what is done in it fails."""

    def fail() -> None:
        with private_folder(tmp_path) as folder:
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            assert stat.S_IMODE((folder / MARKER).stat().st_mode) == 0o600
            (folder / "case-1").mkdir()
            (folder / "case-1" / "original.csv").write_text("a\n1\n")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_server_left_is_removed(tmp_path: Path) -> None:
    """At the next start; the folder of a server that runs is not touched."""
    dead = left_over(tmp_path)
    with private_folder(tmp_path) as first:
        assert not dead.exists()
        with private_folder(tmp_path) as second:
            assert first.exists()
            assert second != first
        assert first.exists()


def test_a_process_that_is_killed_leaves_its_folder_unlocked(tmp_path: Path) -> None:
    """SIGKILL gives nobody a chance to clean up; the lock goes with the process."""
    code = (
        "import os, pathlib, sys\nfrom linkrisk.web.storage.folders import private_folder\n"
        "with private_folder(pathlib.Path(sys.argv[1])):\n    os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)  # noqa: S603  (our own code)
    (folder,) = tmp_path.iterdir()
    assert (folder / MARKER).exists()
    remove_left_over(tmp_path)
    assert not folder.exists()


def test_nothing_else_is_removed(tmp_path: Path) -> None:
    """Not what others may look into, what has no marker, what is a link or has a link for a marker."""
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "precious").write_text("x")
    open_to_all = left_over(tmp_path, "open")
    open_to_all.chmod(0o755)
    unmarked = left_over(tmp_path, "unmarked")
    (unmarked / MARKER).unlink()
    linked_marker = left_over(tmp_path, "marker-is-link")
    (linked_marker / MARKER).unlink()
    (linked_marker / MARKER).symlink_to(kept / "precious")
    pipe = left_over(tmp_path, "marker-is-pipe")
    (pipe / MARKER).unlink()
    os.mkfifo(pipe / MARKER)
    link = tmp_path / f"{PREFIX}link"
    link.symlink_to(kept)
    remove_left_over(tmp_path)
    for path in (open_to_all, unmarked, linked_marker, pipe, link, kept / "precious"):
        assert path.exists(), path


def test_links_inside_are_not_followed(tmp_path: Path) -> None:
    """What a link inside leads to stays."""
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "precious").write_text("x")
    dead = left_over(tmp_path)
    (dead / "link").symlink_to(kept)
    remove_left_over(tmp_path)
    assert not dead.exists()
    assert (kept / "precious").read_text() == "x"


def test_others_are_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of another user stays."""
    dead = left_over(tmp_path)
    monkeypatch.setattr("os.getuid", lambda: os.geteuid() + 1)
    remove_left_over(tmp_path)
    assert dead.exists()


def test_no_folder_no_server(tmp_path: Path) -> None:
    """One sentence with the remedy."""
    with pytest.raises(FileError, match="no private folder can be made"), private_folder(tmp_path / "gone"):
        pass
