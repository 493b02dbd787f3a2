"""Schemas that say that numbers are numbers, for small files whose whole numbers would look like codes."""

from __future__ import annotations

from typing import Any


def numeric(*names: str) -> dict[str, Any]:
    """Return a schema that declares columns numeric."""
    return {"attributes": {name: {"kind": "numeric"} for name in names}}


def numeric_array(n_columns: int) -> dict[str, Any]:
    """Return a schema that declares all columns of an array numeric."""
    return numeric(*(f"V{place + 1}" for place in range(n_columns)))
