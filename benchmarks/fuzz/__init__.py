"""Fuzzing: small instances of all kinds, learned by linkrisk and judged exactly by code of its own.

`python -m benchmarks.fuzz --minutes 5` draws instances (`draw`), holds what linkrisk says against the exact judge of
`tests.oracle.judge` (`check`), makes what fails as small as possible (`shrink`) and prints it as Python with a table of
all families and kinds (`report`). An instance is the same for the same seed and number.
"""
