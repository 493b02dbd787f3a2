"""Files that are sent up: written to the private folder as they come in, and refused before if they are too large."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from linkrisk.web.storage.names import NamedFile, checked_name, path_for

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MEGABYTE = 1 << 20
MOST_PARTS = 40
MOST_FIELD_BYTES = 4096
MOST_HEADER_BYTES = 4096
ROOM_LEFT = 64 * MEGABYTE
"""Bytes of the disk that are left for results."""


@dataclass
class Sent:
    """A form that was sent with files: its fields and its files by name; a field may be given several times."""

    fields: dict[str, str] = field(default_factory=dict)
    files: dict[str, list[NamedFile]] = field(default_factory=dict)


def check_length(request: Request, most: int) -> None:
    """Refuse a body that is larger than allowed by what its header says, before any of it is read."""
    told = request.headers.get("content-length", "")
    if told.isdecimal() and int(told) > most:
        raise too_large(most)


def too_large(most: int) -> HTTPException:
    """Return what is said of files that are too large."""
    return HTTPException(
        413,
        f"the files are larger than {most // MEGABYTE:,} MB together; start linkrisk serve with --upload-limit and a "
        "larger number of megabytes, or give files with fewer records",
    )


async def receive(request: Request, folder: Path, most: int) -> Sent:
    """Write the files of a form to a folder, each under a name of ours and for its owner alone.

    Raises
    ------
    HTTPException
        413 where the files are too large, 507 where the disk has no room for them, 400 where the form cannot be read.
    FileError
        If a file has a name that no file should have.
    """
    check_length(request, most)
    told = request.headers.get("content-length", "")
    if told.isdecimal() and int(told) + ROOM_LEFT > shutil.disk_usage(folder).free:
        raise HTTPException(507, "the disk has no room for these files; make room, or set TMPDIR to another disk")
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise HTTPException(400, "the form was not sent as a form with files; use the page")
    with closing(_Receiver(folder)) as receiver:
        parser = MultipartParser(options[b"boundary"], receiver.callbacks())
        n_bytes = 0
        try:
            async for chunk in request.stream():
                n_bytes += len(chunk)
                if n_bytes > most:
                    raise too_large(most)
                parser.write(chunk)
            parser.finalize()
        except (MultipartParseError, ClientDisconnect):
            raise HTTPException(400, "the form did not come in whole; send it again") from None
    return receiver.sent


class _Receiver:
    """Takes the parts of a form as they come in."""

    def __init__(self, folder: Path) -> None:
        self.sent = Sent()
        self._folder = folder
        self._n_parts = 0
        self._headers: dict[str, str] = {}
        self._name, self._value = bytearray(), bytearray()
        self._field = ""
        self._text: bytearray | None = None
        self._file: int | None = None

    def callbacks(self) -> MultipartCallbacks:
        """Return what the parser calls."""
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._collect(self._name, data[start:end]),
            "on_header_value": lambda data, start, end: self._collect(self._value, data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._open,
            "on_part_data": self._take,
            "on_part_end": self.close,
        }

    def close(self) -> None:
        """End the part that is being taken."""
        if self._file is not None:
            os.close(self._file)
        elif self._text is not None:
            self.sent.fields[self._field] = self._text.decode("utf-8", "replace")
        self._file = self._text = None

    def _begin(self) -> None:
        self._n_parts += 1
        if self._n_parts > MOST_PARTS:
            raise HTTPException(400, f"the form has more than {MOST_PARTS} parts; use the page")
        self._headers = {}

    def _collect(self, collected: bytearray, data: bytes) -> None:
        collected += data
        if len(collected) > MOST_HEADER_BYTES:
            raise HTTPException(400, "a name in the form is too long; give the file a shorter one")

    def _end_header(self) -> None:
        self._headers[self._name.decode("latin-1").lower()] = self._value.decode("latin-1")
        self._name, self._value = bytearray(), bytearray()

    def _open(self) -> None:
        """Begin a part: a field, or a file; a file that was not chosen comes with an empty name."""
        _, options = parse_options_header(self._headers.get("content-disposition", ""))
        self._field = options.get(b"name", b"").decode("utf-8", "replace")
        sent_name = options.get(b"filename")
        if sent_name is None:
            self._text = bytearray()
        elif sent_name:
            name = checked_name(sent_name.decode("utf-8", "replace"))
            path = path_for(self._folder, "upload", name)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            self.sent.files.setdefault(self._field, []).append(NamedFile(path, name))

    def _take(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            view = memoryview(data)[start:end]
            while view:
                view = view[os.write(self._file, view) :]
        elif self._text is not None:
            self._text += data[start:end]
            if len(self._text) > MOST_FIELD_BYTES:
                raise HTTPException(400, "a field of the form is too long; write less in it")
