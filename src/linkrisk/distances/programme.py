"""How large the papers' mixed integer programme is: variables and constraints, next to the papers' own counts."""

from __future__ import annotations

from dataclasses import dataclass

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
class ProgrammeSize:
    """Variables and constraints of the papers' second approach.

    Variables: ``binary`` K_i and ``continuous`` parameters. Constraints: ``error_rows`` distance(i, j) - distance(i, i)
    + C K_i > 0; ``integrality`` K_i in {0, 1}, which the papers count; ``normalisation``; ``monotonicity`` mu(A + k) >=
    mu(A) for A not empty; ``submodularity``; ``nonnegativity`` of weights, of single attributes, or of distances;
    ``other`` of a user's own family.

    ``papers`` are the papers' totals. Where our count differs: abril2012-weights.txt and abril2012-choquet.txt count
    N^2 error rows, i = j included, though they exclude i = j, as abril-bilinear.txt does; abril-bilinear.txt counts
    mu(empty) = 0, and n (n - 1) / 2 submodularity constraints where n (n - 1) / 2 . 2^(n - 2) are needed; none counts
    that mu({k}) >= 0, which follows from mu(empty) = 0.
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

    @classmethod
    def of(cls, name: str, n_records: int, n_attributes: int) -> ProgrammeSize:
        """Return what is the same for all families; each adds what its parameters need."""
        if n_records < 1 or n_attributes < 1:
            raise ParameterError("a problem must have at least one record and one attribute")
        return cls(
            name=name,
            n_records=n_records,
            n_attributes=n_attributes,
            binary=n_records,
            continuous=n_attributes,
            error_rows=n_records * (n_records - 1),
            integrality=n_records,
        )
