"""Certificates: what was learned, with a proof of the bound that anyone who has the files can check.

The format is told in docs/certificates.md, and why it proves the bound in docs/mathematics.md#certificate;
`linkrisk.verifier` checks it with code of its own.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from linkrisk.differences.comparison import Comparison
from linkrisk.distances.bilinear import form_matrix, upper_triangle
from linkrisk.distances.family import Family
from linkrisk.learning.boxes.rows import owners, rows_on_rays
from linkrisk.learning.boxes.search import BoxResult, search_boxes
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.cover.relaxation import Leaf
from linkrisk.learning.cover.search import Branch, CoverResult
from linkrisk.learning.learned import Learned
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.problem.sources import ListedRows
from linkrisk.learning.proof.exact import ExactRows, _is_clearly_positive, _is_outweighed, mixed_rows, raw_multipliers
from linkrisk.learning.proof.leaves import exact_multipliers
from linkrisk.learning.search import Clock, Status
from linkrisk.linkage.ties import Ties
from linkrisk.version import __version__

FORMAT = 2

ROOT_UNIT = 1 << 60
"""The root of a repaired form is rounded to multiples of 1 over this."""

EXACT_SUMS = 2.0**40
"""Sums of whole weights below this are far from being off by 1."""

MOST_VECTORS = 64
"""Up to so many rows and inequalities of a core are given whole multipliers, where they must vanish."""

MOST_DECIMAL_BITS = 13_000
"""Bits of the largest whole number that is written in decimal digits."""

NOTICE = "CONFIDENTIAL: names who can be linked and holds the attack; it stays with the owner of the original data."


def make_certificate(
    learned: Learned,
    *,
    original_digest: str,
    protected_digest: str,
    reading: Mapping[str, object] | None = None,
    time_limit: float = math.inf,
    threads: int | None = None,
) -> dict[str, Any]:
    """Return what was learned, with its proof, as a dictionary that JSON can hold.

    A box search is repeated from its result, to write down its tree. If that takes more than ``time_limit`` seconds,
    or the search itself was stopped, the certificate claims the bound of the cores that were found before.
    """
    problem = learned.problem
    own = problem.comparison.coordinates.own
    proof, bound, status = _proof(learned, Clock(time_limit), threads)
    linked = learned.is_linked[problem.records].tolist()
    links = float(
        sum((worth for worth, is_in in zip(exact_worths(learned), linked, strict=True) if is_in), Fraction(0))
    )
    body: dict[str, Any] = {
        "confidential": NOTICE,
        "certificate": FORMAT,
        "version": __version__,
        "original": original_digest,
        "protected": protected_digest,
        "data": data_digest(problem.comparison),
        "reading": dict(reading or {}),
        "attacker": {"name": learned.family.name, **learned.family.options},
        "attributes": list(problem.names),
        "scale": str(problem.comparison.scale),
        "ties": str(problem.ties),
        "tolerance": problem.tolerance,
        "weights": None if learned.weights is None else learned.weights.tolist(),
        "parameters": _parameters(learned),
        "links": links,
        "bound": links if status is Status.OPTIMAL else _rounded_up(bound, problem),
        "status": str(status),
        "n_pairs": int((own >= 0).sum()),
        "lost": np.column_stack([problem.lost, problem.witness]).tolist(),
        "proof": proof,
    }
    body["digest"] = digest_of(body)
    return body


def certificate_bytes(certificate: Mapping[str, object]) -> bytes:
    """Return a certificate as it is written: JSON, compressed, the same bytes for the same certificate."""
    return gzip.compress(json.dumps(certificate, allow_nan=False).encode(), mtime=0)


def certificate_name(family: Family, scale: str) -> str:
    """Name of the file of a certificate: attacker and scale, so that those of one assessment stand side by side.

    >>> from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
    >>> certificate_name(AdditiveChoquetFamily(2), "ranks")
    'choquet-2.ranks.certificate.json.gz'
    """
    return f"{family.file_stem}.{scale}.certificate.json.gz"


def digest_of(body: Mapping[str, object]) -> str:
    """SHA-256 of everything in a certificate except the digest itself."""
    rest = {key: value for key, value in body.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _parameters(learned: Learned) -> list[float] | list[int]:
    """Return the parameters; a repaired form as the whole numbers of a product R R', which is exactly semidefinite."""
    theta = learned.family.normalised(learned.theta)
    if not learned.family.is_repaired:
        return [float(value) for value in theta]
    n_attributes = len(learned.problem.names)
    values, vectors = np.linalg.eigh(form_matrix(theta, n_attributes))
    root = [[int(x * ROOT_UNIT) for x in row] for row in (vectors * np.sqrt(np.maximum(values, 0.0))).tolist()]
    first, second, _ = upper_triangle(n_attributes)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return [sum(a * b for a, b in zip(root[k], root[m], strict=True)) for k, m in pairs]


