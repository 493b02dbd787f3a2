"""A certificate that was changed is rejected: by its digest, and, where that was recomputed, by what it claims."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.errors import FileError
from linkrisk.verifier import check_certificate, read_certificate
from tests.linkage.files import numeric_files
from tests.verifier.certificates import Cone, Solved, make_twin, proven_bound, signed, write_certificate

Path_ = tuple[Any, ...]


def drawn(seed: int = 42) -> tuple[FloatArray, FloatArray]:
    """Return the values of two files."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(6, 2))
    y = x + 1.2 * rng.normal(size=x.shape)
    y[5] = y[4]  # two copies: both are lost
    return x, y


def example(attacker: str = "choquet", seed: int = 42) -> tuple[Comparison, Solved, dict[str, Any]]:
    """Return a small certified optimum that loses a record for good and gives up others."""
    comparison = make_comparison(numeric_files(*drawn(seed)))
    twin = make_twin(comparison, attacker)
    solved = Solved(make_twin(comparison, attacker), Cone(attacker, twin, 2))
    # The copies are cores of one record that no floating-point programme is sure of: they are lost instead.
    kept = [c for c, members in enumerate(solved.members) if not members & {4, 5}]
    solved.cores = [solved.cores[c] for c in kept]
    solved.members = [solved.members[c] for c in kept]
    proof = solved.proof()
    proof["tree"] = _without(proof["tree"], {4, 5})
    certificate = write_certificate(
        comparison, attacker, solved.theta, int(twin.links(solved.theta)), lost=[(4, 5), (5, 4)], proof=proof
    )
    return comparison, solved, certificate


def _without(tree: list[dict[str, Any]], gone: set[int]) -> list[dict[str, Any]]:
    """Leave branches on lost records out: their last nodes are leaves that give nothing up."""
    result: list[dict[str, Any]] = []

    def grow(place: int) -> int:
        node = tree[place]
        if node.get("record") in gone:
            return grow(node["give"])
        result.append(dict(node))
        at = len(result) - 1
        if "record" in node:
            result[at] = {"record": node["record"], "keep": grow(node["keep"]), "give": grow(node["give"])}
        return at

    grow(0)
    return result


@pytest.fixture(scope="module")
def certified() -> tuple[Comparison, Solved, dict[str, Any]]:
    """Return a valid certificate."""
    return example()


def test_example_is_valid(certified: tuple[Comparison, Solved, dict[str, Any]]) -> None:
    """What the tests below change is valid, has cores, lost records and a tree, and gives something up."""
    comparison, solved, certificate = certified
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    assert "valid" in str(verdict)
    assert solved.members
    assert certificate["links"] < 4
    assert verdict.n_checked["lost"] == 2


