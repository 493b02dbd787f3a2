"""Protection methods: a file in, a protected file of the same kind and a record of what was done out.

Microaggregation: `microaggregate` (MDAV), `individual_ranking`, `z_scores`, `principal_components`. Perturbation:
`rank_swap`, `add_noise`, `add_correlated_noise`, `pram`. Less detail: `round_values`, `code_extremes`, `generalise`.
All return a `Protection`; the seed of a random method is a `Secret` of its own. All refuse a column of which nothing is
said, one in which some cells are numbers and others are not unless its kind is given (`linkrisk.protect.quantities`),
an identifier, and a protected value that is a code for missing in the schema (`linkrisk.errors.MissingCodeError`).
`apply_method` calls them by the names of the command line (`METHODS`); `parse_groups`, `parse_values` and
`paper_groups` read their parameters from text.
"""

from linkrisk.protect.coding import code_extremes
from linkrisk.protect.correlated_noise import add_correlated_noise
from linkrisk.protect.generalise import generalise
from linkrisk.protect.mdav import mdav_groups, microaggregate
from linkrisk.protect.methods import METHODS, Method, apply_method
from linkrisk.protect.noise import add_noise
from linkrisk.protect.pram import pram
from linkrisk.protect.projection import principal_components, z_scores
from linkrisk.protect.protection import Protection, Secret
from linkrisk.protect.rank_swap import rank_swap
from linkrisk.protect.ranking import individual_ranking
from linkrisk.protect.rounding import round_values
from linkrisk.protect.specification import Groups, paper_groups, parse_groups, parse_values

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
