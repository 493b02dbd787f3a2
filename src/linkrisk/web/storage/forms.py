"""Forms without files, read within limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

MOST_BYTES = 1 << 20
MOST_FIELDS = 20_000


@dataclass(frozen=True)
class Form:
    """What was sent: the values of each field, blanks around them taken off."""

    values: Mapping[str, list[str]]

    def text(self, name: str) -> str:
        """Return the value of a field; an empty text where it was not sent."""
        return self.values.get(name, [""])[-1]

    def texts(self, name: str) -> list[str]:
        """Return all values of a field."""
        return list(self.values.get(name, []))

    def is_set(self, name: str) -> bool:
        """Whether a box was ticked."""
        return name in self.values


async def read_form(request: Request) -> Form:
    """Read a form; one that is larger than any form of ours is refused."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413, "the form is larger than any of this page; use the page")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="replace")
    except ValueError:
        raise HTTPException(400, "the form cannot be read; use the page") from None
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value.strip())
    return Form(values)
