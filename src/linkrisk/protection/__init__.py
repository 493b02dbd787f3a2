"""Protection methods: a file in, a protected file of the same kind and a record of what was done out.

`linkrisk.protect` protects a file as the command line does. Here each method is a function of its own, which must be
told of every column:

- microaggregation: `microaggregate` (MDAV), `individual_ranking`, `z_scores`, `principal_components`;
- perturbation: `rank_swap`, `add_noise`, `add_correlated_noise`, `pram`;
- less detail: `round_values`, `code_extremes`, `generalise`.

All return a `Protection`; the seed of a random method is a `Secret` of its own. All refuse a column of which nothing is
said, a column in which some cells are numbers and others are not unless its kind is given
(`linkrisk.protection.quantities`), an identifier, and a protected value that is a code for missing in the schema
(`linkrisk.errors.MissingCodeError`).

`METHODS` holds them by the names of the command line. `parse_groups`, `parse_values` and `paper_groups` read parameters
from text.
"""

from linkrisk.protection.method import Method, Strength
from linkrisk.protection.methods.coding import code_extremes
from linkrisk.protection.methods.correlated_noise import add_correlated_noise
from linkrisk.protection.methods.generalise import generalise
from linkrisk.protection.methods.individual_ranking import individual_ranking
from linkrisk.protection.methods.mdav import mdav_groups, microaggregate
from linkrisk.protection.methods.noise import add_noise
from linkrisk.protection.methods.pram import pram
from linkrisk.protection.methods.principal_components import principal_components
from linkrisk.protection.methods.rank_swap import rank_swap
from linkrisk.protection.methods.rounding import round_values
from linkrisk.protection.methods.z_scores import z_scores
from linkrisk.protection.protection import Protection
from linkrisk.protection.registry import METHODS
from linkrisk.protection.secret import Secret
from linkrisk.protection.specification import Groups, paper_groups, parse_groups, parse_values

__all__ = [
    "METHODS",
    "Groups",
    "Method",
    "Protection",
    "Secret",
    "Strength",
    "add_correlated_noise",
    "add_noise",
    "code_extremes",
    "generalise",
    "individual_ranking",
    "mdav_groups",
    "microaggregate",
    "paper_groups",
    "parse_groups",
    "parse_values",
    "pram",
    "principal_components",
    "rank_swap",
    "round_values",
    "z_scores",
]
