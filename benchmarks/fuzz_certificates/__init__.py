"""Certificates for the fuzzer: valid ones of every kind, changes of them, and the truth about what is left."""
