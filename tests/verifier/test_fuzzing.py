"""The fuzzer of certificates finds nothing wrong with the verifier, and something with one that has a hole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks.fuzz_certificates.fuzzer import Fuzzer, valid_kinds
from benchmarks.fuzz_certificates.kinds import Specimen

from linkrisk.verifier.boxes import proof as boxes
from linkrisk.verifier.cover.cores import CoreCheck
from linkrisk.verifier.families.measures import Measures
from linkrisk.verifier.families.weights import Weights
from linkrisk.verifier.problem.instance import Instance
from tests.examples import share

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> list[Specimen]:
    """Return valid certificates of every kind."""
    kept, refused = valid_kinds(tmp_path_factory.mktemp("kinds"))
    assert not refused
    return kept


def failures(kinds: list[Specimen], folder: Path, n_mutations: int, seed: int = 0) -> list[str]:
    """Return the first failure among changed certificates, if there is one."""
    fuzzer = Fuzzer(kinds, folder, seed)
    for number in range(n_mutations):
        fuzzer.try_out(number)
        found = fuzzer.figures[number % len(kinds)].failures
        if found:
            return found
    assert sum(figures.n_all for figures in fuzzer.figures) == n_mutations
    return []


def test_changed_certificates_are_rejected_or_true(kinds: list[Specimen], tmp_path: Path) -> None:
    """Every kind, changed in every way: a verdict or one sentence, and nothing wrong is accepted."""
    assert failures(kinds, tmp_path, share(300, len(kinds))) == []


HOLES: dict[str, tuple[Any, str, Any, str]] = {
    "cores are not checked": (CoreCheck, "check", None, ""),
    "lost records are not checked": (Instance, "is_lost_to", True, ""),
    "losses in boxes are not checked": (boxes, "_check_losses", None, "boxes"),
    "weights are not checked": (Weights, "check_parameters", None, "weighted_mean"),
    "measures are not checked": (Measures, "check_parameters", None, "choquet"),
    "who counts is not checked": (Instance, "counts", True, ""),
}
"""What is checked, the answer that takes its place, and a word in the names of the certificates that are changed."""


@pytest.mark.parametrize("name", HOLES)
def test_holes_are_found(kinds: list[Specimen], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A verifier that checks less is found to accept what is not true."""
    where, what, answer, word = HOLES[name]
    kinds = [kind for kind in kinds if word in kind.name]
    monkeypatch.setattr(where, what, lambda *_: answer)
    assert any("accepted, but" in failure for failure in failures(kinds, tmp_path, 3000, seed=1))
