"""Attributes and their kinds; reading, checking and pairing two files; writing results safely.

Names are loaded when they are first used, so that importing this package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkrisk.data.attributes import Attribute, Kind, Role
    from linkrisk.data.columns import ColumnPair, FilePair
    from linkrisk.data.pair import pair_files
    from linkrisk.data.raw_file import RawColumn, RawFile
    from linkrisk.data.read import SUFFIXES, open_file, read_file
    from linkrisk.data.schema import AttributeSchema, Schema, load_schema, make_schema
    from linkrisk.data.writing import CONFIDENTIAL_NOTICE, check_writable, write_columns, write_text

__all__ = [
    "CONFIDENTIAL_NOTICE",
    "SUFFIXES",
    "Attribute",
    "AttributeSchema",
    "ColumnPair",
    "FilePair",
    "Kind",
    "RawColumn",
    "RawFile",
    "Role",
    "Schema",
    "check_writable",
    "load_schema",
    "make_schema",
    "open_file",
    "pair_files",
    "read_file",
    "write_columns",
    "write_text",
]

_MODULES = {
    "attributes": ("Attribute", "Kind", "Role"),
    "columns": ("ColumnPair", "FilePair"),
    "pair": ("pair_files",),
    "read": ("SUFFIXES", "open_file", "read_file"),
    "schema": ("AttributeSchema", "Schema", "load_schema", "make_schema"),
    "raw_file": ("RawColumn", "RawFile"),
    "writing": ("CONFIDENTIAL_NOTICE", "check_writable", "write_columns", "write_text"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(importlib.import_module(f"linkrisk.data.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
