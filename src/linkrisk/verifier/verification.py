"""The result of checking a certificate: a verification, and the exception that leads to a rejection."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from linkrisk.data.writing import write_json
from linkrisk.result import DEFAULT_FRAME, Result


class Rejection(Exception):  # noqa: N818  (not an error of the user: a certificate that proves nothing is an answer)
    """A check has failed; the sentence says which one. `check_certificate` catches it."""


@dataclass(frozen=True, repr=False)
class Verification(Result):
    """Whether a certificate proves what it claims.

    ``reason`` is one sentence: what is proven, or the first check that failed. ``links`` and ``bound`` are those that
    were checked; None where the certificate is rejected. ``n_checked`` counts what was checked: pairs of records, lost
    records, cores, leaves of a tree, boxes.
    """

    is_valid: bool
    reason: str
    links: float | None = None
    bound: float | None = None
    n_checked: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    frame_kind: str = DEFAULT_FRAME

    def __bool__(self) -> bool:
        return self.is_valid

    def write(self, json: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write the verification as JSON, which may be shared.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        if json is not None:
            write_json(json, self.to_dict(), overwrite=overwrite)
