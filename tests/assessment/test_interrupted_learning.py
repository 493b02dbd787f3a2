"""Ctrl-C while an attacker is learned: the best so far stands, also where nothing was finished before."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest

import linkrisk
from linkrisk.attack.reporter import SilentReporter
from linkrisk.engine import interrupt
from linkrisk.learning.search import State
from linkrisk.linkage.ties import Ties
from linkrisk.verifier.verify import verify


class ImpatientReporter(SilentReporter):
    """Presses Ctrl-C at the first report of a search, and checks for it at every report."""

    n_told = 0

    def search(self, state: State) -> None:
        """Press once, then check, as a terminal does."""
        del state
        self.n_told += 1
        if self.n_told == 1:
            signal.raise_signal(signal.SIGINT)
        interrupt.check()


@pytest.mark.slow
def test_the_first_attacker_is_kept(tmp_path: Path) -> None:
    """Links, a bound that holds and its certificate are there, and the run says that it was interrupted."""
    random = np.random.default_rng(0)
    original = random.normal(size=(150, 6))
    files = [tmp_path / "original.csv", tmp_path / "protected.csv"]
    for path, values in zip(files, (original, original + 0.9 * random.normal(size=original.shape)), strict=True):
        np.savetxt(path, values, delimiter=",", header=",".join("abcdef"), comments="")
    with interrupt.listening():
        result = linkrisk.assess(
            *files,
            attackers=["bilinear_psd", "choquet"],
            scales=["separate"],
            certificates=tmp_path / "certificates",
            time_limit=60.0,
            reporter=ImpatientReporter(),
        )
    assert not result.is_complete
    attack = result.attacks[0]
    assert (attack.name, attack.status) == ("bilinear_psd", "interrupted")
    assert attack.bound is not None
    assert 0 < attack.links[Ties.UNIQUE] < attack.bound <= 150
    assert "Not proven: " in str(result)
    path = tmp_path / "certificates" / "bilinear_psd.separate.certificate.json.gz"
    assert verify(path, *files)
