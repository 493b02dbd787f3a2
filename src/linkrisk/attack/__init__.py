"""Attacks: every attacker on every scale, one loop for assess, compare and tune."""
