"""Tests of the checking of certificates."""
