"""Proofs by boxes: a tree of boxes of parameters, and in each box the records that cannot be linked there."""
