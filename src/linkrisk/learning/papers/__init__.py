"""The papers' own ways to learn a distance: baselines, and a bridge to commercial solvers.

`minimise_errors` is approach 1 of torra2010-owa.txt, an LP; `minimise_wrong_links` is approach 2, the MILP that all
four papers solve, through HiGHS or SCIP. `make_milp` writes the MILP down, `write_program` exports it as MPS or LP
file, `read_solution` reads what CPLEX, Gurobi, HiGHS or SCIP made of it; `Family.programme_size` counts its variables
and constraints.
Links are always recounted by `linkrisk.linkage`: a solver's tolerance can make it claim links that its
parameters do not make.
"""

from linkrisk.learning.papers.errors_lp import ErrorsResult, errors_program, minimise_errors
from linkrisk.learning.papers.export import write_program
from linkrisk.learning.papers.learn import MilpResult, minimise_wrong_links, solve_milp
from linkrisk.learning.papers.milp import MARGIN, BigM, Milp, make_milp
from linkrisk.learning.papers.solutions import ImportedSolution, read_solution
from linkrisk.learning.papers.solvers import Solver

__all__ = [
    "MARGIN",
    "BigM",
    "ErrorsResult",
    "ImportedSolution",
    "Milp",
    "MilpResult",
    "Solver",
    "errors_program",
    "make_milp",
    "minimise_errors",
    "minimise_wrong_links",
    "read_solution",
    "solve_milp",
    "write_program",
]
