"""Columns to be protected, as values: what they hold, how they are read from a file and written back."""
