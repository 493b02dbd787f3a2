"""Fuzz the verifier: python -m benchmarks.fuzz_certificates --mutations N --seed S.

Valid certificates of every kind are changed in every way. Each must end in a verdict or one sentence, within seconds
and little memory; and what is accepted must be true (`truth.py`). Prints figures per kind; the
exit code is 1 where anything fails, and every failure is printed with the command that repeats it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.fuzz_certificates.fuzzer import Fuzzer, fuzz


def show(fuzzer: Fuzzer, refused: Sequence[str]) -> None:
    """Print figures, failures and refusals."""
    print(f"{'kind':45} {'changed':>8} {'unreadable':>10} {'rejected':>9} {'accepted':>9} {'failed':>7} {'slowest':>9}")
    for kind, figures in zip(fuzzer.kinds, fuzzer.figures, strict=True):
        print(
            f"{kind.name:45} {figures.n_all:8} {figures.n_errors:10} {figures.n_rejected:9} {figures.n_accepted:9} "
            f"{len(figures.failures):7} {figures.slowest:7.2f} s"
        )
    every = fuzzer.figures
    print(
        f"{'all':45} {sum(f.n_all for f in every):8} {sum(f.n_errors for f in every):10} "
        f"{sum(f.n_rejected for f in every):9} {sum(f.n_accepted for f in every):9} "
        f"{sum(len(f.failures) for f in every):7} {max(f.slowest for f in every):7.2f} s"
    )
    for sentence in refused:
        print(f"REFUSED as it is: {sentence}")
    for failure in (failure for figures in every for failure in figures.failures):
        print(f"FAILED {failure}")


def main() -> int:
    """Run the fuzzer."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz_certificates", description=__doc__)
    parser.add_argument("--mutations", type=int, default=10_000, help="number of changed certificates")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutation, to repeat one")
    asked = parser.parse_args()
    fuzzer, refused = fuzz(asked.mutations, asked.seed, asked.first)
    show(fuzzer, refused)
    return 1 if refused or any(figures.failures for figures in fuzzer.figures) else 0


if __name__ == "__main__":
    sys.exit(main())
