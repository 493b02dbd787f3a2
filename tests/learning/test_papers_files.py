"""MPS and LP files: what HiGHS reads and solves is our model; solutions of all solvers are read and recounted."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import highspy
import numpy as np
import pytest

from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import FileError, ParameterError
from linkrisk.learning.papers import BigM, Milp, errors_program, make_milp, minimise_wrong_links, read_solution
from linkrisk.learning.papers.export import write_program
from linkrisk.learning.papers.solvers import highs_model
from tests.linkage.files import numeric_files

FAMILIES: list[Family] = [
    WeightedMeanFamily(),
    WeightedMeanFamily(floor=1e-4),
    OWAFamily(),
    ChoquetFamily(),
    ChoquetFamily(is_metric=True),
    BilinearFamily(Form.FREE),
    BilinearFamily(Form.NONNEGATIVE),
]


def small_comparison() -> Comparison:
    """Two files of ten records."""
    random = np.random.default_rng(3)
    original = random.integers(0, 6, (10, 3)).astype(np.float64)
    return make_comparison(numeric_files(original, np.round(original + 2 * random.normal(size=original.shape))))


def quiet_highs() -> Any:
    """Return a solver that says nothing."""
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy has no types
    highs.setOptionValue("output_flag", False)
    return highs


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
@pytest.mark.parametrize("big_m", list(BigM))
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_round_trip_through_highs(family: Family, big_m: BigM, suffix: str, tmp_path: Path) -> None:
    """Exported, solved by HiGHS's own API, imported and recounted: the links of our own run."""
    model = make_milp(family, small_comparison(), big_m=big_m)
    path, solution = tmp_path / f"model{suffix}", tmp_path / "solution.sol"
    write_program(path, model.program)
    highs = quiet_highs()
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    highs.writeSolution(str(solution), 0)
    result = read_solution(solution, model)
    own = minimise_wrong_links(family, small_comparison(), big_m=big_m)
    assert result.links == result.claimed == own.links
    assert result.is_confirmed
    assert str(result).startswith(f"{family.name} from a solution file: ")


@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_files_hold_the_model_exactly(suffix: str, tmp_path: Path) -> None:
    """HiGHS reads back every number, bound, kind and name."""
    for program in (
        make_milp(ChoquetFamily(), small_comparison()).program,
        make_milp(BilinearFamily(Form.FREE), small_comparison()).program,
        errors_program(WeightedMeanFamily(), small_comparison()),
    ):
        path = tmp_path / f"model{suffix}"
        write_program(path, program, overwrite=True)
        highs, given = quiet_highs(), quiet_highs()
        assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
        given.passModel(highs_model(program))
        read, passed = highs.getLp(), given.getLp()
        order = [list(read.col_names_).index(name) for name in program.column_names]
        for field in ("col_cost_", "col_lower_", "col_upper_"):
            assert np.array(getattr(read, field))[order].tolist() == list(getattr(passed, field))
        assert list(read.row_names_) == list(program.row_names)
        assert list(read.row_lower_) == list(passed.row_lower_)
        assert list(read.row_upper_) == list(passed.row_upper_)
        assert dense(highs)[:, order].tolist() == program.matrix.toarray().tolist()
        kinds = list(read.integrality_) or [highspy.HighsVarType.kContinuous] * program.n_columns
        is_integer = [kinds[place] == highspy.HighsVarType.kInteger for place in order]
        assert is_integer == program.is_integer.tolist()


def dense(highs: Any) -> Any:
    """Return the matrix that a solver holds."""
    model = highs.getLp()
    matrix = np.zeros((model.num_row_, model.num_col_))
    for column in range(model.num_col_):
        for place in range(model.a_matrix_.start_[column], model.a_matrix_.start_[column + 1]):
            matrix[model.a_matrix_.index_[place], column] = model.a_matrix_.value_[place]
    return matrix


@pytest.mark.parametrize(("suffix", "comment"), [(".mps", "* "), (".lp", "\\ ")])
def test_files_are_confidential(suffix: str, comment: str, tmp_path: Path) -> None:
    """Only the owner can read the files, their first line says so, and none is replaced unless that is allowed."""
    path = tmp_path / f"model{suffix}"
    program = make_milp(WeightedMeanFamily(), small_comparison()).program
    write_program(path, program)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    assert first.startswith(f"{comment}CONFIDENTIAL")
    assert max(len(line) for line in lines) < 560
    with pytest.raises(FileError, match="exists already"):
        write_program(path, program)
    write_program(path, program, overwrite=True)
    with pytest.raises(FileError, match=r"give a name ending in \.mps or \.lp"):
        write_program(tmp_path / "model.txt", program)


