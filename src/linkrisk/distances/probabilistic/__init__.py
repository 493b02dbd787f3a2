"""Probabilistic linkage (Fellegi-Sunter): levels of agreement, patterns, EM, decisions."""