def exact_worths(learned: Learned) -> list[Fraction]:
    """Return what a link of each record of the problem is worth, exactly: its weight over the number of twins."""
    problem, worths = learned.problem, []
    for record, worth in zip(problem.records.tolist(), problem.weight.tolist(), strict=True):
        weight = 1.0 if learned.weights is None else float(learned.weights[record])
        n_twins = round(weight / worth) if problem.ties is Ties.EXPECTED and worth > 0.0 else 1
        worths.append(Fraction(weight) / n_twins)
    return worths


def _rounded_up(bound: float, problem: Problem) -> float:
    """Return a bound that rounding has not made too small: a sum of weights that are not whole may be."""
    return bound if _has_small_whole_weights(problem) else bound + 2.0**-40 * problem.total


def _has_small_whole_weights(problem: Problem) -> bool:
    return bool((problem.weight == np.rint(problem.weight)).all()) and problem.total < EXACT_SUMS


def _proof(learned: Learned, clock: Clock, threads: int | None) -> tuple[dict[str, Any] | None, float, Status]:
    """Return a proof, the bound it proves, and the status that follows: a certificate claims no more than its proof."""
    proof = learned.proof
    if isinstance(proof, CoverResult):
        return _CoverProof(learned, proof).to_dict(), learned.bound, learned.status
    if proof is None:
        return None, learned.bound, learned.status
    boxes = _box_proof(learned.problem, proof, clock, threads)
    if boxes is not None:
        return boxes, learned.bound, learned.status
    status = Status.UNSETTLED if learned.status is Status.OPTIMAL else learned.status
    if learned.cover is None:
        return None, learned.problem.total, status
    return _CoverProof(learned, learned.cover).to_dict(), max(learned.cover.bound, learned.links), status


def _box_proof(problem: Problem, result: BoxResult, clock: Clock, threads: int | None) -> dict[str, Any] | None:
    """Search the boxes again from the best theta, and write down the tree; None if either search was stopped."""
    if result.status is not Status.OPTIMAL or not isinstance(problem.source, ListedRows):
        return None
    rows, errors = rows_on_rays(problem)
    tree = search_boxes(
        rows,
        incumbent_theta=result.theta,
        incumbent_links=result.links,
        clock=clock,
        errors=errors,
        is_recording=True,
        threads=threads,
    ).tree
    if tree is None:
        return None
    record = problem.records[owners(rows)]
    other = problem.row_of[rows.point]
    columns = {
        "divisions": tree.division,
        "cuts": tree.cut,
        "n_lost": tree.n_lost,
        "lost_records": problem.records[tree.lost_record],
        "lost_to": other[tree.lost_row],
        "n_sets": tree.n_sets,
        "groups": tree.group,
        "n_rows": tree.n_members,
        "row_records": record[tree.member_row],
        "row_to": other[tree.member_row],
        "multipliers": tree.multiplier / problem.source.lengths[tree.member_row],
    }
    return {"kind": "boxes", **{key: values.tolist() for key, values in columns.items()}}


