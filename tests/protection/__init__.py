"""Tests of the protection methods."""
