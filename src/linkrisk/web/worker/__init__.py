"""The process that does a job: ``python -m linkrisk.web.worker`` reads the folder of its job from standard input.

It tells how far it is, one JSON object per line on standard output, and writes what it finds into that folder. One
process does one job: what it took of memory is given back, whatever happens to it happens to nobody else.
"""
