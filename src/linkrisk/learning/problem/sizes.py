"""How large the papers' MILP is, by family: variables and constraints, beside the papers' own counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb

from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import AdditiveChoquetFamily, ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMean, WeightedMeanFamily, WeightedMeanMetric
from linkrisk.errors import ParameterError

PARTS = (
    "error_rows",
    "integrality",
    "normalisation",
    "monotonicity",
    "submodularity",
    "nonnegativity",
    "other",
)
"""Kinds of constraints."""


@dataclass(frozen=True)
class PapersCount:
    """Number of constraints a paper gives for a family."""

    source: str
    constraints: int


@dataclass(frozen=True, repr=False)
class ProblemSize:
    """Variables and constraints of the papers' second approach.

    Variables: ``binary`` K_i and ``continuous`` parameters. Constraints: ``error_rows`` distance(i, j) - distance(i, i)
    + C K_i > 0; ``integrality`` K_i in {0, 1}, which the papers count; ``normalisation``; ``monotonicity`` mu(A + k) >=
    mu(A) for A not empty; ``submodularity``; ``nonnegativity`` of weights, of single attributes, or of distances;
    ``other`` of a family of one's own. ``papers`` are the papers' totals, which differ as the notes of `size` say.
    """

    name: str
    n_records: int
    n_attributes: int
    binary: int
    continuous: int
    error_rows: int
    integrality: int
    normalisation: int = 0
    monotonicity: int = 0
    submodularity: int = 0
    nonnegativity: int = 0
    other: int = 0
    note: str = ""
    papers: tuple[PapersCount, ...] = ()

    @property
    def variables(self) -> int:
        """Number of variables."""
        return self.binary + self.continuous

    @property
    def constraints(self) -> int:
        """Number of constraints, counted as the papers do: integrality and nonnegativity included."""
        return sum(getattr(self, part) for part in PARTS)

    def __str__(self) -> str:
        counts = [(part.replace("_", " "), getattr(self, part)) for part in PARTS if getattr(self, part)]
        lines = [
            f"{self.name}, {self.n_records:,} records, {self.n_attributes} attributes",
            f"  {self.variables:>12,}  variables: {self.binary:,} binary, {self.continuous:,} continuous",
            f"  {self.constraints:>12,}  constraints",
            *(f"  {count:>12,}    {part}" for part, count in counts),
            *(f"  {paper.constraints:>12,}  constraints by {paper.source}" for paper in self.papers),
            *([f"  {self.note}"] if self.note else []),
        ]
        return "\n".join(lines)

    __repr__ = __str__


def size(family: Family, n_records: int, n_attributes: int) -> ProblemSize:
    """Count variables and constraints of the papers' MILP for a family, as they would write it down.

    Where our count differs from the papers': abril2012-weights.txt and abril2012-choquet.txt count N^2 error rows,
    i = j included, though they exclude i = j, as abril-bilinear.txt does; abril-bilinear.txt counts mu(empty) = 0,
    and n (n - 1) / 2 submodularity constraints where n (n - 1) / 2 . 2^(n - 2) are needed; none counts that
    mu({k}) >= 0, which follows from mu(empty) = 0.

    >>> from linkrisk.distances.weighted_mean import WeightedMeanFamily
    >>> print(size(WeightedMeanFamily(), 400, 4))
    weighted_mean, 400 records, 4 attributes
               404  variables: 400 binary, 4 continuous
           160,005  constraints
           159,600    error rows
               400    integrality
                 1    normalisation
                 4    nonnegativity
           160,405  constraints by abril2012-weights.txt, section 3.3
           160,005  constraints by abril-bilinear.txt, Table 2
    """
    if n_records < 1 or n_attributes < 1:
        raise ParameterError("a problem has at least one record and one attribute")
    base = ProblemSize(
        name=family.name,
        n_records=n_records,
        n_attributes=n_attributes,
        binary=n_records,
        continuous=n_attributes,
        error_rows=n_records * (n_records - 1),
        integrality=n_records,
    )
    if isinstance(family, WeightedMeanFamily | OWAFamily):
        return _simplex_size(base)
    if isinstance(family, ChoquetFamily):
        return _choquet_size(base, family)
    if isinstance(family, AdditiveChoquetFamily):
        subsets = sum(comb(n_attributes, q) for q in range(1, family.additivity + 1))
        return replace(_choquet_size(base, ChoquetFamily()), continuous=subsets, papers=())
    if isinstance(family, BilinearFamily):
        return _bilinear_size(base, family)
    parameters = family.parameter_set(n_attributes)
    normalisation = int(parameters.normal is not None)
    continuous, other = parameters.n_parameters, len(parameters.inequalities)
    return replace(base, continuous=continuous, normalisation=normalisation, other=other)


def _simplex_size(base: ProblemSize) -> ProblemSize:
    """Weights that are not negative and sum to 1."""
    n, n_records = base.n_attributes, base.n_records
    first = PapersCount("abril2012-weights.txt, section 3.3", n_records**2 + n_records + 1 + n)
    second = n_records * (n_records - 1) + n_records + n + 1
    papers = {
        WeightedMean.name: (first, PapersCount("abril-bilinear.txt, Table 2", second)),
        WeightedMeanMetric.name: (PapersCount("abril-bilinear.txt, Table 3", second),),
    }
    return replace(base, normalisation=1, nonnegativity=n, papers=papers.get(base.name, ()))


def _choquet_size(base: ProblemSize, family: ChoquetFamily) -> ProblemSize:
    """Monotone measures with mu(all) = 1, submodular ones for a metric."""
    n, n_records = base.n_attributes, base.n_records
    monotonicity = sum(comb(n, k) * k for k in range(2, n + 1))
    first = PapersCount("abril2012-choquet.txt, section 3.3", n_records**2 + n_records + 1 + monotonicity)
    second = n_records * (n_records - 1) + n_records + 2 + monotonicity
    papers: tuple[PapersCount, ...] = (first, PapersCount("abril-bilinear.txt, Table 2", second))
    if family.is_metric:
        papers = (PapersCount("abril-bilinear.txt, Table 3", second + comb(n, 2)),)
    return replace(
        base,
        continuous=2**n - 1,
        normalisation=1,
        monotonicity=monotonicity,
        submodularity=comb(n, 2) * 2 ** (n - 2) if family.is_metric and n > 1 else 0,
        nonnegativity=n,
        papers=papers,
    )


def _bilinear_size(base: ProblemSize, family: BilinearFamily) -> ProblemSize:
    """Symmetric matrices; with distances that are not negative on all pairs."""
    n, n_records = base.n_attributes, base.n_records
    general = n_records * (n_records - 1) + n_records
    source = "abril-bilinear.txt, section 5.3"
    papers = {
        Form.FREE: (PapersCount(source, general),),
        Form.NONNEGATIVE: (PapersCount(source, general + n_records**2),),
    }
    return replace(
        base,
        continuous=n * (n + 1) // 2,
        nonnegativity=n_records**2 if family.is_nonnegative else 0,
        note="and one semidefinite constraint, which no MILP has" if family.form is Form.SEMIDEFINITE else "",
        papers=papers.get(family.form, ()),
    )
