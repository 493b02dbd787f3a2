"""Valid certificates of every kind, on files of at most seven records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from tests.linkage.files import label_column, numeric_files, paired
from tests.verifier.box_proofs import BoxProof, TooManyBoxesError
from tests.verifier.certificates import make_twin, write_certificate
from tests.verifier.twins import sweep

from benchmarks.fuzz_certificates.mutations import sign
from benchmarks.fuzz_certificates.truth import Truth
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.reading import Reading
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form, HighamFamily
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning.learn import learn
from linkrisk.learning.proof.certificate import make_certificate

FAMILIES: tuple[Family, ...] = (
    WeightedMeanFamily(),
    WeightedMeanFamily(floor=0.03125),
    OWAFamily(),
    ChoquetFamily(),
    ChoquetFamily(is_metric=True),
    AdditiveChoquetFamily(2),
    BilinearFamily(Form.FREE),
    BilinearFamily(Form.NONNEGATIVE),
    BilinearFamily(Form.SEMIDEFINITE),
    HighamFamily(),
)

DIGESTS = ("0" * 64, "1" * 64)
FLOOR = 0.03125
FIRST_BOXES = {"weighted_mean": 60, "weighted_mean_metric": 60, "owa": 39}
"""The first file whose proof by boxes has a few divisions and multipliers; going through those before takes seconds."""


@dataclass(frozen=True)
class Specimen:
    """A certificate with its comparison; ``files`` are the two files it is about, where these are on disk."""

    name: str
    comparison: Comparison
    certificate: dict[str, Any]
    files: tuple[Path, Path] | None = None


def specimens(folder: Path) -> Iterator[Specimen]:
    """Yield certificates of every family with every option, with proofs by covers and boxes and without proof."""
    for seed, family in enumerate(FAMILIES):
        for kind in _learned(family, seed):
            yield kind
            yield from _poor(kind)
    for kind in _boxed():
        yield kind
        yield from _poor(kind)
    yield _far_apart()
    yield from _on_disk(folder)


def _poor(kind: Specimen) -> Iterator[Specimen]:
    """Yield the same proof with parameters that link fewer records, if there are any: they leave room for a lie."""
    truth, certificate = Truth(kind.comparison), kind.certificate
    twin, n = truth.twin(certificate, is_counting=True), len(certificate["parameters"])
    known = [[float(k == m) for m in range(n)] for k in range(n)]
    known += [[1.0] * n, [float(k + 1) for k in range(n)], [1.0, *[0.0] * (n - 2), 1.0][:n]]
    admissible = [theta for theta in known if truth.is_admissible(certificate, [Fraction(x) for x in theta], twin)]
    poor = min(admissible, key=twin.links, default=None)
    if poor is not None and float(twin.links(poor)) < certificate["links"]:
        body = {**certificate, "parameters": poor, "links": float(twin.links(poor)), "status": "time_limit"}
        sign(body)
        yield replace(kind, name=f"{kind.name}, poor", certificate=body)


def _learned(family: Family, seed: int) -> Iterator[Specimen]:
    """Yield what is learned on five kinds of files."""
    rng = np.random.default_rng(100 + seed)
    name = family.name + ("2" if isinstance(family, AdditiveChoquetFamily) else "")
    margin = 0.25 if family.tolerance else 0.0
    problems: list[tuple[str, FilePair, dict[str, Any]]] = [
        ("plain", _continuous(rng, 7), {}),
        ("nothing to prove", _continuous(rng, 4, noise=0.01), {}),
        ("copies, class, weights", _whole(rng, 6), {"ties": "class", "weights": rng.integers(1, 5, 6) / 2.0}),
        ("holes, strangers, expected", _holed(rng, 7), {"ties": "expected"}),
        ("mixed, margin", _mixed(rng, 6), {"margin": margin, "weights": rng.integers(0, 4, 6).astype(float)}),
    ]
    for label, files, options in problems:
        comparison = make_comparison(files)
        learned = learn(family, comparison, time_limit=20.0, **options)
        body = make_certificate(learned, original_digest=DIGESTS[0], protected_digest=DIGESTS[1], reading={})
        yield Specimen(f"{name}: {label}", learned.problem.comparison, json.loads(json.dumps(body)))


def _continuous(rng: np.random.Generator, n: int, noise: float = 1.3) -> FilePair:
    x = rng.normal(size=(n, 2 if n > 4 else 3))
    return numeric_files(x, x + noise * rng.normal(size=x.shape))


def _whole(rng: np.random.Generator, n: int) -> FilePair:
    x = rng.integers(0, 4, (n, 2)).astype(float)
    return numeric_files(x, x + rng.integers(-1, 2, x.shape))


def _holed(rng: np.random.Generator, n: int) -> FilePair:
    x = rng.integers(0, 5, (n, 2)).astype(float)
    y = x + rng.integers(-1, 2, x.shape)
    x[0, 0] = y[2, 1] = np.nan
    order = rng.permutation(n)
    own = np.argsort(order)
    own[3] = -1
    return numeric_files(x, y[order], own)


def _mixed(rng: np.random.Generator, n: int) -> FilePair:
    x = rng.normal(size=n)
    words = np.array(["MARTHA", "MARHTA", "DIXON"], dtype=object)
    columns = [
        ColumnPair(Attribute("number", Kind.NUMERIC), x, x + 0.7 * rng.normal(size=n)),
        label_column("word", Kind.TEXT, words[rng.integers(0, 3, n)].tolist(), words[rng.integers(0, 3, n)].tolist()),
        label_column("sex", Kind.NOMINAL, ["m", "f"] * (n // 2), ["m", "f"] * (n // 2)),
    ]
    return paired(columns)


def _boxed() -> Iterator[Specimen]:
    """Yield proofs by boxes of a plain search, with groups and cores."""
    for attacker in ("weighted_mean", "weighted_mean_metric", "owa"):
        for ties in ("unique", "class", "expected"):
            yield _boxes(attacker, ties)


def _boxes(attacker: str, ties: str) -> Specimen:
    floor = Fraction(FLOOR if attacker == "weighted_mean_metric" else 0)
    for seed in range(FIRST_BOXES[attacker], 100):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 8, (5, 2)).astype(float)
        comparison = make_comparison(numeric_files(x, x + rng.integers(-3, 4, x.shape)))
        weights = None if seed % 3 else [float(w) for w in rng.integers(1, 4, 5)]
        twin = make_twin(comparison, attacker, ties=ties, weights=weights)
        best, s = sweep(twin, floor, 1 - floor)
        theta = [1.0 - float(s), float(s)]
        if twin.links(theta) != best:
            continue
        try:
            proof = BoxProof(twin, 2, floor, best, groups=True, cores=bool(seed % 2)).to_dict()
        except TooManyBoxesError:
            continue
        if len(proof["divisions"]) < 5 or not proof["multipliers"]:
            continue
        options = {"floor": FLOOR} if floor else None
        body = write_certificate(
            comparison, attacker, theta, float(best), proof=proof, ties=ties, weights=weights, options=options
        )
        return Specimen(f"{attacker}: boxes, {ties}", comparison, json.loads(json.dumps(body)))
    raise AssertionError("no proof by boxes was found")


def _far_apart() -> Specimen:
    """Return a certificate whose weights are 10^600 apart, with whole multipliers of hundreds of digits."""
    x = np.array([[100.0, 100.0], [0.0, 0.0], [1.0, 0.0]])
    y = np.array([[100.0, 100.0], [2.0, 0.0], [1.0, 1.0]])
    comparison = make_comparison(numeric_files(x, y), "original")
    weights = [1e-300, 0.1, 1e300]
    twin = make_twin(comparison, "weighted_mean", weights=weights)
    rows = [twin.row(1, 2), twin.row(2, 1)]
    ratio = next(e for e in range(-30, 31) if all(a + Fraction(2) ** e * b <= 0 for a, b in zip(*rows, strict=True)))
    core = {"rows": [[1, 2, 3**500], [2, 1, hex(3**500 << ratio) if ratio >= 0 else 3**500 / 2**-ratio]]}
    numerator, divisor = Fraction(0.1).as_integer_ratio()
    leaf = {"cores": [0], "multipliers": [numerator], "divisor": divisor}
    theta = [2 * 7**300, 7**300]
    body = write_certificate(
        comparison, "weighted_mean", theta, float(twin.links(theta)), weights=weights,
        proof={"kind": "cover", "cores": [core], "tree": [leaf]},
    )  # fmt: skip
    return Specimen("weighted_mean: far apart", comparison, json.loads(json.dumps(body)))


def _on_disk(folder: Path) -> Iterator[Specimen]:
    """Yield certificates of files that are read anew, as the certificates say."""
    rng = np.random.default_rng(5)
    n = 6
    ages, codes = rng.integers(20, 60, n), rng.permutation(n)
    original = ["who;age;city;grade"] + [f"p{i};{ages[i]};{'ab'[i % 2]};{'xyz'[i % 3]}" for i in range(n)]
    changed = [f"p{i};{ages[i] + int(rng.integers(-9, 10))};{'ab'[i % 2]};{'xyz'[(i + i % 2) % 3]}" for i in codes]
    changed[0] = changed[0].replace(";a;", ";-;")
    paths = (folder / "original.csv", folder / "protected.csv")
    paths[0].write_text("\n".join(original))
    paths[1].write_text("\n".join(["who;years;city;grade", *changed]))
    schema = {"attributes": {"grade": {"kind": "ordinal", "order": ["x", "y", "z"]}}}
    options: dict[str, Any] = {
        "schema": schema,
        "id": "who",
        "renamed": {"age": "years"},
        "missing": ["-"],
        "delimiter": ";",
    }
    files = pair_files(*paths, reading=Reading.of({**options, "attributes": ["age", "city", "grade"]}))
    for family in (WeightedMeanFamily(), ChoquetFamily()):
        comparison = make_comparison(files)
        learned = learn(family, comparison, ties="expected", time_limit=20.0)
        body = make_certificate(
            learned,
            original_digest=files.original_digest,
            protected_digest=files.protected_digest,
            reading={**options, "has_pairs_file": False},
        )
        yield Specimen(f"{family.name}: files on disk", comparison, json.loads(json.dumps(body)), paths)
