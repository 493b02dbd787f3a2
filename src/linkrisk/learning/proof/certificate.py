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
from typing import Any

import numpy as np

from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.learning.boxes.aside import put_aside
from linkrisk.learning.boxes.rows import owners, rows_on_rays
from linkrisk.learning.boxes.search import BoxResult, search_boxes
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.cover.relaxation import Leaf
from linkrisk.learning.cover.search import CoverResult
from linkrisk.learning.cover.tree import Branch
from linkrisk.learning.learned import Learned
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.problem.sources import ListedRows
from linkrisk.learning.proof.decide import ExactFeasibility
from linkrisk.learning.proof.exact import is_proven_by_floats
from linkrisk.learning.proof.margins import Margins
from linkrisk.learning.search import Clock, Status
from linkrisk.version import __version__

FORMAT = 2

MOST_VECTORS = 64
"""A core whose mixture must vanish gets whole multipliers if it has no more rows and inequalities than this."""

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
        "parameters": learned.theta.tolist() if learned.wholes is None else [written(x) for x in learned.wholes],
        "links": learned.links,
        "bound": bound,
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


def _proof(learned: Learned, clock: Clock, threads: int | None) -> tuple[dict[str, Any] | None, float, Status]:
    """Return a proof, the bound it proves, and the status that follows: a certificate claims no more than its proof."""
    proof = learned.proof
    if isinstance(proof, CoverResult):
        return _CoverProof(learned, proof, clock).to_dict(), learned.bound, learned.status
    if proof is None:
        is_partition = learned.partition is not None and learned.bound < learned.problem.total
        status = Status.TIME_LIMIT if is_partition else learned.status  # it is not written down yet
        return None, learned.problem.total if is_partition else learned.bound, status
    boxes = _box_proof(learned.problem, proof, clock, threads)
    if boxes is not None:
        return boxes, learned.bound, learned.status
    status = Status.UNSETTLED if learned.status is Status.OPTIMAL else learned.status
    if learned.cover is None:
        return None, learned.problem.total, status
    bound = learned.problem.worths.value(learned.cover.bound)
    return _CoverProof(learned, learned.cover, clock).to_dict(), max(bound, learned.links), status


def _box_proof(problem: Problem, result: BoxResult, clock: Clock, threads: int | None) -> dict[str, Any] | None:
    """Search the boxes again from the best theta, and write down the tree; None if either search was stopped."""
    if result.status is not Status.OPTIMAL or not isinstance(problem.source, ListedRows):
        return None
    searched = put_aside(*rows_on_rays(problem))
    rows = searched.rows
    tree = search_boxes(
        rows,
        incumbent_theta=result.theta,
        incumbent_links=result.links,
        clock=clock,
        errors=searched.errors,
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
        "multipliers": tree.multiplier / problem.source.lengths[searched.number[tree.member_row]],
    }
    aside = {"aside": sorted(searched.aside)} if searched.aside else {}
    return {"kind": "boxes", **aside, **{key: values.tolist() for key, values in columns.items()}}


class _CoverProof:
    """Writes the proof of a cover search: only the cores that its tree rests on."""

    def __init__(self, learned: Learned, result: CoverResult, clock: Clock) -> None:
        self.clock = clock
        self.problem = learned.problem
        self.feasibility: Feasibility = learned.feasibility
        self.result = result
        margins = Margins(self.problem)
        self.rows = margins.rows
        self.exact = ExactFeasibility(margins, self.feasibility)
        used = {core for leaf in result.tree if isinstance(leaf, Leaf) for core in leaf.cores}
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
        return {"cores": [self.number[core] for core in node.cores], "multipliers": list(node.multipliers)}

    def _core(self, core: Core) -> dict[str, Any]:
        """Return a core; its multipliers are those of the rows and inequalities as they are, not of length 1."""
        problem = self.problem
        exact = core if core.wholes else self._vanishing(core)
        if exact is not None:
            return self._exact_core(exact)
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

    def _vanishing(self, core: Core) -> Core | None:
        """Return a core with whole multipliers, if its mixture must vanish and is small; None if floats will do."""
        if len(core.records) + len(core.cuts) > MOST_VECTORS or is_proven_by_floats(core, self.rows, self.feasibility):
            return None
        return self.exact.proven(core, self.clock)

    def _exact_core(self, core: Core) -> dict[str, Any]:
        """Return a core whose multipliers, whole numbers, make the sum of rows and inequalities exactly 0."""
        places = zip(core.records, core.points, core.wholes, strict=True)
        rows = [[int(self.problem.records[i]), int(self.problem.row_of[j]), written(whole)] for i, j, whole in places]
        slack, cuts = 0, []
        if self.problem.family.cites_inequalities:
            for cut, whole in zip(core.cuts, core.whole_cuts, strict=True):
                if cut == 0 and self.problem.parameters.normal is not None:
                    slack = whole
                else:
                    cuts.append([self._cut(cut), written(whole)])
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
