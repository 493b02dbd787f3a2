"""Protection methods: a file in, a protected file of the same kind and a record of what was done out.

Microaggregation: `microaggregate` (MDAV), `individual_ranking`, `z_scores`, `principal_components`. Perturbation:
`rank_swap`, `add_noise`, `add_correlated_noise`, `pram`. Less detail: `round_values`, `code_extremes`, `generalise`.
All return a `Protection`; the seed of a random method is a `Secret` of its own. All refuse a column of which nothing is
said, one in which some cells are numbers and others are not unless its kind is given (see `quantities`),
an identifier, and a protected value that is a code for missing in the schema (`linkrisk.errors.MissingCodeError`).
`apply_method` calls them by the names of the command line (`METHODS`); `parse_groups`, `parse_values` and
`paper_groups` read their parameters from text.
"""

from linkrisk.protection.methods.coding import code_extremes
from linkrisk.protection.methods.correlated_noise import add_correlated_noise
from linkrisk.protection.methods.generalise import generalise
from linkrisk.protection.methods.individual_ranking import individual_ranking
from linkrisk.protection.methods.mdav import mdav_groups, microaggregate
from linkrisk.protection.methods.noise import add_noise
from linkrisk.protection.methods.pram import pram
from linkrisk.protection.methods.projection import principal_components, z_scores
from linkrisk.protection.methods.rank_swap import rank_swap
from linkrisk.protection.methods.rounding import round_values
from linkrisk.protection.protection import Protection, Secret
from linkrisk.protection.registry import METHODS, Method, apply_method
from linkrisk.protection.specification import Groups, paper_groups, parse_groups, parse_values

__all__ = [
    "METHODS",
    "Groups",
    "Method",
    "Protection",
    "Secret",
    "add_correlated_noise",
    "add_noise",
    "apply_method",
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
