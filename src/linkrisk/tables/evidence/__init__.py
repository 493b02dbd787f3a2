"""What the intruder holds: samples, published tables, and the mechanism by which each table was made."""
