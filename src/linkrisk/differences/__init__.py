"""One attribute, two records: the difference between them, on one of three scales."""

from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.differences.scales import Scale

__all__ = ["Comparison", "Scale", "make_comparison"]
