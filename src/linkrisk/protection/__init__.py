"""Protection methods: a file in, a protected file of the same kind and a record of what was done out.

`linkrisk.protect` protects a file as the command line does. Here each method is a function of its own, which must be
told what to do with every column:

- microaggregation: `microaggregate` (MDAV), `individual_ranking`, `z_scores`, `principal_components`;
- perturbation: `rank_swap`, `add_noise`, `add_correlated_noise`, `pram`;
- less detail: `round_values`, `code_extremes`, `generalise`.

All return a `Protection`; the seed of a random method is a `Secret` of its own. All refuse a column about which nothing
is said, a column of no given kind in which some cells are numbers and others are not
(`linkrisk.protection.values.quantities`), an identifier, and a protected value that is a code for missing in the schema
(`linkrisk.errors.MissingCodeError`).

`METHODS` holds them by the names of the command line. `parse_groups`, `parse_values` and `paper_groups` read parameters
from text, `read_plan` a `Plan` that gives each column of a file its method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.protection.drawing.secret import Secret as Secret
    from linkrisk.protection.method import Method as Method
    from linkrisk.protection.method import Strength as Strength
    from linkrisk.protection.methods.coding import code_extremes as code_extremes
    from linkrisk.protection.methods.correlated_noise import add_correlated_noise as add_correlated_noise
    from linkrisk.protection.methods.generalise import generalise as generalise
    from linkrisk.protection.methods.individual_ranking import individual_ranking as individual_ranking
    from linkrisk.protection.methods.mdav import mdav_groups as mdav_groups
    from linkrisk.protection.methods.mdav import microaggregate as microaggregate
    from linkrisk.protection.methods.noise import add_noise as add_noise
    from linkrisk.protection.methods.pram import pram as pram
    from linkrisk.protection.methods.principal_components import principal_components as principal_components
    from linkrisk.protection.methods.rank_swap import rank_swap as rank_swap
    from linkrisk.protection.methods.rounding import round_values as round_values
    from linkrisk.protection.methods.z_scores import z_scores as z_scores
    from linkrisk.protection.planning.plan import Plan as Plan
    from linkrisk.protection.planning.plan import Step as Step
    from linkrisk.protection.planning.plan import read_plan as read_plan
    from linkrisk.protection.protection import Protection as Protection
    from linkrisk.protection.registry import METHODS as METHODS
    from linkrisk.protection.specification import Groups as Groups
    from linkrisk.protection.specification import paper_groups as paper_groups
    from linkrisk.protection.specification import parse_groups as parse_groups
    from linkrisk.protection.specification import parse_values as parse_values

_HOMES = {
    "Groups": "linkrisk.protection.specification:Groups",
    "METHODS": "linkrisk.protection.registry:METHODS",
    "Method": "linkrisk.protection.method:Method",
    "Plan": "linkrisk.protection.planning.plan:Plan",
    "Protection": "linkrisk.protection.protection:Protection",
    "Secret": "linkrisk.protection.drawing.secret:Secret",
    "Step": "linkrisk.protection.planning.plan:Step",
    "Strength": "linkrisk.protection.method:Strength",
    "add_correlated_noise": "linkrisk.protection.methods.correlated_noise:add_correlated_noise",
    "add_noise": "linkrisk.protection.methods.noise:add_noise",
    "code_extremes": "linkrisk.protection.methods.coding:code_extremes",
    "generalise": "linkrisk.protection.methods.generalise:generalise",
    "individual_ranking": "linkrisk.protection.methods.individual_ranking:individual_ranking",
    "mdav_groups": "linkrisk.protection.methods.mdav:mdav_groups",
    "microaggregate": "linkrisk.protection.methods.mdav:microaggregate",
    "paper_groups": "linkrisk.protection.specification:paper_groups",
    "parse_groups": "linkrisk.protection.specification:parse_groups",
    "parse_values": "linkrisk.protection.specification:parse_values",
    "pram": "linkrisk.protection.methods.pram:pram",
    "principal_components": "linkrisk.protection.methods.principal_components:principal_components",
    "rank_swap": "linkrisk.protection.methods.rank_swap:rank_swap",
    "read_plan": "linkrisk.protection.planning.plan:read_plan",
    "round_values": "linkrisk.protection.methods.rounding:round_values",
    "z_scores": "linkrisk.protection.methods.z_scores:z_scores",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
