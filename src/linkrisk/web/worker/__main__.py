"""The start of the process."""

from __future__ import annotations

from linkrisk.web.worker.process import run

if __name__ == "__main__":
    run()
