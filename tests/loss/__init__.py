"""Tests of information loss."""
