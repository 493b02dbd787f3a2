"""What is known: samples, published tables, and the mechanism each table was made by."""
