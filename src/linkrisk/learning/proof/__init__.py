"""What is proven of a learned attacker: exact checks, exact recounts, certificates."""
