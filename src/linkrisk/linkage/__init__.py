"""Linking: nearest records with ties, and one-to-one assignment.

The kernels behind `nearest` and `assign` are imported when first used: `linkrisk.linkage.nearest` and
`linkrisk.linkage.assignment`.
"""

from linkrisk.linkage.linkage import DEFAULT_TIES, Linkage, Ties

__all__ = ["DEFAULT_TIES", "Linkage", "Ties"]
