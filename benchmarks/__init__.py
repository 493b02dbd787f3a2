"""Benchmarks, run by hand: `make bench`. Times are compared within one run, for machines are noisy."""
