"""Families of distances: their features, their admissible parameters, and the polar cone of these."""
