"""The base of every result: printed, shown in a notebook, turned into plain values or into a frame."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

DEFAULT_FRAME = "pandas"
"""The kind of frame that is returned for files and arrays."""


class Result:
    """What a function of linkrisk returns; every result is a frozen dataclass that derives from this class.

    Print it for a short report in plain text; `to_text` returns the whole, and a notebook shows the short one as HTML.
    `to_dict` returns plain values for JSON, `to_frame` the figures as a frame of the caller's own kind, and the
    ``write`` of each class keeps it in files. What a notebook shows by itself holds nothing of a single record, and
    neither does ``repr``: notebooks store both.

    How a result looks is decided in `linkrisk.report`, which knows the results and is therefore imported only when one
    is shown.
    """

    @property
    def frame_kind(self) -> str:
        """What narwhals calls the library of the frames this result is turned into."""
        return DEFAULT_FRAME

    def to_dict(self) -> dict[str, Any]:
        """Return everything except single records as mappings, lists, texts and numbers; undefined ones are None."""
        from linkrisk import report  # noqa: PLC0415  (renderers know results)

        return report.as_dict(self)

    def to_frame(self) -> Any:
        """Return the figures as a frame of the kind the original was given in; pandas for files and arrays."""
        from linkrisk import report  # noqa: PLC0415  (renderers know results)

        return make_frame(report.as_columns(self), self.frame_kind)

    def to_text(self, *, details: bool = True, width: int | None = None) -> str:
        """Return the report as plain text: all of it, or what `print` shows.

        Parameters
        ----------
        details
            Whether tables are shown that `print` leaves out.
        width
            Most characters of a line; by default those of the terminal, 80 without one.
        """
        from linkrisk import report  # noqa: PLC0415  (renderers know results)

        return report.as_text(self, details=details, width=width)

    def plot(self, name: str | None = None) -> Any:
        """Return the main chart, or the one of a name, as a chart of altair; some are confidential (`report.charts`).

        Raises
        ------
        NoChartError
            If there is nothing to draw, or no chart of that name.
        """
        from linkrisk import report  # noqa: PLC0415  (renderers know results)

        return report.plot(self, name)

    def __str__(self) -> str:
        from linkrisk import report  # noqa: PLC0415  (renderers know results)

        return report.as_text(self)

    def __repr__(self) -> str:
        from linkrisk import report  # noqa: PLC0415  (renderers know results)

        return report.as_text(self, confidential=False)

    def _repr_html_(self) -> str:
        from linkrisk import report  # noqa: PLC0415  (renderers know results)

        return report.as_html(self)


class ReportedResult(Result):
    """A result on which there is a report that can be handed on."""

    def report(self, path: str | os.PathLike[str], *, kind: str = "shareable", overwrite: bool = False) -> None:
        """Write a report: verdict, what to do, charts with the data behind them, method, settings, versions.

        Parameters
        ----------
        path
            The file to be written: .html, complete in itself, or .md.
        kind
            ``"shareable"``: nothing in it is about a single record, and bins and groups of fewer than 10 people are
            hidden. ``"internal"``: also records, values and parameters of attackers; it is marked CONFIDENTIAL on every
            page, and only its owner may read it.
        overwrite
            Whether a file that exists may be replaced.

        Raises
        ------
        FileError
            If the file exists already, cannot be written, or has another ending.
        SettingsError
            If there is no such kind.

        Notes
        -----
        The same files, settings and seed give the same bytes, but for the section of timings.
        """
        from linkrisk import report  # noqa: PLC0415  (renderers know results)

        report.write_report(self, path, kind, overwrite=overwrite)


def make_frame(columns: Mapping[str, Sequence[Any] | NDArray[Any]], kind: str) -> Any:
    """Return columns of one length as a frame of a kind that narwhals knows; None is missing.

    A column without any value becomes one of numbers, so that it has the same type whatever was found.

    >>> make_frame({"attacker": ["mean"], "links": [3.0], "bound": [None]}, "polars").dtypes
    [String, Float64, Float64]
    """
    import narwhals as nw  # noqa: PLC0415  (importing linkrisk is cheap)

    plain = {name: _plain(values) for name, values in columns.items()}
    backend: Any = kind
    frame = nw.from_dict(plain, backend=backend)
    empty = [name for name, values in plain.items() if len(values) and all(value is None for value in values)]
    if empty:
        frame = frame.with_columns(nw.col(*empty).cast(nw.Float64()))
    return frame.to_native()


def _plain(values: Sequence[Any] | NDArray[Any]) -> Any:
    """Return values as they are, but an array of objects as a list, because libraries read such arrays differently."""
    return values.tolist() if isinstance(values, np.ndarray) and values.dtype == object else values
