"""Approach 2 of the papers: minimise the number of wrong links, a mixed integer linear program."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from scipy import sparse

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.programme import ProgrammeSize
from linkrisk.errors import ParameterError, SettingsError
from linkrisk.learning.papers.pairs import AllPairs
from linkrisk.learning.papers.program import LinearProgram, SparseMatrix, beside, sparse_rows, stack
from linkrisk.learning.problem.problem import make_problem
from linkrisk.learning.problem.sources import FormRows, ListedRows, RowSource, unit_rows
from linkrisk.linkage.ties import Ties

MARGIN = 1e-5
"""By how much a row of length 1 must hold: a hundred times what a solver may violate it by."""

SMALL_ENTRY = 1e-9
"""Entries of a row of length 1 that solvers ignore, and we leave out: together far below the margin."""

NEAR_TIE = 1e-9
"""A row shorter than this, relative to phi(i, i), is a tie that no parameters break: at length 1 it would be made of
rounding errors (2^-52 relative to phi), some of them larger than the margin."""


class BigM(StrEnum):
    """The constants that let a record be given up, and the rows they stand in.

    ``single``: the papers' one constant in the rows of all pairs of records. ``tight``: the least constant of each
    row, in the rows that presolve leaves.
    """

    SINGLE = "single"
    TIGHT = "tight"


@dataclass(frozen=True, eq=False, repr=False)
class Milp:
    """Minimise sum w_i K_i where theta . v + M_v K_i >= margin for each row v of record i, K_i being 0 or 1.

    Rows v = (1 - t) phi(i, j) - phi(i, i) are brought to length 1, so that ``margin`` means the same in all of them.
    Row s stands for original record ``records[owner[s]]`` and protected record ``rival[s]``, with the constant
    ``big_m[s]``. ``at_least_zero`` are the rows g with g . theta >= 0 besides; normal . theta = 1, or all entries in
    [-1, 1] for forms. ``is_reduced`` tells that presolve has left out rows and records.
    """

    family: Family
    comparison: Comparison
    ties: Ties
    parameters: ParameterSet
    margin: float
    records: IntArray
    weight: FloatArray
    rows: SparseMatrix
    owner: IntArray
    rival: IntArray
    big_m: FloatArray
    at_least_zero: SparseMatrix
    is_reduced: bool

    def __repr__(self) -> str:
        kind = BigM.TIGHT if self.is_reduced else BigM.SINGLE
        return (
            f"<Milp of {self.family.name}, {kind} big-M: {len(self.records):,} records, {len(self.owner):,} rows of "
            f"{self.parameters.n_parameters:,} parameters>"
        )

    @property
    def total(self) -> float:
        """Weight of all records in the model: the links if none is given up."""
        return math.fsum(self.weight.tolist())

    @property
    def is_counting(self) -> bool:
        """Whether every link is worth 1."""
        return bool((self.weight == 1.0).all())

    def size(self) -> ProgrammeSize:
        """Count variables and constraints of the model as it goes to a solver, after presolve if it is a tight one."""
        whole = self.family.programme_size(len(self.comparison.coordinates.own), self.comparison.n_attributes)
        n_distances = self.at_least_zero.shape[0]
        return replace(
            whole,
            name=repr(self).strip("<>").split(":")[0],
            binary=len(self.records),
            error_rows=len(self.owner),
            integrality=len(self.records),
            nonnegativity=n_distances if self.family.is_nonnegative else whole.nonnegativity,
            papers=(),
        )

    @cached_property
    def program(self) -> LinearProgram:
        """The program: columns theta_<parameter> and given_up_<record>, records counted from 0."""
        n_parameters, n_records = self.parameters.n_parameters, len(self.records)
        choices = sparse.csr_array(
            (self.big_m, self.owner, np.arange(len(self.owner) + 1)), shape=(len(self.owner), n_records)
        )
        normal = self.parameters.normal
        ones = np.ones(0 if normal is None else 1)
        fixed = stack([self.at_least_zero, *([] if normal is None else [sparse_rows(normal[None])])], n_parameters)
        zeros = np.zeros(self.at_least_zero.shape[0])
        lower, upper = self.box
        return LinearProgram(
            cost=np.concatenate([np.zeros(n_parameters), self.weight]),
            lower=np.concatenate([lower, np.zeros(n_records)]),
            upper=np.concatenate([upper, np.ones(n_records)]),
            is_integer=np.arange(n_parameters + n_records) >= n_parameters,
            matrix=stack([beside(self.rows, choices), beside(fixed, sparse.csr_array((fixed.shape[0], n_records)))], 0),
            row_lower=np.concatenate([np.full(len(self.owner), self.margin), zeros, ones]),
            row_upper=np.concatenate([np.full(len(self.owner) + len(zeros), np.inf), ones]),
            column_names=(*(f"theta_{k}" for k in range(n_parameters)), *(f"given_up_{i}" for i in self.records)),
            row_names=(
                *(f"nearer_{self.records[i]}_than_{j}" for i, j in zip(self.owner, self.rival, strict=True)),
                *(f"admissible_{row}" for row in range(len(zeros))),
                *("normal" for _ in ones),
            ),
        )

    @property
    def box(self) -> tuple[FloatArray, FloatArray]:
        """Bounds of the parameters; theta_k >= 0 is one where it is an inequality of the set."""
        bounds = self.parameters.bounds
        limit = np.ones(self.parameters.n_parameters) if bounds is None else bounds
        lower = -limit
        single, _ = split_inequalities(self.parameters.inequalities)
        lower[single.argmax(axis=1)] = 0.0
        return lower, limit


def make_milp(
    family: Family,
    comparison: Comparison,
    *,
    big_m: BigM | str = BigM.TIGHT,
    margin: float = MARGIN,
    ties: Ties | str = Ties.UNIQUE,
) -> Milp:
    """Write down the papers' second approach for a family whose parameters form a polyhedron.

    The problem is (5) of torra2010-owa.txt, (3)-(7) of abril2012-weights.txt, (13)-(17) of abril2012-choquet.txt and
    (5), (6), (8), (9) of abril-bilinear.txt; the strict inequalities, which no solver has, hold by ``margin``. Their
    constant C vanishes where K_i = 0: it is a big-M, not a minimum distance. Fuzzy measures stand as mu instead of
    its Möbius transform: the same problem, with fewer entries per row and without the papers' bound n - 1 on Möbius
    values, which cuts off valid measures.

    Parameters
    ----------
    family
        weighted_mean, weighted_mean_metric, owa, choquet, choquet_metric, bilinear or bilinear_free, or a family of
        one's own whose inequalities are all listed. Matrices that are positive semidefinite are no polyhedron.
    comparison
        The two files on one scale.
    big_m
        ``single`` or ``tight``, see `BigM`.
    margin
        By how much a row of length 1 must hold. At or below the tolerance of the solver (1e-7 here, 1e-6 by default
        elsewhere) it reports links that its own parameters do not make; large margins miss links.
    ties
        Under ``class`` and ``expected`` twins do not count against a record.

    Examples
    --------
    >>> import numpy as np
    >>> from linkrisk.distances.weighted_mean import WeightedMeanFamily
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> files = pair_files(np.array([[0.0, 1], [1, 5], [2, 3]]), np.array([[2.0, 1], [1, 4], [0, 3]]))
    >>> make_milp(WeightedMeanFamily(), make_comparison(files), big_m="single")
    <Milp of weighted_mean, single big-M: 3 records, 6 rows of 2 parameters>
    """
    check_margin(margin)
    if big_m not in list(BigM):
        raise SettingsError(f"unknown kind of big-M {str(big_m)!r}; the kinds are {', '.join(BigM)}")
    pairs = AllPairs.of(family, comparison)
    parameters = check_polyhedral(family, pairs.comparison.n_attributes)
    is_reduced = big_m == BigM.TIGHT
    found = _reduced_rows(pairs, Ties(ties)) if is_reduced else _all_rows(pairs, Ties(ties))
    violations = [parameters.largest_violations(values) for values in found.values]
    constants = np.concatenate([np.zeros(0), *violations]) + margin
    return Milp(
        family=family,
        comparison=pairs.comparison,
        ties=Ties(ties),
        parameters=parameters,
        margin=margin,
        records=found.records,
        weight=found.weight,
        rows=stack([sparse_rows(values, SMALL_ENTRY) for values in found.values], parameters.n_parameters),
        owner=np.repeat(np.arange(len(found.records)), [len(values) for values in found.values]),
        rival=np.concatenate([np.zeros(0, dtype=np.int64), *found.rivals]),
        big_m=constants if is_reduced else np.full(len(constants), constants.max(initial=margin)),
        at_least_zero=_admissible_rows(pairs, parameters, found.distinct),
        is_reduced=is_reduced,
    )


def check_margin(margin: float) -> None:
    """Raise unless a margin is a number between 0 and 1."""
    if not 0.0 < margin < 1.0:
        raise ParameterError("the margin must be a number above 0 and below 1; rows have length 1")


def check_polyhedral(family: Family, n_attributes: int) -> ParameterSet:
    """Return the parameters of a family, all of whose inequalities must be listed."""
    parameters = family.parameter_set(n_attributes)
    if type(parameters).cuts is not ParameterSet.cuts:
        raise ParameterError(
            f"{family.name}: its parameters have too many inequalities to be listed in a MILP; use the exact learner, "
            "or a family such as choquet or bilinear"
        )
    return parameters


def split_inequalities(inequalities: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Split the inequalities of a set into bounds theta_k >= 0, and the others."""
    is_single = ((inequalities != 0.0).sum(axis=1) == 1) & (inequalities.max(axis=1, initial=0.0) > 0.0)
    return inequalities[is_single], inequalities[~is_single]


