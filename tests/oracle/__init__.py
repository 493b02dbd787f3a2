"""Slow, obvious twins of the fast code; they import nothing from linkrisk."""
