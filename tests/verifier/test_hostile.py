"""Hostile certificates end in a verdict or one sentence, within seconds and little memory."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from linkrisk.differences.comparison import make_comparison
from linkrisk.engine.progress import no_progress
from linkrisk.verifier import check_certificate
from linkrisk.verifier.problem.links import count_links
from tests.linkage.files import numeric_files
from tests.verifier.certificates import signed, write_certificate
from tests.verifier.test_boxes import certified as certified_boxes
from tests.verifier.test_features import make_instance
from tests.verifier.test_tampering import EXAMPLE, drawn

SECONDS = 60
"""Time for a check, far above what it needs."""

MEGABYTES = 700
"""Memory that a check may take beyond what the packages themselves take."""

RUN = f"""
import os, resource, signal, sys, time
import numpy, scipy.linalg, scipy.sparse.csgraph
import linkrisk, linkrisk.verifier.verify
from linkrisk.errors import InputError

def check(paths):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ({MEGABYTES} << 20),) * 2)
    signal.alarm({SECONDS})
    start = time.perf_counter()
    try:
        verdict = linkrisk.verify(*paths)
        word = "valid" if verdict else "rejected"
        sentence = verdict.reason
    except InputError as error:
        word, sentence = "error", str(error)
    print(word, f"{{time.perf_counter() - start:.2f}}", sentence.replace(chr(10), " ")[:300], sep="|", flush=True)

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        check(line.rstrip(chr(10)).split(chr(9)))
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        print("died", 0.0, f"exit code {{code}}", sep="|", flush=True)
"""
"""A process that has the packages, and lets a child with little memory check each certificate it is told of."""


Check = Callable[[Path, bytes], tuple[str, float, str]]
"""How the check of a file ends, the seconds it takes, and its sentence."""


@pytest.fixture(scope="module")
def ended() -> Iterator[Check]:
    """Return what has a file checked."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", RUN], stdin=pipe, stdout=pipe, text=True) as process:  # noqa: S603  (our own)

        def check(folder: Path, contents: bytes) -> tuple[str, float, str]:
            assert process.stdin is not None
            assert process.stdout is not None
            path = folder / "hostile.json.gz"
            path.write_bytes(contents)
            paths = (path, folder / "original.csv", folder / "protected.csv")
            print(*paths, sep="\t", file=process.stdin, flush=True)
            word, seconds, sentence = process.stdout.readline().strip().split("|", 2)
            return word, float(seconds), sentence

        yield check
        process.communicate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the two files of `EXAMPLE`."""
    return write_files(tmp_path_factory.mktemp("hostile"), *drawn())


def write_files(folder: Path, original: Any, protected: Any) -> Path:
    """Write two files of two columns."""
    for name, values in (("original", original), ("protected", protected)):
        lines = [",".join(map(repr, row)) for row in values.tolist()]
        (folder / f"{name}.csv").write_text("\n".join(["V1,V2", *lines]))
    return folder


def written(folder: Path, certificate: dict[str, Any]) -> bytes:
    """Return a certificate about the two files, with all digests that fit."""
    hashes = {
        key: hashlib.sha256((folder / f"{key}.csv").read_bytes()).hexdigest() for key in ("original", "protected")
    }
    return json.dumps(signed(certificate, **hashes)).encode()


@pytest.mark.slow
def test_the_example_is_valid(ended: Check, folder: Path) -> None:
    """What is changed below is accepted as it is."""
    word, _, sentence = ended(folder, written(folder, EXAMPLE[2]))
    assert word == "valid", sentence


@cache
def _blanks() -> bytes:
    """Return a quarter of a gigabyte of blanks, compressed."""
    return gzip.compress(b" " * (1 << 28), compresslevel=1)


FILES: dict[str, Callable[[], bytes]] = {
    "compressed blanks": _blanks,
    "compressed blanks, cut off": lambda: _blanks()[:-9],
    "empty lists": lambda: gzip.compress(
        b'{"certificate": 2, "lost": [' + b"[]," * (1 << 22) + b"[]]}", compresslevel=1
    ),
    "empty objects": lambda: b'{"certificate": 2, "lost": [' + b"{}," * (1 << 21) + b"{}]}",
    "deep lists": lambda: b'{"certificate": 2, "lost": ' + b"[" * (1 << 20) + b"]" * (1 << 20) + b"}",
    "deep objects": lambda: b'{"a":' * (1 << 18) + b"1" + b"}" * (1 << 18),
    "a number of a million digits": lambda: b'{"certificate": 2, "links": ' + b"7" * 10**6 + b"}",
    "a fraction of a million digits": lambda: b'{"certificate": 2, "links": 0.' + b"7" * 10**6 + b"}",
    "an exponent of many digits": lambda: b'{"certificate": 2, "links": 1e' + b"9" * 4001 + b"]",
    "two archives": lambda: gzip.compress(b'{"certificate": 2}') * 2,
    "a mark of byte order": lambda: b"\xef\xbb\xbf" + b'{"certificate": 2}',
    "UTF-16": lambda: '{"certificate": 2}'.encode("utf-16"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_files_that_are_no_certificates(ended: Check, folder: Path, name: str) -> None:
    """Bombs, deep nesting, long numbers, and odd encodings are one sentence."""
    word, seconds, sentence = ended(folder, FILES[name]())
    assert word == "error", sentence
    assert "damaged, or not a certificate" in sentence
    assert seconds < 10


def _of(change: dict[str, Any]) -> Callable[[], dict[str, Any]]:
    return lambda: {**EXAMPLE[2], **change}


def _of_proof(change: dict[str, Any]) -> Callable[[], dict[str, Any]]:
    return lambda: {**EXAMPLE[2], "proof": {**EXAMPLE[2]["proof"], **change}}


def _many_leaves() -> dict[str, Any]:
    """Return a proof whose leaves name the same cores again and again."""
    proof = EXAMPLE[2]["proof"]
    leaf = {"cores": [0, 1] * 200_000, "multipliers": [1.0] * 400_000}
    return {**EXAMPLE[2], "proof": {**proof, "tree": [leaf]}}


def _matrix() -> dict[str, Any]:
    """Return a semidefinite form of very long numbers."""
    theta = [hex((1 << 65000) + 1), "0x" + "f" * 16000, 1 << 13000]
    return {**EXAMPLE[2], "attacker": {"name": "bilinear_psd"}, "parameters": theta}


CHANGES: dict[str, Callable[[], dict[str, Any]]] = {
    "an attribute that is a number": _of({"attributes": ["V1", 5]}),
    "an attribute that is a list": _of({"attributes": [["V1"], "V2"]}),
    "no attributes": _of({"attributes": []}),
    "many attributes": _of({"attributes": [f"V{k}" for k in range(10**5)]}),
    "attributes that are a text": _of({"attributes": "V1"}),
    "a schema that is a path": _of({"reading": {"schema": "/etc/passwd"}}),
    "a schema that is a number": _of({"reading": {"schema": 5}}),
    "codes that are objects": _of({"reading": {"missing": [{"a": 1}, [2]]}}),
    "an id that is a number": _of({"reading": {"id": 5}}),
    "a delimiter that is long": _of({"reading": {"delimiter": "x" * 10**6}}),
    "names that are numbers": _of({"reading": {"renamed": {"V1": 5}}}),
    "pairs that are a text": _of({"reading": {"has_pairs_file": "yes"}}),
    "a reading of other options": _of({"reading": {"attributes": ["V1"], "pairs": "/etc/passwd"}}),
    "a scale that is a list": _of({"scale": ["separate"]}),
    "an additivity without end": _of({"attacker": {"name": "choquet", "additivity": 10**18}}),
    "parameters without end": _of({"parameters": [0] * 10**6}),
    "long parameters": _of({"parameters": ["0x" + "f" * 16384, "0x" + "f" * 16384, "0x" + "f" * 16384]}),
    "long matrices": _matrix,
    "weights without end": _of({"weights": [1e308] * 6}),
    "tiny tolerance": _of({"attacker": {"name": "bilinear_free"}, "tolerance": 5e-324}),
    "lost without end": _of({"lost": [[4, 5]] * 10**5}),
    "inequalities without end": _of_proof({"cuts": [{"set": 0, "attributes": [0]}] * 10**5}),
    "cores without rows": _of_proof({"cores": [{"rows": []}] * 10**5}),
    "a core of many rows": _of_proof({"cores": [{"rows": [[0, 1, 1.0]] * 10**5}]}),
    "long multipliers": _of_proof({"cores": [{"rows": [[0, 1, "0x" + "f" * 16384]] * 200}]}),
    "a leaf of many cores": _many_leaves,
    "a branch to itself": _of_proof({"tree": [{"record": 0, "keep": 0, "give": 0}]}),
    "a node out of reach": _of_proof(
        {"tree": [{"record": 0, "keep": 10**18, "give": 1}, {"cores": [], "multipliers": []}]}
    ),
}


ERRORS = ("a delimiter that is long",)
"""Changes after which a file, not the certificate, cannot be read."""

TRUE = ("an additivity without end", "long parameters", "inequalities without end")
"""Changes after which the certificate still holds."""


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_hostile_entries(ended: Check, folder: Path, name: str) -> None:
    """Entries of wrong types or sizes, with digests that fit, are a verdict."""
    word, seconds, sentence = ended(folder, written(folder, CHANGES[name]()))
    assert word == ("error" if name in ERRORS else "valid" if name in TRUE else "rejected"), sentence
    assert seconds < 10


@pytest.mark.slow
@settings(max_examples=1)
@given(seed=st.just(5))
def test_counts_take_no_memory(ended: Check, tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """One number of a column changed to thousands of millions is told before memory is taken."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 8, (5, 2)).astype(float)
    folder = write_files(tmp_path_factory.mktemp("boxes"), x, x + rng.integers(-3, 4, x.shape))
    _, _, _, certificate = certified_boxes("weighted_mean", seed)
    word, _, sentence = ended(folder, written(folder, certificate))
    assert word == "valid", sentence
    for key in ("n_lost", "n_sets", "n_rows", "groups", "divisions", "lost_records", "row_to"):
        if certificate["proof"][key]:
            column = [2**31 - 1, *certificate["proof"][key][1:]]
            changed = {**certificate, "proof": {**certificate["proof"], key: column}}
            word, seconds, sentence = ended(folder, written(folder, changed))
            assert word == "rejected", sentence
            assert seconds < 10


