"""Exact arithmetic: floats as whole numbers, and sums that are exactly zero."""
