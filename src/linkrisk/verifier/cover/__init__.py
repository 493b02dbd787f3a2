"""Proofs by covers: sets of records that cannot all be linked, and how many must be given up to break every set."""
