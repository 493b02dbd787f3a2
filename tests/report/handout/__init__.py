"""Tests of reports that are handed on."""
