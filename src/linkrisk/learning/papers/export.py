"""Models as MPS and LP files, for CPLEX, Gurobi, HiGHS and whoever else reads them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

from linkrisk.data.writing import CONFIDENTIAL_NOTICE, check_writable, write_text
from linkrisk.errors import FileError
from linkrisk.learning.papers.program import LinearProgram

SUFFIXES = (".mps", ".lp")

TERMS_A_LINE = 8
"""Terms on a line of an LP file: CPLEX reads no line of more than 560 characters."""


def write_program(path: str | os.PathLike[str], program: LinearProgram, *, overwrite: bool = False) -> None:
    """Write a program as an MPS or LP file, told by the ending of the name, whole or not at all.

    CONFIDENTIAL: squared differences and the protected file give the originals away. The file is for its owner alone
    (mode 0600) and says so in its first line, a comment in both formats. Numbers are written so that they are read
    back exactly. Solve it with a feasibility tolerance of 1e-6 or less, and read the solution back with
    `linkrisk.learning.papers.solutions.read_solution`.

    Parameters
    ----------
    path
        The file to be written, ending in .mps or .lp.
    program
        Such as `Milp.program`.
    overwrite
        Whether a file that is already there may be replaced.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(f"{path.name} cannot be written as a model; give a name ending in {' or '.join(SUFFIXES)}")
    check_writable(path, overwrite=overwrite)
    lines = mps_lines(program) if suffix == ".mps" else lp_lines(program)
    write_text(path, "".join(f"{line}\n" for line in lines), confidential=True, overwrite=overwrite)


def mps_lines(program: LinearProgram) -> Iterator[str]:
    """Yield a program in free MPS format, line by line.

    Reference: https://www.ibm.com/docs/en/icos/22.1.1?topic=formats-working-mps-files
    """
    yield f"* {CONFIDENTIAL_NOTICE}"
    yield "NAME linkrisk"
    yield "ROWS"
    yield " N cost"
    yield from (f" {_kind(*bounds)} {name}" for name, *bounds in _rows(program))
    yield "COLUMNS"
    yield from _mps_columns(program)
    yield "RHS"
    yield from (f" RHS {name} {_right(low, high)!r}" for name, low, high in _rows(program) if _right(low, high) != 0.0)
    yield "BOUNDS"
    for name, low, high in _columns(program):
        yield f" LO BOUND {name} {low!r}" if math.isfinite(low) else f" MI BOUND {name}"
        if math.isfinite(high):
            yield f" UP BOUND {name} {high!r}"
    yield "ENDATA"


def _mps_columns(program: LinearProgram) -> Iterator[str]:
    """Yield the entries column by column, columns of whole numbers between markers."""
    matrix = sparse.csc_array(program.matrix)
    cost, is_integer = program.cost.tolist(), program.is_integer.tolist()
    was_integer = False
    for k, name in enumerate(program.column_names):
        if is_integer[k] != was_integer:
            yield f" MARKER{k} 'MARKER' '{'INTORG' if is_integer[k] else 'INTEND'}'"
            was_integer = is_integer[k]
        if cost[k] != 0.0:
            yield f" {name} cost {cost[k]!r}"
        entries = slice(matrix.indptr[k], matrix.indptr[k + 1])
        for row, value in zip(matrix.indices[entries].tolist(), matrix.data[entries].tolist(), strict=True):
            yield f" {name} {program.row_names[row]} {value!r}"
    if was_integer:
        yield " MARKER 'MARKER' 'INTEND'"


def lp_lines(program: LinearProgram) -> Iterator[str]:
    r"""Yield a program in CPLEX LP format, line by line; ``\`` starts a comment.

    Reference: https://www.ibm.com/docs/en/icos/22.1.1?topic=cplex-lp-file-format-algebraic-representation
    """
    yield f"\\ {CONFIDENTIAL_NOTICE}"
    yield "Minimize"
    yield " cost:"
    yield from _terms(np.flatnonzero(program.cost), program.cost[program.cost != 0.0], program.column_names)
    yield "Subject To"
    signs = {"E": "=", "G": ">=", "L": "<="}
    matrix = program.matrix
    for row, (name, low, high) in enumerate(_rows(program)):
        entries = slice(matrix.indptr[row], matrix.indptr[row + 1])
        yield f" {name}:"
        yield from _terms(matrix.indices[entries], matrix.data[entries], program.column_names)
        yield f"  {signs[_kind(low, high)]} {_right(low, high)!r}"
    yield "Bounds"
    yield from (f" {_lp_bound(low)} <= {name} <= {_lp_bound(high)}" for name, low, high in _columns(program))
    if program.is_integer.any():
        yield "General"
    yield from (f" {program.column_names[k]}" for k in np.flatnonzero(program.is_integer))
    yield "End"


def _terms(columns: Iterable[int], values: Iterable[float], names: tuple[str, ...]) -> Iterator[str]:
    """Yield a sum of terms, some on each line."""
    terms = [
        f"{'-' if value < 0.0 else '+'} {abs(float(value))!r} {names[column]}"
        for column, value in zip(columns, values, strict=True)
    ]
    for start in range(0, len(terms), TERMS_A_LINE):
        yield "  " + " ".join(terms[start : start + TERMS_A_LINE])


def _lp_bound(bound: float) -> str:
    return repr(bound) if math.isfinite(bound) else f"{'-' if bound < 0.0 else '+'}infinity"


def _rows(program: LinearProgram) -> Iterator[tuple[str, float, float]]:
    return zip(program.row_names, program.row_lower.tolist(), program.row_upper.tolist(), strict=True)


def _columns(program: LinearProgram) -> Iterator[tuple[str, float, float]]:
    return zip(program.column_names, program.lower.tolist(), program.upper.tolist(), strict=True)


def _kind(low: float, high: float) -> str:
    """Tell E, G or L of a row; our programs have none with two different bounds."""
    if low == high:
        return "E"
    return "G" if math.isinf(high) else "L"


def _right(low: float, high: float) -> float:
    """Return the right-hand side of a row."""
    return high if math.isinf(low) else low
