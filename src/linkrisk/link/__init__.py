"""Linking: nearest records with ties, and one-to-one assignment.

The kernels behind `nearest` and `assign` are imported when first used: `linkrisk.link.nearest` and
`linkrisk.link.assignment`.
"""

from linkrisk.link.linkage import Linkage, Ties

__all__ = ["Linkage", "Ties"]
