"""What a protection hands back: the protected file, what was done, and the secret apart from both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.release_files import ReleaseFiles, write_release
from linkrisk.protection.values.columns import Name
from linkrisk.protection.values.outcome import ColumnOutcome
from linkrisk.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class Protection(Result):
    """A protected file and the record of how it was made.

    Parameters
    ----------
    data
        The protected file as the caller's own kind of frame (or array); as a `linkrisk.data.RawFile` where a file was
        given. It is a new object; the original is untouched.
    method
        Name of the method, as `linkrisk.protect` takes it.
    title
        What the method is called in a report, such as "additive noise".
    parameters
        What the method was called with, except the secret seed.
    details
        What came of it: one object per group of attributes or per attribute, each printing as one line.
    n_records
        Number of records.
    secret
        The seed of a random method, None for a deterministic one.
    source
        The file that was protected, None for a frame or an array.
    notes
        Sentences about what the user should know before the release.
    changed
        The share of the known values of each protected column that are no longer what they were.
    columns
        What was done to each column of the original: one `ColumnOutcome` for each. `linkrisk.protect` makes them.
    dropped
        The columns of the original that are not in the protected file.
    steps
        For a plan, what each of its methods did: a protection of its own, without data and secret.
    """

    data: Any
    method: str
    title: str
    parameters: Mapping[str, Any]
    details: tuple[object, ...]
    n_records: int
    secret: Secret | None = None
    source: Path | None = None
    notes: tuple[str, ...] = ()
    changed: Mapping[Any, float] = field(default_factory=dict)
    columns: tuple[ColumnOutcome, ...] = ()
    dropped: tuple[Name, ...] = ()
    steps: tuple[Protection, ...] = ()

    @property
    def left(self) -> tuple[str | int, ...]:
        """The columns that are released as they are."""
        return tuple(self.parameters.get("leave", ()))

    def write(
        self,
        out: str | os.PathLike[str],
        *,
        secret: str | os.PathLike[str] | None = None,
        record: str | os.PathLike[str] | None = None,
        overwrite: bool = False,
    ) -> None:
        """Write the protected file, and apart from it the secret and the record.

        Parameters
        ----------
        out
            The protected file, ending in .csv or .parquet. From Parquet, or a frame, to Parquet the columns that are
            left keep their types.
        secret
            Side file for the seed, which only its owner can read (mode 0600); by default OUT.secret. It is written
            together with the protected file, and only where something was drawn.
        record
            File for what was done, as JSON, without the seed.
        overwrite
            Whether files that exist may be replaced; the original never is.

        Raises
        ------
        FileError
            If a file exists already or cannot be written, or one is given for two purposes; nothing is written then.
        ParameterError
            If a file for the secret is given and there is no secret.
        """
        what = "the plan" if self.steps else self.method
        files = ReleaseFiles.of(what, out, secret, record, draws=self.secret is not None)
        files.check([self.source], overwrite=overwrite)
        write_release(files, self.data, self.left, self.secret, self.to_dict(), self.source, overwrite=overwrite)

    @property
    def frame_kind(self) -> str:
        """What narwhals calls the library of the protected frame."""
        from linkrisk.data.frames import frame_kind_of  # noqa: PLC0415  (imports pyarrow)

        return frame_kind_of(self.data)
