"""Solutions that other solvers have written to files: read by name, recounted by our linkage."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.errors import FileError, ParameterError
from linkrisk.learning.papers.learn import SLACK, claimed_links
from linkrisk.learning.papers.milp import Milp
from linkrisk.learning.papers.recount import recount

ADMISSIBLE = 1e-5
"""How far parameters may be off their inequalities: ten times the tolerance solvers have by default."""

_XML_START = "<"
_SCIP_START = "solution status"
_LINE = re.compile(r"^\s*(theta_\d+|given_up_\d+)\s+(\S+)", re.MULTILINE)
_HIGHS_END = re.compile(r"^# (Rows|Dual solution values)", re.MULTILINE)


@dataclass(frozen=True, eq=False, repr=False)
class ImportedSolution:
    """A solution from a file: its parameters, and what they link.

    ``links`` are counted by the linkage of the package, ``claimed`` are the records the solver did not give up
    (None if the file does not say).
    """

    name: str
    links: float
    claimed: float | None
    theta: FloatArray

    def __str__(self) -> str:
        claim = "the file claims nothing" if self.claimed is None else f"claimed {self.claimed:g}"
        doubt = "" if self.is_confirmed else "; these parameters do not make the links claimed"
        return f"{self.name} from a solution file: {self.links:g} links ({claim}){doubt}"

    __repr__ = __str__

    @property
    def is_confirmed(self) -> bool:
        """Whether the parameters make at least the links the solver claims."""
        return self.claimed is None or self.links >= self.claimed - SLACK


def read_solution(path: str | os.PathLike[str], model: Milp) -> ImportedSolution:
    """Read what a solver made of a model that `write_program` has exported, and recount its links.

    Formats: the .sol files of HiGHS (raw style), CPLEX (XML), Gurobi (lines "name value") and SCIP, told by their
    contents. Values are found by name: theta_<parameter> for the parameters, given_up_<record> for what the solver
    claims; whatever else is in the file is passed over.

    Parameters
    ----------
    path
        The solution file.
    model
        The model that was exported, made once more from the same two files.

    Raises
    ------
    FileError
        If the file cannot be read, or is not such a solution.
    ParameterError
        If the parameters are not admissible for the family: the solution belongs to another model.
    """
    path = Path(path)
    values = _read_values(path, model)
    theta = _theta(values, model, path)
    found = recount(model, theta)
    return ImportedSolution(model.family.name, found.links, _claimed(values, model), found.theta)


def _read_values(path: Path, model: Milp) -> dict[str, float]:
    """Return all values of theta and given_up by name; what a file of SCIP leaves out is 0."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as fault:
        raise FileError(f"{path.name} cannot be read ({fault.strerror}); give the solution file of a solver") from None
    except UnicodeDecodeError:
        raise FileError(f"{path.name} is not a text file; give the solution file of a solver") from None
    found = _xml_values(text, path) if text.lstrip().startswith(_XML_START) else _line_values(text)
    values = {name: _number(value, name, path) for name, value in found}
    if values and text.startswith(_SCIP_START):
        return dict.fromkeys(model.program.column_names, 0.0) | values
    return values


def _line_values(text: str) -> list[tuple[str, str]]:
    """Return names and values of lines "name value"; in a file of HiGHS those of the columns only."""
    end = _HIGHS_END.search(text)
    return _LINE.findall(text[: end.start()] if end else text)


def _xml_values(text: str, path: Path) -> list[tuple[str, str]]:
    """Return names and values of the first solution in a file of CPLEX."""
    try:
        root = ET.fromstring(text)  # noqa: S314  (expat limits the expansion of entities; nothing is fetched)
    except ET.ParseError:
        raise FileError(f"{path.name} is not well-formed XML; have CPLEX write the solution once more") from None
    variables = next(root.iter("variables"), None)
    found = [] if variables is None else variables.iter("variable")
    return [(variable.get("name", ""), variable.get("value", "")) for variable in found]


def _number(text: str, name: str, path: Path) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FileError(f"{path.name}: the value of {name} is not a number; write the solution once more")
    return value


def _theta(values: dict[str, float], model: Milp, path: Path) -> FloatArray:
    """Return the parameters, checked: all of them there, admissible, not all zero."""
    names = [name for name in values if name.startswith("theta_")]
    n_parameters = model.parameters.n_parameters
    expected = [f"theta_{k}" for k in range(n_parameters)]
    if not names:
        raise FileError(
            f"{path.name} holds no values of theta_0, theta_1, ...; give the solution of a model exported by linkrisk"
        )
    if sorted(names) != sorted(expected):
        raise FileError(
            f"{path.name} has {len(names)} parameters theta_<k> where {model.family.name} has {n_parameters}; give the "
            "solution of the model exported for this family and these attributes"
        )
    theta = np.array([values[name] for name in expected])
    rows = [model.parameters.inequalities @ theta, model.at_least_zero @ theta]
    if any(float(row.min(initial=0.0)) < -ADMISSIBLE for row in rows):
        raise ParameterError(
            f"{path.name}: its parameters are not admissible for {model.family.name}; give the solution of the model "
            "exported for this family and these files"
        )
    return theta


def _claimed(values: dict[str, float], model: Milp) -> float | None:
    """Return the links a file claims: those of the records it does not give up."""
    given_up = [values.get(f"given_up_{i}") for i in model.records.tolist()]
    known = [value for value in given_up if value is not None]
    return claimed_links(model, np.array(known)) if len(known) == len(given_up) else None
