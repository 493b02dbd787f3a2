"""The version; the package is built from it."""

from __future__ import annotations

__version__ = "0.1.0"
