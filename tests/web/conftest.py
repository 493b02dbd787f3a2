"""What tests of the page share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.visitor import Visitor


@pytest.fixture
def visitor(tmp_path: Path) -> Visitor:
    """Return a visitor with the key."""
    return Visitor.of(tmp_path)


@pytest.fixture
def stranger(tmp_path: Path) -> Visitor:
    """Return a visitor without the key."""
    return Visitor.of(tmp_path, has_key=False)
