"""Attributes and their kinds; reading, checking and pairing two files; writing results safely.

Names are loaded when they are first used, so that importing this package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.data.attributes import Attribute as Attribute
    from linkrisk.data.attributes import Kind as Kind
    from linkrisk.data.attributes import Role as Role
    from linkrisk.data.columns import ColumnPair as ColumnPair
    from linkrisk.data.columns import FilePair as FilePair
    from linkrisk.data.pair import pair_files as pair_files
    from linkrisk.data.raw_file import RawColumn as RawColumn
    from linkrisk.data.raw_file import RawFile as RawFile
    from linkrisk.data.read import SUFFIXES as SUFFIXES
    from linkrisk.data.read import open_file as open_file
    from linkrisk.data.read import read_file as read_file
    from linkrisk.data.schema import AttributeSchema as AttributeSchema
    from linkrisk.data.schema import Schema as Schema
    from linkrisk.data.schema import load_schema as load_schema
    from linkrisk.data.schema import make_schema as make_schema
    from linkrisk.data.writing import CONFIDENTIAL_NOTICE as CONFIDENTIAL_NOTICE
    from linkrisk.data.writing import check_writable as check_writable
    from linkrisk.data.writing import write_columns as write_columns
    from linkrisk.data.writing import write_text as write_text

_HOMES = {
    "Attribute": "linkrisk.data.attributes:Attribute",
    "AttributeSchema": "linkrisk.data.schema:AttributeSchema",
    "CONFIDENTIAL_NOTICE": "linkrisk.data.writing:CONFIDENTIAL_NOTICE",
    "ColumnPair": "linkrisk.data.columns:ColumnPair",
    "FilePair": "linkrisk.data.columns:FilePair",
    "Kind": "linkrisk.data.attributes:Kind",
    "RawColumn": "linkrisk.data.raw_file:RawColumn",
    "RawFile": "linkrisk.data.raw_file:RawFile",
    "Role": "linkrisk.data.attributes:Role",
    "SUFFIXES": "linkrisk.data.read:SUFFIXES",
    "Schema": "linkrisk.data.schema:Schema",
    "check_writable": "linkrisk.data.writing:check_writable",
    "load_schema": "linkrisk.data.schema:load_schema",
    "make_schema": "linkrisk.data.schema:make_schema",
    "open_file": "linkrisk.data.read:open_file",
    "pair_files": "linkrisk.data.pair:pair_files",
    "read_file": "linkrisk.data.read:read_file",
    "write_columns": "linkrisk.data.writing:write_columns",
    "write_text": "linkrisk.data.writing:write_text",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
