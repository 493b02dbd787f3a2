"""Tests mirror the packages of `src/linkrisk`."""
