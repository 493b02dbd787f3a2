"""What a protection method hands back: the protected file, what was done, and the secret apart from both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, NoReturn

from linkrisk.errors import ParameterError
from linkrisk.result import Result


class Secret:
    """The seed of a protection: who knows it takes the noise off again.

    It is shown by no representation, text or format. `reveal` returns it, `write` keeps it in a side file.

    Examples
    --------
    >>> secret = Secret(12345)
    >>> secret
    <secret>
    >>> f"{secret}"
    '<secret>'
    """

    __slots__ = ("_seed",)

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ParameterError("The seed must be a whole number, 0 or more.")
        self._seed = seed

    def reveal(self) -> int:
        """Return the seed."""
        return self._seed

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the seed to a file that only its owner can read (mode 0600), whole or not at all.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        from linkrisk.data.writing import write_text  # noqa: PLC0415  (imports pyarrow)

        notice = "# CONFIDENTIAL: who knows this seed can undo the protection; never release it"
        write_text(path, f"{notice}\nseed = {self._seed}\n", confidential=True, overwrite=overwrite)

    def __reduce__(self) -> NoReturn:
        raise TypeError("A secret is not pickled or copied along with results; write it to a side file of its own.")

    def __repr__(self) -> str:
        return "<secret>"


@dataclass(frozen=True, eq=False, repr=False)
class Protection(Result):
    """A protected file and the record of how it was made.

    Parameters
    ----------
    data
        The protected file, the caller's own kind of frame (or array). A new object; the original is
        untouched.
    method
        Name of the method.
    parameters
        What the method was called with, the seed excepted.
    details
        What came of it: one object per group of attributes or per attribute, each printing as one line.
    n_records
        Number of records.
    secret
        The seed of a random method, None for a deterministic one.
    """

    data: Any
    method: str
    parameters: Mapping[str, Any]
    details: tuple[object, ...]
    n_records: int
    secret: Secret | None = None

    def record(self) -> dict[str, Any]:
        """Return what was done, and which columns were left, as plain values, ready for JSON; never the seed."""
        details = [
            asdict(detail) if is_dataclass(detail) and not isinstance(detail, type) else str(detail)
            for detail in self.details
        ]
        return {
            "method": self.method,
            "n_records": self.n_records,
            "parameters": _plain(self.parameters),
            "released_unprotected": _plain(list(self.parameters.get("leave", ()))),
            "details": _plain(details),
            "is_random": self.secret is not None,
        }

    @property
    def frame_kind(self) -> str:
        """What narwhals calls the library of the protected frame."""
        from linkrisk.data.frames import frame_kind_of  # noqa: PLC0415  (imports pyarrow)

        return frame_kind_of(self.data)


def _plain(value: Any) -> Any:
    """Return mappings with text keys, lists, numbers and texts."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value.tolist() if hasattr(value, "tolist") else value


def join_names(names: Any) -> str:
    """Write names of columns as one text, in the order given."""
    return ", ".join(str(name) for name in names)
