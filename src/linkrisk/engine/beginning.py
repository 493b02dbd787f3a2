"""When this process began to import kernels: sources that changed later are not what it has imported."""

from __future__ import annotations

import time

BEGINNING = time.time_ns()
"""Nanoseconds, as the times of files."""