class _CoverProof:
    """Writes the proof of a cover search: only the cores that its tree rests on."""

    def __init__(self, learned: Learned, result: CoverResult) -> None:
        self.problem = learned.problem
        self.feasibility: Feasibility = learned.feasibility
        self.result = result
        used = {core for leaf in result.tree if isinstance(leaf, Leaf) for core in leaf.cores}
        self.exact = ExactRows(self.problem)
        self.worth = dict(enumerate(exact_worths(learned)))
        self.number = {core: place for place, core in enumerate(sorted(used))}
        self.cut_number: dict[int, int] = {}
        self.cuts: list[dict[str, Any]] = []

    def to_dict(self) -> dict[str, Any]:
        """Return the proof."""
        cores = [self._core(self.result.cores[core]) for core in self.number]
        tree = [self._node(node) for node in self.result.tree]
        return {"kind": "cover", "cores": cores, "cuts": self.cuts, "tree": tree}

    def _node(self, node: Leaf | Branch) -> dict[str, Any]:
        if isinstance(node, Branch):
            return {"record": int(self.problem.records[node.record]), "keep": node.keep, "give": node.give}
        if node.cores and not node.multipliers:
            return {"core": self.number[node.cores[0]]}
        numbers = [self.number[core] for core in node.cores]
        exact = self._exact_leaf(node)
        if exact is None:
            return {"cores": numbers, "multipliers": list(node.multipliers)}
        return {"cores": numbers, "multipliers": [written(y) for y in exact[0]], "divisor": written(exact[1])}

    def _exact_leaf(self, leaf: Leaf) -> tuple[list[int], int] | None:
        """Return exact multipliers of a leaf; None where weights are whole and bounds are rounded down to the right one."""
        if _has_small_whole_weights(self.problem) or not leaf.cores:
            return None
        cores = [self.result.cores[core].members for core in leaf.cores]
        return exact_multipliers(cores, leaf.multipliers, self.worth)

    def _core(self, core: Core) -> dict[str, Any]:
        """Return a core; its multipliers are those of the rows and inequalities as they are, not of length 1."""
        problem = self.problem
        whole = self._whole_multipliers(core)
        if whole is not None:
            return self._whole_core(core, whole)
        rows = [
            [int(problem.records[i]), int(problem.row_of[j]), multiplier / problem.source.length(i, j)]
            for i, j, multiplier in zip(core.records, core.points, core.multipliers, strict=True)
        ]
        slack, cuts = 0.0, []
        normal = problem.parameters.normal
        for cut, multiplier in zip(core.cuts, core.cut_multipliers, strict=True):
            if cut == 0 and normal is not None:
                slack = multiplier / float(np.linalg.norm(normal))
            elif problem.family.cites_inequalities:
                cuts.append([self._cut(cut), multiplier / self._length(cut)])
        return {"rows": rows, "cuts": cuts, "slack": slack if problem.family.cites_inequalities else 0.0}

    def _whole_multipliers(self, core: Core) -> list[int] | None:
        """Return whole multipliers with which the exact rows and inequalities of a core vanish; None if floats will do.

        They do where the mixture is polar, or outweighed; and where it vanishes beyond any rounding, if there are many.
        """
        parameters, exact = self.problem.parameters, self.exact
        rows = [exact.row(i, j) for i, j in zip(core.records, core.points, strict=True)]
        mixture = mixed_rows(rows, raw_multipliers(core, exact))
        if mixture is None or parameters.is_polar(mixture.total) is not None:
            return None
        if parameters.normal is not None and _is_outweighed(core, exact, self.feasibility, mixture):
            return None
        vectors = rows + [exact.cut(cut, self.feasibility) for cut in core.cuts]
        return null_vector(vectors) if len(vectors) <= MOST_VECTORS or not _is_clearly_positive(vectors) else None

    def _whole_core(self, core: Core, whole: list[int]) -> dict[str, Any]:
        problem, n_rows = self.problem, len(core.records)
        rows = [
            [int(problem.records[i]), int(problem.row_of[j]), written(m * int(1 / self.exact.unit))]
            for i, j, m in zip(core.records, core.points, whole[:n_rows], strict=True)
        ]
        slack, cuts = 0, []
        for cut, m in zip(core.cuts, whole[n_rows:], strict=True):
            is_pair = cut in self.feasibility.pair_of_cut
            unit = self.exact.feature_factor if is_pair else max(map(abs, self.exact.cut(cut, self.feasibility)))
            if cut == 0 and problem.parameters.normal is not None:
                slack = m * unit
            else:
                cuts.append([self._cut(cut), written(m * unit)])
        return {"rows": rows, "cuts": cuts, "slack": written(slack)}

    def _cut(self, cut: int) -> int:
        if cut not in self.cut_number:
            self.cut_number[cut] = len(self.cuts)
            self.cuts.append(self._label(cut))
        return self.cut_number[cut]

    def _label(self, cut: int) -> dict[str, Any]:
        """Say which inequality of the parameter set a cut is."""
        if cut in self.feasibility.pair_of_cut:
            i, point = self.feasibility.pair_of_cut[cut]
            return {"pair": [i, int(self.problem.row_of[point])]}
        return self.problem.family.inequality_label(self.feasibility.cuts[cut], len(self.problem.names))

    def _length(self, cut: int) -> float:
        """Return the length a cut had before it was brought to 1."""
        if cut in self.feasibility.pair_of_cut:
            i, point = self.feasibility.pair_of_cut[cut]
            _, x, y = self.problem.comparison.vectors()
            return float(np.linalg.norm(self.problem.family.features((x[i] - y[self.problem.row_of[point]])[None])))
        return float(1.0 / np.abs(self.feasibility.cuts[cut]).max())


