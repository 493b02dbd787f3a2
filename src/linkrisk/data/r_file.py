"""R files: data frames saved with ``saveRDS`` or ``save``, by way of rdata."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import rdata
from rdata.conversion import DEFAULT_CLASS_MAP

from linkrisk.arrays import IntArray
from linkrisk.data.frames import raw_file_from_frame
from linkrisk.data.raw_file import RawFile, digest_of_file
from linkrisk.errors import FileError
from linkrisk.printable import file_name


def read(path: Path, *, delimiter: str | None = None) -> RawFile:  # noqa: ARG001 (all readers are called alike)
    """Read the one data frame of an R file; factors become nominal, ordered factors ordinal."""
    read_r = rdata.read_rds if path.suffix.lower() == ".rds" else rdata.read_rda
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about R classes that rdata does not know
            contents = read_r(path, constructor_dict=_CONSTRUCTORS, default_encoding="utf-8")
    except MemoryError:
        raise
    except Exception:  # rdata raises many kinds, whose messages may quote cells
        raise FileError(f"{file_name(path)} cannot be read as an R file; save the data frame again") from None
    return raw_file_from_frame(_only_frame(file_name(path), contents), file_name(path), digest=digest_of_file(path))


def _only_frame(name: str, contents: Any) -> pd.DataFrame:
    if isinstance(contents, pd.DataFrame):
        return contents
    objects = contents if isinstance(contents, dict) else {}
    frames = {key: value for key, value in objects.items() if isinstance(value, pd.DataFrame)}
    if not frames:
        raise FileError(f"{name} holds no data frame; save one with saveRDS")
    if len(frames) > 1:
        raise FileError(f"{name} holds several data frames ({', '.join(frames)}); save the one to be used with saveRDS")
    return next(iter(frames.values()))


def _factor(codes: Any, attributes: Mapping[str, Any], *, ordered: bool) -> Any:
    levels = [str(level) for level in attributes["levels"]]
    places: IntArray = np.ma.filled(np.ma.asarray(codes), 0).astype(np.int64) - 1
    places[(places < 0) | (places >= len(levels))] = -1
    return pd.Categorical.from_codes(places, categories=pd.Index(levels), ordered=ordered)


def _nominal(codes: Any, attributes: Mapping[str, Any]) -> Any:
    return _factor(codes, attributes, ordered=False)


def _ordinal(codes: Any, attributes: Mapping[str, Any]) -> Any:
    return _factor(codes, attributes, ordered=True)


def _date(days: Any, attributes: Mapping[str, Any]) -> Any:  # noqa: ARG001 (rdata hands both to every class)
    return _moments(days, 86_400)


def _moment(seconds: Any, attributes: Mapping[str, Any]) -> Any:  # noqa: ARG001 (as above)
    return _moments(seconds, 1)


def _moments(numbers: Any, seconds_each: int) -> Any:
    values = np.ma.filled(np.ma.asarray(numbers).astype(np.float64), np.nan)
    microseconds = np.where(np.isfinite(values), values, 0.0) * (seconds_each * 1e6)
    moments = np.rint(microseconds).astype("datetime64[us]")
    moments[~np.isfinite(values)] = np.datetime64("NaT", "us")
    return moments


# rdata's own factors read a missing code as the last level, and dates as bare numbers.
_CONSTRUCTORS = {
    **DEFAULT_CLASS_MAP,
    "factor": _nominal,
    "ordered": _ordinal,
    "Date": _date,
    "POSIXct": _moment,
}