@dataclass(frozen=True)
class _Found:
    """Rows of length 1 by record, and the protected records they belong to; ``distinct`` are those to look at."""

    records: IntArray
    weight: FloatArray
    values: list[FloatArray]
    rivals: list[IntArray]
    distinct: IntArray


def _all_rows(pairs: AllPairs, ties: Ties) -> _Found:
    """Return the rows of all pairs, as in the papers."""
    values, rivals, weight = [], [], []
    for i in pairs.records.tolist():
        is_rival, worth = pairs.rivals(i, ties)
        rivals.append(np.flatnonzero(is_rival))
        values.append(_rows_of(pairs, i, rivals[-1]))
        weight.append(worth)
    everybody = np.arange(len(pairs.comparison.coordinates.protected))
    return _Found(pairs.records, np.array(weight), values, rivals, everybody)


def _reduced_rows(pairs: AllPairs, ties: Ties) -> _Found:
    """Return the rows that presolve leaves."""
    problem = make_problem(pairs.family, pairs.comparison, ties)
    rivals = [problem.row_of[_points_of(problem.source, r)] for r in range(len(problem.records))]
    return _Found(
        records=problem.records,
        weight=problem.worths.values,
        values=[_rows_of(pairs, i, rows) for i, rows in zip(problem.records.tolist(), rivals, strict=True)],
        rivals=rivals,
        distinct=problem.row_of,
    )


