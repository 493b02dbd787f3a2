"""What is wrong with how a case ended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.odd_inputs.cases import Case
from benchmarks.odd_inputs.run import Outcome

FAULTS = ("traceback", "hang", "files left", "warning", "control character", "no sentence", "no remedy", "exit code")
"""What is counted."""

CODES = {"SIGTERM": (143, -15), "SIGHUP": (129, -1), "SIGINT": (130, -2)}
"""How a run ends that a signal reached; below zero where Python itself had not begun, or had ended."""

_RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_TWO_SENTENCES = re.compile(r"[a-z0-9)'\"][.!?] [A-Z]")
_REMEDY = re.compile(
    r"; |must |did you mean|\(--|choose|give |is needed and not given|no such setting|interrupted|for tests|needs "
)


def faults_of(case: Case, outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield every fault by its name in `FAULTS`, with what shows it."""
    if outcome.has_hung:
        yield "hang", case.name
        return
    if outcome.traceback or "Traceback (most" in outcome.errors:
        yield "traceback", (outcome.traceback or outcome.errors)[-1500:]
    yield from _files(outcome)
    if "Warning" in outcome.errors or "site-packages" in outcome.errors or ".py:" in outcome.errors:
        yield "warning", outcome.errors[-500:]
    if _RAW.search(outcome.output + outcome.errors):
        yield "control character", repr(_RAW.search(outcome.output + outcome.errors))
    has_ended = outcome.code == 0 and bool(outcome.output.strip())  # all was said before the signal came
    expected = CODES[case.surroundings] if outcome.is_signalled and not has_ended else (0, 1, 2)
    if outcome.code not in expected and not outcome.traceback:
        yield "exit code", f"{outcome.code}: {outcome.errors[-300:]}"
    yield from _sentences(case, outcome)


def _files(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Files half written; a secret without its release; anything after a mistake, unless it tells of a full disk."""
    names = set(outcome.new_files)
    parts = [name for name in names if name.endswith(".part")]
    alone = [name for name in names if name.endswith(".secret") and name.removesuffix(".secret") not in names]
    after = sorted(names) if outcome.code == 2 and "standard output" not in outcome.errors else []
    if parts or alone or after:
        yield "files left", ", ".join(sorted({*parts, *alone, *after}))


def _sentences(case: Case, outcome: Outcome) -> Iterator[tuple[str, str]]:
    has_said = outcome.output.strip() or outcome.errors.strip()
    if outcome.code == 1 and not has_said and case.surroundings in {"usual", "full disk", "ascii"}:
        yield "no sentence", "exit code 1, and nothing is said"
    if outcome.code != 2 or outcome.traceback or case.surroundings in {"closed errors", "full errors"}:
        return
    lines = [line for line in outcome.errors.splitlines() if not line.endswith((" s)", " left)"))]  # progress
    told = "\n".join(lines)
    if not told.startswith("linkrisk: ") and case.arguments:
        yield "no sentence", told[:300] or "nothing is said"
    for line in lines:
        if not line.endswith((".", "?")) or _TWO_SENTENCES.search(line):
            yield "no sentence", line[:300]
        elif not _REMEDY.search(line):
            yield "no remedy", line[:300]
