"""Writes data frames as R would: rdata's own writer knows no ordered factors, dates or missing strings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rdata
from rdata.conversion.to_r import build_r_object
from rdata.parser import RObjectType

R_MISSING_INTEGER = -(2**31)


@dataclass
class RVector:
    """Values of one R vector with its attributes, such as class and levels."""

    values: np.ndarray[Any, Any]
    attributes: Mapping[str, Any]


@dataclass
class RFrame:
    """The columns of an R data frame."""

    columns: Mapping[str, Any]
    classes: tuple[str, ...] = ("data.frame",)


def factor(codes: list[int | None], levels: list[str], *, ordered: bool = False) -> RVector:
    """Return an R factor; codes count from 1, None is missing."""
    values = np.array([R_MISSING_INTEGER if code is None else code for code in codes], dtype=np.int32)
    classes = np.array(["ordered", "factor"] if ordered else ["factor"])
    return RVector(values, {"levels": np.array(levels), "class": classes})


def _build_vector(vector: RVector, converter: Any) -> Any:
    kinds = {"i": RObjectType.INT, "f": RObjectType.REAL}
    return build_r_object(
        kinds[vector.values.dtype.kind],
        value=vector.values,
        is_object="class" in vector.attributes,
        attributes=converter.convert_to_r_attributes(dict(vector.attributes)),
    )


def _build_frame(frame: RFrame, converter: Any) -> Any:
    first = next(iter(frame.columns.values()))
    n_records = len(first.values if isinstance(first, RVector) else first)
    attributes = {
        "names": np.array(list(frame.columns)),
        "class": np.array(frame.classes),
        "row.names": np.arange(1, n_records + 1, dtype=np.int32),
    }
    return build_r_object(
        RObjectType.VEC,
        value=[converter.convert_to_r_object(column) for column in frame.columns.values()],
        is_object=True,
        attributes=converter.convert_to_r_attributes(attributes),
    )


_CONSTRUCTORS: dict[type, Callable[[Any, Any], Any]] = {RVector: _build_vector, RFrame: _build_frame}


def write_rds(path: Path, contents: Any) -> None:
    """Write one object as ``saveRDS`` does."""
    rdata.write_rds(path, contents, constructor_dict=_CONSTRUCTORS)


def write_rda(path: Path, contents: dict[str, Any]) -> None:
    """Write named objects as ``save`` does."""
    rdata.write_rda(path, contents, constructor_dict=_CONSTRUCTORS)