def written(number: int) -> int | str:
    """Return a whole number as a certificate holds it: in hexadecimal digits where decimal ones would be too many.

    >>> written(-12), written(2**13288)[:4]
    (-12, '0x10')
    """
    return number if number.bit_length() <= MOST_DECIMAL_BITS else hex(number)


def null_vector(vectors: list[list[int]]) -> list[int] | None:
    """Return the least positive whole multipliers with which vectors sum to 0, if these are unique; otherwise None.

    By elimination free of fractions, after which all pivots are equal (Bareiss 1968).

    >>> null_vector([[2, 4], [-3, -6]]), null_vector([[1, 0], [0, 1]])
    ([3, 2], None)
    """
    matrix = [list(column) for column in zip(*vectors, strict=True)]
    pivots: list[int] = []
    last = 1
    for column in range(len(vectors)):
        rank = len(pivots)
        place = next((q for q in range(rank, len(matrix)) if matrix[q][column]), None)
        if place is None:
            continue
        matrix[rank], matrix[place] = matrix[place], matrix[rank]
        lead, row = matrix[rank][column], matrix[rank]
        for q in range(len(matrix)):
            if q != rank:
                share = matrix[q][column]
                matrix[q] = [(lead * a - share * b) // last for a, b in zip(matrix[q], row, strict=True)]
        last = lead
        pivots.append(column)
    if len(pivots) != len(vectors) - 1:
        return None
    free = next(c for c in range(len(vectors)) if c not in pivots)
    result = [last] * len(vectors)
    for q, column in enumerate(pivots):
        result[column] = -matrix[q][free]
    divisor = math.gcd(*result) * (1 if last > 0 else -1)
    result = [value // divisor for value in result]
    return result if min(result) > 0 else None


def data_digest(comparison: Comparison) -> str:
    """SHA-256 of the scaled values and of all that says how they are compared, as docs/certificates.md defines it."""
    coordinates = comparison.coordinates
    texts = [None if text is None else [list(text.original), list(text.protected)] for text in coordinates.texts]
    head = {
        "attributes": list(comparison.names),
        "scale": str(comparison.scale),
        "records": [len(coordinates.original), len(coordinates.protected)],
        "texts": texts,
    }
    digest = hashlib.sha256(json.dumps(head, sort_keys=True, separators=(",", ":")).encode())
    for whole in (coordinates.own, coordinates.rules):
        digest.update(np.ascontiguousarray(whole, dtype="<i8").tobytes())
    for values in (
        coordinates.original,
        coordinates.protected,
        coordinates.divisor,
        coordinates.offset,
        coordinates.missing_one,
        coordinates.missing_both,
        comparison.original_means,
        comparison.protected_means,
    ):
        plain = np.where(np.isnan(values), np.nan, values + 0.0)  # one kind of NaN, and no minus zero
        digest.update(np.ascontiguousarray(plain, dtype="<f8").tobytes())
    return digest.hexdigest()
