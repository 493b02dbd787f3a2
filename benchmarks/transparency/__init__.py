"""What an intruder finds who has read how a release was made, beside all others and beside the ceiling of any.

`python -m benchmarks.transparency table` and so on; see `__main__`. Released rows are always in another order than the
original ones, so that nothing but the values can tell who is who.
"""
