"""Files of statistics packages: SPSS, Stata and SAS, by way of pyreadstat.

User-missing values (SPSS ranges and values, also of text; Stata .a to .z; SAS .A to .Z) are missing. Value
labels do not replace the codes: the codes are what both files have in common.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyreadstat

from linkrisk.data.attributes import Kind
from linkrisk.data.frames import column_from_python
from linkrisk.data.labels import label_of_number, label_of_text
from linkrisk.data.raw_file import RawColumn, RawFile, check_column_names, digest_of_file
from linkrisk.errors import FileError
from linkrisk.printable import file_name

_READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}


def read(path: Path, *, delimiter: str | None = None) -> RawFile:  # noqa: ARG001 (all readers are called alike)
    """Read an SPSS, Stata or SAS file.

    A numeric column is declared nominal when every value in it has a label, or when its measurement level
    says so, and ordinal, in the order of its codes, when its measurement level is ordinal. Labels that name
    only some values, such as the ends of a scale, do not make categories.
    """
    reader = getattr(pyreadstat, _READERS[path.suffix.lower()])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what pyreadstat could not understand of the metadata
            cells, metadata = reader(str(path), output_format="dict")
    except MemoryError:
        raise
    except Exception:  # pyreadstat raises many kinds, whose messages may quote cells
        raise FileError(f"{file_name(path)} cannot be read as a {path.suffix} file; export it again") from None
    names = list(metadata.column_names)
    check_column_names(file_name(path), names)
    columns = tuple(_make_column(name, cells[name], metadata) for name in names)
    if not columns or len(columns[0].cells) == 0:
        raise FileError(f"{file_name(path)} has no records; give a file with at least two")
    return RawFile(file_name(path), columns, len(columns[0].cells), digest_of_file(path))


def _make_column(name: str, cells: Any, metadata: Any) -> RawColumn:
    column = column_from_python(name, np.array(cells, dtype=object))
    labelled = metadata.variable_value_labels.get(name, {})
    measure = metadata.variable_measure.get(name, "unknown")
    codes = _distinct(column)
    if measure == "ordinal" and codes:
        is_number = column.holds_numbers
        order = tuple(label_of_number(code) if is_number else label_of_text(code) for code in sorted(codes))
        return replace(column, declared=Kind.ORDINAL, order=order)
    if measure == "nominal" or (codes and codes <= set(labelled)):
        return replace(column, declared=None if column.holds_dates else Kind.NOMINAL)
    return column


def _distinct(column: RawColumn) -> set[Any]:
    """Return the codes in use; none for dates, which are not categories."""
    if column.holds_dates:
        return set()
    return set(np.unique(column.cells[~column.is_missing]).tolist())
