"""Bounds on the number of people in a cell, from one table at a time or from all together."""