def numbers_in(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield where the numbers of a certificate are."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers_in(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from numbers_in(inner, (*path, place))
    elif isinstance(value, int | float):
        yield path


def changed(certificate: dict[str, Any], path: Path_, new: Any) -> dict[str, Any]:
    """Return a copy with one entry replaced."""
    result = copy.deepcopy(certificate)
    inner: Any = result
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = new
    return result


def value_at(certificate: dict[str, Any], path: Path_) -> Any:
    """Return an entry."""
    inner: Any = certificate
    for step in path:
        inner = inner[step]
    return inner


def test_any_changed_number_is_rejected(certified: tuple[Comparison, Solved, dict[str, Any]]) -> None:
    """Every number, changed in its last digit or by one, is told by the digest."""
    comparison, _, certificate = certified
    for path in numbers_in(certificate):
        old = value_at(certificate, path)
        new = float(np.nextafter(old, np.inf)) if isinstance(old, float) else old + 1
        verdict = check_certificate(changed(certificate, path, new), comparison)
        assert not verdict
        assert verdict.links is verdict.bound is None


@pytest.mark.slow
@settings(max_examples=150)
@given(data=st.data())
def test_changed_numbers_prove_nothing_wrong(data: st.DataObject) -> None:
    """*Guarantee* of `verify`: with the digest recomputed, what is still accepted is still true."""
    comparison, _, certificate = EXAMPLE
    path = data.draw(st.sampled_from(list(numbers_in(certificate))))
    old = value_at(certificate, path)
    if isinstance(old, float):
        new: Any = data.draw(st.sampled_from([0.0, -old, 2 * old, old / 3, old + 1e-3, old * (1 + 1e-12), 1e300]))
    else:
        new = data.draw(st.integers(-2, 8))
    tampered = signed(changed(certificate, path, new))
    proven = proven_bound(tampered, comparison)
    assert proven is None or proven >= certificate["links"] or tampered["tolerance"] != certificate["tolerance"]
    if check_certificate(tampered, comparison) and new != old:
        twin = make_twin(comparison, "choquet", tolerance=tampered["tolerance"])
        assert tampered["links"] == twin.links(tampered["parameters"])
        assert tampered["bound"] >= certificate["links"]
        assert tampered["status"] != "optimal" or tampered["bound"] == certificate["links"]
        assert path[0] not in {"certificate", "n_pairs", "links"}


EXAMPLE = example()


def test_wrong_claims_are_caught(certified: tuple[Comparison, Solved, dict[str, Any]]) -> None:
    """With the digest recomputed: links, bound, status, parameters, settings, lost records, digests of the files."""
    comparison, _, certificate = certified
    links, theta = certificate["links"], certificate["parameters"]
    changes: list[dict[str, Any]] = [
        {"links": links + 1, "bound": links + 1},
        {"links": links - 1, "bound": links - 1},
        {"bound": links + 1},
        {"bound": links - 1},
        {"bound": links - 1, "status": "time_limit"},
        {"status": "proven"},
        {"parameters": [1.0, 0.0, 0.5]},
        {"parameters": [-value for value in theta]},
        {"parameters": theta[:-1]},
        {"parameters": [float("nan"), *theta[1:]]},
        {"parameters": [True, *theta[1:]]},
        {"ties": "class"},
        {"ties": "none"},
        {"tolerance": 0.0},
        {"tolerance": 0.9},
        {"scale": "ranks"},
        {"weights": [1.0]},
        {"weights": [3.0] + [1.0] * 5},
        {"attributes": ["V2", "V1"]},
        {"attacker": {"name": "weighted_mean"}},
        {"attacker": {"name": "choquet", "floor": 0.1}},
        {"attacker": {"name": "choquet", "additivity": 0}},
        {"attacker": {"name": "mean"}},
        {"data": "0" * 64},
        {"data": "none"},
        {"certificate": 1},
        {"certificate": 2.0},
        {"certificate": True},
        {"n_pairs": 5},
        {"more": 1},
        {"lost": [[4, 5], [5, 4], [0, 1]]},
        {"lost": [[4, 4], [5, 4]]},
        {"lost": [[4, 0], [5, 4]]},
        {"lost": [[4, 5]]},
        {"lost": [[4, 5, 1], [5, 4]]},
        {"lost": [[4.0, 5], [5, 4]]},
        {"proof": None},
        {"proof": {"kind": "none"}},
        {"proof": []},
    ]
    for change in changes:
        with np.errstate(all="raise"):
            assert not check_certificate(_resigned(certificate, change), comparison), change


def _resigned(certificate: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Return a changed certificate with a digest that fits, if there is one."""
    try:
        return signed({**certificate, **change})
    except ValueError:  # NaN has no JSON
        return {**certificate, **change}


def test_wrong_proofs_are_caught(certified: tuple[Comparison, Solved, dict[str, Any]]) -> None:
    """With the digest recomputed: cores without rows or with others, trees that lack a part or go round in circles."""
    comparison, _, certificate = certified
    proof = certificate["proof"]
    core, tree = proof["cores"][0], proof["tree"]
    first = core["rows"][0]
    branch = next(place for place, node in enumerate(tree) if "record" in node)
    changes: list[tuple[Path_, Any]] = [
        (("cores", 0, "rows"), []),
        (("cores", 0, "rows"), core["rows"][:1]),
        (("cores", 0, "rows"), [[i, j, -m] for i, j, m in core["rows"]]),
        (("cores", 0, "rows"), [[i, j, 0.0] for i, j, m in core["rows"]]),
        (("cores", 0, "rows", 0), [first[0], first[0], first[2]]),
        (("cores", 0, "rows", 0), [first[0], 6, first[2]]),
        (("cores", 0, "rows", 0), first[:2]),
        (("cores", 0), {"rows": core["rows"], "more": 0}),
        (("cores",), proof["cores"][1:]),
        (("alone",), [core]),
        (("cuts",), [{"pair": [0, 0]}]),
        (("cuts",), [{"set": 1, "attributes": [0]}]),
        (("cuts",), [{"set": 0, "attributes": [0, 1]}]),
        (("cuts",), [{"set": 4, "attributes": [0]}]),
        (("cores", 0, "cuts"), [[999, 1.0]]),
        (("tree",), []),
        (("tree",), tree[:-1]),
        (("tree",), [*tree, tree[-1]]),
        (("tree", branch, "keep"), 0),
        (("tree", branch, "keep"), tree[branch]["give"]),
        (("tree", branch, "record"), 4),
        (("tree", branch, "record"), -1),
        (("tree", 0), {"cores": [], "multipliers": []}),
        (("tree", 0), {"cores": [0], "multipliers": []}),
        (("tree", 0), {"cores": [0], "multipliers": [-1.0]}),
        (("tree", 0), {"cores": [0], "multipliers": [1e305]}),
        (("tree", 0), {"core": 0}),
        (("tree", 0), 7),
    ]
    for path, new in changes:
        tampered = changed(certificate, ("proof", *path), new)
        assert not check_certificate(signed(tampered), comparison), (path, new)


def test_multipliers_changed_grossly_are_caught() -> None:
    """A mixture of rows with one multiplier out of all proportion is positive somewhere.

    (Where inequalities take part, only about which multipliers are meant is told, and the right ones are computed.)
    """
    comparison, solved, certificate = example("weighted_mean", 11)
    assert check_certificate(certificate, comparison)
    assert min(map(len, solved.members)) == 2
    for c, core in enumerate(certificate["proof"]["cores"]):
        for row, (_, _, m) in enumerate(core["rows"]):
            for new in (1e3 * m, 1e-3 * m, 0.0):
                tampered = changed(certificate, ("proof", "cores", c, "rows", row, 2), new)
                assert not check_certificate(signed(tampered), comparison)


def test_other_files_are_caught(certified: tuple[Comparison, Solved, dict[str, Any]]) -> None:
    """A file that differs in one value, or by its hash, is not that of the certificate."""
    comparison, _, certificate = certified
    coordinates = comparison.coordinates
    other = make_comparison(numeric_files(coordinates.original + np.eye(6, 2) * 1e-9, coordinates.protected))
    assert not check_certificate(certificate, other)
    assert check_certificate(certificate, comparison, file_digests=("0" * 64, "1" * 64))
    assert not check_certificate(certificate, comparison, file_digests=("0" * 64, "0" * 64))


def test_lost_records_in_a_core_ask_nothing_of_others() -> None:
    """A core with a lost record is hit by it: giving up nobody else is enough."""
    comparison, _, certificate = EXAMPLE
    core = {"rows": [[4, 5, 1.0], [0, 1, 0.0]]}
    proof = {"kind": "cover", "cores": [core], "tree": [{"cores": [0], "multipliers": [1.0]}]}
    bound = signed(certificate, proof=proof, bound=4, status="time_limit")
    assert check_certificate(bound, comparison)
    assert not check_certificate(signed(bound, bound=3), comparison)


def test_reading(tmp_path: Path) -> None:
    """A certificate is read with or without compression; a broken file is one clear sentence."""
    comparison, _, certificate = EXAMPLE
    path = tmp_path / "a.certificate.json.gz"
    text = json.dumps(certificate)
    path.write_bytes(gzip.compress(text.encode()))
    assert read_certificate(path) == certificate
    assert check_certificate(path, comparison)
    plain = tmp_path / "a.certificate.json"
    plain.write_text(text)
    assert check_certificate(str(plain), comparison)
    whole = path.read_bytes()
    wrong = [b"", b"{}", b"[1]", whole[:-20], whole[:50], b"\x1f\x8b\x08", text[:-2].encode(), b"\xff\xfe"]
    wrong += [
        b'{"certificate": 1, "certificate": 1}',
        b'{"certificate": NaN}',
        b"[" * 10**5,
        b'{"certificate": 1' * 10**5,
    ]
    for contents in wrong:
        path.write_bytes(contents)
        with pytest.raises(FileError, match=r"^a\.certificate\.json\.gz [^.;]*; [^.;]*$"):
            read_certificate(path)
    with pytest.raises(FileError, match="does not exist"):
        read_certificate(tmp_path / "none")
