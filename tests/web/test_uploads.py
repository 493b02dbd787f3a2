"""Files come in as they are, under names of ours, for their owner alone; what is too large is refused unread."""

from __future__ import annotations

import stat
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.errors import FileError
from linkrisk.web.storage.names import checked_name, disposition, path_for
from tests.web.visitor import Visitor

BOUNDARY = "boundary"
TYPE = f"multipart/form-data; boundary={BOUNDARY}"


def body_of(*parts: tuple[str, str | None, bytes]) -> bytes:
    """Return a form: field, name of the file or None, contents."""
    made = b""
    for name, file, contents in parts:
        told = f'form-data; name="{name}"' + ("" if file is None else f'; filename="{file}"')
        made += f"--{BOUNDARY}\r\nContent-Disposition: {told}\r\n\r\n".encode() + contents + b"\r\n"
    return made + f"--{BOUNDARY}--\r\n".encode()


def send(visitor: Visitor, body: Any, **headers: str) -> Any:
    """Send a form with files."""
    named = {"content-type": TYPE, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return visitor.post("/case", content=body, headers=named)


TWO = (("original", "o.csv", b"a,b\n1,2\n"), ("protected", "p.csv", b"a,b\n1,3\n"))


def files_of(visitor: Visitor) -> list[Path]:
    """Return everything in the folder of the site."""
    return [path for path in visitor.site.folder.rglob("*") if path.is_file()]


def test_two_files_make_a_case(visitor: Visitor) -> None:
    """Their contents are kept byte by byte, in files and a folder that only their owner can read."""
    answer = send(visitor, body_of(*TWO))
    assert answer.status_code == 303
    case = visitor.site.cases[1]
    assert (case.original.name, case.given.name) == ("o.csv", "p.csv")
    assert case.original.path.read_bytes() == TWO[0][2]
    assert case.given.file.path.read_bytes() == TWO[1][2]
    for path in files_of(visitor):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@given(contents=st.binary(max_size=3000), cuts=st.lists(st.integers(0, 3400), max_size=8))
def test_contents_come_in_whole(tmp_path_factory: pytest.TempPathFactory, contents: bytes, cuts: list[int]) -> None:
    """However they are cut on the way, also inside what separates the parts."""
    visitor = Visitor.of(tmp_path_factory.mktemp("site"))
    body = body_of(("original", "o.csv", contents), TWO[1])
    ends = [*sorted(min(cut, len(body)) for cut in cuts), len(body)]

    async def pieces() -> AsyncIterator[bytes]:
        start = 0
        for end in ends:
            yield body[start:end]
            start = end

    assert send(visitor, pieces()).status_code == 303
    assert visitor.site.cases[1].original.path.read_bytes() == contents


@pytest.mark.parametrize(
    "name", ["../o.csv", "/etc/passwd", "a/b.csv", "..\\o.csv", "..", ".", "%0D%0Ao.csv", "o\x00.csv", "x" * 201]
)
def test_names_that_are_paths_are_refused(visitor: Visitor, name: str) -> None:
    """With one sentence, and nothing is kept."""
    answer = send(visitor, body_of(("original", name.replace("\\", "\\\\"), b"a\n1\n"), TWO[1]))
    assert answer.status_code == 400
    assert "rename the file" in answer.text or "shorter" in answer.text or "part" in answer.text
    assert not visitor.site.cases
    assert not [path for path in files_of(visitor) if path.read_bytes() == b"a\n1\n"]


@given(name=st.text(min_size=1, max_size=60))
def test_no_name_is_part_of_a_path(name: str) -> None:
    """Whatever a file is called, its path is a random name in the folder, with an ending of plain letters at most."""
    path = path_for(Path("/private"), "upload", name)
    assert path.parent == Path("/private")
    assert path.name.startswith("upload-")
    assert path.name.isascii()
    assert len(path.name) < 60
    with suppress(FileError):
        assert not set("/\\\0\r\n") & set(checked_name(name))


@given(name=st.text(max_size=80))
def test_the_header_of_a_download_holds_the_name_and_nothing_else(name: str) -> None:
    """One line of ASCII; what browsers read from it is the name."""
    name = name.encode("utf-8", "replace").decode("utf-8")
    header = disposition(name)
    assert header.isascii()
    assert "\r" not in header
    assert "\n" not in header
    plain, encoded = header.removeprefix("attachment; filename=").split("; filename*=UTF-8''")
    assert unquote(encoded) == name
    assert plain.startswith('"')
    assert plain.endswith('"')
    assert not set('"\\%') & set(plain[1:-1])


def test_too_much_is_refused_before_it_is_read(visitor: Visitor) -> None:
    """What the header says is believed; the sentence says how much may be sent, and how more may be."""
    taken = []

    async def pieces() -> AsyncIterator[bytes]:
        taken.append(1)
        yield b"x"

    answer = send(visitor, pieces(), content_length=str(5 << 20))
    assert answer.status_code == 413
    assert "1 MB" in answer.text
    assert "--upload-limit" in answer.text
    assert not taken


def test_too_much_is_refused_where_nobody_said_how_much_comes(visitor: Visitor) -> None:
    """A body without length is read no further than the limit, and nothing of it stays."""
    taken = []

    async def pieces() -> AsyncIterator[bytes]:
        yield body_of(("original", "o.csv", b""))[:-16]
        for _ in range(400):
            taken.append(1)
            yield b"1,2\n" * 4096

    answer = send(visitor, pieces())
    assert answer.status_code == 413
    assert len(taken) < 100
    assert not visitor.site.cases
    assert not files_of(visitor)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"nonsense", TYPE),
        (body_of(*TWO)[:-30], TYPE),
        (body_of(*TWO), "multipart/form-data"),
        (b"original=1", "application/x-www-form-urlencoded"),
        (body_of(*[(f"field{n}", None, b"x") for n in range(60)]), TYPE),
        (body_of(("original", None, b"x" * 5000)), TYPE),
        (body_of(("original", "o" * 5000, b"x")), TYPE),
    ],
)
def test_broken_forms_are_refused(visitor: Visitor, body: bytes, kind: str) -> None:
    """What is no form, is cut off, or has more parts or longer fields than any form of ours."""
    answer = visitor.post("/case", content=body, headers={"content-type": kind})
    assert answer.status_code == 400
    assert not visitor.site.cases
    assert not files_of(visitor)


def test_a_file_that_was_not_chosen(visitor: Visitor) -> None:
    """Browsers send an empty name for it; the page says that two files are needed."""
    answer = send(visitor, body_of(TWO[0], ("protected", "", b"")))
    assert answer.status_code == 400
    assert "two files are needed" in answer.text.lower()


def test_no_room_on_the_disk(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is said before anything is read."""
    monkeypatch.setattr("linkrisk.web.storage.uploads.ROOM_LEFT", 1 << 60)
    answer = send(visitor, body_of(*TWO))
    assert answer.status_code == 507
    assert "make room" in answer.text