def small_model() -> Milp:
    """Weighted mean of two attributes; the best weights are easily told."""
    original = np.array([[0.0, 1], [1, 5], [2, 3]])
    return make_milp(
        WeightedMeanFamily(), make_comparison(numeric_files(original, original[:, ::-1].copy())), big_m="single"
    )


HIGHS = """Model status
Optimal

# Primal solution values
Feasible
Objective 1
# Columns 5
theta_0 0.25
theta_1 0.75
given_up_0 0
given_up_1 0
given_up_2 1
# Rows 7
nearer_0_than_1 0.5

# Dual solution values
None
"""
CPLEX = """<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header problemName="model.mps" objectiveValue="1" solutionStatusString="integer optimal solution"/>
 <linearConstraints>
  <constraint name="nearer_0_than_1" index="0" slack="0"/>
 </linearConstraints>
 <variables>
  <variable name="theta_0" index="0" value="0.25"/>
  <variable name="theta_1" index="1" value="0.75"/>
  <variable name="given_up_0" index="2" value="0"/>
  <variable name="given_up_1" index="3" value="1e-12"/>
  <variable name="given_up_2" index="4" value="0.9999999999"/>
 </variables>
</CPLEXSolution>
"""
GUROBI = """# Solution for model linkrisk
# Objective value = 1
theta_0 2.5e-01
theta_1 0.75
given_up_0 0
given_up_1 0
given_up_2 1
"""
SCIP = """solution status: optimal
objective value:                                    1
theta_0                                          0.25 \t(obj:0)
theta_1                                          0.75 \t(obj:0)
given_up_2                                          1 \t(obj:1)
"""


@pytest.mark.parametrize("text", [HIGHS, CPLEX, GUROBI, SCIP], ids=["highs", "cplex", "gurobi", "scip"])
def test_solution_formats(text: str, tmp_path: Path) -> None:
    """The same solution in the words of four solvers."""
    path = tmp_path / "solution.sol"
    path.write_text(text, encoding="utf-8")
    result = read_solution(path, small_model())
    assert result.theta == pytest.approx([0.25, 0.75])
    assert result.claimed == 2


def test_solution_without_claims(tmp_path: Path) -> None:
    """Parameters suffice."""
    path = tmp_path / "solution.sol"
    path.write_text("theta_0 0.5\ntheta_1 0.5\n", encoding="utf-8")
    result = read_solution(path, small_model())
    assert result.claimed is None
    assert result.is_confirmed
    assert "claims nothing" in str(result)


def test_claims_are_recounted(tmp_path: Path) -> None:
    """A file that gives nobody up is not believed."""
    path = tmp_path / "solution.sol"
    path.write_text(GUROBI.replace("given_up_2 1", "given_up_2 0"), encoding="utf-8")
    result = read_solution(path, small_model())
    assert result.claimed == 3
    assert result.links < 3
    assert "do not make" in str(result)


@pytest.mark.parametrize(
    ("contents", "error", "message"),
    [
        (None, FileError, "solution.sol cannot be read"),
        (b"\xff\xfe\x00", FileError, "not a text file"),
        (b"", FileError, "holds no values of theta_0"),
        (b"Model status\nInfeasible\n\n# Primal solution values\nNone\n", FileError, "holds no values of theta_0"),
        (b"<CPLEXSolution><variables>", FileError, "not well-formed XML"),
        (b"<CPLEXSolution/>", FileError, "holds no values of theta_0"),
        (b"theta_0 0.5\n", FileError, "has 1 parameters theta_<k> where weighted_mean has 2"),
        (b"theta_0 0.5\ntheta_1 0.2\ntheta_2 0.3\n", FileError, "has 3 parameters"),
        (b"theta_0 0.5\ntheta_1 many\n", FileError, "the value of theta_1 is not a number"),
        (b"theta_0 0.5\ntheta_1 nan\n", FileError, "the value of theta_1 is not a number"),
        (b"theta_0 1.5\ntheta_1 -0.5\n", ParameterError, "not admissible for weighted_mean"),
    ],
)
def test_bad_solutions(contents: bytes | None, error: type[Exception], message: str, tmp_path: Path) -> None:
    """One sentence that names the file and the remedy."""
    path = tmp_path / "solution.sol"
    if contents is not None:
        path.write_bytes(contents)
    with pytest.raises(error, match=message):
        read_solution(path, small_model())


def test_solution_of_another_family(tmp_path: Path) -> None:
    """A measure that is not monotone belongs to another model."""
    original = np.array([[0.0, 1], [1, 5], [2, 3]])
    model = make_milp(ChoquetFamily(), make_comparison(numeric_files(original, original)))
    path = tmp_path / "solution.sol"
    path.write_text("theta_0 0.5\ntheta_1 1.2\ntheta_2 1\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="not admissible for choquet"):
        read_solution(path, model)
