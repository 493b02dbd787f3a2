"""Changing certificates and holding what the verifier says of them against the truth."""

from __future__ import annotations

import json
import resource
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

import linkrisk
from benchmarks.fuzz_certificates.kinds import DIGESTS, Specimen, specimens
from benchmarks.fuzz_certificates.mutations import mutated
from benchmarks.fuzz_certificates.truth import Truth
from linkrisk.errors import InputError
from linkrisk.verifier import Verification, check_certificate, read_certificate

SECONDS = 10
"""Longest time for one certificate."""

GIGABYTES = 2
"""Memory that all checks together may take beyond what is taken before the first."""

SHOWN = 2000
"""Characters of a certificate that a failure shows."""


@dataclass
class Figures:
    """How the changed certificates of one kind ended."""

    n_errors: int = 0
    n_rejected: int = 0
    n_accepted: int = 0
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)

    @property
    def n_all(self) -> int:
        """Number of certificates."""
        return self.n_errors + self.n_rejected + self.n_accepted + len(self.failures)


class Fuzzer:
    """Changes certificates and looks at how they end; mutation k of a seed is always the same."""

    def __init__(self, kinds: Sequence[Specimen], folder: Path, seed: int) -> None:
        self.kinds = kinds
        self.path = folder / "changed.certificate.json.gz"
        self.seed = seed
        self.truths = [Truth(kind.comparison) for kind in kinds]
        self.figures = [Figures() for _ in kinds]

    def try_out(self, number: int) -> None:
        """Change a certificate and check what is left of it."""
        place = number % len(self.kinds)
        kind, figures = self.kinds[place], self.figures[place]
        contents = mutated(kind.certificate, Random(f"{self.seed}:{number}"))  # noqa: S311  (no secret)
        self.path.write_bytes(contents)
        start = time.perf_counter()
        verdict: Verification | None = None
        try:
            with _limited(SECONDS):
                verdict = check(kind, self.path)
        except InputError:
            figures.n_errors += 1
        except Exception as fault:  # any other end is a failure
            figures.failures.append(self._told(number, kind, f"{type(fault).__name__}: {fault}"))
        figures.slowest = max(figures.slowest, time.perf_counter() - start)
        if verdict is not None:
            self._judge(number, place, verdict)

    def _judge(self, number: int, place: int, verdict: Verification) -> None:
        figures, kind = self.figures[place], self.kinds[place]
        if not verdict:
            figures.n_rejected += 1
            return
        fault = self.truths[place].fault(read_certificate(self.path), verdict)
        if fault is None:
            figures.n_accepted += 1
        else:
            figures.failures.append(self._told(number, kind, f"accepted, but {fault}"))

    def _told(self, number: int, kind: Specimen, what: str) -> str:
        command = f"python -m benchmarks.fuzz_certificates --seed {self.seed} --first {number} --mutations 1"
        return f"{kind.name}: {what[:SHOWN]}\n  {command}"


def check(kind: Specimen, path: Path) -> Verification:
    """Return the verdict on a file: by the command's own way where the two files are on disk."""
    if kind.files is not None:
        return linkrisk.verify(path, *kind.files)
    return check_certificate(path, kind.comparison, file_digests=DIGESTS)


def valid_kinds(folder: Path) -> tuple[list[Specimen], list[str]]:
    """Return the certificates that are accepted as they are, and what is said of the others."""
    kept, refused = [], []
    for kind in specimens(folder):
        path = folder / "plain.certificate.json"
        path.write_text(json.dumps(kind.certificate))
        verdict = check(kind, path)
        fault = Truth(kind.comparison).fault(kind.certificate, verdict) if verdict else verdict.reason
        if fault is None:
            kept.append(kind)
        else:
            refused.append(f"{kind.name}: {fault}")
    return kept, refused


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Raise `TimeoutError` after some seconds."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"took more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def limited_memory() -> Iterator[None]:
    """Let this process take no more than `GIGABYTES` beyond what it has taken."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + (GIGABYTES << 30), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def fuzz(n_mutations: int, seed: int, first: int = 0, *, is_limited: bool = True) -> tuple[Fuzzer, list[str]]:
    """Try so many changed certificates; return the fuzzer with its figures, and kinds refused as they are."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds, refused = valid_kinds(folder)
        fuzzer = Fuzzer(kinds, folder, seed)
        with limited_memory() if is_limited else nullcontext():
            for number in range(first, first + n_mutations):
                fuzzer.try_out(number)
    return fuzzer, refused
