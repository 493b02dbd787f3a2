"""Information loss: what a protected file is worth less than the original."""