def _points_of(source: RowSource, record: int) -> IntArray:
    """Return the points against which a record has rows."""
    if isinstance(source, ListedRows):
        return source.point[source.start[record] : source.start[record + 1]]
    if isinstance(source, FormRows):
        dropped = source.dropped[source.dropped_start[record] : source.dropped_start[record + 1]]
        return np.setdiff1d(np.arange(len(source.y)), dropped)
    raise TypeError(f"rows cannot be listed from {type(source).__name__}")


def _rows_of(pairs: AllPairs, record: int, rivals: IntArray) -> FloatArray:
    """Return the rows of a record against some protected records, of length 1, or 0 for a near tie."""
    phi = pairs.features(record)
    own = phi[pairs.own[record]]
    rows = (1.0 - pairs.family.tolerance) * phi[rivals] - own
    is_tie = np.linalg.norm(rows, axis=1) <= NEAR_TIE * np.linalg.norm(own)
    return np.where(is_tie[:, None], 0.0, unit_rows(rows)[0])


def _admissible_rows(pairs: AllPairs, parameters: ParameterSet, distinct: IntArray) -> SparseMatrix:
    """Return the rows g with g . theta >= 0: those of the set, and distances that must not be negative."""
    _, several = split_inequalities(parameters.inequalities)
    blocks = [sparse_rows(several)]
    if pairs.family.is_nonnegative:
        for i in range(len(pairs.own)):
            phi = pairs.features(i)[distinct]
            blocks.append(sparse_rows(unit_rows(phi[(phi != 0.0).any(axis=1)])[0], SMALL_ENTRY))
    return stack(blocks, parameters.n_parameters)