@pytest.mark.slow
def test_large_cores_are_decided_quickly() -> None:
    """A core of 211 rows is accepted with rounded multipliers; changed ones are decided on at once."""
    n = 20
    rng = np.random.default_rng(1)
    comparison = make_comparison(numeric_files(rng.normal(size=(300, n)), rng.normal(size=(300, n))))
    instance = make_instance(comparison, "bilinear_free")
    pairs = [(i, (i + step) % 300) for i in range(300) for step in (1, 2, 3)]
    rows = np.array([[instance.row(*pair).get(k, 0) / instance.unit for k in range(210)] for pair in pairs])
    found = linprog(rng.random(len(pairs)), A_eq=np.vstack([rows.T, np.ones(len(pairs))]), b_eq=[*[0.0] * 210, 1.0])
    assert found.x is not None
    used = np.flatnonzero(found.x > 0.0).tolist()
    core = {"rows": [[*pairs[q], float(found.x[q])] for q in used]}
    assert len(used) == 211
    theta = [float(k == m) for k in range(n) for m in range(k, n)]
    links = int(count_links(instance, theta, no_progress))
    proof = {"kind": "cover", "cores": [core], "tree": [{"cores": [], "multipliers": []}]}
    certificate = write_certificate(
        comparison, "bilinear_free", theta, links, bound=300, status="time_limit", proof=proof
    )
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    for factor in (1.0 + 1e-12, 1.001, 2.0, 1e10, 0.0):
        core["rows"][7][2] = factor * float(found.x[used[7]])
        start = time.perf_counter()
        verdict = check_certificate(signed(certificate, proof=proof), comparison)
        assert time.perf_counter() - start < 5.0
        assert factor < 1.1 or not verdict
