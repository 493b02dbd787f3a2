"""One attribute, two records: the difference between them, on one of three scales."""

from linkrisk.compare.comparison import Comparison, compare
from linkrisk.compare.scales import Scale

__all__ = ["Comparison", "Scale", "compare"]
